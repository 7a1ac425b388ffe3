"""The figure that the user of a problem thinks in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


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
        The decimals worth printing.
    tie_break : float
        Where values are whole numbers and the score also ranks solutions of equal value: how far a score may lie below
        that of its value, less than 1. Else 0.

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

    def value(self, score: float) -> float:
        """Return the objective value of a score.

        Parameters
        ----------
        score : float
            The score.

        Returns
        -------
        float
            The value in the problem's own terms.
        """
        if self.tie_break:
            return self.sign * float(np.ceil(score))
        return self.sign * score

    def score(self, value: float) -> float:
        """Return the least score of an objective value.

        Parameters
        ----------
        value : float
            The value in the problem's own terms.

        Returns
        -------
        float
            The score.
        """
        return self.sign * value - self.tie_break

    def text(self, value: float) -> str:
        """Return an objective value as it is printed, with ``digits`` decimals."""
        return f"{value:.{self.digits}f}"
