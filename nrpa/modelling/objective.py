"""The figure that the user of a problem thinks in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Objective:
    """The figure a user thinks in, and how it relates to the score, which is always maximised.

    name: what the figure is called ("cost", "points", "bins").
    sign: +1 where more is better, -1 where less is.
    digits: decimals worth printing.
    tie_break: where values are whole and the score ranks equal ones, how far below its value's a score may lie (< 1).
    """

    name: str
    sign: int
    digits: int = 0
    tie_break: float = 0.0

    def value(self, score: float) -> float:
        """Return the objective value of a score."""
        if self.tie_break:
            return self.sign * float(np.ceil(score))
        return self.sign * score

    def score(self, value: float) -> float:
        """Return the least score of an objective value."""
        return self.sign * value - self.tie_break

    def text(self, value: float) -> str:
        """Return the value as it is printed."""
        return f"{value:.{self.digits}f}"
