"""What ``check_solver`` finds."""

import random

import numpy as np
import pytest
from iterated_greedy import IteratedGreedy
from user_problems import Bits

import nrpa
from nrpa.solvers.python_search import PythonSearch

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


class Keeps(nrpa.PythonSolver):
    """Keeps the playouts elsewhere than in its memory."""

    def playout(self, search):
        search.seen = getattr(search, "seen", 0) + 1
        search.game.play_out(search.random)
        search.memory["seen"] = search.seen


class Deaf(nrpa.NMCS):
    """Its search goes on although it is to stop."""

    def start(self, *args, **options):
        search = super().start(*args, **options)
        search.heed = lambda stop: setattr(search, "_stop", stop)
        return search


class Overshoots(nrpa.PythonSolver):
    """Its search looks at no target."""

    def start(self, *args, **options):
        search = super().start(*args, **options)
        search.__class__ = BeyondTheTarget
        return search

    def playout(self, search):
        search.game.play_out(search.random)


class BeyondTheTarget(PythonSearch):
    def _advance(self, playouts, searches, score):
        return super()._advance(playouts, searches, np.inf)


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
        (Unsaved(), "Unsaved: its memory cannot be saved; it holds"),
        (Keeps(), "after it was pickled and saved, it finds or knows other things"),
        (Overshoots(), "a target is met after 20 playouts; expected"),
        (Deaf(level=1), "after a stop, it went on although it was to stop"),
    ],
)
def test_faults_are_found(solver, said):
    """Each in words."""
    assert said in "\n".join(nrpa.check_solver(solver, Bits(), playouts=20))


def test_a_problem_that_is_solved_at_once_is_too_small():
    """A sentence, in place of a check of nothing."""
    with pytest.raises(nrpa.InputError, match=r"the search ended after 1 playouts \(optimal\); expected a problem"):
        nrpa.check_solver(IteratedGreedy(), nrpa.Snake(2))
