"""Checks that a solver does what runs rely on, for people who write solvers."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.checkpoint import resume
from nrpa.search.run import Run, start
from nrpa.solvers.interface import UNLIMITED, Solver
from nrpa.solvers.python_search import PythonSearch

cloudpickle = lazy("numba.cloudpickle")
# So that both parts of a search that is broken off have some.
LEAST = 3


class StopAfter:
    """A ``Search.stop`` that is set once it has been read so many times."""

    def __init__(self, reads: int) -> None:
        self._left = reads

    def __getitem__(self, index: int) -> bool:
        self._left -= 1
        return self._left < 0

    def __setitem__(self, index: int, value: bool) -> None:
        """Stay as it is."""


def check_solver(solver: Solver, problem: BaseProblem, *, seed: int = 0, playouts: int = 50) -> list[str]:
    """Search a few times, and check what runs rely on.

    - The same seed finds the same, also in slices of one playout, after a stop, after its memory has travelled to
      another process, and from a checkpoint.
    - A limit of playouts, and a target, are kept exactly. The score is that of the problem's own check.

    Not checked is whether it comes back in time: playouts should look at the game, or at ``search.stop``, every tenth
    of a second.

    Parameters
    ----------
    solver : Solver
        The solver, with its options.
    problem : BaseProblem
        A small problem that it can search.
    seed : int
        The seed of all searches.
    playouts : int
        The playouts of each search, at least 3.

    Returns
    -------
    list of str
        What is wrong, in words; empty if nothing is.

    Raises
    ------
    InputError, ProblemError, DisagreementError
        As ``nrpa.solve`` raises them.

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
        whole, memory, made = _found(run), _memory(run), run.progress.playouts
        run.result()
    if made < LEAST:
        what = f"the search ended after {made} playouts ({status})"
        raise InputError(f"{problem.name}: {what}; expected a problem, and playouts, for {LEAST} of them")
    faults = []
    if made != playouts and status not in ("optimal", "target"):
        faults.append(f"advance({playouts}, ...) made {made} playouts; expected exactly as many")
    for what, way in _ways(solver):
        try:
            with closing(start(problem, solver, seed=seed)) as run:
                ended = way(run, made)
        except InputError as error:
            faults.append(f"{what}: {error}")
            continue
        if _found(ended) != whole:
            faults.append(f"{what} it finds {_said(_found(ended))}; expected {_said(whole)}, as without")
        elif _memory(ended) != memory:
            faults.append(f"{what} its memory, or its random numbers, are others than without")
    with closing(start(problem, solver, seed=seed)) as run:
        run.advance(playouts=made, target=problem.objective.value(whole[-1][1]))
        if run.progress.playouts != whole[-1][0]:
            faults.append(f"a target is met after {run.progress.playouts} playouts; expected {whole[-1][0]}")
    return faults


def _found(run: Run) -> list[tuple[int, float, Any]]:
    """Return the improvements of a run, and the best moves with the last."""
    found: list[Any] = [(point.playouts, point.score) for point in run.recorder.improvements]
    return [*found[:-1], (*found[-1], run._search.moves.tolist())]


def _memory(run: Run) -> str:
    """Return all that a search in plain Python knows; the memory of others also holds what the last playout left."""
    return repr(run._search._kept()) if isinstance(run._search, PythonSearch) else ""


def _said(found: list[tuple[int, float, Any]]) -> str:
    return f"{found[-1][1]:.12g} after {found[-1][0]} playouts, the improvement {len(found)}"


def _ways(solver: Solver) -> Iterator[tuple[str, Callable[[Run, int], Run]]]:
    """Yield ways to make so many playouts that must all find the same."""

    def again(run: Run, playouts: int) -> Run:
        run.advance(playouts=playouts)
        return run

    def in_slices(run: Run, playouts: int) -> Run:
        for _ in range(playouts):
            run.advance(playouts=1)
        return run

    def stopped(run: Run, playouts: int) -> Run:
        run.advance(playouts=playouts // 2)
        search: Any = run._search
        if hasattr(search, "heed"):
            before, done = search.stop, search.playouts
            search.heed(StopAfter(5) if isinstance(search, PythonSearch) else before)
            search.stop[0] = True
            search.advance(playouts, UNLIMITED, float("inf"))
            search.heed(before)
            before[0] = False
            if search.playouts != done:
                raise InputError(f"{search.playouts - done} playouts were made although it was to stop")
        return again(run, playouts - playouts // 2)

    def travelled(run: Run, playouts: int) -> Run:
        run.advance(playouts=playouts // 2)
        search: Any = run._search
        if not hasattr(search, "state"):
            raise InputError("its search has no method state, which workers need")
        run._search = pickle.loads(cloudpickle.dumps(search.state())).search(run.problem)
        return again(run, playouts - playouts // 2)

    def saved(run: Run, playouts: int) -> Run:
        run.advance(playouts=playouts // 2)
        with tempfile.TemporaryDirectory() as folder:
            run.save(path := Path(folder, "search.npz"))
            return again(resume(path, run.problem, solver=type(solver)), playouts - playouts // 2)

    yield "when it runs again", again
    yield "in slices of one playout", in_slices
    yield "after a stop", stopped
    yield "after it has been pickled", travelled
    yield "after it has been saved", saved
