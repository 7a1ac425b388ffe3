"""What is tuned, on what and how long: the arguments of ``nrpa.tune``, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.values import positive, whole
from nrpa.bench.experiment import MOST_RUNS
from nrpa.bench.space import Space
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import require_one_player
from nrpa.registry import problem_class, read_problem
from nrpa.search.run import checked_seed

SECONDS = 5.0
# As many pairs of instance and seed, at least, for a trial and for the comparison at the end.
PAIRS, FRESH_PAIRS = 10, 20
# What is added to a seed for the comparison at the end.
FRESH = 1_000_000

Pair = tuple[str, int]


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
        self.playouts = None if playouts is None else whole("playouts", playouts)
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
