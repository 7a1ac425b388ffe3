import itertools

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.base.errors import ProblemError


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


def test_places_in_the_list_name_the_moves():
    """Found by counting in the lists by hand."""
    model = Letters().model
    numbers = model.moves_at(np.array([7, 0, 5]))
    assert model.things_of(numbers) == ["a", "h", "b"]
    assert model.things_of(model.moves_at(np.array([], np.int64))) == []


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


def test_a_list_that_has_changed_is_named():
    """A place that the list does not have any more is no IndexError."""
    problem = Letters()
    places = np.array([0, 6])
    problem.model.moves_at(places)
    problem.letters = "hgf"
    with pytest.raises(ProblemError, match="Letters: legal_moves gave other moves than before, after the same moves"):
        problem.model.moves_at(places)


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
    labels = [arm.label for arm in nrpa.Auto().arms(Tour())]
    assert labels == ["tempering by moves", "gnrpa, improved", "tempering by moves, ten chains"]
    assert [arm.label for arm in nrpa.Auto(improve=False).arms(Tour())][1] == "gnrpa"
