"""Find the options of a solver that suit a user's own instances, and say how sure it is that they are better."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from nrpa.base.errors import DisagreementError, InputError, LostWorkersError
from nrpa.base.options import Tried
from nrpa.base.values import counted, positive, whole
from nrpa.bench.distribute import Task, distribute, places, solved, work
from nrpa.bench.experiment import MOST_RUNS
from nrpa.bench.space import Space
from nrpa.bench.tune_result import Comparison, Tuning
from nrpa.bench.tune_study import GOES_ON, Pair, Trial, TuneStudy
from nrpa.io.files import locked, require_outputs, source_files
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import require_one_player
from nrpa.registry import problem_class, read_problem
from nrpa.search.clusters import require_extra
from nrpa.search.executors import packed
from nrpa.search.run import checked_seed
from nrpa.search.workers import number_of_workers

TRIALS = 50
DEFAULT_SOLVER = "gnrpa"
SECONDS = 5.0
# As many pairs of instance and seed, at least, for a trial and for the comparison at the end.
PAIRS, FRESH_PAIRS = 10, 20
# What is added to a seed for the comparison at the end.
FRESH = 1_000_000


@dataclass(frozen=True)
class TuneProgress:
    """How far tuning is; ``most_left``: the seconds that it takes at most from here, None with a budget in playouts."""

    trial: int
    trials: int
    run: int
    runs: int
    is_comparison: bool
    seconds: float
    most_left: float | None


def tune(
    problem: str | type[BaseProblem],
    instances: Sequence[str | BaseProblem] = (),
    *,
    solvers: str | Sequence[str] = DEFAULT_SOLVER,
    options: Mapping[str, object] | None = None,
    over: Mapping[str, Tried] | None = None,
    only: Sequence[str] = (),
    time: float | None = None,
    playouts: int | None = None,
    trials: int = TRIALS,
    runs: int | None = None,
    seed: int = 1,
    holdout: Sequence[str | BaseProblem] = (),
    fresh_runs: int | None = None,
    workers: int | str = 1,
    out: str | os.PathLike[str] | None = None,
    on_run: Callable[[TuneProgress], object] | None = None,
    on_trial: Callable[[Trial], object] | None = None,
) -> Tuning:
    """Find options with which a solver finds better answers on some instances in the time given.

    A trial is a configuration that is run on every pair of instance and seed, with the same seeds for all of them. The
    first trial is the default. Optuna's sampler chooses the others; its pruner gives up a trial that is clearly worse
    than the best so far. A trial is worth its mean gain over the default, as a share of the scores. At the end, the
    best and the default run on seeds that were not used before.

    Parameters
    ----------
    problem : str or type
        The problem, as at the command line, or its class.
    instances : sequence of str or BaseProblem
        The instances: their names, or problems of that class, whose own options are then not tuned. None for a class
        that reads no instances.
    solvers : str or sequence of str
        The names of the solvers to choose from; the default configuration is that of the first.
    options : mapping of str to object, optional
        Options of the solvers and of the problem that are not tuned, with their values.
    over : mapping of str to Range or tuple, optional
        What is tried of an option: the numbers of an ``nrpa.Range``, or some values.
    only : sequence of str
        The options that are tuned; all that can be, without it.
    time : float, optional
        The budget of a run in seconds; 5 if there is no budget.
    playouts : int, optional
        The budget of a run in playouts. The outcome is then the same for the same seed, whatever the workers, and
        whether or not it was continued.
    trials : int
        How many configurations are tried, the default among them; fewer if there are no more.
    runs : int, optional
        The seeds of each instance. Without it, as many as make 10 pairs.
    seed : int
        The first seed of the runs, and that of Optuna's sampler.
    holdout : sequence of str or BaseProblem
        More instances for the comparison at the end.
    fresh_runs : int, optional
        The seeds of each instance in the comparison at the end. Without it, as many as make 20 pairs.
    workers : int or "all"
        How many runs of a trial are done at once. Several need ``if __name__ == "__main__":`` in a script.
    out : path-like, optional
        The file of the trials; what it holds is continued. Every run is there as soon as it ends.
    on_run : callable, optional
        Called with a TuneProgress before the first run of a trial and after each run.
    on_trial : callable, optional
        Called with each Trial that has ended.

    Returns
    -------
    Tuning
        The best configuration, how it compares with the default, and the command to use.

    Raises
    ------
    InputError
        If something given cannot be used, Optuna is not installed, or ``out`` holds something else.
    KeyboardInterrupt
        On Ctrl-C; only the runs in progress are lost.

    Examples
    --------
    >>> import nrpa
    >>> found = nrpa.tune("snake", ["3"], only=["level"], playouts=30, trials=2, runs=2, fresh_runs=2)
    >>> len(found.trials), found.trials[0].configuration
    (2, {'solver': 'gnrpa'})
    """
    require_extra("optuna", "tune", "nrpa tune")
    plan = Plan(
        problem,
        instances,
        holdout,
        solvers=solvers,
        options=options,
        over=over,
        only=only,
        time=time,
        playouts=playouts,
        trials=trials,
        runs=runs,
        fresh_runs=fresh_runs,
        seed=seed,
    )
    at_once = min(number_of_workers(workers), max(len(plan.pairs()), plan.comparison_runs))
    with ExitStack() as until_done:
        if out is not None:
            inputs = [*map(file_of, plan.instances | plan.holdout), *source_files()]
            require_outputs({f"--out {Path(out)}": out}, inputs)
            until_done.enter_context(locked(out))
        study = TuneStudy(out, plan.space, plan.description(), plan.pairs(), plan.seed)
        executors = until_done.enter_context(places(at_once))
        tuner = _Tuner(plan, study, executors, on_run, on_trial)
        tuner.search()
        return tuner.compared()


@dataclass
class _Tuner:
    _plan: Plan
    _study: TuneStudy
    _executors: Sequence[Executor]
    _on_run: Callable[[TuneProgress], object] | None
    _on_trial: Callable[[Trial], object] | None

    def __post_init__(self) -> None:
        self._began, self._at_once = monotonic(), len(self._executors)

    def search(self) -> None:
        """Make all trials."""
        trials = self._study.trials
        while len(trials) < self._plan.trials or trials[-1].state == GOES_ON:
            trial = self._study.begin()
            if trial is None:
                return
            self._run(trial)
            if self._on_trial is not None:
                self._on_trial(trial)

    def _run(self, trial: Trial) -> None:
        """Run a trial on one pair after the other, so many at once, until all are done or it is given up."""
        pairs = self._plan.pairs()
        while trial.state == GOES_ON:
            done = len(trial.scores)
            self._report(trial.number, done, len(pairs))
            try:
                scores = self._scores(trial, pairs[done : done + self._at_once])
            except (LostWorkersError, DisagreementError):
                raise
            except InputError as error:
                if trial.number == 0:
                    raise
                self._study.fail(trial, str(error))
                return
            for score in scores:
                self._study.count(trial, score)
                self._report(trial.number, len(trial.scores), len(pairs))
                if trial.state != GOES_ON:
                    break

    def _scores(self, trial: Trial, pairs: Sequence[Pair]) -> list[float]:
        """Return the scores of a trial on some pairs; those that the study has are not run again."""
        study, plan = self._study, self._plan
        missing = [pair for pair in pairs if study.score(trial.number, pair) is None]
        solver, options = plan.space.make(trial.configuration)
        limits: dict[str, Any] = {"time": plan.time, "playouts": plan.playouts}
        problems = {name: plan.read(name, options) for name in dict.fromkeys(name for name, _ in missing)}
        alone = self._at_once == 1
        parcels: dict[str, Any] = problems if alone else {name: packed(each) for name, each in problems.items()}
        distribute(
            solved if alone else work,
            [Task(pair, parcels[pair[0]], solver, pair[1], limits) for pair in missing],
            self._executors,
            lambda task, result, running: study.keep(trial.number, task.key, result.score),
            lambda running: None,
            lambda task: f"the run with seed {task.seed}",
        )
        return [score for pair in pairs if (score := study.score(trial.number, pair)) is not None]

    def compared(self) -> Tuning:
        """Run the best configuration and the default on fresh seeds, unless they are one; return what was found."""
        plan, space, best = self._plan, self._plan.space, self._study.best
        fresh = held_out = None
        if best.number > 0:
            both = self._study.trials[0], best
            self._run_in_turns(both, plan.fresh_pairs(plan.instances | plan.holdout))
            fresh = self._comparison(both, plan.fresh_pairs(plan.instances))
            held_out = self._comparison(both, plan.fresh_pairs(plan.holdout)) if plan.holdout else None
        return Tuning(
            problem=plan.title,
            instances=tuple(plan.instances) if plan.problem.reads_instances() else (),
            objective=plan.problem.objective.name,
            time=plan.time,
            playouts=plan.playouts,
            trials=tuple(self._study.trials),
            best=best.number,
            changed=space.changed(best.configuration),
            kept=space.changed(space.default()),
            choices=(space.make(space.default()), space.make(best.configuration)),
            fresh=fresh,
            held_out=held_out,
        )

    def _run_in_turns(self, both: Sequence[Trial], pairs: Sequence[Pair]) -> None:
        """Run the default and the best on some pairs, in turns, so that both see the same machine."""
        missing = [pair for pair in pairs if any(self._study.score(trial.number, pair) is None for trial in both)]
        done = 2 * (len(pairs) - len(missing))
        self._report(both[1].number, done, 2 * len(pairs), is_comparison=True)
        for first in range(0, len(missing), self._at_once):
            batch = missing[first : first + self._at_once]
            for trial in both:
                self._scores(trial, batch)
                done += len(batch)
                self._report(both[1].number, done, 2 * len(pairs), is_comparison=True)

    def _comparison(self, both: Sequence[Trial], pairs: Sequence[Pair]) -> Comparison:
        objective = self._plan.problem.objective
        default, best = (map(objective.value, self._scores(trial, pairs)) for trial in both)
        return Comparison.of(list(zip((name for name, _ in pairs), best, default, strict=True)), objective.sign)

    def _report(self, trial: int, run: int, runs: int, *, is_comparison: bool = False) -> None:
        if self._on_run is None:
            return
        plan, left = self._plan, runs - run
        if not is_comparison:
            left += (max(plan.trials, len(self._study.trials)) - trial - 1) * runs + plan.comparison_runs
        most = None if plan.time is None else plan.time * -(-left // self._at_once)
        self._on_run(TuneProgress(trial, plan.trials, run, runs, is_comparison, monotonic() - self._began, most))


class Plan:
    """What is tuned, on what and how long: the arguments of ``nrpa.tune``; ``tuned`` are ``over`` and ``only``.

    Instances are kept by what they are called: the same name, or the problem itself.
    """

    def __init__(
        self,
        problem: str | type[BaseProblem],
        instances: Sequence[str | BaseProblem],
        holdout: Sequence[str | BaseProblem],
        *,
        solvers: str | Sequence[str],
        options: Mapping[str, Any] | None,
        time: float | None,
        playouts: int | None,
        trials: int,
        runs: int | None,
        fresh_runs: int | None,
        seed: int,
        **tuned: Any,
    ) -> None:
        if time is not None and playouts is not None:
            raise InputError("time and playouts cannot both be the budget")
        made = problem_class(problem) if isinstance(problem, str) else problem
        if not (isinstance(made, type) and issubclass(made, BaseProblem)):
            raise InputError(f"expected the name or the class of a problem, not {problem!r:.60}")
        self.problem, self.title = made, problem if isinstance(problem, str) else made.name
        self.instances = _named(made, instances)
        self.holdout = _named(made, holdout) if holdout else {}
        for name in self.instances.keys() & self.holdout.keys():
            raise InputError(f"{name} is an instance to tune on, and held out; expected one of them")
        known = _all_read(made, self.instances | self.holdout, options or {})
        self.hashes = {name: known[name].sha256 for name in self.instances}
        self.space = Space(
            made,
            [solvers] if isinstance(solvers, str) else list(solvers),
            any(each.bias_by_move or each.bias_by_code() is not None for each in known.values()),
            options=options,
            **tuned,
            with_problem=not _as_problems(self.instances | self.holdout),
        )
        self.time = None if playouts is not None else positive("time", SECONDS if time is None else time)
        self.playouts = None if playouts is None else counted("playouts", playouts)
        self.trials, self.seed = whole("trials", trials), checked_seed(seed)
        self.runs = self._seeds("runs", runs, PAIRS)
        self.fresh_runs = self._seeds("fresh_runs", fresh_runs, FRESH_PAIRS)
        if min(len(self.fresh_pairs(group)) for group in (self.instances, self.holdout) if group) < 2:
            raise InputError("the comparison at the end needs at least two pairs of instance and seed; more fresh runs")

    def _seeds(self, name: str, given: int | None, pairs: int) -> int:
        """Return how many seeds each instance has; without a number, as many as make so many pairs."""
        return -(-pairs // len(self.instances)) if given is None else whole(name, given, 1, MOST_RUNS)

    def read(self, name: str, options: dict[str, Any]) -> BaseProblem:
        """Return the instance with a name."""
        return _read(self.problem, (self.instances | self.holdout)[name], options)

    def pairs(self) -> list[Pair]:
        """Return the runs of a trial, the instances in turn."""
        return [(name, self.seed + run) for run in range(self.runs) for name in self.instances]

    def fresh_pairs(self, instances: Mapping[str, Any]) -> list[Pair]:
        """Return the runs on some instances for the comparison at the end, with seeds that no trial has."""
        return [(name, self.seed + FRESH + run) for run in range(self.fresh_runs) for name in instances]

    @property
    def comparison_runs(self) -> int:
        """The runs of the comparison at the end."""
        return 2 * (len(self.fresh_pairs(self.instances)) + len(self.fresh_pairs(self.holdout)))

    def description(self) -> dict[str, Any]:
        """Return what must be the same for trials to be continued, as JSON can hold it."""
        return {
            "problem": self.problem.name,
            "instances": self.hashes,
            "time": self.time,
            "playouts": self.playouts,
            "runs": self.runs,
            "seed": self.seed,
            "solvers": self.space.solvers,
            "options": self.space.described(),
        }


def _named(problem: type[BaseProblem], instances: Sequence[str | BaseProblem]) -> dict[str, Any]:
    """Return instances by what they are called. Raises InputError for none, for two of a name, and other classes."""
    given = [instances] if isinstance(instances, (str, BaseProblem)) else list(instances)
    if not problem.reads_instances() and not given:
        return {problem.name: problem.name}
    if not given:
        raise InputError(f"{problem.name} needs at least one instance to tune on")
    found: dict[str, Any] = {}
    for number, instance in enumerate(given, 1):
        if isinstance(instance, BaseProblem):
            if type(instance) is not problem:
                raise InputError(f"instance {number} is a {type(instance).__name__}; expected a {problem.__name__}")
            name = instance.label or f"{problem.name} {number}"
        elif not problem.reads_instances():
            raise InputError(f"{problem.name} reads no instances, so {instance!r:.60} cannot be one")
        elif not isinstance(instance, str) or not instance or instance == "-":
            raise InputError(f"an instance to tune on is a file or a bundled name, not {instance!r:.60}")
        else:
            name = instance
        if name in found:
            raise InputError(f"the instance {name} is given twice")
        found[name] = instance
    return found


def _as_problems(instances: Mapping[str, Any]) -> bool:
    """Return whether an instance is given as a problem, whose options are then its own."""
    return any(isinstance(each, BaseProblem) for each in instances.values())


def _read(problem: type[BaseProblem], instance: Any, options: dict[str, Any]) -> BaseProblem:
    return instance if isinstance(instance, BaseProblem) else read_problem(problem, instance, options)


def _all_read(
    problem: type[BaseProblem], instances: Mapping[str, Any], options: Mapping[str, Any]
) -> dict[str, BaseProblem]:
    """Return the instances as problems. Raises InputError for one that cannot be read, or a game."""
    names = {option.name for option in problem.cli_options}
    fixed = {name: value for name, value in options.items() if name in names}
    if fixed and _as_problems(instances):
        what = f"{next(iter(fixed))} is an option of the problem"
        raise InputError(f"{what}, and instances that are given as problems have their own")
    known = {name: _read(problem, instance, fixed) for name, instance in instances.items()}
    for each in known.values():
        require_one_player(each)
    return known
