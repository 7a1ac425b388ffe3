"""What a check has found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Verdict:
    """What the check of a solution has found.

    Parameters
    ----------
    figures : dict of str to object
        What it computed, by name, made of what JSON can hold; empty where the solution is too broken to have figures.
    faults : list of str
        What is wrong, in words; empty if the solution is valid.
    score : float, optional
        The score that it computed, None where the solution is too broken to have one, and in a game.
    rewards : tuple of float, optional
        In a game, what each player gets; None where the solution is too broken for that, and in other problems.
    faults_counted : bool, optional
        Whether the score counts what is wrong, as a penalty does, so that a search may well end with such a solution.

    Examples
    --------
    >>> Verdict({"cost": 38.0, "violations": 1}, ["city 2 is reached too late"], -1000038.0, faults_counted=True).valid
    False
    """

    figures: dict[str, Any]
    faults: list[str] = field(default_factory=list)
    score: float | None = None
    rewards: tuple[float, ...] | None = None
    faults_counted: bool = False

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults
