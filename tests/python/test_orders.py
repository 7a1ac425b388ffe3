"""Orders of moves that plain Python plays in one call; whole searches: ``tests/solvers/tempering/test_search.py``."""

from itertools import islice

import naive_tempering
import numpy as np
import pytest
from naive_tempering import NaiveTempering

import nrpa
from nrpa.python.numbering import Numbers
from nrpa.python.orders import EVERY, ChangingGame, Hashes
from nrpa.python.whole_games import FORGOTTEN, KEPT, ORDER, TO_BE_DRAWN, Order, Orders

SOLVER = nrpa.Tempering(chains=3, period=7)
ITEMS = 30


class Sack(nrpa.Problem):
    """Items that fit into a sack, of which some must follow others: the state is a list that changes."""

    asked = 0

    def __init__(self):
        rng = np.random.default_rng(3)
        self.weight = rng.integers(5, 30, ITEMS).tolist()
        self.worth = rng.integers(5, 30, ITEMS).tolist()

    def initial_state(self):
        return []

    def legal_moves(self, state):
        self.asked += 1
        return [item for item in range(ITEMS) if self.fits(state, item) and self.is_open(state, item)]

    def fits(self, state, item):
        return item not in state and self.weight[item] + sum(self.weight[other] for other in state) <= 200

    def is_open(self, state, item):
        return item % 3 != 2 or item - 1 in state

    def play(self, state, move):
        return [*state, move]

    def score(self, state):
        return sum(self.worth[item] for item in state)


class Changed(Sack):
    """The same with states that ``play`` changes."""

    def copy(self, state):
        return list(state)

    def play(self, state, move):
        state.append(move)
        return state


class Asked(Sack):
    """The same with ``is_legal``."""

    def is_legal(self, state, move):
        if not self.fits(state, move):
            return nrpa.NEVER
        return self.is_open(state, move)


class Generated(Sack):
    """The same with a generator of moves."""

    def legal_moves(self, state):
        yield from super().legal_moves(state)


class Machines(nrpa.Problem):
    """Jobs on two machines: the order of two jobs on different ones makes no difference to the state."""

    played = 0

    def initial_state(self):
        return tuple(range(ITEMS)), (0, 0)

    def legal_moves(self, state):
        return list(state[0])

    def play(self, state, move):
        self.played += 1
        left, ends = state
        machine = move % 2
        end = max(ends[machine], 3 * move % 17) + move % 5
        return tuple(job for job in left if job != move), (end, ends[1]) if machine == 0 else (ends[0], end)

    def score(self, state):
        return -max(state[1])


class Asking(Machines):
    """The same with ``is_legal``."""

    def is_legal(self, state, move):
        return move in state[0]


class Arrays(Machines):
    """The same with states that cannot be compared."""

    def play(self, state, move):
        return tuple(map(np.array, super().play(state, move)))


@pytest.mark.parametrize("kind", [Machines, Asking])
def test_a_game_that_has_met_the_old_one_is_not_played_on(kind):
    """Games and scores are those of the plain search and of states that cannot be compared, with fewer moves made."""
    problem, other = kind(), Arrays()
    solver = nrpa.Tempering(chains=1, period=100)
    searches = [solver.start(each, 2) for each in (problem, other)]
    for last in islice(NaiveTempering(Machines(), solver, 2, naive_tempering.moves).steps(), 199, 1000, 200):
        for search in searches:
            search.advance(200)
            assert search.last_score == last["score"]
    assert problem.played < 0.9 * other.played


class Walk(nrpa.Problem):
    """Places in an order, with the way there as the state: no two states are equal."""

    played = 0

    def initial_state(self):
        return ((0,), 0)

    def legal_moves(self, state):
        return [place for place in range(1, ITEMS) if place not in state[0]]

    def play(self, state, move):
        self.played += 1
        return (*state[0], move), state[1] + (state[0][-1] * 7 + move * 11) % 31

    def score(self, state):
        return -state[1]


class Rest(Walk):
    """The same with ``rest``."""

    def rest(self, state):
        return state[0][-1], frozenset(state[0])


def test_a_game_that_comes_to_the_same_rest_is_not_played_on():
    """It ends as the old one did, with what it has won before: the same games with fewer moves made."""
    problem, other = Rest(), Walk()
    one, another = (nrpa.Tempering(chains=1, period=100).start(each, 2) for each in (problem, other))
    for _ in range(50):
        one.advance(20)
        another.advance(20)
        assert one.last_score == another.last_score
    assert problem.solution(one.moves) == other.solution(another.moves)
    assert problem.played < 0.9 * other.played


class Bits(nrpa.Problem):
    """Five bits."""

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [0, 1] if len(state) < 5 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)


def test_a_game_of_which_only_the_beginning_is_known_is_not_met():
    """A changed game that wants no more than what is known of the old one goes on after that."""
    numbers = Numbers()
    assert [numbers[move] for move in (0, 1)] == [0, 1]
    game = ChangingGame(Bits(), {}, numbers, Hashes())
    made, legal, listed = np.zeros(5, np.int64), np.zeros(1, np.int64), np.zeros(2, np.int64)
    shared = Orders(np.zeros(1, ORDER), np.ones(6, np.int64), made, legal, listed, np.zeros(0))
    order = Order(FORGOTTEN, unchanged=3, wanted=2, by_chance=0, permutes=0, replaced=-1, drawn=0)
    assert game.play(order, shared) == 5
    shared.made[:], shared.wanted[:] = 0, 0
    assert game.play(order._replace(before=KEPT, unchanged=1), shared) == TO_BE_DRAWN
    assert shared.legal[0] == 2


@pytest.mark.parametrize("kind", [Sack, Changed, Asked, Generated])
def test_all_ways_play_the_same_games(kind):
    """As the plain search does, playout by playout, over more moves than a copy is kept after."""
    problem, other = kind(), Sack()
    search = SOLVER.start(problem, 2)
    twin = NaiveTempering(other, SOLVER, 2, naive_tempering.moves)
    for found in islice(twin.steps(), 600):
        search.advance(1)
        assert search.last_score == found["score"]
    assert len(twin.best["moves"]) > EVERY
    assert problem.solution(search.moves) == other.solution(np.array(twin.best["moves"]))


def test_a_problem_with_is_legal_is_not_asked_for_lists():
    """But where no wanted move is legal."""
    asked = [Sack(), Asked()]
    for problem in asked:
        SOLVER.start(problem, 2).advance(500)
    assert asked[1].asked < asked[0].asked / 2


class Failing(Sack):
    """Fails in a changed game, not in the first ones."""

    playouts = 0

    def play(self, state, move):
        self.playouts += not state
        if self.playouts > 150:
            raise LookupError("in play")
        return super().play(state, move)


def test_an_exception_ends_the_search():
    """It is the author's own, with its text."""
    search = SOLVER.start(Failing(), 1)
    with pytest.raises(LookupError, match="in play"):
        search.advance(5000)


class FailingOnce(Sack):
    """Fails in the middle of one changed game."""

    plays = 0

    def __init__(self, fails_at):
        super().__init__()
        self.fails_at = fails_at

    def play(self, state, move):
        self.plays += 1
        if self.plays == self.fails_at:
            raise LookupError("in play")
        return super().play(state, move)


@pytest.mark.parametrize("fails_at", range(2500, 3000, 25))
def test_a_search_goes_on_after_an_exception(fails_at):
    """Its playouts are those of a search that had none: nothing is left of the game that failed."""
    failing, whole = SOLVER.start(FailingOnce(fails_at), 2), SOLVER.start(Sack(), 2)
    failing.advance(120)
    with pytest.raises(LookupError, match="in play"):
        failing.advance(600)
    assert failing.memory.rounds.begun[0]
    failing.advance(600 - failing.playouts)
    whole.advance(600)
    assert failing.moves.tolist() == whole.moves.tolist()
    assert [each.tolist() for each in failing.memory.chains.games] == [
        each.tolist() for each in whole.memory.chains.games
    ]


class Doubled(Sack):
    """Lists each move twice."""

    def legal_moves(self, state):
        return 2 * super().legal_moves(state)


class Unhashable(Sack):
    """Moves are lists."""

    def legal_moves(self, state):
        return [[item] for item in super().legal_moves(state)]


@pytest.mark.parametrize(("kind", "said"), [(Doubled, "expected moves that differ"), (Unhashable, "not hashable")])
def test_moves_that_cannot_be_told_apart_are_refused(kind, said):
    """By the sentence that other searches say."""
    with pytest.raises(nrpa.ProblemError, match=f"^{kind.__name__}.*legal_moves gave .*{said}"):
        SOLVER.start(kind(), 1).advance(10)


class Wrong(Asked):
    """Says that a move is legal which is not."""

    def is_legal(self, state, move):
        return move not in state


class Hasty(nrpa.Problem):
    """Says NEVER of a move that is legal at every other step."""

    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [["both", "always"], ["always"]][state % 2] if state < 6 else []

    def play(self, state, move):
        return state + 1

    def score(self, state):
        return state

    def is_legal(self, state, move):
        return move in self.legal_moves(state) or nrpa.NEVER


def test_the_check_compares_is_legal_with_legal_moves():
    """What it says of moves that other states of the game had, and that NEVER is kept."""
    assert nrpa.check_problem(Asked()).kept
    assert nrpa.check_problem(Wrong()).faults[0].startswith("is_legal says True for the move")
    assert "said NEVER for the move 'both'" in nrpa.check_problem(Hasty()).faults[0]
