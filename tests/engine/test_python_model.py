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
