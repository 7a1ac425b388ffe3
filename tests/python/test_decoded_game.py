"""Whole games in one call of the author's ``decode``: searches are those of the same class without it."""

import random
from dataclasses import replace

import pytest

import nrpa

SOLVER = nrpa.Tempering(chains=3, period=50)
ITEMS = 20
WORTH = [7 + 11 * item % 17 for item in range(ITEMS)]
WEIGHT = [5 + 7 * item % 13 for item in range(ITEMS)]
MOST = 70


class Tour(nrpa.Problem):
    """All games are orders of the same moves."""

    def initial_state(self):
        return (0,), 0

    def legal_moves(self, state):
        return [city for city in range(1, ITEMS) if city not in state[0]]

    def play(self, state, move):
        return (*state[0], move), state[1] + abs(WORTH[move] - WORTH[state[0][-1]]) * len(state[0])

    def score(self, state):
        return -state[1]


class TourDecoded(Tour):
    """The same with a loop of its own, which spoils the list that it is given."""

    calls = played = 0

    def play(self, state, move):
        self.played += 1
        return super().play(state, move)

    def decode(self, order):
        self.calls += 1
        at, cost = 0, 0
        for step, city in enumerate(order, start=1):
            cost += abs(WORTH[city] - WORTH[at]) * step
            at = city
        made = [*order]
        order.clear()
        return made, -cost if len(made) == ITEMS - 1 else None


class TourBiased(Tour):
    """The same with a bias, which needs states."""

    def bias(self, state, move):
        return -abs(WORTH[move] - WORTH[state[0][-1]]) / 5


class TourBiasedDecoded(TourBiased, TourDecoded):
    """The same with a loop of its own."""


class Sack(nrpa.Problem):
    """Games have different lengths: items that fit, of which some must follow others."""

    objective = nrpa.Objective("worth", sign=1)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        left = MOST - sum(WEIGHT[item] for item in state)
        return [i for i in range(ITEMS) if i not in state and WEIGHT[i] <= left and (i % 3 != 2 or i - 1 in state)]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(WORTH[item] for item in state)


class SackDecoded(Sack):
    """The same with a loop of its own."""

    def decode(self, order):
        left, taken = MOST, {}
        waiting = list(order)
        while True:
            for item in waiting:
                if item not in taken and WEIGHT[item] <= left and (item % 3 != 2 or item - 1 in taken):
                    break
            else:
                break
            taken[item] = None
            waiting.remove(item)
            left -= WEIGHT[item]
        is_over = not self.legal_moves(tuple(taken))
        return list(taken), sum(WORTH[item] for item in taken) if is_over else None


class SackChanged(SackDecoded):
    """The same with states that ``play`` changes, and codes and a bias, as tuples."""

    def initial_state(self):
        return []

    def play(self, state, move):
        state.append(move)
        return state

    def copy(self, state):
        return list(state)

    def code(self, state, move):
        return (len(state), move)

    def bias(self, state, move):
        return WORTH[move] / WEIGHT[move]

    def decode(self, order):
        made, score = super().decode(order)
        return tuple(made), score

    def improve(self, moves):
        return self.decode(sorted(range(ITEMS), key=lambda item: (item not in moves[:-2], -WORTH[item])))[0]


class SackChangedPlain(SackChanged):
    """The same without ``decode``."""

    decode = nrpa.Problem.decode


class Undecided(Sack):
    """Makes fewer moves than it could, and leaves the rest to ``play``."""

    def decode(self, order):
        return super().decode(order)[0][: len(order) // 3], None


class TourUndecided(Tour):
    """Leaves all to ``play``."""

    def decode(self, order):
        return [], None


class Shop(nrpa.Problem):
    """Each move comes four times; the score is a tuple."""

    objective = nrpa.Lexicographic(nrpa.Objective("end", -1), nrpa.Objective("waits", -1), most=10_000)

    def initial_state(self):
        return (0,) * 5, 0, 0, 0

    def legal_moves(self, state):
        return [job for job in range(5) if state[0][job] < 4]

    def play(self, state, move):
        counts, end, waits, last = state
        counts = tuple(count + (job == move) for job, count in enumerate(counts))
        return counts, end + 1 + (move * last + counts[move]) % 7, waits + abs(move - last), move

    def score(self, state):
        return -state[1], -state[2]


class ShopDecoded(Shop):
    """The same with a loop of its own."""

    def decode(self, order):
        state = self.initial_state()
        for move in order:
            state = self.play(state, move)
        return order, self.score(state) if len(order) == 20 else None


TWINS = [
    (Tour, TourDecoded),
    (Sack, SackDecoded),
    (SackChangedPlain, SackChanged),
    (Sack, Undecided),
    (Tour, TourUndecided),
    (TourBiased, TourBiasedDecoded),
    (Shop, ShopDecoded),
]


@pytest.mark.parametrize("kinds", TWINS, ids=[other.__name__ for _, other in TWINS])
def test_games_are_those_of_the_class_without_decode(kinds):
    """Chains, improvements and scores are the same, also where a search is stopped and goes on."""
    solver = replace(SOLVER, bias=kinds[0] in (TourBiased, Shop))
    one, other = (solver.start(kind(), 3) for kind in kinds)
    for playouts in (90, 60, 1, 400, 449):
        found = [(each.playouts, each.score, each.moves.tolist()) for each in one.advance(playouts)]
        assert [(each.playouts, each.score, each.moves.tolist()) for each in other.advance(playouts)] == found
        assert other.last_score == one.last_score
    for ours, theirs in zip(other.memory.chains, one.memory.chains, strict=True):
        assert str(ours) == str(theirs)


@pytest.mark.parametrize("kind", [ShopDecoded, Undecided])
def test_a_decoder_that_keeps_the_rule_passes_the_check(kind):
    """Also where scores are tuples, or it leaves moves to ``play``."""
    assert nrpa.check_problem(kind()).kept


def test_orders_of_the_same_moves_are_not_played():
    """Only first games, and what is better than all before."""
    problem = TourDecoded()
    search = SOLVER.start(problem, 3)
    search.advance(150)
    problem.calls = problem.played = 0
    search.advance(1000)
    assert problem.calls == 1000
    assert problem.played < 100 * ITEMS


def test_the_race_finds_the_same():
    """With improved playouts and tempering, which are arms of ``auto``."""
    results = [nrpa.solve(kind(), seed=1, playouts=600) for kind in (SackChangedPlain, SackChanged)]
    assert results[0].solution == results[1].solution


class Packed(Sack):
    """Takes the items of an order by their weight, and then whatever fits: another rule."""

    own_decoder = True

    def decode(self, order):
        made = ()
        for item in [*sorted(order, key=WEIGHT.__getitem__), *range(ITEMS)] * 3:
            if item in self.legal_moves(made):
                made = (*made, item)
        return made, self.score(made)


class Backwards(TourDecoded):
    """Plays an order from its end where all is there: a rule under which the first moves change, too."""

    own_decoder = True

    def decode(self, order):
        return super().decode(order[::-1] if len(order) == ITEMS - 1 else order)


@pytest.mark.parametrize("kind", [Packed, Backwards])
def test_a_decoder_with_a_rule_of_its_own_gives_whole_games(kind):
    """The moves of chains are those returned, from the first one on, and have the scores that are said."""
    problem = kind()
    search = SOLVER.start(problem, 1)
    search.advance(1000)
    games = search.memory.chains.games
    for chain in range(3):
        moves = games.move[chain, : games.length[chain]]
        assert problem.check(problem.solution(moves)).score == games.score[chain]
        assert games.name[chain, : games.length[chain]].tolist() == moves.tolist()
    assert nrpa.check_problem(problem).kept
    problem.own_decoder = False
    assert nrpa.check_problem(problem).faults[0].endswith("if the rule is another one, set own_decoder = True")


def twice():
    """Return a function that differs when called again."""
    chance = random.Random(1)
    return lambda self, order: (chance.sample(order, len(order)), None)


WRONG = [
    (lambda self, order: order, "expected the moves that were made, and the score or None"),
    (lambda self, order: (7, 1), "decode returned (7, 1); expected a list of moves first"),
    (lambda self, order: ([[1]], 1), "decode gave [1], a list, which is not hashable"),
    (lambda self, order: (order, "much"), "decode returned 'much'; expected a number"),
    (lambda self, order: ([19, 19], 1), "decode returned 19 as move 2, which is not legal"),
    (lambda self, order: (order[:1], 1), "decode returned a score after 1 moves, and more can be played"),
    (lambda self, order: SackDecoded.decode(self, order[::-1]), "if the rule is another one, set own_decoder = True"),
    (lambda self, order: (order[1:2], None), "again and again, gives"),
    (lambda self, order: 1 // 0, "decode raised ZeroDivisionError"),
    (twice(), "decode is not deterministic"),
    (
        lambda self, order: (SackDecoded.decode(self, order)[0], 5),
        "decode returned the score 5.0; play and score give",
    ),
]


@pytest.mark.parametrize(("decode", "said"), WRONG)
def test_the_check_finds_a_wrong_decoder(decode, said):
    """What decode returns that does not fit play and score, in one sentence."""
    contract = nrpa.check_problem(type("Sack", (Sack,), {"decode": decode})())
    assert said in contract.summary()
    assert not contract.kept


def test_a_game_that_is_not_legal_is_found_in_a_search():
    """So is a score that play and score do not give: the best game is played again by the rules."""
    for decode, said in (
        (lambda self, order: ([2], 1e6), "decode returned 2 as move 1, which is not legal"),
        (lambda self, order: (SackDecoded.decode(self, order)[0], 1e6), "decode returned the score 1000000.0"),
    ):
        search = SOLVER.start(type("Sack", (Sack,), {"decode": decode})(), 1)
        with pytest.raises(nrpa.ProblemError, match=f"^Sack: {said}"):
            search.advance(1000)


def test_an_exception_in_decode_ends_the_search():
    """It is the author's own, also where all games are orders of the same moves."""
    for kind in (Tour, Sack):
        search = SOLVER.start(type("Failing", (kind,), {"decode": lambda self, order: {}[len(order)]})(), 1)
        with pytest.raises(KeyError):
            search.advance(1000)


def test_what_does_not_go_with_decode_is_refused():
    """Several players, a rule of no decoder, and a rule of its own in a compiled class."""
    game = type("Duel", (Sack,), {"players": 2, "rewards": lambda self, state: (0, 1), "decode": SackDecoded.decode})
    said = "decode is for problems of one player, and this is a game for 2; leave the method decode out"
    assert nrpa.check_problem(game()).faults == [said]
    with pytest.raises(nrpa.ProblemError, match=r"^Lazy: own_decoder is set, but the class lacks the method decode"):
        nrpa.solve(type("Lazy", (Sack,), {"own_decoder": True})(), playouts=10)
    with pytest.raises(nrpa.ProblemError, match=r"^Packed: own_decoder is set, but a compiled class makes one move"):
        nrpa.compiled(Packed())
