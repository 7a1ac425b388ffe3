"""Bin packing in two dimensions: rectangles, turned or not, into as few bins as possible."""

# mypy: ignore-errors

from typing import Self

import numpy as np

from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import faultless
from nrpa.problems.packing.layouts import fault_in_rows, faults_in_layout, picture, read_rectangles
from nrpa.problems.packing.skyline import Skyline


@compiled
class RectanglePacking(Skyline):
    """Bin packing in two dimensions: lay rectangles into as few bins of one size as possible.

    A solution is a list of rows ``[bin, x, y, width, height]``: bins count from 1; the lower left corner, and the sides
    as they lie. The score is -bins - (1 - mean squared fill) / 2, so that of two packings the one with fuller bins
    counts more.

    Parameters
    ----------
    width, height : int
        The size of the bins.
    rectangles : list of tuple of int
        Width and height of each.
    **options
        Whether rectangles may be turned.

    References
    ----------
    J. O. Berkey and P. Y. Wang, *Two-dimensional finite bin-packing algorithms*, Journal of the Operational Research
    Society 38, 1987: the instances.

    Examples
    --------
    >>> problem = RectanglePacking(6, 4, [(4, 4), (2, 3), (3, 4), (4, 3), (2, 1)])
    >>> problem.bound(), problem.check([[1, 0, 0, 4, 4], [1, 4, 0, 2, 3], [2, 0, 0, 3, 4]]).faults
    (2, ['1 x 2: expected 1, found 0'])
    """

    name = "rectangles"
    picture = "layouts:draw_layout"
    objective = Objective("bins", sign=-1, tie_break=0.5)
    forms = ("2DPackLib: the number of rows, width and height of the bins, rows `number width height demand`",)

    def __init__(self, width, height, rectangles, **options):
        super().__init__(**options)
        self.set_sizes(rectangles, width=width, height=height)
        large = [2 * min(each) > max(width, height) for each in self.rectangles]
        if not self.turn:
            large = [2 * w > width and 2 * h > height for w, h in self.rectangles]
        self.least = max(-(-self.area // (width * height)), sum(large))

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        (width, height), rectangles = read_rectangles(source, 2, "width and height of the bins")
        return cls(width, height, rectangles, **options)

    def bound(self):
        return self.least

    def score(self, state):
        bins, size = state.closed + 1, self.width * self.height
        squares = (state.squares + state.filled * state.filled) / (size * size)
        return -bins - (1 - squares / bins) / 2

    def solution_of(self, moves):
        return self.placed(moves)

    def own_moves(self, solution):
        faultless(self, solution)
        return self.built(solution)

    def check(self, solution):
        """Return the number of bins, with faults where rectangles are not those given, overlap or stick out."""
        fault = fault_in_rows(solution, "[bin, x, y, width, height]")
        if fault:
            return Verdict({}, [fault])
        rows = np.array(solution, np.int64).reshape(-1, 5)
        faults = faults_in_layout(rows, self.rectangles, self.turn, self.width, self.height)
        if faults:
            return Verdict({}, faults)
        fill = np.bincount(rows[:, 0] - 1, rows[:, 3] * rows[:, 4]) / (self.width * self.height)
        score = -len(fill) - (1 - (fill**2).mean()) / 2
        return Verdict({"bins": len(fill), "bound": self.least}, score=float(score))

    def draw(self, solution):
        """Return a grid of letters for each bin."""
        used = max((row[0] for row in solution), default=1)
        bins = [[row[1:] for row in solution if row[0] == k] for k in range(1, used + 1)]
        return "\n\n".join(picture(rows, self.width, self.height) for rows in bins)
