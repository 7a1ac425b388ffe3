"""Sudoku: fill a grid so that no row, column or box holds a number twice."""

from typing import Self

import numpy as np

from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem


@compiled
class Sudoku(Problem):
    """Fill the cell with the fewest numbers left.

    Parameters
    ----------
    grid : list of int
    """

    name = "sudoku"
    objective = Objective("empty", sign=-1)
    forms = ("rows of digits, 0 or . where a cell is empty",)

    def __init__(self, grid, **options):
        super().__init__(**options)
        self.grid = np.array(grid, np.int64)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        return cls([[int(letter) for letter in line] for line in source.text.replace(".", "0").split()], **options)

    def bound(self):
        return 0

    def initial_state(self):
        return self.grid.copy()

    def free(self, grid, row, column):
        r, c = row // 3 * 3, column // 3 * 3
        left = []
        for number in range(1, 10):
            if number not in grid[row] and number not in grid[:, column] and number not in grid[r : r + 3, c : c + 3]:
                left.append(number)
        return left

    def legal_moves(self, grid):
        best, where = [0] * 10, (0, 0)
        for row in range(9):
            for column in range(9):
                if grid[row, column] == 0:
                    left = self.free(grid, row, column)
                    if len(left) < len(best):
                        best, where = left, (row, column)
        if len(best) == 10:
            return []
        return [(where[0], where[1], number) for number in best]

    def play(self, grid, move):
        row, column, number = move
        after = grid.copy()
        after[row, column] = number
        return after

    def score(self, grid):
        return -np.sum(grid == 0)
