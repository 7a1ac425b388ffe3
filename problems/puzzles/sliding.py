"""The sliding puzzle: bring tiles into order in the fewest moves."""

# mypy: ignore-errors

import math
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import shown, whole
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, is_whole, zobrist_keys
from nrpa.problems.lines import faults_of_words, words_of

MOST = 10


@compiled
class Sliding(Problem):
    """Slide tiles into the empty cell of a square board until they stand in order: 0, 1, 2, …, 0 being the empty cell.

    With ``empty="last"``, 1, 2, …, 0.


    A move is the tile that slides; none leads back to a board that was there before in the game. A game ends when the
    tiles are in order, when no tile can slide, or after 2 side³ moves. How far all tiles are from their places, as the
    sum of rows and columns, is a bound (the Manhattan distance). A game that ends without order costs 2 side³ and what
    is left of this sum.
    The code of a move is the tile with where it is and where it goes; the bias is 1 for a tile that comes nearer.

    Parameters
    ----------
    board : list of int
        The tiles row by row, 0 where the board is empty.

    References
    ----------
    R. E. Korf, *Depth-first iterative-deepening: an optimal admissible tree search*, Artificial Intelligence 27, 1985:
    a hundred boards of fifteen tiles.

    Examples
    --------
    >>> problem = Sliding([1, 2, 5, 3, 4, 0, 6, 7, 8])
    >>> problem.bound(), problem.check([5, 2, 1]).figures
    (3.0, {'moves': 3, 'distance': 0})
    """

    name = "sliding"
    objective = Objective("moves", sign=-1)
    _may_be_done = True
    forms = ("the tiles of a square board row by row, 0 where it is empty",)
    empty = Option(
        "first", "Where the empty cell shall be: before all tiles in order, or after them.", ("first", "last")
    )

    def __init__(self, board: Any, **options: Any) -> None:
        super().__init__(**options)
        self.board = board_of(board)
        self.side = math.isqrt(len(self.board))
        self.most = 2 * self.side**3
        self.keys = zobrist_keys(1, len(self.board), len(self.board))
        self.home = np.array([tile - 1 if self.empty == "last" else tile for tile in range(len(self.board))])
        self.home[0] %= len(self.board)
        self.distance = sum(self.way(self.home[tile], cell) for cell, tile in enumerate(self.board.tolist()) if tile)
        if not self._is_solvable():
            orders = {"first": "0, 1, 2, …", "last": "1, 2, …, 0"}
            other = "last" if self.empty == "first" else "first"
            what = f"the tiles cannot come into the order {orders[self.empty]}: two of them would have to change places"
            raise InputError(f"{what}; the option empty={other} is for {orders[other]}")

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the board of a text: the tiles between blanks, on one line or several."""
        words = words_of(source)
        what = "a tile, or 0 where the board is empty"
        tiles = [word.whole(0, MOST * MOST - 1, what) for word in words]
        with faults_of_words(words, tiles):
            return cls(tiles, **options)

    def _is_solvable(self) -> bool:
        """Return whether the order of the tiles is even, as a slide keeps it with the way of the empty cell."""
        places = self.home[self.board].tolist()
        turned = sum(places[k] > place for j, place in enumerate(places) for k in range(j))
        return (turned + self.way(self.board.tolist().index(0), places[self.board.tolist().index(0)])) % 2 == 0

    def bound(self) -> float:
        return float(self.distance)

    def way(self, one: int, other: int) -> int:
        """Return how far it is from one cell to another."""
        return abs(one // self.side - other // self.side) + abs(one % self.side - other % self.side)

    def initial_state(self) -> Any:
        """Return the board, its empty cell, the distance, the keys of the boards so far, and the count of moves."""
        keys = np.zeros(self.most + 1, np.int64)
        return self.board.copy(), int(np.argmin(self.board)), self.distance, keys, 0

    def legal_moves(self, state: Any) -> list[int]:
        board, hole, distance, keys, moves = state
        if distance == 0 or moves == self.most:
            return []
        cells = hole - self.side, hole + self.side, hole - 1, hole + 1
        near = [cell for cell in cells if 0 <= cell < len(board) and self.way(cell, hole) == 1]
        return [board[cell] for cell in near if self._key(keys[moves], board[cell], cell, hole) not in keys[:moves]]

    def _key(self, key: int, tile: int, cell: int, hole: int) -> int:
        """Return the key of the board on which a tile has left a cell for the empty one; the first has the key 0."""
        return key ^ self.keys[tile, cell] ^ self.keys[tile, hole]  # type: ignore[no-any-return]

    def play(self, state: Any, move: int) -> Any:
        board, hole, distance, keys, moves = state
        cell = int(np.flatnonzero(board == move)[0])
        after, seen = board.copy(), keys.copy()
        after[hole], after[cell] = move, 0
        seen[moves + 1] = self._key(keys[moves], move, cell, hole)
        return (
            after,
            cell,
            distance + self.way(self.home[move], hole) - self.way(self.home[move], cell),
            seen,
            moves + 1,
        )

    def score(self, state: Any) -> float:
        return -(state[4] if state[2] == 0 else self.most + state[2])  # type: ignore[no-any-return]

    def code(self, state: Any, move: int) -> Any:
        return move, int(np.flatnonzero(state[0] == move)[0]), state[1]

    def bias(self, state: Any, move: int) -> float:
        cell = int(np.flatnonzero(state[0] == move)[0])
        return 1.0 if self.way(self.home[move], cell) > self.way(self.home[move], state[1]) else 0.0

    def check(self, solution: Any) -> Verdict:
        size = len(self.board)
        fits = f"a tile from 1 to {size - 1}"
        fault = fault_in_list(
            solution, "a solution is a list of tiles", "move", fits, lambda k: is_whole(k, 1, size - 1)
        )
        if fault is None and len(solution) > self.most:
            fault = f"expected at most {self.most} moves, found {len(solution)}"
        if fault:
            return Verdict({}, [fault])
        board = self.board.tolist()
        for number, tile in enumerate(solution, 1):
            one, other = board.index(tile), board.index(0)
            if math.dist(divmod(one, self.side), divmod(other, self.side)) != 1:
                return Verdict({}, [f"move {number}: the tile {tile} is not beside the empty cell"])
            board[one], board[other] = 0, tile
        rows = [divmod(board.index(tile), self.side) for tile in range(1, size)]
        homes = [divmod(tile - (self.empty == "last"), self.side) for tile in range(1, size)]
        left = sum(abs(y - v) + abs(x - u) for (y, x), (v, u) in zip(rows, homes, strict=True))
        faults = [f"the tiles are not in order: {left} rows and columns are left to go"] if left else []
        cost = self.most + left if left else len(solution)
        return Verdict({"moves": cost, "distance": left}, faults, score=-float(cost), faults_counted=True)

    def draw(self, solution: Any) -> str:
        """Return the board at the start, and the tiles that slide."""
        rows = self.board.reshape(self.side, self.side).tolist()
        width = len(str(len(self.board)))
        lines = [" ".join(f"{tile or '.':>{width}}" for tile in row) for row in rows]
        return "\n".join([*lines, "", "slide " + " ".join(map(str, solution))])


def board_of(board: Any) -> np.ndarray:
    """Return a board as an array; InputError if it does not hold 0 to side² - 1 once each."""
    try:
        tiles = np.array([whole("a tile", tile, least=0, most=MOST * MOST - 1) for tile in board], np.int64)
    except TypeError:
        raise InputError(f"a board is a list of tiles, not {shown(board)}") from None
    side = math.isqrt(len(tiles))
    if side < 2 or side * side != len(tiles) or sorted(tiles) != [*range(len(tiles))]:
        what = f"a square board of side 2 to {MOST} holds 0 to side² - 1 once each"
        raise InputError(f"{what}, not {shown(tiles.tolist())}")
    return tiles
