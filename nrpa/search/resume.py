"""The run again that a checkpoint was written of: stopped and resumed, it ends as if it had never been stopped."""

from __future__ import annotations

import math
import os
from concurrent.futures import Executor
from time import perf_counter
from typing import TYPE_CHECKING

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import validate
from nrpa.search.checkpoint import Checkpoint, read_checkpoint
from nrpa.search.clock import require_clock
from nrpa.search.curve import Point, Recorder
from nrpa.search.pool import require_executor
from nrpa.search.run import Run
from nrpa.search.stop import Progress
from nrpa.solvers.search import with_numbering

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias

biases = lazy("nrpa.modelling.bias")


def resume(
    path: str | os.PathLike[str],
    problem: BaseProblem | None = None,
    *,
    bias: Bias | None = None,
    workers: int | str | None = None,
    executor: Executor | None = None,
) -> Run:
    """Return the run that ``Run.save`` wrote: it goes on as if nothing had happened.

    Parameters
    ----------
    path : str or path-like
        The file.
    problem : BaseProblem, optional
        The problem. It can be left out where it is a bundled instance, or a problem of an installed package that reads
        none: nothing in a checkpoint is executed, and no file that it names is read.
    bias : array_like, mapping or function, optional
        The bias that the search was started with, if it was. Weights and warm start need not be given again.
    workers : int or "all", optional
        How many workers go on: as many as before, unless they share the search.
    executor : concurrent.futures.Executor, optional
        Where they run, as ``solve`` takes it.

    Returns
    -------
    Run
        The run, with its clock, curve and improvements. ``run.advance(playouts=n)`` makes ``n`` more.

    Raises
    ------
    InputError
        If the file cannot be read, is damaged, or was written by another minor version of nrpa, or if the problem, its
        options, the bias or the number of workers are not those that it was written with.

    Examples
    --------
    >>> import nrpa, tempfile
    >>> run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1), seed=1)
    >>> run.advance(playouts=100)
    'playouts'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run.save(f"{folder}/search.npz")
    ...     again = nrpa.resume(f"{folder}/search.npz")
    >>> again.progress.playouts, again.seed
    (100, 1)
    """
    kept = read_checkpoint(path)
    return resumed(kept, kept.read_problem() if problem is None else problem, bias, workers, executor)


def resumed(
    kept: Checkpoint,
    problem: BaseProblem,
    bias: Bias | None = None,
    workers: int | str | None = None,
    executor: Executor | None = None,
) -> Run:
    """Return the run of a checkpoint as it was saved, of a problem that must be the same."""
    called = perf_counter()
    count = kept.agreed_workers(workers)
    require_clock(kept.clock, count, executor is not None)
    if executor is not None:
        require_executor(executor)
    kept.require(problem, bias)
    validate(problem)
    if bias is not None:
        problem = biases.with_bias(problem, bias)
        kept.require_same_bias(problem, bias)
    problem = with_numbering(problem, kept.numbering())
    solver = kept.make_solver()
    search = kept.search(problem, solver, count, executor)
    setup_seconds = kept.setup_seconds + perf_counter() - called
    run = Run(problem, solver, search, kept.seed, setup_seconds, kept.inputs, kept.clock)
    last = Point(kept.seconds, search.playouts, search.score if search.playouts else -math.inf)
    run.status = kept.status
    run.progress = Progress(*last, kept.improved_seconds, kept.improved_playouts, search.finished)
    run.recorder = Recorder.going_on(kept.points("curve"), kept.points("improvements"), last)
    return run
