"""Run a search under a clock: the only loop that knows the time."""

from __future__ import annotations

import logging
import math
import os
import platform
import secrets
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.base.values import whole
from nrpa.base.versions import version_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.first_look import first_look, require_problem
from nrpa.modelling.verdict import Verdict
from nrpa.search.arguments import require_solver
from nrpa.search.curve import Point, Recorder
from nrpa.search.figures import unwritable_figures
from nrpa.search.inputs import described, described_solution
from nrpa.search.interrupt import Interrupt
from nrpa.search.result import Result
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
from nrpa.solvers.interface import Improvement, Search, Solver, Weights
from nrpa.solvers.nrpa import GNRPA

if TYPE_CHECKING:
    from nrpa.modelling.bias import Bias

biases = lazy("nrpa.modelling.bias")
checkpoint = lazy("nrpa.search.checkpoint")
logger = logging.getLogger("nrpa")

DEFAULT_SECONDS = 10.24
SLICE_SECONDS = 0.01

Callback = Callable[["Run"], object]


class Run:
    """A search in progress, with its clock: ``nrpa.start`` makes one, and callbacks see it.

    The clock runs only while ``advance`` does. setup_seconds: used before, for machine code. inputs: what the result's
    record says of bias, weights and warm start.
    """

    def __init__(
        self,
        problem: BaseProblem,
        solver: Solver,
        search: Search,
        seed: int,
        setup_seconds: float,
        inputs: dict[str, Any] | None = None,
    ) -> None:
        self.problem = problem
        self.solver = solver
        self.seed = seed
        self.setup_seconds = setup_seconds
        self.inputs = inputs or {}
        self.recorder = Recorder()
        self.status = ""
        self.progress = Progress(0.0, 0, -math.inf, 0.0, 0)
        self._search = search
        self._started = 0.0
        self._improvement: Improvement | None = None

    @property
    def value(self) -> float:
        """The best value so far in the problem's own terms."""
        return self.problem.objective.value(self.progress.score)

    @property
    def solution(self) -> object:
        """The best solution so far; in ``on_improvement``, the one that was found then."""
        return self.problem.solution(self._search.moves if self._improvement is None else self._improvement.moves)

    @property
    def is_in_slice(self) -> bool:
        """Whether ``on_improvement`` is being called: the search is ahead of what the run says."""
        return self._improvement is not None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole run to a checkpoint file, from which ``nrpa.resume`` makes it again.

        Parameters
        ----------
        path : str or path-like
            The file, an ``.npz`` whatever its name (``nrpa.search.checkpoint`` says what is in it). It is written whole
            or not at all: what was there before stays until the new one is complete.

        Raises
        ------
        InputError
            If the file cannot be written; if a move or code of a plain-Python problem cannot be saved; in
            ``on_improvement``, as the slice is not over then.
        """
        checkpoint.save(self, path)

    def advance(
        self,
        *,
        time: float | None = None,
        playouts: int | None = None,
        searches: int | None = None,
        target: float | None = None,
        no_improvement: int | NoImprovement | None = None,
        stop: Criterion | Iterable[Criterion] | None = None,
        on_improvement: Callback | None = None,
        on_slice: Callback | None = None,
    ) -> str:
        """Search on until the first of the given criteria applies; return its status.

        time (seconds), playouts, searches: so many more. The others are those of ``solve``, counted from the beginning;
        where one applies already, nothing is searched. With none, 10.24 seconds more.
        """
        progress = self.progress
        criteria = _criteria(self.problem, time, playouts, searches, target, no_improvement, stop, progress)
        reached = criteria.first(progress) if progress.playouts else None
        if reached:
            self.status = reached.status
            return self.status
        self._started = perf_counter() - progress.seconds
        with Interrupt() as interrupt:
            self.status = self._loop(criteria, interrupt, self._examined(on_improvement), on_slice)
        return self.status

    def _examined(self, on_improvement: Callback | None) -> Callback | None:
        """Return what to call after a new best: where it is the first of all, it is checked as a result would be.

        So a problem whose result could not be made is refused at once, not after the search. The clock stands still.
        """
        if self.progress.playouts:
            return on_improvement
        is_first = True

        def examine(run: Run) -> None:
            nonlocal is_first
            if is_first:
                begun = perf_counter()
                require_writable_figures(run.problem, _verdict(run))
                is_first = False
                run._started += perf_counter() - begun
            if on_improvement:
                on_improvement(run)

        return examine

    def _loop(
        self, criteria: AnyOf, interrupt: Interrupt, on_improvement: Callback | None, on_slice: Callback | None
    ) -> str:
        """Advance the search slice by slice until a criterion applies or Ctrl-C comes; return the status."""
        rate = 0.0
        while True:
            before = self.progress
            playouts = _slice(self, criteria, rate)
            found = self._search.advance(playouts, criteria.searches_left(before), criteria.least_score(before))
            self._update(found, on_improvement)
            if on_slice:
                on_slice(self)
            criterion = criteria.first(self.progress)
            if criterion:
                return criterion.status
            if interrupt.requested:
                return "interrupted"
            seconds = self.progress.seconds - before.seconds
            if seconds > 0:
                rate = max((self.progress.playouts - before.playouts) / seconds, 1.0)

    def _update(self, found: list[Improvement], on_improvement: Callback | None) -> None:
        """Read the clock; take in the improvements that a slice ``found``, at the times of their playouts in it."""
        before, search = self.progress, self._search
        seconds, playouts = perf_counter() - self._started, search.playouts
        since = before.improved_seconds, before.improved_playouts
        try:
            for improvement in found:
                share = (improvement.playouts - before.playouts) / (playouts - before.playouts)
                since = before.seconds + share * (seconds - before.seconds), improvement.playouts
                self.progress = Progress(*since, improvement.score, *since, before.searches)
                self.recorder.record(Point(*since, improvement.score))
                if on_improvement:
                    self._improvement = improvement
                    on_improvement(self)
        finally:
            self._improvement = None
            self.progress = Progress(seconds, playouts, search.score, *since, search.finished)
        self.recorder.record(Point(seconds, playouts, search.score))

    def result(self) -> Result:
        """Return the best so far, checked by the problem. Raises InputError before the first ``advance``."""
        if not self.progress.playouts:
            raise InputError("a search that has not been advanced has no result")
        return _result(self)


def start(
    problem: BaseProblem,
    solver: Solver | None = None,
    *,
    seed: int | None = None,
    warm_start: Any = None,
    weights: Weights | None = None,
    bias: Bias | None = None,
) -> Run:
    """Return a search that has not begun, for callers with a loop of their own: ``run.advance(time=1)``.

    The parameters are those of ``solve``.
    """
    called = perf_counter()
    solver = GNRPA() if solver is None else solver
    require_problem(problem)
    require_solver(solver, bias)
    first_look(problem)
    seed = secrets.randbits(32) if seed is None else checked_seed(seed)
    if bias is not None:
        problem = biases.with_bias(problem, bias)
    options: dict[str, Any] = {}
    inputs: dict[str, Any] = {}
    if warm_start is not None:
        solution = _solution_of(warm_start, problem)
        options["warm_start"] = problem.moves_of(solution)
        inputs["warm_start"] = described_solution(solution)
    if weights is not None:
        options["weights"] = weights
    search = solver.start(problem, seed, **options)
    if weights is not None:
        inputs["weights"] = described(weights)
    if bias is not None:
        by_code = problem.bias_by_code()
        inputs["bias"] = described(bias if by_code is None else by_code)
    return Run(problem, solver, search, seed, perf_counter() - called, inputs)


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
    solver: Solver | None = None,
    *,
    seed: int | None = None,
    warm_start: Any = None,
    weights: Weights | None = None,
    bias: Bias | None = None,
    time: float | None = None,
    playouts: int | None = None,
    searches: int | None = None,
    target: float | None = None,
    no_improvement: int | NoImprovement | None = None,
    stop: Criterion | Iterable[Criterion] | None = None,
    on_improvement: Callback | None = None,
    on_slice: Callback | None = None,
) -> Result:
    """Search until the first of the given criteria applies, and return the best that was found.

    solver: ``GNRPA()`` if None. seed: drawn if None; the result tells it.
    warm_start: a solution, or an earlier ``Result`` of the same problem: the search begins with it as its best, and
    NRPA adapts to it from the first playout on.
    weights: the policy that NRPA begins with, float64[codes] or a mapping of codes to weights.
    bias: β in place of the problem's: float64[codes], a mapping of codes to β, or a function of a code (where codes
    are numbers known beforehand), of state and move (in plain Python).
    time: seconds from when the machine code is loaded. playouts: exactly so many. searches: so many top-level
    searches, each from the initial policy; one is a run as the papers count them.
    target: an objective value in the problem's own terms (TSPTW: Tcost). no_improvement: playouts without a new best,
    or a ``NoImprovement``. stop: further criteria. With none at all, 10.24 seconds.
    on_improvement, on_slice: called with the ``Run`` after each new best, and about every 10 ms.

    A bound that the problem proves stops the search with status "optimal". Ctrl-C ends it with status "interrupted",
    at the latest when the playout in progress ends; a second Ctrl-C raises KeyboardInterrupt.

    The result's ``inputs`` tell bias, weights and warm start by their hashes, so that a run can be repeated from its
    record by who has them.

    Raises InputError for values out of range, and ProblemError, at the first playouts, for a problem of whose solution
    no result can be made: an infinite score, or a figure that JSON cannot hold.
    """
    run = start(problem, solver, seed=seed, warm_start=warm_start, weights=weights, bias=bias)
    run.advance(
        time=time,
        playouts=playouts,
        searches=searches,
        target=target,
        no_improvement=no_improvement,
        stop=stop,
        on_improvement=on_improvement,
        on_slice=on_slice,
    )
    return run.result()


def checked_seed(seed: int) -> int:
    """Return ``seed`` as an int. Raises InputError unless it is a whole number of at least 0."""
    return whole("seed", seed, 0)


def _criteria(
    problem: BaseProblem,
    time: float | None,
    playouts: int | None,
    searches: int | None,
    target: float | None,
    no_improvement: int | NoImprovement | None,
    stop: Criterion | Iterable[Criterion] | None,
    done: Progress,
) -> AnyOf:
    criteria: list[Criterion] = []
    if target is not None:
        criteria.append(ScoreLimit(problem.objective.score(target)))
    criteria += as_criteria(stop)
    if playouts is not None:
        criteria.append(PlayoutLimit(PlayoutLimit(playouts).playouts + done.playouts))
    if searches is not None:
        criteria.append(SearchLimit(SearchLimit(searches).searches + done.searches))
    if time is not None:
        criteria.append(TimeLimit(TimeLimit(time).time + done.seconds))
    if isinstance(no_improvement, NoImprovement):
        criteria.append(no_improvement)
    elif no_improvement is not None:
        criteria.append(NoImprovement(playouts=no_improvement))
    if not criteria:
        logger.info("no limit given: searching for %s seconds", DEFAULT_SECONDS)
        criteria.append(TimeLimit(DEFAULT_SECONDS + done.seconds))
    if problem.goal is not None:
        criteria.insert(0, ScoreLimit(problem.objective.score(problem.goal)))
    bound = problem.bound()
    if bound is not None:
        criteria.insert(0, ScoreLimit(problem.objective.score(bound), status="optimal"))
    return AnyOf(tuple(criteria))


def _slice(run: Run, criteria: AnyOf, rate: float) -> int:
    """Return how many playouts to run before the clock is read again."""
    progress = run.progress
    seconds = min(SLICE_SECONDS, criteria.seconds_left(progress), run.recorder.next_seconds - progress.seconds)
    by_playouts = min(criteria.playouts_left(progress), run.recorder.next_playouts - progress.playouts)
    by_playouts = min(by_playouts, run.problem.max_slice or math.inf)
    return int(max(1, min(seconds * rate, by_playouts)))


def _verdict(run: Run) -> Verdict:
    """Return what the problem's check says of the best so far. Raises ProblemError for a score that is no number."""
    problem, score = run.problem, run.progress.score
    if not math.isfinite(score):
        raise ProblemError(
            f"{type(problem).__name__}: the best score is {score}; expected a finite number, "
            "a low one where something is not allowed"
        )
    verdict = problem.check(run.solution)
    if verdict.score is None or not math.isclose(verdict.score, score, rel_tol=1e-9, abs_tol=1e-6):
        raise RuntimeError(
            f"{problem.name}: the search scored {score!r}, the independent check {verdict.score!r} {verdict.faults}"
        )
    return verdict


def require_writable_figures(problem: BaseProblem, verdict: Verdict) -> None:
    """Raise ProblemError for a figure that JSON cannot hold."""
    for sentence in unwritable_figures(verdict.figures):
        raise ProblemError(f"{type(problem).__name__}: {sentence}")


def _result(run: Run) -> Result:
    problem, solver = run.problem, run.solver
    verdict = _verdict(run)
    for sentence in unwritable_figures(verdict.figures):
        logger.warning("%s: %s; it is kept as text", type(problem).__name__, sentence)
    return Result(
        problem=problem.name,
        instance=problem.label,
        sha256=problem.sha256,
        solver=solver.name,
        options=plain({**solver.options, **problem.options}),
        inputs=run.inputs,
        seed=run.seed,
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
    )


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on; that of nrpa is "0+unknown" where it is not installed."""
    packages = {name: version_of(name) for name in ("nrpa", "numpy", "numba")}
    return {**packages, "python": platform.python_version()}
