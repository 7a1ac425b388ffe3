import numpy as np
import pytest

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
