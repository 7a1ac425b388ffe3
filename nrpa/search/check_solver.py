"""Checks that a solver does what runs rely on, for people who write solvers."""

from __future__ import annotations

import pickle
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.checkpoint import resume
from nrpa.search.run import Run, start
from nrpa.solvers.interface import UNLIMITED, Solver
from nrpa.solvers.python_search import PythonSearch

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

    All must find the same: in slices of one playout, after a stop in a playout, after the search has been pickled, as
    workers do it, and from a checkpoint. A limit of playouts and a target are kept exactly, and the problem's own check
    agrees with the score. Whether a playout comes back in time is not checked.

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
    with closing(start(problem, solver, seed=seed)) as run:
        status = run.advance(playouts=playouts)
        whole, made = _found(run), run.progress.playouts
        run.result()
    if made < LEAST:
        what = f"the search ended after {made} playouts ({status})"
        raise InputError(f"{problem.name}: {what}; expected a problem, and playouts, for {LEAST} of them")
    faults = []
    if made != playouts and status not in ("optimal", "target"):
        faults.append(f"{made} playouts were made; expected {playouts}")
    for when, way in WAYS.items():
        with closing(start(problem, solver, seed=seed)) as run:
            try:
                run.advance(playouts=made // 2)
                other_run = way(run)
                other_run.advance(playouts=made - other_run.progress.playouts)
                if (other := _found(other_run)) != whole:
                    faults.append(f"{when}, it finds or knows other things: {other[0]}; expected {whole[0]}")
            except InputError as error:
                faults.append(f"{when}: {error}")
    with closing(start(problem, solver, seed=seed)) as run:
        run.advance(playouts=made, target=problem.objective.value(whole[0][-1].score))
        if run.progress.playouts != whole[0][-1].playouts:
            faults.append(f"a target is met after {run.progress.playouts} playouts; expected {whole[0][-1].playouts}")
    return faults


def _found(run: Run) -> tuple[list[Any], list[int], str]:
    """Return the improvements, the best moves, and, of a search in plain Python, all that it knows."""
    search: Any = run._search
    improvements = [point._replace(seconds=0.0) for point in run.recorder.improvements]
    return improvements, search.moves.tolist(), repr(search.kept()) if isinstance(search, PythonSearch) else ""


def _sliced(run: Run) -> Run:
    run.advance(playouts=1)
    return run


def _stopped(run: Run) -> Run:
    search: Any = run._search
    stop, done = search.stop, search.playouts
    if isinstance(search, PythonSearch):
        search.heed(StopAfter(5))  # type: ignore[arg-type]
    else:
        stop[0] = True
    search.advance(LEAST, UNLIMITED, np.inf)
    if isinstance(search, PythonSearch):
        search.heed(stop)
    stop[0] = False
    if search.playouts != done:
        raise InputError("it went on although it was to stop")
    return run


def _pickled(run: Run) -> Run:
    search: Any = run._search
    run._search = pickle.loads(cloudpickle.dumps(search.state())).search(run.problem)
    return run


def _saved(run: Run) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        run.save(path := Path(folder, "search.npz"))
        return resume(path, run.problem, solver=type(run.solver))


WAYS = {"in slices": _sliced, "after a stop": _stopped, "after it was pickled": _pickled, "after it was saved": _saved}
