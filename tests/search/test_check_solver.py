"""What ``check_solver`` finds."""

import random

import pytest
from iterated_greedy import IteratedGreedy
from user_problems import Bits

import nrpa

CHANCE = random.Random(1)


class Unseeded(nrpa.PythonSolver):
    def playout(self, search):
        while moves := search.game.legal_moves():
            search.game.play(CHANCE.choice(moves))


class TooEarly(nrpa.PythonSolver):
    """Changes its memory before the last move."""

    def playout(self, search):
        search.memory["begun"] = search.memory.get("begun", 0) + 1
        search.game.play_out(search.random)


class Unsaved(nrpa.PythonSolver):
    def playout(self, search):
        search.game.play_out(search.random)
        search.memory["draw"] = search.random.random


@pytest.mark.parametrize("problem", [Bits(), nrpa.Snake(6)])
def test_nothing_is_wrong(problem):
    """With a solver in plain Python and one of nrpa."""
    for solver in (IteratedGreedy(), nrpa.NMCS(level=1)):
        assert nrpa.check_solver(solver, problem, playouts=20) == []


@pytest.mark.parametrize(
    ("solver", "said"),
    [
        (Unseeded(), "in slices, it finds or knows other things"),
        (TooEarly(), "after a stop, it finds or knows other things"),
        (Unsaved(), "Unsaved: its memory cannot be saved"),
    ],
)
def test_faults_are_found(solver, said):
    """Each in words."""
    assert said in "\n".join(nrpa.check_solver(solver, Bits(), playouts=20))


def test_a_problem_that_is_solved_at_once_is_too_small():
    """A sentence, in place of a check of nothing."""
    with pytest.raises(nrpa.InputError, match=r"the search ended after 1 playouts \(optimal\); expected a problem"):
        nrpa.check_solver(IteratedGreedy(), nrpa.Snake(2))
