import itertools
from dataclasses import dataclass

import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import ProblemError
from nrpa.python import model


class Letters(nrpa.Problem):
    """Words of eight letters, of those that are left; the earlier in the alphabet the first ones, the better."""

    letters = "hgfedcba"

    def initial_state(self):
        return ""

    def legal_moves(self, state):
        return (letter for letter in self.letters if letter not in state)

    def play(self, state, move):
        return state + move

    def score(self, state):
        return -sum(ord(letter) * 10.0**-place for place, letter in enumerate(state))


def test_random_sampling_numbers_only_what_it_keeps():
    """Every improvement is a word with the score that was found; the best is the same with a search in two parts."""
    problem = Letters()
    run = nrpa.start(problem, nrpa.RandomSampling(), seed=1)
    words = []
    run.advance(playouts=500, on_improvement=lambda now: words.append(("".join(now.solution), now.progress.score)))
    assert words
    assert all(problem.score(word) == score for word, score in words)
    again = nrpa.start(Letters(), nrpa.RandomSampling(), seed=1)
    for _ in range(5):
        again.advance(playouts=100)
    assert again.result().solution == run.result().solution == list(words[-1][0])


class Three(Bits):
    """Three bits, and a list of legal moves that its methods can reach."""

    steps = 3

    def legal_moves(self, state):
        self.given = list(super().legal_moves(state))
        return self.given


class Endless(Three):
    """After one bit the moves have no end."""

    def legal_moves(self, state):
        return itertools.count() if len(state) == 1 else super().legal_moves(state)


class Growing(Three):
    """Its code adds a move to the list."""

    def code(self, state, move):
        self.given.append(0)
        return move


class Shrinking(Three):
    """Its bias takes a move off the list."""

    def bias(self, state, move):
        self.given.pop()
        return 0.0


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Endless, "legal_moves gave more than 1,000,000 moves of a count; expected one with an end"),
        (Growing, "code or bias changed the list that legal_moves had returned"),
        (Shrinking, "code or bias changed the list that legal_moves had returned"),
    ],
)
def test_lists_of_moves_that_go_on_or_change_are_refused(kind, said):
    """Each in a sentence; ``check_problem`` has one, too."""
    with pytest.raises(nrpa.ProblemError, match=f"^{kind.__name__}: {said}"):
        nrpa.solve(kind(), nrpa.GNRPA(level=1), seed=1, playouts=20)
    assert not nrpa.check_problem(kind()).kept


def test_an_endless_list_is_refused_where_a_solution_is_played():
    """Also by ``check``."""
    [fault] = Endless().check([0, 1, 1]).faults
    assert fault.startswith("Endless: legal_moves gave more than 1,000,000 moves")


class Tour(nrpa.Problem):
    """Nine towns on a line, to be visited in order; ``improve`` exchanges two."""

    objective = nrpa.Objective("length", sign=-1)

    def __init__(self):
        self.asked = []

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [town for town in "ABCDEFGHI" if town not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -self.length(state)

    def length(self, towns):
        return sum(abs(ord(a) - ord(b)) for a, b in zip("A" + "".join(towns), towns, strict=False))

    def improve(self, moves):
        self.asked.append(moves)
        better = list(moves)
        for i, j in itertools.product(range(len(moves)), repeat=2):
            other = list(better)
            other[i], other[j] = other[j], other[i]
            better = min(better, other, key=self.length)
        return better


def found(problem, playouts=20, **options):
    return nrpa.solve(problem, nrpa.GNRPA(level=2, iterations=10, **options), seed=1, playouts=playouts)


def test_playouts_that_beat_their_level_are_given_and_what_comes_back_counts():
    """Whole games in the author's own moves; the solution has the score that it is said to have."""
    problem = Tour()
    improved = found(problem, improve=True)
    assert problem.asked
    assert all(sorted(moves) == list("ABCDEFGHI") for moves in problem.asked)
    assert improved.score > found(Tour()).score
    assert problem.check(improved.solution).score == improved.score


@pytest.mark.parametrize(
    "answer",
    [lambda moves: moves[::-1][1:], lambda moves: moves * 2, lambda moves: ["A"] * 9, lambda moves: ["no such town"]],
)
def test_what_is_worse_or_not_legal_is_dropped(answer):
    """Shorter or longer games, moves twice, moves that are none: the search is that without improving."""

    class Broken(Tour):
        def improve(self, moves):
            return answer(moves)

    assert found(Broken(), improve=True).solution == found(Tour()).solution


def test_an_exception_in_it_is_raised_and_the_search_goes_on_where_it_was():
    """Called again, the search plays the same playout, and ends as one without the exception."""

    class Failing(Tour):
        fails = True

        def improve(self, moves):
            if self.fails and len(self.asked) == 1:
                raise RuntimeError("no time")
            return super().improve(moves)

    problem = Failing()
    search = nrpa.GNRPA(level=2, iterations=10, improve=True).start(problem, 1)
    with pytest.raises(RuntimeError, match="no time"):
        search.advance(20)
    problem.fails = False
    search.advance(20 - search.playouts)
    whole = nrpa.GNRPA(level=2, iterations=10, improve=True).start(Tour(), 1)
    whole.advance(20)
    assert search.moves.tolist() == whole.moves.tolist()
    assert search.memory.random.tolist() == whole.memory.random.tolist()


def test_a_move_that_is_not_hashable_is_named():
    """One sentence names the class and the method."""

    class Lists(Tour):
        def improve(self, moves):
            return [moves]

    with pytest.raises(nrpa.ProblemError, match=r"Lists\.improve gave .*not hashable"):
        found(Lists(), improve=True)


def test_auto_races_it_with_tempering():
    """A method of the author's is tried, and does not decide alone."""
    labels = [arm.label for arm in nrpa.Auto().arms_of(Tour())]
    assert labels == ["gnrpa, improved", "tempering by moves", "tempering by moves, ten chains"]
    assert nrpa.Auto(improve=False).arms_of(Tour())[0].label == "gnrpa"


class Walk(nrpa.Problem):
    """Walk to n by steps of 1, 2 or 5, most likely of 5; the score is how many are of 1."""

    n = 80

    def initial_state(self):
        return (0, 0)

    def legal_moves(self, state):
        return [step for step in (1, 2, 5) if state[0] + step <= self.n]

    def play(self, state, move):
        return (state[0] + move, state[1] + (move == 1))

    def score(self, state):
        return state[1]

    def bias(self, state, move):
        return 6.0 * (move == 5)

    def improve(self, moves):
        return [1] * self.n


def test_a_game_that_is_improved_may_be_longer_than_all_before():
    """There is room for it, and for all that is legal in it, as for a playout."""
    assert nrpa.solve(Walk(), nrpa.GNRPA(level=2, improve=True), seed=1, playouts=5).score == 80
    with nrpa.debug():
        assert nrpa.solve(Walk(), nrpa.NRPA(level=1), seed=1, playouts=5).score < 80


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"max_steps": 50}, "Walk: a playout made more moves than max_steps = 50"),
        ({"improve": lambda self, moves: None}, "Walk.improve returned None; expected the moves of a whole game"),
        ({"score": lambda self, state: 1 / (state[1] < 80)}, "division by zero"),
    ],
)
def test_what_is_wrong_with_an_improved_game_is_said(methods, message):
    """It is too long, it is none, or a method raised something where it was played again."""
    problem = type("Walk", (Walk,), methods)()
    with pytest.raises((ProblemError, ZeroDivisionError), match=message):
        nrpa.solve(problem, nrpa.GNRPA(level=2, improve=True), seed=1, playouts=5)


@dataclass(frozen=True, repr=False)
class Short:
    """A move that says but a part of what it is."""

    shown: int
    hidden: int

    def __repr__(self):
        return f"move {self.shown}"


class Told:
    """One whose class says nothing of it."""


class Unequal:
    """One that is equal to nothing but itself, and made anew whenever it is asked for."""

    def __repr__(self):
        return "the same"


class Choice(nrpa.Problem):
    """Choose one of two, six times; the score is how often it was the second."""

    two = (1, 2), frozenset({1, 2})

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return self.two if len(state) < 6 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(move != self.two[0] for move in state)


class Anew(Choice):
    """Its moves are made anew whenever they are asked for."""

    @property
    def two(self):
        return Unequal(), 2


@pytest.mark.parametrize(
    ("two", "said"),
    [
        (((1, 2), frozenset({1, 2})), r"have one text, \[1, 2\] \(\w+ and \w+\)"),
        ((frozenset({1, 2}), (1, 2)), r"have one text, \[1, 2\] \(\w+ and \w+\)"),
        ((Short(1, 2), Short(1, 3)), "have one text, 'move 1'"),
        ((Short(1, 2), "move 1"), "have one text, 'move 1'"),
        (((1, (2, Short(1, 2))), (1, (2, Short(1, 3)))), "have one text"),
        ((Told(), 1), "Told object at 0x.* whose text is an address in memory"),
        (((1, Told()), 1), "Told object at 0x.* whose text is an address in memory"),
    ],
)
@pytest.mark.parametrize("solver", [nrpa.GNRPA(level=1), nrpa.RandomSampling()], ids=lambda solver: solver.name)
def test_moves_that_no_text_tells_apart_are_refused(two, said, solver):
    """Before there is a result, and in a sentence that says what to do; ``check_problem`` says so, too."""
    problem = type("Choice", (Choice,), {"two": two})()
    with pytest.raises(ProblemError, match=rf"Choice: legal_moves gave .*{said}.*; expected .* a class with __eq__"):
        nrpa.solve(problem, solver, seed=1, playouts=9)
    assert "legal_moves gave" in nrpa.check_problem(type("Choice", (Choice,), {"two": two})()).faults[0]


def test_moves_that_are_equal_to_nothing_are_refused():
    """They would be other moves at every step, and nothing could be learned of them."""
    with pytest.raises(ProblemError, match="two moves that are not equal and have one text, 'the same'"):
        nrpa.solve(Anew(), nrpa.GNRPA(level=1), seed=1, playouts=9)


@pytest.mark.parametrize("two", [(1, "1"), ((1, "a"), ("1", "a")), (None, "None"), (2.5, "2.5"), ("a", ("a",))])
def test_moves_that_texts_tell_apart_are_taken(two):
    """Of several kinds; the solution is read again as it was."""
    problem = type("Choice", (Choice,), {"two": two})()
    result = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=60)
    assert problem.own_moves(nrpa.Result.from_json(result.to_json()).solution) == [two[1]] * 6


def test_a_solution_is_read_as_the_moves_that_it_holds():
    """In their own form; a list, as JSON has it, that two moves could be is refused."""
    assert Choice().own_moves([frozenset({1, 2})] * 6) == [frozenset({1, 2})] * 6
    with pytest.raises(ProblemError, match="have one text"):
        Choice().own_moves([[1, 2]] * 6)


class Placed(Bits):
    def code(self, state, move):
        return len(state), move


def test_hashes_of_codes_change_nothing(monkeypatch):
    """A search finds the same with three numbers of codes and with all."""
    found = [nrpa.solve(Placed(), nrpa.GNRPA(level=2, iterations=10), seed=1, playouts=60)]
    monkeypatch.setattr(model, "MOST_CODES", 3)
    found.append(nrpa.solve(Placed(), nrpa.GNRPA(level=2, iterations=10), seed=1, playouts=60))
    assert found[0].solution == found[1].solution
    assert found[0].curve[-1].score == found[1].curve[-1].score


class Ranks(nrpa.Problem):
    """Orders of five numbers, or one of two at each of five steps, that are valued without being played."""

    max_steps = 5
    played = 0

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        if self.choices:
            return range(2 if len(state) < 5 else 0)
        return [number for number in range(5) if number not in state]

    def play(self, state, move):
        self.played += 1
        return (*state, move)

    def score(self, state):
        return sum(place * number for place, number in enumerate(state))

    def evaluate(self, moves):
        return self.score(moves)


@pytest.mark.parametrize(("choices", "best"), [(None, 30), ([2] * 5, 10)])
def test_games_that_are_evaluated_are_not_played(choices, best):
    """But for those that are better than all before, also where these are not numbers by order of appearance."""
    problem = Ranks()
    problem.choices = choices
    found = nrpa.solve(problem, nrpa.Tempering(), seed=1, playouts=500)
    assert (found.value, problem.check(found.solution).score) == (best, best)
    assert problem.played < 500


@pytest.mark.parametrize(
    ("methods", "said"),
    [
        ({"evaluate": lambda self, moves: sum(moves)}, "Wrong: evaluate gives 10, play and score give [0-9]+, for the"),
        ({"evaluate": lambda self, moves: "much"}, r"Wrong\.evaluate returned 'much'; expected a number"),
        (
            {"max_steps": 6},
            r"Wrong: evaluate gave a score for the moves \[.*\], and move [1-6] is not legal; its",
        ),
    ],
)
def test_what_is_wrong_with_an_evaluated_game_is_said(methods, said):
    """Where it is better than all before."""
    with pytest.raises(ProblemError, match=f"^{said}"):
        nrpa.solve(type("Wrong", (Ranks,), methods)(), nrpa.Tempering(), seed=1, playouts=50)


def test_an_exception_in_evaluate_ends_the_search():
    """It is the author's own."""
    with pytest.raises(ZeroDivisionError):
        nrpa.solve(type("Wrong", (Ranks,), {"evaluate": lambda self, moves: 1 // 0})(), nrpa.Tempering(), playouts=50)
