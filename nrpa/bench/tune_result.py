"""What ``nrpa tune`` has found: the best configuration, how it compares with the default, and the command to use."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from nrpa.base.options import words_of
from nrpa.base.values import plain
from nrpa.bench.space import SOLVER, Configuration
from nrpa.bench.table import Difference, difference
from nrpa.bench.tune_study import DONE, FAILED, GIVEN_UP, Trial
from nrpa.solvers.interface import Solver

WORDS = {None: "auto", True: "yes", False: "no"}


@dataclass(frozen=True)
class Comparison:
    """The best configuration against the default on fresh pairs, in terms of the problem or in percent."""

    instances: tuple[str, ...]
    wins: int
    ties: int
    losses: int
    difference: Difference
    in_percent: bool

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, float, float]], sign: int) -> Comparison:
        """Return the comparison of some pairs.

        >>> found = Comparison.of([("a", 8.0, 10.0), ("a", 9.0, 10.0), ("b", 100.0, 100.0)], -1)
        >>> found.wins, found.ties, found.losses, found.difference.mean
        (2, 1, 0, 10.0)
        """
        instances = tuple(dict.fromkeys(instance for instance, _, _ in pairs))
        of_default = {instance: [default for other, _, default in pairs if other == instance] for instance in instances}
        means = {instance: abs(sum(values)) / len(values) for instance, values in of_default.items()}
        in_percent = len(instances) > 1 and all(means.values())
        better = [sign * (own - default) for _, own, default in pairs]
        scaled = [
            100 * gain / means[instance] if in_percent else gain
            for gain, (instance, _, _) in zip(better, pairs, strict=True)
        ]
        found = difference(dict(enumerate(scaled)), dict.fromkeys(range(len(scaled)), 0.0), paired=True)
        wins, losses = sum(gain > 0 for gain in better), sum(gain < 0 for gain in better)
        return cls(instances, wins, len(better) - wins - losses, losses, found, in_percent)

    @property
    def is_proven(self) -> bool:
        """Whether the best configuration is better: the interval is above 0, and at least 6 pairs differ."""
        return self.difference.is_proven and self.difference.mean > 0

    @property
    def is_worse(self) -> bool:
        """Whether the default is better: the interval is below 0, and at least 6 pairs differ."""
        return self.difference.is_proven and self.difference.mean < 0

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, as JSON can hold it."""
        found, mean, interval = asdict(self), self.difference.mean, [self.difference.low, self.difference.high]
        return {**found, "difference": mean, "interval": interval, "proven": self.is_proven}

    def text(self, objective: str) -> str:
        """Return the comparison in a sentence without its end."""
        pairs = self.wins + self.ties + self.losses
        unit = " %" if self.in_percent else ""
        equal = f" ({self.ties} equal)" if self.ties else ""
        wins = f"better than the default on {self.wins} of {pairs} pairs{equal}"
        mean, low, high, *_ = found = self.difference
        word, shown = ("better", found) if mean >= 0 else ("worse", found._replace(low=-high, high=-low))
        return f"{wins}; {objective} {word} by {_number(abs(mean))}{unit} [{shown.interval(_number)}]"


@dataclass(frozen=True)
class Tuning:
    """What was found by tuning.

    Attributes
    ----------
    problem : str
        The problem, as at the command line.
    instances : tuple of str
        The instances that it was tuned on.
    objective : str
        What the problem's objective is called.
    time : float or None
        The budget of a run in seconds.
    playouts : int or None
        The budget of a run in playouts.
    trials : tuple of Trial
        All trials; the first one is the default configuration.
    best : int
        The number of the best trial.
    changed : dict
        The options of the best configuration that are not the defaults of its solver and of the problem.
    kept : dict
        Those of the default configuration: what was given.
    choices : tuple
        The solver and the problem's options of the default configuration, and those of the best.
    fresh : Comparison or None
        The best configuration against the default with fresh seeds; None if the default is the best.
    held_out : Comparison or None
        The same on instances that were held out; None without such.
    """

    problem: str
    instances: tuple[str, ...]
    objective: str
    time: float | None
    playouts: int | None
    trials: tuple[Trial, ...]
    best: int
    changed: Configuration
    kept: Configuration
    choices: tuple[tuple[Solver, dict[str, Any]], tuple[Solver, dict[str, Any]]]
    fresh: Comparison | None
    held_out: Comparison | None

    @property
    def is_proven(self) -> bool:
        """Whether the best configuration is proven to be better than the default: on what was held out, if anything."""
        decides = self.held_out or self.fresh
        return decides is not None and decides.is_proven

    @property
    def solver(self) -> Solver:
        """The solver to use: that of the best configuration if it is proven to be better, else that of the default."""
        return self.choices[self.is_proven][0]

    @property
    def problem_options(self) -> dict[str, Any]:
        """The options of the problem to use, with the solver."""
        return self.choices[self.is_proven][1]

    @property
    def command(self) -> str:
        """The command to use."""
        return self.command_of(self.changed if self.is_proven else self.kept, self.solver.name)

    def command_of(self, changed: Configuration, solver: str) -> str:
        """Return the command with a solver and the options in ``changed``."""
        instance = self.instances[0] if len(self.instances) == 1 else "INSTANCE"
        budget = {"time": f"{self.time:g}"} if self.playouts is None else {"playouts": self.playouts}
        options = words_of({"solver": solver, **changed, **budget})
        return shlex.join(["nrpa", "solve", self.problem, *([instance] if self.instances else []), *options])

    def summary(self) -> str:
        """Return what was found as text, in a few lines."""
        states = [trial.state for trial in self.trials]
        failed = f", {states.count(FAILED)} failed" if FAILED in states else ""
        lines = [
            f"trials   {len(states)}: {states.count(DONE)} run to the end, {states.count(GIVEN_UP)} given up{failed}",
            f"default  {options_text(self.trials[0].configuration)}",
        ]
        if self.fresh is None:
            lines.append("No configuration that was tried is better than the default: keep it.")
            return "\n".join([*lines, f"use      {self.command}"])
        lines.append(f"best     trial {self.best}: {options_text(self.trials[self.best].configuration)}")
        lines.append(f"fresh    {self.fresh.text(self.objective)}")
        if self.held_out:
            lines.append(f"held out {self.held_out.text(self.objective)}")
        lines += [self._verdict(), f"use      {self.command}"]
        if not self.is_proven:
            lines.append(f"best was {self.command_of(self.changed, self.choices[True][0].name)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return all that is known, as JSON can hold it."""
        found = {
            "problem": self.problem,
            "instances": list(self.instances),
            "time": self.time,
            "playouts": self.playouts,
            "best": self.best,
            "proven": self.is_proven,
            "command": self.command,
            "solver": {"name": self.solver.name, **self.solver.options},
            "problem_options": self.problem_options,
            "fresh": None if self.fresh is None else self.fresh.to_dict(),
            "held_out": None if self.held_out is None else self.held_out.to_dict(),
            "trials": [
                {key: value for key, value in asdict(trial).items() if key != "why" or value} for trial in self.trials
            ],
        }
        return {key: plain(value) for key, value in found.items()}

    def _verdict(self) -> str:
        where = "on the instances that were held out" if self.held_out else "with seeds that were not tuned on"
        decides = self.held_out or self.fresh
        assert decides is not None
        if decides.is_proven:
            return f"It is better than the default {where}; the 95 % interval is above 0."
        if decides.is_worse:
            return f"It is worse than the default {where}: keep the default."
        return f"No difference is proven {where}: keep the default."


def options_text(configuration: Configuration) -> str:
    """Return a configuration as people read it.

    >>> options_text({"solver": "gnrpa", "level": None, "tau": 1.2})
    'gnrpa, level auto, tau 1.2'
    """
    options = [f"{name} {_shown(value)}" for name, value in configuration.items() if name != SOLVER]
    return ", ".join([str(configuration[SOLVER]), *(options or ["all defaults"])])


def _shown(value: Any) -> str:
    return WORDS[value] if value is None or isinstance(value, bool) else f"{value}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:z.3g}"
