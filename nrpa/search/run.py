"""Run a search under a clock: the only loop that knows the time."""

from __future__ import annotations

import logging
import math
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import DisagreementError, InputError, ProblemError
from nrpa.base.installed import versions
from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import OneAtATime
from nrpa.base.values import SeedLike, agree, checked_seed, is_held, plain, shortened, shown, unsigned_zero
from nrpa.checking.validate import validate
from nrpa.modelling.base_problem import (
    BaseProblem,
    require_no_class,
    require_one_player,
    require_problem,
    score_of_value,
)
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem
from nrpa.registry import OF_SEARCHES, solver_class
from nrpa.search.curve import CLOCKS, WALL, Point, Recorder, require_clock
from nrpa.search.display import Display, ImprovementRows, NotebookBar, runs_in_jupyter
from nrpa.search.interrupt import Interrupt
from nrpa.search.nothing import NothingToDo
from nrpa.search.result import (
    Result,
    described_bias,
    described_input,
    described_prior,
    described_solution,
    unwritable_figures,
    valid_text,
)
from nrpa.search.stop import (
    AnyOf,
    Criterion,
    NoImprovement,
    PlayoutLimit,
    Progress,
    ScoreLimit,
    SearchLimit,
    TimeLimit,
    as_criteria,
)
from nrpa.search.watch import Watch, clock_of_this_thread
from nrpa.search.workers import number_of_workers, require_work, searches_of, started
from nrpa.solvers.interface import Improvement, Search, Solver, Weights
from nrpa.solvers.tree import TreeSearchOptions

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias
    from nrpa.solvers.tree.lines import TreeNode

biases = lazy("nrpa.modelling.bias")
checkpoint = lazy("nrpa.search.checkpoint")
costs = lazy("nrpa.compiling.cost")
fronts = lazy("nrpa.search.front")
tree_lines = lazy("nrpa.solvers.tree.lines")
logger = logging.getLogger("nrpa")

DEFAULT_SECONDS = 10.24
FORGETTING = 0.75
# How much longer than its limit of time a search may take for its first playout: so many seconds, or such a part of it.
MORE_SECONDS, MORE = 1.5, 0.1
# The same where workers have searches of their own, to which slices may have to travel.
FROM_AFAR = 15.0
# The seconds of a slice whose search wants so many playouts that it would take longer.
LONGEST_SLICE = 0.1

Callback = Callable[["Run"], object]


class Run:
    """A search in progress, with its clock. ``nrpa.start`` makes one, and callbacks are called with it.

    The clock runs only while ``advance`` does.

    Parameters
    ----------
    problem, solver, search, seed
        What is searched, and how.
    setup_seconds : float
        The seconds used before the search, for machine code.
    inputs : dict, optional
        What the result's record says of bias, weights and warm start.
    clock : {"wall", "processor"}
        As ``solve`` takes it.

    Attributes
    ----------
    progress : Progress
        Where the run stands: seconds, playouts, searches, the best score and when it was found.
    status : str
        Why the last ``advance`` stopped (see ``Result``); empty before the first.
    recorder : Recorder
        The anytime curve and the improvements so far.

    Examples
    --------
    >>> import nrpa
    >>> run = nrpa.start(nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA(level=2, tau=1.4), seed=1)
    >>> run.advance(playouts=300)
    'playouts'
    >>> run.advance(playouts=200)
    'playouts'
    >>> result = run.result()
    >>> result.playouts, result.score == run.progress.score
    (500, True)
    """

    def __init__(
        self,
        problem: BaseProblem,
        solver: Solver,
        search: Search,
        seed: int,
        setup_seconds: float,
        inputs: dict[str, Any] | None = None,
        clock: str = WALL,
    ) -> None:
        self.problem = problem
        self.solver = solver
        self.seed = seed
        self.setup_seconds = setup_seconds
        self.inputs = inputs or {}
        self.clock = clock
        self.recorder = Recorder()
        self.status = ""
        self.progress = Progress(0.0, 0, -math.inf, 0.0, 0)
        self._search = search
        self._now = CLOCKS[clock]
        self._started = 0.0
        self._improvement: Improvement | None = None
        self._is_examined = False
        self._checked: tuple[np.ndarray, Verdict] | None = None
        self._stands_still = False
        self._alone = OneAtATime("this run is being advanced; only one call of advance at a time can go on with it")

    def __repr__(self) -> str:
        """Return what is searched, and how far it has come."""
        named = " ".join(filter(None, (self.problem.name, self.problem.label)))
        best = f"best {self.problem.objective.text(self.value)}" if self.progress.playouts else "not begun"
        return f"<Run of {self.solver.name} on {named}, seed {self.seed}: {self.progress.playouts:,} playouts, {best}>"

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self._search.workers

    @property
    def full_at(self) -> int:
        """The nodes of a tree that is full, to which no leaves are added any more; 0 before, or without a tree."""
        return self._search.full_at

    @property
    def chosen(self) -> str | None:
        """What the solver ``auto`` has chosen, and why, in words; with several workers, for the first one."""
        return self._search.chosen

    @property
    def rates(self) -> list[float]:
        """Playouts per second of each worker while it searched; empty where workers have no search of their own."""
        return self._search.rates

    @property
    def found_by(self) -> int:
        """The worker, from 0, that found the improvement that ``on_improvement`` is called for; 0 at other times."""
        return 0 if self._improvement is None else self._improvement.worker

    def tree(self, nodes: int = 40) -> TreeNode:
        """Return the most visited moves of a tree search, at most so many; ``nrpa.plots.tree`` draws them.

        The trees of several workers are added up. Raises InputError for another solver.
        """
        if not isinstance(self.solver, TreeSearchOptions):
            raise InputError(f"{self.solver.name} leaves no tree; expected a run of a tree search, such as uct")
        found: TreeNode = tree_lines.most_visited(searches_of(self._search), nodes)
        return found

    def close(self) -> None:
        """Let go the threads or processes of the workers; a run that has ended with ``solve`` has done so."""
        self._search.close()

    @property
    def value(self) -> float:
        """The best objective value so far, in the problem's own terms; infinite before the first playout."""
        return self.problem.objective.value(self.progress.score)

    @property
    def solution(self) -> object:
        """The best solution so far, in the problem's own form; in ``on_improvement``, the one that was found then."""
        return self.problem.solution(self._moves)

    @property
    def _moves(self) -> np.ndarray:
        return self._search.moves if self._improvement is None else self._improvement.moves

    @property
    def is_in_slice(self) -> bool:
        """Whether ``on_improvement`` is being called: the search is ahead of what the run says."""
        return self._improvement is not None

    @property
    def saved_bytes(self) -> int:
        """About how large a checkpoint of the run is now."""
        return 0 if isinstance(self._search, NothingToDo) else int(checkpoint.saved_bytes(self._search))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole run to a checkpoint file, whole or not at all, from which ``nrpa.resume`` makes it again.

        The file is an ``.npz`` whatever its name (``nrpa.search.checkpoint`` says what is in it). Raises InputError if
        it cannot be written; if a move or code of a plain-Python problem cannot be saved; in ``on_improvement``, as the
        slice is not over then.
        """
        if self.is_in_slice:
            raise InputError("a run cannot be saved in on_improvement, in the middle of a slice; save it in on_slice")
        if isinstance(self._search, NothingToDo):
            raise InputError(f"{self.problem.name}: there is nothing to do, so no checkpoint to go on from")
        checkpoint.write_checkpoint(path, self, self._search)

    def advance(
        self,
        *,
        time: float | None = None,
        playouts: int | None = None,
        searches: int | None = None,
        target: float | Sequence[float] | None = None,
        no_improvement: int | NoImprovement | None = None,
        stop: Criterion | Iterable[Criterion] | None = None,
        on_improvement: Callback | None = None,
        on_slice: Callback | None = None,
        verbose: bool = False,
    ) -> str:
        """Search on until the first of the criteria applies. Without any, search for 10.24 seconds more.

        ``time``, ``playouts`` and ``searches`` are so many seconds, exactly so many playouts, or so many top-level
        searches more; a search that has begun counts when it ends. What the criteria in ``stop`` count, they count from
        the beginning of the run; where one applies already, nothing is searched. The others, and what is raised, are as
        for ``solve``; what a method of a problem in plain Python raises is raised as it is.

        Returns the status: which criterion has stopped the search (see ``Result``).
        """
        progress, given = self.progress, as_criteria(stop)
        if target is not None:
            given.insert(0, ScoreLimit(reachable_score(self.problem, target)))
        given += _further(progress, playouts, searches, time)
        if isinstance(no_improvement, NoImprovement):
            given.append(no_improvement)
        elif no_improvement is not None:
            given.append(NoImprovement(playouts=no_improvement))
        if not given:
            logger.info("no limit given: searching for %s seconds", DEFAULT_SECONDS)
            given.append(TimeLimit(DEFAULT_SECONDS + progress.seconds))
        criteria = AnyOf((*_of_problem(self.problem), *given))
        self._is_examined = progress.playouts > 0
        if progress.playouts and (status := self._reason(criteria)):
            self.status = status
            return status
        display = Display()
        if verbose:
            problem = self.problem
            display = NotebookBar(problem, progress, criteria) if runs_in_jupyter() else ImprovementRows(problem)
        improvement = [display.improvement, *filter(None, [on_improvement])]
        slice_ = [display.slice, *filter(None, [on_slice])]
        with self._alone(), Interrupt() as interrupt, display:
            self._started = self._now() - progress.seconds
            with Watch(self._search.stop, self._over(criteria), interrupt.signals):
                self.status = self._loop(criteria, interrupt, improvement, slice_)
        return self.status

    def _over(self, criteria: AnyOf) -> Callable[[], bool]:
        """Return what tells another thread whether the time is over; the first playout has a little longer."""
        now = clock_of_this_thread(self.clock)
        if now is None:
            return lambda: False

        def is_over() -> bool:
            if self._stands_still:
                return False
            progress, seconds = self.progress, now() - self._started
            left = criteria.seconds_left(progress) + progress.seconds - seconds
            found = progress.playouts > 0 or self._search.playouts > 0
            more = FROM_AFAR if self._search.rates else MORE_SECONDS
            return left <= 0.0 if found else left <= -max(more, MORE * (seconds + left))

        return is_over

    def _loop(
        self, criteria: AnyOf, interrupt: Interrupt, on_improvement: list[Callback], on_slice: list[Callback]
    ) -> str:
        """Advance the search slice by slice until a criterion applies or Ctrl-C comes; return the status."""
        rate = done = spent = 0.0
        left = criteria.playouts_left(self.progress), criteria.seconds_left(self.progress)
        if not self._load_code(interrupt, lambda: costs.expect(self.problem, *left)):
            return "interrupted"
        while True:
            before, least_score = self.progress, criteria.least_score(self.progress)
            if self._search.lacks_code and not self._load_code(interrupt, self._search.load_code):
                return "interrupted"
            self._search.stop[0] = False
            try:
                found = self._search.advance(self._slice(criteria, rate), criteria.searches_left(before), least_score)
            except BaseException:
                with suppress(Exception):  # the first error is the one to be raised
                    self._take_in(self._unreported(), on_improvement)
                raise
            if self._search.score >= least_score:
                require_possible(self.problem, self._search.score)
            asked = self._take_in(found, on_improvement)
            asked |= self.progress.playouts > 0 and self._is_asked(on_slice)
            if status := self._reason(criteria):
                return status
            if asked:
                return "callback"
            if interrupt.requested:
                return "interrupted"
            done = FORGETTING * done + self.progress.playouts - before.playouts
            spent = FORGETTING * spent + self.progress.seconds - before.seconds
            # Not less than what workers do while they search: with slices that end before an answer comes from afar,
            # they would mostly wait.
            rate = max(done / spent, sum(self._search.rates), 1.0) if spent else 0.0

    def _load_code(self, interrupt: Interrupt, load: Callable[[], None]) -> bool:
        """Load or compile what is needed while the clock stands still; return False after Ctrl-C."""
        begun, called = self._now(), perf_counter()
        self._stands_still = True
        try:
            with interrupt.while_compiling():
                load()
        except KeyboardInterrupt:
            if not interrupt.requested:
                raise
        finally:
            self._started += self._now() - begun
            self.setup_seconds += perf_counter() - called
            self._stands_still = False
        return not interrupt.requested

    def _unreported(self) -> list[Improvement]:
        """Return the best of a slice that failed, if it is better than before the slice."""
        search, before = self._search, self.progress
        is_new = search.playouts > before.playouts and search.score > before.score
        return [Improvement(search.playouts, search.score, search.moves)] if is_new else []

    def _reason(self, criteria: AnyOf) -> str:
        """Return the status of the first criterion that applies; empty where the search can go on."""
        criterion = criteria.first(self.progress)
        if criterion is None and self._search.proven:
            return "optimal"
        return criterion.status if criterion else ""

    def _is_asked(self, callbacks: list[Callback]) -> bool:
        answers = [callback(self) for callback in callbacks]
        for answer in answers:
            if answer is not None and not isinstance(answer, (bool, np.bool_)):
                what = f"a callback returned {shown(answer)}"
                raise InputError(f"{what}; expected True to end the search, else False or None")
        return any(answers)

    def _slice(self, criteria: AnyOf, rate: float) -> int:
        """Return how many playouts to run before the clock is read again."""
        progress, workers = self.progress, self.workers
        usual = max(self._search.slice_seconds * rate, min(self._search.slice_playouts, LONGEST_SLICE * rate))
        seconds = min(criteria.seconds_left(progress), self.recorder.next_seconds - progress.seconds)
        playouts = min(criteria.playouts_left(progress), self.recorder.next_playouts - progress.playouts)
        most = (self.problem.max_slice or math.inf) * workers
        return int(max(1, min(usual, seconds * rate, playouts, most, self._search.playouts_with_code)))

    def _take_in(self, found: list[Improvement], on_improvement: list[Callback]) -> bool:
        """Read the clock; take in the improvements that a slice ``found``, at the times of their playouts in it.

        Return whether ``on_improvement`` asked to stop.
        """
        before, search, asked = self.progress, self._search, False
        is_mark = search.playouts >= self.recorder.next_playouts
        seconds, playouts = self._now() - self._started, search.playouts
        since = before.improved_seconds, before.improved_playouts
        try:
            for improvement in found:
                share = min(1.0, (improvement.playouts - before.playouts) / (playouts - before.playouts))
                since = before.seconds + share * (seconds - before.seconds), improvement.playouts
                point = Point(*since, unsigned_zero(improvement.score))
                self.progress = Progress(*point, *since, before.searches)
                self.recorder.record(point)
                self._improvement = improvement
                self.problem.confirm(improvement.moves, 0)
                self._examine()
                asked |= self._is_asked(on_improvement)
        finally:
            self._improvement = None
            point = Point(seconds, playouts, unsigned_zero(search.score))
            self.progress = Progress(*point, *since, search.finished)
        self.recorder.record(point)
        if is_mark:
            self.problem.confirm(search.moves, playouts)
        return asked

    def _examine(self) -> None:
        """Check the first best of all as a result would be, while the clock stands still.

        So a problem whose result could not be made is refused at once, not after the search.
        """
        if self._is_examined:
            return
        begun, called = self._now(), perf_counter()
        for sentence in unwritable_figures(_verdict(self).figures):
            raise ProblemError(f"{type(self.problem).__name__}: {sentence}")
        warn_of_sign(self.problem, self.progress.score)
        self._is_examined = True
        self._started += self._now() - begun
        self.setup_seconds += perf_counter() - called

    def result(self) -> Result:
        """Return the best so far, checked by the problem. The run can go on afterwards.

        Raises InputError if ``advance`` has not been called; ProblemError if the best score is not finite;
        DisagreementError if the problem's independent check finds another score than the search.
        """
        if not self.progress.playouts:
            if self.status == "interrupted":
                raise KeyboardInterrupt
            raise InputError(self._no_playout())
        self.problem.confirm(self._search.moves)
        return _result(self)

    def _no_playout(self) -> str:
        if not self.status:
            return "a search that has not been advanced has no result"
        what = f"the first playout had not ended after {self.progress.seconds:.1f} s, so there is no result"
        return f"{self.problem.name}: {what}; expected a longer limit of time"


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
    algorithm = _solver_of(solver, bias)
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


def _solver_of(given: Solver | str | None, bias: Any) -> Solver:
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


def _further(done: Progress, playouts: int | None, searches: int | None, time: float | None) -> Iterator[Criterion]:
    """Yield the limits that are reached with so much more than is done."""
    if playouts is not None:
        yield PlayoutLimit(PlayoutLimit(playouts).playouts + done.playouts)
    if searches is not None:
        yield SearchLimit(SearchLimit(searches).searches + done.searches)
    if time is not None:
        yield TimeLimit(TimeLimit(time).time + done.seconds)


def _of_problem(problem: BaseProblem) -> Iterator[Criterion]:
    bound = problem.bound()
    if bound is not None:
        yield ScoreLimit(score_of_value(problem, "bound()", bound), status="optimal")
    if problem.goal is not None:
        yield ScoreLimit(score_of_value(problem, "goal", problem.goal))


def reachable_score(problem: BaseProblem, target: float | Sequence[float]) -> float:
    """Return the score of a target.

    Raises InputError for one that is better than the bound of the problem, such as a score in place of a cost.
    """
    objective, bound = problem.objective, problem.bound()
    if bound is None and getattr(objective, "penalty", 0.0) > 0.0:
        bound = 0.0
    if bound is not None and objective.sign < 0 <= bound and not isinstance(target, Sequence) and target < 0:
        what = f"{objective.name} of {problem.name} is never negative, and the target is {shown(target)}"
        raise InputError(f"{what}; expected a {objective.name}, not a score")
    if bound is not None and not isinstance(target, Sequence):
        better = objective.sign * (target - bound)
        if better > 0 and not agree(target, bound):
            what = f"no {objective.name} of {problem.name} is better than {shown(bound)}"
            raise InputError(f"{what}, which bound() says; the target {shown(target)} is never reached")
    return objective.score(target)


def require_possible(problem: BaseProblem, score: float) -> None:
    """Raise ProblemError for a score that is better than the bound of the problem."""
    bound = problem.bound()
    if bound is None:
        return
    # Not ``objective.score``, which is the least score of the value: others of the same value are better.
    best = problem.objective.sign * float(bound)
    if score > best and not agree(score, best):
        name, value = problem.objective.name, problem.objective.value(score)
        raise ProblemError(
            f"{type(problem).__name__}: a solution with {name} {value:.12g} was found, but bound() says that none can "
            f"be better than {float(bound):.12g}; one of the two is wrong"
        )


def warn_of_sign(problem: BaseProblem, score: float) -> None:
    """Warn where the score of a plain-Python problem looks like a cost that was not negated, which nobody can tell."""
    name, value = problem.objective.name, problem.objective.value(score)
    if isinstance(problem, Problem) and problem.objective.sign < 0 and value < 0 and problem.bound() is None:
        what = f"the first score is {score:.12g}, so that {name} is {value:.12g}: with sign=-1 the score is minus the"
        logger.warning(
            "%s: %s %s; if that is never negative, let score return it negated", type(problem).__name__, what, name
        )


def _verdict(run: Run) -> Verdict:
    """Return what the problem's check says of the best so far, asked once of the same moves.

    Raises ProblemError for a score that is no number.
    """
    problem, score = run.problem, run.progress.score
    if not math.isfinite(score):
        raise ProblemError(
            f"{type(problem).__name__}: the best score is {score}; expected a finite number, "
            "a low one where something is not allowed"
        )
    if run._checked is not None and np.array_equal(run._checked[0], run._moves):
        return run._checked[1]
    verdict = problem.check(run.solution)
    if not isinstance(verdict, Verdict):
        what = f"check returned {shortened(repr(verdict))}; expected an nrpa.Verdict"
        raise ProblemError(f"{type(problem).__name__}: {what}")
    if verdict.score is not None and agree(verdict.score, score) and not is_held(verdict.score, score):
        what = f"check returned the score {shown(verdict.score)}, the search {score!r}"
        raise ProblemError(f"{type(problem).__name__}: {what}; whole numbers beyond 2^53 must be the same in both")
    if not agree(verdict.score, score):
        if type(problem).check is Problem.check and not verdict.faults:
            twice = f"{score!r} in the search, {verdict.score!r} when it was played again"
            what = f"the same solution has two scores ({twice}); {problem._of_two_scores}"
            raise DisagreementError(f"{problem.name}: {what}")
        if verdict.score is None and not verdict.faults:
            raise DisagreementError(f"{problem.name}: check returned a Verdict without a score; give it, too")
        why = f" ({'; '.join(verdict.faults)})" if verdict.faults else "; are score and check of the same formula?"
        raise DisagreementError(
            f"{problem.name}: the search scored {score!r}, the independent check {verdict.score!r}{why}"
        )
    run._checked = run._moves.copy(), verdict
    return verdict


def _result(run: Run) -> Result:
    problem, solver, front = run.problem, run.solver, run._search.front()
    verdict = _verdict(run)
    used = {} if problem._prior is None else {"prior": run.inputs["prior"] | problem._prior.counts}
    for sentence in unwritable_figures(verdict.figures):
        logger.warning("%s: %s; it is kept as text", type(problem).__name__, sentence)
    return Result(
        problem=problem.name,
        instance=problem.label,
        sha256=problem.sha256,
        solver=solver.name,
        options=plain({**solver.options, **problem.options}),
        inputs=run.inputs | used,
        seed=run.seed,
        workers=run.workers,
        versions=versions(),
        status=run.status,
        score=run.progress.score,
        objective=problem.objective,
        figures=plain(verdict.figures),
        solution=plain(run.solution),
        playouts=run.progress.playouts,
        seconds=run.progress.seconds,
        curve=list(run.recorder.curve),
        improvements=list(run.recorder.improvements),
        setup_seconds=run.setup_seconds,
        clock=run.clock,
        chosen=run.chosen,
        front=None if front is None else fronts.front_of(problem, front),
        faults=[str(fault) for fault in verdict.faults],
        faults_counted=bool(verdict.faults_counted),
        how_computed=costs.how_computed(problem),
    )
