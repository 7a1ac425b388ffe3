"""Squares to be filled with numbers, which differ within every unit: what Sudoku and Latin squares share."""

# mypy: ignore-errors

import math
import re
from collections.abc import Collection
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shown
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, is_whole, whole_text
from nrpa.problems.lines import Located, located_lines

MOST = 50
ROWS = ("rows of signs or of numbers, 0 or . for an empty cell", "the signs of all rows in one line")
SIGNS = ".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What stands for an empty cell and for the numbers 1 to 35, where a square has no blanks between its cells."""


class SquareProblem(Problem):
    """Fill a cell for which the fewest numbers are left, or put a number where it has fewer cells left in some unit.

    Subclasses give the units (rows, columns, boxes) of each cell.
    """

    objective = Objective("empty", sign=-1)
    _may_be_done = True
    _steps_of_forms = 3

    def __init__(self, grid: Any, **options: Any) -> None:
        super().__init__(**options)
        rows = grid_of(grid)
        self.order = len(rows)
        self.grid = np.array(rows, np.int64).ravel()
        self.units = self.units_of(self.order)
        self.cells = np.argsort(self.units.T.ravel(), kind="stable").reshape(-1, self.order) % self.grid.size
        self.every = (1 << (self.order + 1)) - 2
        faults = self._clashes(self.grid.tolist())
        if faults:
            raise InputError(faults[0])
        self.used = np.zeros(self.units.max() + 1, np.int64)
        for cell in np.flatnonzero(self.grid):
            self.used[self.units[cell]] |= 1 << self.grid[cell]

    @staticmethod
    def units_of(order: int) -> np.ndarray:
        """Return the units of each cell, int64[cells, units of a cell]."""
        raise NotImplementedError

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the square of a text: its rows, of signs or of numbers, or the signs of all cells in one line."""
        lines = located_lines(whole_text(source), source.label)
        if not lines:
            raise InputError(f"{source.label}: is empty; expected {ROWS[0]}")
        return cls._of_lines(lines, rows_of(lines), options)

    @classmethod
    def _of_lines(cls, lines: list[Located], rows: list[list[int]], options: dict[str, Any]) -> Self:
        """Return the square of some rows, which stand on these lines; an InputError names the line."""
        try:
            return cls(rows, **options)
        except InputError as error:
            named = re.findall("row ([0-9]+)", str(error))
            lines[min(int(named[-1]), len(lines)) - 1 if named else 0].fail(str(error))

    def bound(self) -> float:
        return 0.0

    def initial_state(self) -> Any:
        return self.grid.copy(), self.used.copy()

    def legal_moves(self, state: Any) -> list[tuple[int, int]]:
        grid, used = state
        left = np.zeros(len(grid), np.int64)
        fewest, chosen = self.order + 1, 0
        for cell in range(len(grid)):
            if grid[cell] == 0:
                left[cell] = self._left(used, cell)
                count = self._ones(left[cell], fewest)
                if 0 < count < fewest:
                    fewest, chosen = count, cell
        if fewest > 1:
            unit, number = self._tightest(left, used, fewest)
            if number > 0:
                here = [cell for cell in range(len(grid)) if left[cell] >> number & 1 and unit in self.units[cell]]
                return [(cell, number) for cell in here]
        return [(chosen, number) for number in range(1, self.order + 1) if left[chosen] >> number & 1]

    def _left(self, used: np.ndarray, cell: int) -> int:
        """Return the numbers that could stand in a cell, one bit each."""
        left = self.every
        for unit in self.units[cell]:
            left &= ~used[unit]
        return left

    def _ones(self, bits: int, most: int) -> int:
        """Return how many bits are set, at most ``most``."""
        count = 0
        while bits and count < most:
            bits &= bits - 1
            count += 1
        return count

    def _tightest(self, left: np.ndarray, used: np.ndarray, fewest: int) -> tuple[int, int]:
        """Return a unit and a number that could stand in fewer of its cells than ``fewest``; 0, 0 if there is none."""
        found = 0, 0
        for unit in range(len(used)):
            reached = np.zeros(fewest + 1, np.int64)  # the numbers that could stand in so many cells, or more
            for place in range(self.order):
                bits = left[self.cells[unit, place]]
                if bits:
                    for count in range(fewest, 1, -1):
                        reached[count] |= reached[count - 1] & bits
                    reached[1] |= bits
            for count in range(1, fewest):
                bits = reached[count] & ~reached[count + 1]
                if bits:
                    number = 1
                    while not bits >> number & 1:
                        number += 1
                    fewest, found = count, (unit, number)
                    break
        return found

    def play(self, state: Any, move: tuple[int, int]) -> Any:
        cell, number = move
        grid, used = state[0].copy(), state[1].copy()
        grid[cell] = number
        for unit in self.units[cell]:
            used[unit] |= 1 << number
        return grid, used

    def score(self, state: Any) -> float:
        return -np.sum(state[0] == 0)  # type: ignore[no-any-return]

    def solution_of(self, moves: list[Any]) -> list[list[int]]:
        """Return the rows of the square, with 0 where a cell is empty."""
        grid = self.grid.copy()
        for cell, number in moves:
            grid[cell] = number
        return grid.reshape(self.order, self.order).tolist()  # type: ignore[no-any-return]

    def own_moves(self, solution: Any) -> list[Any]:
        """Return the moves that fill the square, in the order of the search."""
        faults = self.check(solution).faults
        if faults:
            raise InputError(f"{self.name}: {faults[0]}")
        grid, state, moves = [number for row in solution for number in row], self.initial_state(), list[Any]()
        while legal := self.legal_moves(state):
            found = [(cell, number) for cell, number in legal if grid[cell] == number]
            if not found:
                cell, number = legal[0]
                raise InputError(f"{self.name}: {number} could stand in {self._place(cell)}, or another number there")
            moves.append(found[0])
            state = self.play(state, found[0])
        return moves

    def check(self, solution: Any) -> Verdict:
        fault = fault_in_list(solution, "a solution is a list of rows", "row", f"{self.order} numbers", self._is_row)
        if fault is None and len(solution) != self.order:
            fault = f"expected {self.order} rows, found {len(solution)}"
        if fault:
            return Verdict({}, [fault])
        cells = [number for row in solution for number in row]
        faults = [
            f"{self._place(cell)}: expected the given {given}, found {cells[cell]}"
            for cell, given in enumerate(self.grid.tolist())
            if given not in {0, cells[cell]}
        ]
        empty = cells.count(0)
        return Verdict({"empty": empty}, faults + self._clashes(cells), score=float(-empty))

    def _is_row(self, row: Any) -> bool:
        is_list = isinstance(row, (list, tuple)) and len(row) == self.order
        return is_list and all(is_whole(number, 0, self.order) for number in row)

    def _clashes(self, cells: list[int]) -> list[str]:
        """Return a sentence for each number that a unit holds twice."""
        seen, faults = dict[tuple[int, int], int](), []
        for cell, number in enumerate(cells):
            for unit in self.units[cell].tolist() if number else []:
                other = seen.setdefault((unit, number), cell)
                if other != cell:
                    faults.append(f"{self._place(other)} and {self._place(cell)} both hold {number}")
        return faults

    def parts(self) -> list[str]:
        """Return the numbers that are given, by their places."""
        return [self._place(cell) for cell in np.flatnonzero(self.grid).tolist()]

    def without(self, parts: Collection[str]) -> Self:
        """Return the square without some of the given numbers."""
        cells = enumerate(self.grid.tolist())
        left = [0 if number and self._place(cell) in parts else number for cell, number in cells]
        return type(self)(np.reshape(left, (self.order, self.order)).tolist(), **self.given_options)

    def is_lost(self, moves: list[Any]) -> bool:
        """Return whether no number is left for an empty cell."""
        grid, used = self.initial_state()
        for cell, number in moves:
            grid[cell] = number
            used[self.units[cell]] |= 1 << number
        left = self.every & ~np.bitwise_or.reduce(used[self.units], axis=1)
        return bool((left[grid == 0] == 0).any())

    def _place(self, cell: int) -> str:
        return f"row {cell // self.order + 1}, column {cell % self.order + 1}"

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the square that a text holds, in the form of an instance or as ``draw`` writes it."""
        return rows_of(located_lines(text))

    def draw(self, solution: Any) -> str:
        """Return the square, a dot where a cell is empty."""
        width = len(str(self.order))
        return "\n".join(" ".join(f"{number or '.':>{width}}" for number in row) for row in solution)


def grid_of(grid: Any) -> list[list[int]]:
    """Return the rows of a square of whole numbers, 0 where a cell is empty; InputError if it is none."""
    try:
        rows = [[int(number) if number == int(number) else -1 for number in row] for row in grid]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"a square is a list of rows of whole numbers, not {shown(grid)}") from None
    if not 2 <= len(rows) <= MOST:
        raise InputError(f"a square has 2 to {MOST} rows, not {len(rows)}")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows) or not all(0 <= cell <= len(rows) for cell in row):
            what = f"row {number}: expected {len(rows)} numbers from 0 (empty) to {len(rows)}"
            raise InputError(f"{what}, found {shown(row)}")
    return rows


def rows_of(lines: list[Located]) -> list[list[int]]:
    """Return the rows that lines hold; a single line without blanks holds the cells of all of them."""
    sizes = {0 if line.split()[1:] else math.isqrt(len(line)) for line in lines}
    order = max(sizes)
    if len(sizes) == 1 and all(order * order == len(line) for line in lines) and len(lines) != len(lines[0]):
        if len(lines) > 1:
            lines[1].fail("is a second square, as each line has the cells of a whole one; expected one")
        lines = [lines[0].at(lines[0][k * order : (k + 1) * order]) for k in range(order)]
    rows = [line.words() if line.split()[1:] else [line.at(sign) for sign in line] for line in lines]
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(rows):
            line.expected(f"{len(rows)} cells, as there are {len(rows)} rows")
    zeros = [word for row in rows for word in row if word == "0"]
    if zeros and any(word == "." for row in rows for word in row):
        zeros[0].fail("0 and . both stand for an empty cell; expected one of them, and numbers or signs from 1 on")
    return [[_cell(word, len(rows)) for word in row] for row in rows]


def _cell(word: Located, order: int) -> int:
    sign = SIGNS.find(word.upper()) if len(word) == 1 else -1
    what = f"a number up to {order}, or 0 or . for an empty cell"
    return sign if 0 <= sign <= order else word.whole(0, order, what)
