"""What a check of a problem looks at, and what it has found."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem


@dataclass
class Contract:
    """What ``check_problem`` has found.

    Attributes
    ----------
    problem : str
        The name of the problem's class.
    faults : list of str
        What is wrong, in words; empty if nothing is.
    games : int
        The games played.
    steps : int
        The steps of these games in all.
    doubts : list of str
        What is allowed, but seldom meant, in words.
    unchecked : list of str
        What could not be checked, in words.
    seed : int
        The seed of the games.
    """

    problem: str
    faults: list[str] = field(default_factory=list)
    games: int = 0
    steps: int = 0
    doubts: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    seed: int = 0

    @property
    def kept(self) -> bool:
        """Whether nothing is broken."""
        return not self.faults

    def summary(self) -> str:
        """Return what was found as text: a line for each fault, each doubt, and what could not be checked."""
        found = self.faults or [f"kept in {self.games} games of {self.steps} steps in all"]
        return "\n".join(f"{self.problem}: {each}" for each in [*found, *self.doubts, *self.unchecked])


@dataclass
class Subject:
    """What the checks look at: a problem, its twins, and the games that were played, each by its moves."""

    problem: BaseProblem
    twin: Problem | None
    compiled: Any  # the compiled class whose methods in plain Python are the problem; None for any other problem
    contract: Contract
    chance: random.Random
    most_games: int
    games: list[list[int]] = field(default_factory=list)
    results: list[list[float]] = field(default_factory=list)
