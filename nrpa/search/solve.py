"""Solve a problem, or start a run of it."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import SeedLike, checked_seed
from nrpa.checking.validate import validate
from nrpa.modelling.base_problem import BaseProblem, require_no_class, require_one_player, require_problem
from nrpa.registry import OF_SEARCHES, solver_class
from nrpa.search.curve import WALL, require_clock
from nrpa.search.nothing import NothingToDo
from nrpa.search.result import Result, described_bias, described_input, described_prior, described_solution, valid_text
from nrpa.search.run import Callback, Run
from nrpa.search.stop import Criterion, NoImprovement, SearchLimit
from nrpa.search.workers import number_of_workers, require_work, started
from nrpa.solvers.interface import Search, Solver, Weights

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias

biases = lazy("nrpa.modelling.bias")
costs = lazy("nrpa.compiling.cost")
logger = logging.getLogger("nrpa")


def solve(
    problem: BaseProblem,
    solver: Solver | str | None = None,
    *,
    seed: SeedLike | None = None,
    warm_start: Any = None,
    weights: Weights | None = None,
    bias: Bias | None = None,
    workers: int | str = 1,
    executor: Executor | None = None,
    clock: str = WALL,
    time: float | None = None,
    playouts: int | None = None,
    searches: int | None = None,
    target: float | Sequence[float] | None = None,
    no_improvement: int | NoImprovement | None = None,
    stop: Criterion | Iterable[Criterion] | None = None,
    on_improvement: Callback | None = None,
    on_slice: Callback | None = None,
    verbose: bool = False,
) -> Result:
    """Search until the first of the criteria applies, and return the best solution found.

    Without any criterion (``time``, ``playouts``, ``searches``, ``target``, ``no_improvement``, ``stop``), search for
    10.24 seconds. A bound that the problem proves stops every search, and so does Ctrl-C. At a limit of time and on
    Ctrl-C the playout in progress is given up, except the first one, which may end up to 1.5 s (15 s with several
    workers), or a tenth of the limit, late; one call of a method in plain Python is never broken off.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    solver : Solver or str, optional
        The algorithm and its options, or its name in `nrpa list`. If it is not given, ``Auto()``, or ``GNRPA()`` where
        ``searches`` is given, which ``Auto()`` does not end.
    seed : int or numpy.random.Generator, optional
        The seed of the random numbers, at least 0, or what it is drawn from; drawn anew if it is not given. The result
        records it. The same seed and the same number of playouts give the same result; with ``Auto()`` not always
        where a game in plain Python takes more than two seconds, as its set-up ends then.
    warm_start : Result or solution, optional
        An earlier result of the same problem and instance, or a solution in the problem's own form. The search begins
        with it as its best; NRPA and GNRPA adapt to it from the first playout on.
    weights : array_like of float, shape (codes,), or mapping of codes to float, optional
        The weights w of the policy that NRPA or GNRPA begins with. A code that a mapping lacks has weight 0.
    bias : array_like of float, shape (codes,), mapping of codes to float, callable, or LearnedBias, optional
        β in place of the problem's own. A callable takes a state and a move, for a problem in plain Python and for one
        under ``nrpa.compiled``; for a problem with kernels it takes instance, state, move and code, and machine code
        calls it. One argument is the code. By code, an array, a mapping (β = 0 for codes that it lacks) or a callable
        needs a compiled problem whose codes are 0 to codes - 1; in plain Python a mapping is enough.
    workers : int or "all", optional
        So many workers (64 a core at most), or one a core. They share the chains of ``Tempering`` (``Auto``, where that
        is it alone), with the same result for any number; else each has a search of its own: their streams are spawned
        from the seed, and the best is kept. The same seed, workers and playouts give the same result. They are
        threads, or processes where the problem's playouts call Python; a script then needs ``if __name__ ==
        "__main__":``.
    executor : concurrent.futures.Executor, optional
        Where the workers run instead, such as Dask's ``Client.get_executor()``.
    clock : {"wall", "processor"}, optional
        What seconds are. "processor": the processor time of the thread that searches, for measurements on a machine
        that does other things as well; with one worker in this process. A playout that waits for another program uses
        none.
    time : float, optional
        Stop after so many seconds, counted from when the machine code is loaded.
    playouts : int, optional
        Stop after exactly so many playouts.
    searches : int, optional
        Stop after so many top-level searches, each from the initial policy; one is a run as the papers count them.
    target : float or sequence of float, optional
        Stop at this objective value or better, in the problem's own terms (TSPTW: a cost).
    no_improvement : int or NoImprovement, optional
        Stop after so many playouts without a new best, or by a criterion that can also count seconds.
    stop : Criterion or iterable of Criterion, optional
        Further criteria.
    on_improvement : callable, optional
        Called with the ``Run`` after each new best. If it returns True, the search ends after the slice that it is in.
    on_slice : callable, optional
        Called with the ``Run`` about every 10 ms. If it returns True, the search ends.
    verbose : bool, optional
        Whether to show how the search goes on: a row for each new best on standard error, four a second at most; in a
        notebook a bar. It changes nothing in the result.

    Returns
    -------
    Result
        The best solution, its figures, and all that the run can be repeated from. Its ``status`` says what has stopped
        the search.

    Raises
    ------
    InputError
        If an argument is out of range, or does not fit to the problem or the solver: a bias for a solver that ignores
        it, a warm start that cannot be played, the result of another instance.
    ProblemError
        If the problem lacks a method, a kernel does not compile, the problem breaks a limit, a score is no number from
        -1e100 to 1e100 or better than the problem's bound, or a figure of the first solution cannot be held by JSON.
    DisagreementError
        If the problem's independent check finds another score than the search, of its first solution or the result; if
        a class under ``nrpa.compiled`` and the plain one differ in a game that both play.
    KeyboardInterrupt
        At a second Ctrl-C. The first one ends the search with the status "interrupted".

    Notes
    -----
    When several criteria apply at once, the status is that of the first of: the problem's bound, its goal, ``target``,
    ``stop``, ``playouts``, ``searches``, ``time``, ``no_improvement``.

    Bias, prior, weights and warm start are recorded by their hashes in ``Result.inputs``. Who has them can repeat the
    run.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> result = nrpa.solve(problem, nrpa.GNRPA(level=2, tau=1.4), seed=1, playouts=5000)
    >>> result.status, result.playouts, round(result.cost, 2), result.violations
    ('playouts', 5000, 987.0, 3)

    An instance made of arrays, and a search that goes on from an earlier result:

    >>> distances = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
    >>> problem = nrpa.TSPTW(distances, windows=[[0, 99]] * 4)
    >>> first = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=1)
    >>> result = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, warm_start=first, playouts=100)
    >>> result.solution, result.cost
    ([1, 2, 3], 4.0)
    """
    if searches is not None:
        require_work(number_of_workers(workers, executor is not None), SearchLimit(searches).searches)
        solver = OF_SEARCHES if solver is None else solver
    run = start(
        problem,
        solver,
        seed=seed,
        warm_start=warm_start,
        weights=weights,
        bias=bias,
        workers=workers,
        executor=executor,
        clock=clock,
    )
    with closing(run):
        run.advance(
            time=time,
            playouts=playouts,
            searches=searches,
            target=target,
            no_improvement=no_improvement,
            stop=stop,
            on_improvement=on_improvement,
            on_slice=on_slice,
            verbose=verbose,
        )
        result = run.result()
    if result.faults and not result.faults_counted:
        logger.warning("%s: is the solution valid? %s", problem.name, valid_text(result))
    return result


def start(
    problem: BaseProblem,
    solver: Solver | str | None = None,
    *,
    seed: SeedLike | None = None,
    warm_start: Any = None,
    weights: Weights | None = None,
    bias: Bias | None = None,
    workers: int | str = 1,
    executor: Executor | None = None,
    clock: str = WALL,
) -> Run:
    """Return a search that has not begun, for callers with a loop of their own.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    solver : Solver or str, optional
        The algorithm and its options, or its name in `nrpa list`; ``Auto()`` if it is not given.
    seed : int or numpy.random.Generator, optional
        The seed of the random numbers, at least 0, or what it is drawn from; drawn anew if it is not given.
    warm_start, weights, bias : optional
        What the search begins with, as ``solve`` takes it.
    workers, executor : optional
        Who searches, as ``solve`` takes it. ``Run.close`` ends threads and processes.
    clock : {"wall", "processor"}, optional
        What seconds are, as ``solve`` takes it.

    Returns
    -------
    Run
        The search, its machine code loaded or compiled. ``advance`` goes on with it, ``result`` returns the best so
        far.

    Raises
    ------
    InputError
        If an argument is out of range or does not fit to the problem or the solver.
    ProblemError
        If the problem lacks a method, a kernel does not compile, or it breaks what the search relies on.

    Examples
    --------
    >>> import nrpa
    >>> run = nrpa.start(nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA(level=2), seed=1)
    >>> while run.progress.playouts < 300:
    ...     status = run.advance(playouts=100)
    >>> status, run.result().playouts
    ('playouts', 300)
    """
    called = perf_counter()
    require_problem(problem)
    require_one_player(problem)
    algorithm = solver_of(solver, bias)
    count = number_of_workers(workers, elsewhere=executor is not None)
    require_clock(clock, count, executor is not None)
    nothing = NothingToDo.of(problem)
    if nothing is None:
        validate(problem)
    else:
        problem = nothing.problem
    seed = secrets.randbits(32) if seed is None else checked_seed(seed)
    if bias is not None:
        problem = biases.with_bias(problem, bias)
    options: dict[str, Any] = {}
    inputs = described_prior(problem)
    costs.attach(problem)
    problem.forget()
    if warm_start is not None:
        solution = _solution_of(warm_start, problem)
        by_solver = getattr(algorithm, "moves_of", None)
        options["warm_start"] = problem.moves_of(solution) if by_solver is None else by_solver(problem, solution)
        inputs["warm_start"] = described_solution(solution)
    if weights is not None:
        options["weights"] = weights
    search: Search
    if nothing is not None:
        search = nothing
    elif count == 1 and executor is None:
        search = algorithm.start(problem, seed, **options)
    else:
        search = started(problem, algorithm, seed, count, executor, options)
    if weights is not None:
        inputs["weights"] = described_input(weights)
    if bias is not None:
        inputs["bias"] = described_bias(problem, bias)
    return Run(problem, algorithm, search, seed, perf_counter() - called, inputs, clock)


def solver_of(given: Solver | str | None, bias: Any) -> Solver:
    """Return the solver that is meant. Raises InputError for anything else, or one that ignores a bias given."""
    if given is None or isinstance(given, str):
        given = solver_class("auto" if given is None else given)()
    require_no_class(given)
    if not callable(getattr(given, "start", None)):
        raise InputError(f"expected a solver such as nrpa.GNRPA(), or its name, not {given!r:.60}")
    if bias is not None and not given.uses_bias:
        other = f"expected {type(given).__name__}(bias=True)" if "bias" in given.options else "use nrpa.GNRPA()"
        raise InputError(f"bias was given, but the solver {given.name} ignores it; {other}")
    return given


def _solution_of(warm_start: Any, problem: BaseProblem) -> Any:
    """Return the solution to start from. Raises InputError for the result of another problem or instance."""
    if not isinstance(warm_start, Result):
        return list(warm_start) if isinstance(warm_start, Iterator) else warm_start
    if (warm_start.problem, warm_start.sha256) != (problem.name, problem.sha256):
        given, wanted = f"{warm_start.problem} {warm_start.instance}", f"{problem.name} {problem.label}"
        raise InputError(f"the result to start from is of {given}, not of {wanted}")
    return warm_start.solution
