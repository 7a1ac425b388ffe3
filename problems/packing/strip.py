"""Strip packing: rectangles on a strip of a given width, which shall be filled as low as possible."""

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
class StripPacking(Skyline):
    """Strip packing: lay rectangles on a strip of a given width, so that it is filled as low as possible.

    A solution is a list of rows ``[x, y, width, height]``: the lower left corner and the sides as they lie. The score
    is the negative height, less half the share ...

    Parameters
    ----------
    width : int
        The width of the strip.
    rectangles : list of tuple of int
        Width and height of each.
    """

    name = "strip"
    picture = "layouts:draw_layout"
    objective = Objective("height", sign=-1, tie_break=0.5)
    forms = ("2DPackLib: the number of rows, the width, rows `number width height demand`",)

    def __init__(self, width, rectangles, **options):
        super().__init__(**options)
        self.set_sizes(rectangles, width=width)
        lowest = [min([h for w, h in self.ways(each) if w <= self.width]) for each in self.sides]
        self.least = max(-(-self.area // self.width), *lowest)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        (width,), rectangles = read_rectangles(source, 1, "the width of the strip alone")
        return cls(width, rectangles, **options)

    def ways(self, rectangle):
        return [rectangle, rectangle[::-1]] if self.turn else [rectangle]

    def bound(self):
        return self.least

    def fits(self, w, h, low, room):
        return w <= room

    def weight(self, low, w, h):
        return w * h * (2 * low + h)

    def score(self, state):
        height = state.tops.max()
        return -height - state.filled / (4 * self.area * height)

    def solution_of(self, moves):
        return [row[1:] for row in self.placed(moves)]

    def own_moves(self, solution):
        faultless(self, solution)
        return self.built([(1, *row) for row in solution])

    def check(self, solution):
        """Return the height, with faults where rectangles are not those given, overlap or stick out."""
        fault = fault_in_rows(solution, "[x, y, width, height]")
        if fault:
            return Verdict({}, [fault])
        rows = np.array(solution, np.int64).reshape(-1, 4)
        y, h = rows[:, 1], rows[:, 3]
        height = int((y + h).max(initial=0))
        faults = faults_in_layout(np.insert(rows, 0, 1, axis=1), self.rectangles, self.turn, self.width, height)
        if faults:
            return Verdict({}, faults)
        moment = int((rows[:, 2] * h * (2 * y + h)).sum())
        return Verdict({"height": height, "bound": self.least}, score=-height - moment / (4 * self.area * height))

    def draw(self, solution):
        return picture(solution, self.width, max((y + h for _, y, _, h in solution), default=1))
