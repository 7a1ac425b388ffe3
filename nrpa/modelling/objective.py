"""The figure that the user of a problem thinks in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import not_negative, shortened, whole

MOST_DIGITS = 30


@dataclass(frozen=True)
class Objective:
    """The figure that users think in, and how it follows from the score, which the search maximises.

    Parameters
    ----------
    name : str
        What the figure is called ("cost", "points", "bins").
    sign : int
        1 where more is better, -1 where less is better.
    digits : int
        The decimals worth printing, at most 30.
    tie_break : float
        Where values are whole numbers and the score also ranks solutions of equal value: how far a score may lie below
        that of its value, less than 1. Else 0.

    Raises
    ------
    InputError
        If one of them is anything else.

    Examples
    --------
    >>> bins = Objective("bins", sign=-1, tie_break=0.5)
    >>> bins.value(-12.3), bins.score(12)
    (12.0, -12.5)
    """

    name: str
    sign: int
    digits: int = 0
    tie_break: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isprintable():
            raise InputError(f"the name of an objective must be text of one line, not {self.name!r}")
        if whole("sign", self.sign, -1, 1) == 0:
            raise InputError("sign must be 1 or -1, not 0")
        whole("digits", self.digits, 0, MOST_DIGITS)
        if not_negative("tie_break", self.tie_break) >= 1:
            raise InputError(f"tie_break must be less than 1, not {self.tie_break!r}")

    def value(self, score: float) -> float:
        """Return the objective value of a score."""
        if self.tie_break:
            return self.sign * float(np.ceil(score))
        return self.sign * score

    def figures(self, score: float) -> dict[str, float]:
        """Return the figures that a score says, by name."""
        return {self.name: self.value(score)}

    def of(self, name: str) -> Objective:
        """Return the objective by whose digits a figure is printed."""
        return self

    def score(self, value: float | Sequence[float]) -> float:
        """Return the least score that has an objective value. Raises InputError for several values."""
        if isinstance(value, Sequence):
            raise InputError(f"expected one number ({self.name}), not {shortened(repr(value))}")
        return self.sign * value - self.tie_break

    def text(self, value: float) -> str:
        """Return an objective value as it is printed, with ``digits`` decimals."""
        return f"{value:.{self.digits}f}"
