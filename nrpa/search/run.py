"""A run, a search under a clock: the only loop that knows the time."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.installed import versions
from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import OneAtATime
from nrpa.base.values import plain, shown, unsigned_zero
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Verdict
from nrpa.search.curve import CLOCKS, WALL, Point, Recorder
from nrpa.search.display import Display, ImprovementRows, NotebookBar, runs_in_jupyter
from nrpa.search.interrupt import Interrupt
from nrpa.search.limits import RunLimits
from nrpa.search.nothing import NothingToDo
from nrpa.search.result import Result, unwritable_figures
from nrpa.search.stop import AnyOf, Criterion, NoImprovement, Progress
from nrpa.search.verdict import require_possible, verdict_on, warn_of_sign
from nrpa.search.watch import Watch, clock_of_this_thread
from nrpa.search.workers import searches_of
from nrpa.solvers.interface import Improvement, Search, Solver
from nrpa.solvers.tree import TreeSearchOptions

if TYPE_CHECKING:
    from nrpa.solvers.tree.lines import TreeNode

checkpoint = lazy("nrpa.search.checkpoint")
costs = lazy("nrpa.compiling.cost")
fronts = lazy("nrpa.search.front")
tree_lines = lazy("nrpa.solvers.tree.lines")
logger = logging.getLogger("nrpa")

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
        self.cut: Improvement | None = None  # what a playout that was given up had found, if that is the best
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
        best = self._improvement or self.cut
        return self._search.moves if best is None else best.moves

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
        limits = RunLimits(time, playouts, searches, target, no_improvement, stop)
        progress, criteria = self.progress, limits.criteria(self.problem, self.progress)
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
                if self.cut is not None and improvement.score <= self.cut.score:
                    continue
                done = improvement.playouts - before.playouts
                share = 1.0 if improvement.cut else min(1.0, done / (playouts - before.playouts))
                since = before.seconds + share * (seconds - before.seconds), improvement.playouts
                self.cut = improvement if improvement.cut else None
                point = Point(*since, unsigned_zero(improvement.score))
                self.progress = Progress(*point, *since, before.searches)
                self.recorder.record(point)
                self._improvement = improvement
                self.problem.confirm(improvement.moves, 0)
                self._examine()
                asked |= self._is_asked(on_improvement)
        finally:
            self._improvement = None
            score = search.score if self.cut is None else self.cut.score
            point = Point(seconds, playouts, unsigned_zero(score))
            self.progress = Progress(*point, *since, search.finished)
        self.recorder.record(point)
        if is_mark:
            self.problem.confirm(search.moves, playouts)
        return asked

    def _verdict(self) -> Verdict:
        """Return what the problem's check says of the best so far, asked once of the same moves."""
        if self._checked is None or not np.array_equal(self._checked[0], self._moves):
            self._checked = self._moves.copy(), verdict_on(self.problem, self.solution, self.progress.score)
        return self._checked[1]

    def _examine(self) -> None:
        """Check the first best of all as a result would be, while the clock stands still.

        So a problem whose result could not be made is refused at once, not after the search.
        """
        if self._is_examined:
            return
        begun, called = self._now(), perf_counter()
        for sentence in unwritable_figures(self._verdict().figures):
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
        problem, front = self.problem, self._search.front()
        problem.confirm(self._moves)
        verdict = self._verdict()
        used = {} if problem._prior is None else {"prior": self.inputs["prior"] | problem._prior.counts}
        for sentence in unwritable_figures(verdict.figures):
            logger.warning("%s: %s; it is kept as text", type(problem).__name__, sentence)
        return Result(
            problem=problem.name,
            instance=problem.label,
            sha256=problem.sha256,
            solver=self.solver.name,
            options=plain({**self.solver.options, **problem.options}),
            inputs=self.inputs | used,
            seed=self.seed,
            workers=self.workers,
            versions=versions(),
            status=self.status,
            score=self.progress.score,
            objective=problem.objective,
            figures=plain(verdict.figures),
            solution=plain(self.solution),
            playouts=self.progress.playouts,
            seconds=self.progress.seconds,
            curve=list(self.recorder.curve),
            improvements=list(self.recorder.improvements),
            setup_seconds=self.setup_seconds,
            clock=self.clock,
            chosen=self.chosen,
            front=None if front is None else fronts.front_of(problem, front),
            faults=[str(fault) for fault in verdict.faults],
            faults_counted=bool(verdict.faults_counted),
            how_computed=costs.how_computed(problem),
        )

    def _no_playout(self) -> str:
        if not self.status:
            return "a search that has not been advanced has no result"
        what = f"the first playout had not ended after {self.progress.seconds:.1f} s, so there is no result"
        return f"{self.problem.name}: {what}; expected a longer limit of time"
