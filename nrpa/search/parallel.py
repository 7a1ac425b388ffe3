"""The two ways in which workers share a search: each has one of its own, or one search is spread."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.arguments import require_executor
from nrpa.search.workers import ParallelSearch
from nrpa.solvers.interface import Search, Solver
from nrpa.solvers.nrpa import PolicyAdaptation

speculative_search = lazy("nrpa.search.speculative_search")

SEARCHES, SPECULATE = "searches", "speculate"
WAYS = (SEARCHES, SPECULATE)


def require_way(given: Any, solver: Solver) -> None:
    """Raise InputError unless workers can share a search of the solver in this way.

    Parameters
    ----------
    given : object
        What the caller gave as ``parallel``.
    solver : Solver
        The solver.

    Raises
    ------
    InputError
        For anything but "searches" and "speculate", and for "speculate" with a solver other than GNRPA and NRPA, or
        without a top level.
    """
    if given not in WAYS:
        raise InputError(f"parallel must be one of {', '.join(WAYS)}, not {given!r:.40}")
    if given == SPECULATE and not isinstance(solver, PolicyAdaptation):
        raise InputError(
            f"only searches of gnrpa and nrpa can be spread (parallel speculate), not those of {solver.name}"
        )
    if given == SPECULATE and solver.options["level"] is None:
        raise InputError("a search can be spread (parallel speculate) only with a top level, not with level auto")


def started(
    problem: BaseProblem,
    solver: Solver,
    seed: int,
    workers: int,
    executor: Executor | None,
    parallel: str,
    options: dict[str, Any],
) -> Search:
    """Return the search of a number of workers, which has not begun.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solver : Solver
        The algorithm and its options.
    seed : int
        The seed of the random numbers. Searches of several workers have their streams spawned from that of the seed.
    workers : int
        How many.
    executor : Executor or None
        Where they run, if not in threads or processes of their own.
    parallel : {"searches", "speculate"}
        How they share the search.
    options : dict
        The warm start and the weights, for ``Solver.start``.

    Returns
    -------
    Search
        The search.

    Raises
    ------
    InputError
        If the executor is none, or ``parallel`` is not possible.
    """
    require_way(parallel, solver)
    if executor is not None:
        require_executor(executor)
    is_alone = workers == 1 and executor is None
    if parallel == SPECULATE:
        own: Any = solver
        search: Any = own.start(problem, seed, by_node=True, **options)
        spread: Search = (
            search if is_alone else speculative_search.SpeculativeSearch(problem, search, workers, executor)
        )
        return spread
    if is_alone:
        return solver.start(problem, seed, **options)
    streams = [seed] if workers == 1 else np.random.SeedSequence(seed).spawn(workers)
    return ParallelSearch(problem, [solver.start(problem, stream, **options) for stream in streams], executor)
