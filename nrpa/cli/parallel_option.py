"""The option ``--parallel``: how workers share a search."""

from __future__ import annotations

import click

from nrpa.base.errors import InputError
from nrpa.search.checkpoint import Checkpoint
from nrpa.search.parallel import SEARCHES, require_way
from nrpa.solvers.interface import Solver

DEFAULT_WAY = SEARCHES


def parallel_option() -> click.Option:
    """Return the option; its value is None where it is not given."""
    return click.Option(
        ["--parallel"],
        metavar="NAME",
        help="How workers share the search: searches (an independent one each, the best is kept), or speculate "
        "(one search, spread: its result does not depend on the number of workers; gnrpa, nrpa).  "
        f"[default: {DEFAULT_WAY}]",
    )


def agreed_workers(
    parallel: str | None, workers: int | None, solver: Solver, kept: Checkpoint | None
) -> tuple[str, int]:
    """Return how workers share the search, and how many there are.

    Parameters
    ----------
    parallel : str or None
        The value of the option, if it is given.
    workers : int or None
        The number of workers, if it is given.
    solver : Solver
        The solver.
    kept : Checkpoint or None
        The checkpoint that is resumed.

    Returns
    -------
    parallel : {"searches", "speculate"}
        How they share it.
    workers : int
        How many.

    Raises
    ------
    InputError
        If the solver cannot do so, or the checkpoint is of another search.
    """
    if kept is None:
        way = parallel or DEFAULT_WAY
        require_way(way, solver)
        return way, 1 if workers is None else workers
    if parallel not in (None, kept.parallel):
        raise InputError(f"--parallel {parallel} contradicts {kept.path}, a search with {kept.parallel}; leave it out")
    return kept.parallel, kept.agreed_workers(workers)
