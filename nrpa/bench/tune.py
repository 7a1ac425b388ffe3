"""Find the options of a solver that suit a user's instances: a study of Optuna, and whether its best is proven better.

References
----------
T. Akiba et al., *Optuna: A Next-generation Hyperparameter Optimization Framework*, KDD 2019. The sampler: J. Bergstra
et al., *Algorithms for Hyper-Parameter Optimization*, NeurIPS 2011. The pruner: F. Wilcoxon, *Individual comparisons by
ranking methods*, Biometrics Bulletin 1, 1945.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from nrpa.base.errors import DisagreementError, InputError, LostWorkersError
from nrpa.base.lazy import lazy
from nrpa.base.options import Tried, require_option_names, words_of
from nrpa.base.values import SeedLike, checked_seed, counted, plain, positive, whole
from nrpa.bench.distribute import RunsProgress, Task, Teller, distribute, places, solved, work
from nrpa.bench.experiment import MOST_RUNS, require_unrepeated
from nrpa.bench.space import known_options, suggested, tuned_options
from nrpa.bench.statistics import Difference, mean_difference
from nrpa.io.files import locked, require_outputs, source_files
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem, require_one_player
from nrpa.registry import DEFAULT_SOLVER, OF_SEARCHES, problem_class, read_problem, solver_class, solver_with
from nrpa.search.clusters import require_extra
from nrpa.search.executors import packed
from nrpa.search.workers import number_of_workers
from nrpa.solvers.interface import Solver

optuna, sqlalchemy = lazy("optuna"), lazy("sqlalchemy.exc")

SECONDS, TRIALS = 5.0, 50
# As many pairs of instance and seed, at least, for a trial and for the comparison at the end, whose seeds are far off.
PAIRS, FRESH_PAIRS, FRESH = 10, 20, 1_000_000
# Optuna's own threshold. Four pairs, so that a trial is given up by no less than four that all went against it.
SURE, LEAST_PAIRS = 0.1, 4

Configuration = dict[str, Any]
"""The name of a solver, and the options of it and of the problem that are given."""
Pair = tuple[str, int]
"""An instance and a seed."""


@dataclass(frozen=True)
class Tuning:
    """What was found by tuning.

    Attributes
    ----------
    study : optuna.Study
        The trials, the first one the default; of each, ``user_attrs["configuration"]`` says what was run.
    problem, instances, limits : str, tuple of str, dict
        The problem and the instances, as at the command line, and the budget of a run, ``time`` or ``playouts``.
    best : int
        The number of the best trial.
    fresh, held_out : Difference or None
        The mean gain of the best over the default in percent, with fresh seeds, on the instances that it was tuned on,
        and on those that were held out; None without such, or where the default is the best.
    solver, problem_options : Solver, dict
        What to use: the best configuration if it is proven to be better, else the default.
    """

    study: Any
    problem: str
    instances: tuple[str, ...]
    limits: dict[str, Any]
    best: int
    fresh: Difference | None
    held_out: Difference | None
    solver: Solver
    problem_options: dict[str, Any]

    @property
    def is_proven(self) -> bool:
        """Whether the best configuration is proven to be better than the default: on what was held out, if anything."""
        return _is_better(self.held_out or self.fresh)

    @property
    def command(self) -> str:
        """The command to use."""
        return self.command_of(self.best if self.is_proven else 0)

    def command_of(self, trial: int) -> str:
        """Return the command with the configuration of a trial."""
        instance = [self.instances[0] if len(self.instances) == 1 else "INSTANCE"] if self.instances else []
        options = words_of({**self.study.trials[trial].user_attrs["configuration"], **self.limits})
        return shlex.join(["nrpa", "solve", self.problem, *instance, *options])

    def summary(self) -> str:
        """Return what was found as text, in a few lines."""
        trials = self.study.trials
        lines = [f"trials   {len(trials)}", f"default  {configuration_text(trials[0])}"]
        if self.best:
            lines.append(f"best     trial {self.best}: {configuration_text(trials[self.best])}")
        for name, found in (("fresh", self.fresh), ("held out", self.held_out)):
            if found is not None:
                gain = f"gain {found.mean:+.3g} % [{found.interval('{:z.3g}'.format)}]"
                lines.append(f"{name:8} {gain}; {found.differ} of {found.runs[0]} pairs differ")
        where = "on the instances that were held out" if self.held_out else "with seeds that were not tuned on"
        verdict = "The best is better than the default" if self.is_proven else "No gain is proven"
        lines += [f"{verdict} {where}.", f"use      {self.command}"]
        if self.best and not self.is_proven:
            lines.append(f"best was {self.command_of(self.best)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return all that is known, as JSON can hold it."""
        found = {
            **{name: value for name, value in vars(self).items() if name != "study"},
            "solver": {"name": self.solver.name, **self.solver.options},
            "proven": self.is_proven,
            "command": self.command,
            "trials": [
                {"configuration": each.user_attrs["configuration"], "state": each.state.name, "gain": each.value}
                for each in self.study.trials
            ],
        }
        return {name: plain(value) for name, value in found.items()}


def configuration_text(trial: Any) -> str:
    """Return what was run in a trial of Optuna, such as ``gnrpa --level auto --tau 1.2``."""
    _, solver, *words = words_of(trial.user_attrs["configuration"])
    return " ".join([solver, *(words or ["with all defaults"])])


def tune(
    problem: str | type[BaseProblem],
    instances: Sequence[str] = (),
    *,
    solvers: str | Sequence[str] | None = None,
    options: Mapping[str, object] | None = None,
    over: Mapping[str, Tried] | None = None,
    only: Sequence[str] = (),
    time: float | None = None,
    playouts: int | None = None,
    trials: int = TRIALS,
    runs: int | None = None,
    seed: SeedLike = 1,
    holdout: Sequence[str] = (),
    fresh_runs: int | None = None,
    workers: int | str = 1,
    out: str | os.PathLike[str] | None = None,
    on_trial: Callable[[Any], object] | None = None,
    on_run: Callable[[RunsProgress], object] | None = None,
) -> Tuning:
    """Find options with which a solver finds better answers on some instances in the time given.

    A trial runs one configuration on every pair of an instance and a seed, the same for all trials. The first trial is
    the default. Optuna's sampler chooses the others, and its pruner gives up those that are clearly worse than the best
    so far. A trial is worth its mean gain over the default. At the end, the best and the default run on fresh seeds.

    Parameters
    ----------
    problem : str or type
        The problem, as at the command line, or its class.
    instances, holdout : sequence of str
        The instances to tune on, and more for the comparison at the end, which these decide.
    solvers : str or sequence of str
        The names of the solvers to choose from; the default configuration is that of the first. Without them, the
        default is what ``solve`` does with the same options, and GNRPA, or a solver that has what is tuned, is tuned.
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
        How many configurations are tried, the default among them.
    runs, fresh_runs : int, optional
        The seeds of each instance, in a trial and in the comparison at the end; as many as make 10 and 20 pairs.
    seed : int or numpy.random.Generator
        The first seed of the runs, and that of Optuna's sampler.
    workers : int or "all"
        How many runs of a trial are done at once. Several need ``if __name__ == "__main__":`` in a script.
    out : path-like, optional
        The storage of the study, which is continued: a file of SQLite, or an address that Optuna takes. Every run is
        there as soon as it ends.
    on_trial : callable, optional
        Called with each trial of Optuna that has ended.
    on_run : callable, optional
        Called with a RunsProgress when runs have begun, and after each run.

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
    >>> len(found.study.trials), found.study.trials[0].user_attrs["configuration"]
    (2, {'solver': 'auto'})
    """
    require_extra("optuna", "tune", "nrpa tune")
    cls = problem_class(problem) if isinstance(problem, str) else problem
    if not (isinstance(cls, type) and issubclass(cls, BaseProblem)):
        raise InputError(f"expected the name or the class of a problem, not {problem!r:.60}")
    if time is not None and playouts is not None:
        raise InputError("time and playouts cannot both be the budget")
    seconds = SECONDS if time is None else time
    limits = {"time": positive("time", seconds)} if playouts is None else {"playouts": counted("playouts", playouts)}
    trials, seed = whole("trials", trials), checked_seed(seed)
    instances, holdout = ([given] if isinstance(given, str) else given for given in (instances, holdout))
    tuned_on, every = _names(cls, instances), _names(cls, [*instances, *holdout])
    runs, fresh_runs = (
        whole(name, -(-pairs // len(tuned_on)) if given is None else given, 1, MOST_RUNS)
        for name, given, pairs in (("runs", runs, PAIRS), ("fresh_runs", fresh_runs, FRESH_PAIRS))
    )
    if fresh_runs * min(len(tuned_on), len(holdout) or len(tuned_on)) < 2:
        raise InputError("the comparison at the end needs at least two pairs of instance and seed; more fresh runs")
    of_trial = [(name, seed + run) for run in range(runs) for name in tuned_on]
    fresh = [(name, seed + FRESH + run) for run in range(fresh_runs) for name in every]
    names = tuned_solvers(cls, options or {}, [*(over or {}), *only]) if solvers is None else solvers
    names = [names] if isinstance(names, str) else names
    tuner = _Tuner(cls, every, names, options or {}, over or {}, only, limits)
    with ExitStack() as until_done:
        if out is not None and "://" not in os.fspath(out):
            require_outputs({f"--out {os.fspath(out)}": out}, [*map(file_of, every), *source_files()])
            until_done.enter_context(locked(out))
        until_done.enter_context(_optunas_errors(out))
        at_once = min(number_of_workers(workers), max(len(of_trial), len(fresh)))
        hashes = {name: tuner.hashes[name] for name in tuned_on}
        tuned = {"problem": cls.name, "instances": hashes, "runs": runs, "seed": seed, **tuner.described()}
        teller = Teller(on_run, 0, 0, seconds / at_once if playouts is None else None)
        tuner.begin(_read(out, plain(tuned)), until_done.enter_context(places(at_once)), teller)
        while (left := trials - len(tuner.ended)) > 0:
            teller.expect(left * len(of_trial) + 2 * len(fresh))
            tuner.make_trial(of_trial, seed)
            if on_trial is not None:
                on_trial(tuner.ended[-1])
        best = tuner.best
        pairs = fresh if best.number else []
        teller.expect(2 * len(pairs))
        gains = list(zip(pairs, tuner.gains(best.user_attrs["configuration"], pairs), strict=True))
        found = _mean_gain([gain for (name, _), gain in gains if name in tuned_on])
        held_out = _mean_gain([gain for (name, _), gain in gains if name not in tuned_on])
        chosen = best if _is_better(held_out or found) else tuner.ended[0]
        choice = tuner.make(chosen.user_attrs["configuration"])
    title = problem if isinstance(problem, str) else cls.name
    named = tuple(tuned_on) if cls.reads_instances() else ()
    return Tuning(tuner.study, title, named, limits, best.number, found, held_out, *choice)


def tuned_solvers(problem: type[BaseProblem], options: Iterable[str], tuned: Iterable[str] = ()) -> list[str]:
    """Return the solvers where none is named: that of ``solve`` with these options, and one that has the tuned ones."""
    of_problem = {option.name for option in problem.cli_options}
    first, other = solver_with({*options} - of_problem), solver_with({*options, *tuned} - of_problem)
    return list(dict.fromkeys([first, OF_SEARCHES if other == DEFAULT_SOLVER else other]))


def _names(problem: type[BaseProblem], given: Sequence[str]) -> list[str]:
    """Return the names of instances, that of the problem where it reads none. Raises InputError for what is none."""
    if not given and problem.reads_instances():
        raise InputError(f"{problem.name} needs at least one instance to tune on")
    if given and not problem.reads_instances():
        raise InputError(f"{problem.name} reads no instances, so {given[0]!r:.60} cannot be one")
    for each in given:
        if not isinstance(each, str) or each in ("", "-"):
            raise InputError(f"an instance to tune on is a file or a bundled name, not {each!r:.60}")
    require_unrepeated("instance", given)
    return list(given) or [problem.name]


def _gain(own: float, default: float) -> float:
    """Return by how much a score is above the default's, as a share of the larger one: the same in any unit."""
    return 0.0 if own == default else (own - default) / max(abs(own), abs(default))


def _mean_gain(gains: Sequence[float]) -> Difference | None:
    """Return the mean of some gains in percent, with its interval; None without gains."""
    zeros = dict.fromkeys(range(len(gains)), 0.0)
    return mean_difference({k: 100 * gains[k] for k in zeros}, zeros, paired=True) if gains else None


def _is_better(gain: Difference | None) -> bool:
    """Return whether a mean gain is proven: its interval is above 0, and at least 6 pairs differ."""
    return gain is not None and gain.is_proven and gain.mean > 0


@contextmanager
def _optunas_errors(out: Any) -> Iterator[None]:
    """Let Optuna say nothing; raise what its storage says as InputError."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            warnings.filterwarnings("ignore", "The reported value is ignored")
            yield
    except (optuna.exceptions.OptunaError, sqlalchemy.SQLAlchemyError, json.JSONDecodeError) as error:
        reason = str(error.__cause__ or error).partition("\n")[0]
        raise InputError(f"{out}: is no file that `nrpa tune` can read and write ({reason})") from None
    finally:
        optuna.logging.set_verbosity(before)


def _read(out: Any, tuned: dict[str, Any]) -> Any:
    """Return the study, all of which can be read. Raises InputError where it cannot, or something else was tuned."""
    try:
        study = _opened(out, tuned)
        for trial in study.trials:
            if trial.state.is_finished() and not isinstance(trial.user_attrs["configuration"], dict):
                raise InputError(f"{out}: trial {trial.number} has no configuration")
            if trial.state == optuna.trial.TrialState.COMPLETE and trial.value is None:
                raise InputError(f"{out}: trial {trial.number} is complete, but has no value")
    except (InputError, optuna.exceptions.OptunaError, sqlalchemy.SQLAlchemyError):
        raise
    except Exception as error:  # what a damaged file raises depends on where it is damaged
        what = f"is no file that `nrpa tune` can read ({type(error).__name__}: {error})"
        raise InputError(f"{out}: {what}") from None
    return study


def _opened(out: Any, tuned: dict[str, Any]) -> Any:
    """Return the study. Raises InputError if something else was tuned in it."""
    storage = None if out is None else os.fspath(out)
    if storage is not None and "://" not in storage:
        where = os.path.realpath(storage)
        # Not by an address: in one, some characters of a path mean something else.
        connect = {"creator": lambda: sqlite3.connect(where, timeout=60)}
        storage = optuna.storages.RDBStorage("sqlite://", engine_kwargs=connect)
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=SURE, n_startup_steps=LEAST_PAIRS)
    study = optuna.create_study(
        storage=storage, study_name="nrpa tune", direction="maximize", pruner=pruner, load_if_exists=True
    )
    before = study.user_attrs.get("tuned", {} if study.trials else tuned)
    for key, value in tuned.items():
        if before.get(key) != value:
            raise InputError(f"{out}: was made with other {key}; choose another file, or give the same as before")
    study.set_user_attr("tuned", tuned)
    return study


class _Tuner:
    """Runs configurations of some solvers on some instances; the study has the score of each run as soon as it ends."""

    def __init__(
        self,
        problem: type[BaseProblem],
        instances: Sequence[str],
        solvers: Sequence[str],
        fixed: Mapping[str, Any],
        over: Mapping[str, Tried],
        only: Sequence[str],
        limits: dict[str, Any],
    ) -> None:
        if not solvers:
            raise InputError("expected at least one solver to tune")
        require_unrepeated("solver", solvers)
        self._problem, self._fixed, self._limits = problem, fixed, limits
        self._of_problem = {option.name: option for option in problem.cli_options}
        self._known = {solver: known_options(solver, problem.cli_options) for solver in solvers}
        require_option_names([*fixed, *over, *only], {name for known in self._known.values() for name in known})
        self._default = self._given(solvers[0])
        problems = {name: read_problem(problem, name, self.make(self._default)[1]) for name in instances}
        for each in problems.values():
            require_one_player(each)
        self.hashes = {name: each.sha256 for name, each in problems.items()}
        has_bias = any(each.bias_by_move or each.bias_by_code() is not None for each in problems.values())
        self._tried = {
            solver: tuned_options(solver, known, has_bias, fixed, over, only) for solver, known in self._known.items()
        }
        if not any(self._tried.values()):
            raise InputError(f"there is nothing to tune: {', '.join(solvers)} and {problem.name} leave no option open")

    def described(self) -> dict[str, Any]:
        """Return what is tuned and how long, as the study keeps it."""
        return {**self._limits, "options": self._fixed, "tried": repr(self._tried)}

    def begin(self, study: Any, executors: Sequence[Executor], teller: Teller) -> None:
        """Go on with a study."""
        self.study, self._executors, self._teller = study, executors, teller
        self._scores = {name: score for name, score in study.user_attrs.items() if name.startswith("run ")}

    @property
    def ended(self) -> list[Any]:
        """The trials that have ended."""
        return [trial for trial in self.study.trials if trial.state.is_finished()]

    @property
    def best(self) -> Any:
        """The trial of the largest mean gain of those that were run on all pairs; the first one if several have it."""
        complete = self.study.get_trials(states=[optuna.trial.TrialState.COMPLETE])
        return max(complete, key=lambda trial: (trial.value, -trial.number))

    def make(self, configuration: Configuration) -> tuple[Solver, dict[str, Any]]:
        """Return the solver of a configuration, and the options of the problem."""
        given = {name: value for name, value in configuration.items() if name != "solver"}
        options = {name: self._of_problem[name].checked(given.pop(name)) for name in self._of_problem if name in given}
        cls: Any = solver_class(configuration["solver"])
        return cls(**given), options

    def make_trial(self, pairs: Sequence[Pair], seed: int) -> None:
        """Make a trial: the one that was begun and not ended, if any; else the default or what the sampler chooses."""
        number, states = len(self.ended), optuna.trial.TrialState
        # Seeded for each trial: so a study that was stopped goes on as it would have.
        self.study.sampler = optuna.samplers.TPESampler(seed=(seed + number) % 2**32)
        begun = self.study.get_trials(states=[states.RUNNING])
        trial = optuna.trial.Trial(self.study, begun[0]._trial_id) if begun else self.study.ask()
        configuration = self._suggested(trial) if number else self._default
        trial.set_user_attr("configuration", plain(configuration))
        found: list[float] = []
        try:
            for gain in self.gains(configuration, pairs):
                trial.report(gain, len(found))
                found.append(gain)
                if len(found) < len(pairs) and trial.should_prune():
                    self.study.tell(trial, state=states.PRUNED)
                    return
            self.study.tell(trial, fmean(found))
        except (LostWorkersError, DisagreementError):
            raise
        except InputError as error:
            if not number:
                raise
            trial.set_user_attr("why", str(error))
            self.study.tell(trial, state=states.FAIL)

    def gains(self, configuration: Configuration, pairs: Sequence[Pair]) -> Iterator[float]:
        """Yield by how much a configuration is better than the default on each pair; the two run in turns."""
        for first in range(0, len(pairs), len(self._executors)):
            batch = pairs[first : first + len(self._executors)]
            default = self._run(self._default, batch)
            yield from map(_gain, self._run(configuration, batch), default)

    def _given(self, solver: str) -> Configuration:
        return {"solver": solver, **{name: self._fixed[name] for name in self._known[solver] if name in self._fixed}}

    def _suggested(self, trial: Any) -> Configuration:
        # A default that leaves nothing open was run in the first trial.
        idle = {self._default["solver"]} if not self._tried[self._default["solver"]] else set()
        solver = trial.suggest_categorical("solver", [each for each in self._tried if each not in idle])
        own = {name: suggested(trial, f"{solver}.{name}", tried) for name, tried in self._tried[solver].items()}
        return {**self._given(solver), **own}

    def _run(self, configuration: Configuration, pairs: Sequence[Pair]) -> list[float]:
        """Return the scores of a configuration on some pairs; those that the study has are not run again."""
        solver, options = self.make(configuration)
        digest = hashlib.sha256(repr((solver, options)).encode()).hexdigest()[:16]
        names = {pair: f"run {digest} {pair[1]} {pair[0]}" for pair in pairs}
        missing = [pair for pair in pairs if names[pair] not in self._scores]
        is_alone = len(self._executors) == 1
        read = {name: read_problem(self._problem, name, options) for name in dict(missing)}
        problems: Any = read if is_alone else {name: packed(problem) for name, problem in read.items()}

        def keep(task: Task, result: Any, running: int) -> None:
            self._scores[names[task.key]] = result.score
            self.study.set_user_attr(names[task.key], result.score)
            self._teller.count(running)

        distribute(
            solved if is_alone else work,
            [Task(pair, problems[pair[0]], solver, pair[1], self._limits) for pair in missing],
            self._executors,
            keep,
            self._teller.tell,
            lambda task: f"the run with seed {task.seed}",
        )
        return [self._scores[names[pair]] for pair in pairs]
