"""Checks that a solver does what runs rely on, for people who write solvers."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.solve import start
from nrpa.solvers.interface import UNLIMITED, Solver
from nrpa.solvers.python_search import KEPT, PythonSearch

cloudpickle = lazy("numba.cloudpickle")
# So that both parts of a search that is broken off have some playouts.
LEAST = 3


class StopAfter:
    """A ``Search.stop`` that is set once it has been read so many times."""

    def __init__(self, reads: int) -> None:
        self._left = reads

    def __getitem__(self, index: int) -> bool:
        self._left -= 1
        return self._left < 0


def check_solver(solver: Solver, problem: BaseProblem, *, seed: int = 0, playouts: int = 50) -> list[str]:
    """Search a few times with one seed, and check what runs rely on.

    All must find the same: in slices, after a stop in a playout, and after the search has been pickled, as workers do
    it, and put back to what was saved. A target ends it at once, and the problem's own check agrees with the score.
    Whether a playout comes back in time is not checked.

    Parameters
    ----------
    solver : Solver
        The solver, with its options.
    problem : BaseProblem
        A small problem, which is not solved at once.
    seed, playouts : int
        The seed and the playouts of each search.

    Returns
    -------
    list of str
        What is wrong, in words; empty if nothing is.

    Raises
    ------
    InputError
        If the search ends after fewer than three playouts. All else is raised as ``nrpa.solve`` does.

    Examples
    --------
    >>> import nrpa
    >>> class First(nrpa.PythonSolver):
    ...     def playout(self, search):
    ...         while moves := search.game.legal_moves():
    ...             search.game.play(moves[0])
    >>> nrpa.check_solver(First(), nrpa.Snake(6), playouts=20)
    []
    """
    run = start(problem, solver, seed=seed)
    status = run.advance(playouts=playouts)
    run.result()
    made, points = run.progress.playouts, run.recorder.improvements
    if made < LEAST:
        what = f"the search ended after {made} playouts ({status})"
        raise InputError(f"{problem.name}: {what}; expected a problem, and playouts, for {LEAST} of them")
    faults = []
    try:
        expected = [(point.playouts, point.score) for point in points], *_known(run._search)
    except InputError as error:
        return [str(error)]
    for when, way in WAYS.items():
        search: Any = start(problem, solver, seed=seed)._search
        found = search.advance(made // 2, UNLIMITED, math.inf)
        search = way(search)
        found += search.advance(made - search.playouts, UNLIMITED, math.inf)
        if search.stop[0] and search.playouts == made:
            faults.append(f"{when}, it went on although it was to stop")
        search.heed(np.zeros(1, np.bool_))
        found += search.advance(made - search.playouts, UNLIMITED, math.inf)
        other = [(improvement.playouts, improvement.score) for improvement in found], *_known(search)
        if other != expected:
            faults.append(f"{when}, it finds or knows other things: {other[0]}; expected {expected[0]}")
    search, best = start(problem, solver, seed=seed)._search, points[-1]
    search.advance(made, UNLIMITED, best.score)
    if search.playouts != best.playouts:
        faults.append(f"a target is met after {search.playouts} playouts; expected {best.playouts}")
    return faults


def _known(search: Any) -> tuple[list[int], bytes]:
    """Return the best moves, and, of a search in plain Python, all that it knows."""
    return search.moves.tolist(), search.arrays()[KEPT].tobytes() if isinstance(search, PythonSearch) else b""


def _stopped(search: Any) -> Any:
    search.heed(StopAfter(5) if isinstance(search, PythonSearch) else np.ones(1, np.bool_))
    return search


def _saved(search: Any) -> Any:
    arrays = search.arrays()
    other = pickle.loads(cloudpickle.dumps(search.state())).search(search.problem)
    other.advance(1, UNLIMITED, math.inf)
    other.restore(arrays)
    return other


WAYS = {"in slices": lambda search: search, "after a stop": _stopped, "after it was pickled and saved": _saved}
