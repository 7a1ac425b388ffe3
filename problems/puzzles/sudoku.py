"""Sudoku: fill a grid so that no row, column or box holds a number twice."""

# mypy: ignore-errors

import math
from typing import Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import SeedLike, checked_seed, whole
from nrpa.compiling.problem import compiled
from nrpa.problems.puzzles.squares import ROWS, SquareProblem


@compiled
class Sudoku(SquareProblem):
    """Fill a grid with numbers so that each row, each column and each box holds every number once.

    The order of the grid is a square: 4, 9, 16, 25, 36 or 49. A move fills a cell for which the fewest numbers are
    left; cells for which none is left stay empty, and the cost is how many they are. A solution is the list of rows,
    with 0 where a cell is empty. The code of a move is the cell with its number; there is no bias.

    Parameters
    ----------
    grid : list of list of int
        The rows, with 0 where a cell is empty.

    References
    ----------
    T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009: Sudokus of order 16.

    R. Lewis, *Metaheuristics can solve sudoku puzzles*, Journal of Heuristics 13, 2007: the generator ``drawn``.

    Examples
    --------
    >>> problem = Sudoku([[1, 0, 0, 0], [0, 0, 3, 0], [0, 1, 0, 0], [0, 0, 0, 2]])
    >>> problem.check([[1, 3, 2, 4], [2, 4, 3, 1], [4, 1, 0, 3], [3, 0, 1, 2]]).figures
    {'empty': 2}
    """

    name = "sudoku"
    forms = ROWS

    @staticmethod
    def units_of(order: int) -> np.ndarray:
        side = math.isqrt(order)
        if side * side != order or order < 4:
            raise InputError(f"the rows of a Sudoku are 4, 9, 16, 25, 36 or 49, not {order}")
        row, column = np.divmod(np.arange(order * order), order)
        return np.stack([row, order + column, 2 * order + row // side * side + column // side], axis=1)

    @classmethod
    def drawn(cls, side: int, empty: int, seed: SeedLike = 1) -> Self:
        """Return a random Sudoku of order side² that has a solution, with so many empty cells, after Lewis 2007.

        Rows and columns of a solved grid change places within their boxes, boxes change places, numbers change names;
        then random cells are emptied.
        """
        side = whole("side", side, least=2, most=7)
        order = side * side
        random = np.random.default_rng(checked_seed(seed))
        rows, columns = (
            np.concatenate([side * band + random.permutation(side) for band in random.permutation(side)])
            for _ in range(2)
        )
        places = np.arange(order)
        solved = (side * (places % side) + places // side)[rows][:, None] + places[columns][None, :]
        grid = (random.permutation(order) + 1)[solved % order].ravel()
        grid[random.permutation(order * order)[: whole("empty", empty, least=0, most=order * order)]] = 0
        return cls(grid.reshape(order, order).tolist())
