"""SameGame boards, from arrays or from files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.io.source import Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import faultless, whole_text, zeros, zobrist_keys
from nrpa.problems.samegame.reader import BEYOND, EMPTY, LARGEST, MOST_COLOURS, SMALLEST, parse_board
from nrpa.problems.samegame.rules import CLEARED, Columns, SameGameStep, check_samegame, draw_samegame, groups, replay

kernels = lazy("nrpa.problems.samegame.kernels")
packed = lazy("nrpa.problems.samegame.packed")
replayed = lazy("nrpa.problems.samegame.replayed")
engine = lazy("nrpa.engine.game")

ZOBRIST_SEED = 20
MOST_BIAS = 8
PAIRS_FROM = 10
SKETCHED, MOST_SKETCHED = 6, 60
MOST_ARMS = 3
LARGE_BOARD, MOST_LISTED = 2500, 32
"""Of boards of more cells than the first figure, playouts list the leftmost groups, so many at once."""
TEMPERATURES = 10.0, 60.0


class SameGame(CompiledProblem):
    """SameGame: clear a board of coloured cells, group by group.

    A move takes a group of two or more touching cells of one colour, for (n - 2)² points for n cells. What lies above
    falls down, empty columns close, and an empty board brings 1000 points more. The score is the points. A solution is
    a list of cells ``[column, row]``, one of each group played, counted from 0 at the bottom left of the board as it is
    then.

    The code of a move is the Zobrist hash of its cells and colour. Its bias is β = min(n - 2 - t, 8) for a group of n
    cells; t is 1 for a pair of the tabu colour, else 0.

    Parameters
    ----------
    board : array_like of int, shape (height, width)
        The colours, 0 to 19, of the cells, the top row first, and -1 for empty cells; 2 × 2 to 254 × 254. Nothing may
        lie above an empty cell, and no empty column left of another.

    References
    ----------
    T. Cazenave, *Nested Rollout Policy Adaptation with Selective Policies*, 2016: the tabu colour.

    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: the bias.

    Examples
    --------
    >>> problem = SameGame([[0, 1, 1], [0, 0, 1]])
    >>> problem.bound()
    1002.0
    >>> problem.check([[0, 0], [0, 0]]).figures
    {'points': 1002, 'moves': 2, 'cells_left': 0}
    """

    name = "samegame"
    picture = "games:draw_game"
    objective = Objective("points", sign=1)
    forms = (
        "a line a row, the top one first: `0 1 2 1`, `0121` or `abcb`",
        "`.` is an empty cell; with blanks between the cells so is `-1`",
        "perhaps the numbers of rows and columns in a line above: `15 15`",
    )
    selective = Option(
        True,
        "Do not play the most frequent colour, except late or when forced.",
        tried=(True, False),
        details="The rule is one of playouts; a level of NMCS tries all groups.",
    )
    pairs_from = Option(
        PAIRS_FROM,
        "After so many moves play pairs of that colour, too.",
        details="In the paper of 2016, 10 is 'tabu size 2 t > 10', 0 'tabu size 2', and more than all moves 'tabu'.",
    )
    tabu = Option(1, "Which colour is not played: 1 is the most frequent one, 2 the second.", least=1)

    def __init__(self, board: ArrayLike, **options: Any) -> None:
        self.set_options(**options)
        self.board = _checked_board(board)
        pairs = max(1, int(np.count_nonzero(self.board != EMPTY)) // 2)
        listed = min(pairs, MOST_LISTED) if self.board.size > LARGE_BOARD else pairs
        height, width = self.board.shape
        super().__init__(
            _samegame_instance(self.columns, height, width, self._tabu_colour(), self.pairs_from, listed),
            max_steps=pairs,
            max_moves=pairs,
            # Half the cells that are left, summed over moves that take two each, but no more than are listed.
            max_total=listed * (listed + 1) // 2 + (pairs - listed) * listed,
            bias_by_move=True,
        )

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        return cls(parse_board(whole_text(source), source.label), **options)

    def hints(self) -> Hints:
        """Ask for tempering where states fit into words, by names of moves that last: the stones, cells of the board.

        Else recommend each of the three most frequent colours as tabu, unless the caller chose one.
        """
        fits = len(self.board) <= replayed.MOST_ROWS and int(self.board.max()) < replayed.MOST_COLOURS
        if type(self) is not SameGame:
            return Hints(tempered=fits, arms=(self,), temperatures=TEMPERATURES)
        others = self._other_tabus() if self.selective and "tabu" not in self.given_options else ()
        other = _Replayed(self.board, **self.options) if fits else None
        return Hints(tempered=fits, arms=(self, *others), replayed=other, temperatures=TEMPERATURES)

    def _other_tabus(self) -> Iterator[SameGame]:
        for rank in range(2, min(MOST_ARMS, len(self._ranked_colours())) + 1):
            yield SameGame(self.board, **{**self.options, "tabu": rank})

    def digest(self) -> str:
        return hashlib.sha256(self.board.tobytes() + bytes(self.board.shape)).hexdigest()

    @property
    def columns(self) -> Columns:
        """The columns that are not empty, left to right, each a list of its colours from the bottom up."""
        columns = [[int(colour) for colour in column[::-1] if colour != EMPTY] for column in self.board.T]
        return [column for column in columns if column]

    def _tabu_colour(self) -> int | None:
        """Return the colour that is tabu, None where none is; InputError where the board has too few colours."""
        if not self.selective:
            return None
        ranked = self._ranked_colours()
        if self.tabu > len(ranked):
            raise InputError(f"tabu must be at most {len(ranked)}, the number of colours of the board, not {self.tabu}")
        return ranked[self.tabu - 1]

    def _ranked_colours(self) -> list[int]:
        """Return the colours of the board, the most frequent first."""
        counts = np.bincount(self.board[self.board != EMPTY])
        return [int(colour) for colour in np.argsort(-counts, kind="stable") if counts[colour]]

    def bound(self) -> float:
        counts = np.bincount(self.board[self.board != EMPTY])
        counts = counts[counts > 0]
        return float(((counts[counts > 1] - 2) ** 2).sum() + (0 if (counts == 1).any() else CLEARED))

    def new_state(self) -> Any:
        cells, words, columns = (
            len(array) for array in (self.instance.board, self.instance.live, self.instance.height)
        )
        if self.instance.planes.size:
            of_words = dict.fromkeys(packed.PackedState._fields, words)
            of_cells = dict.fromkeys(("code", "exp_bias", "kind"), cells)
            return zeros(packed.PackedState, **of_words | of_cells | {"counts": 4})
        groups = {"live": words, "code": cells, "exp_bias": cells, "kind": cells}
        work = {"low": columns, "queue": cells, "seed": 5 * cells}
        state = zeros(kernels.State, board=cells, height=columns, counts=4, **groups, **work)
        state.low[:] = cells
        return state

    def solution(self, moves: np.ndarray) -> list[list[int]]:
        columns, rows = np.divmod(np.asarray(moves), self.instance.stride)
        return [[int(column) - 1, int(row)] for column, row in zip(columns, rows, strict=True)]

    def move_name(self, move: int) -> str:
        """Return column and row of the cell, as in ``3,0``."""
        return "{},{}".format(*self.solution(np.array([move]))[0])

    def moves_of(self, solution: Any) -> np.ndarray:
        faultless(self, solution)
        game = engine.Game(self.model)
        game.reset()
        moves: list[int] = []
        for step in self.replay(solution):
            taken = {(x + 1) * self.instance.stride + y for x, y in step.cells}
            moves.append(next(move for move in game.all_moves() if move in taken))
            game.play(moves[-1])
        return np.array(moves, np.int64)

    def check(self, solution: Any) -> Verdict:
        return check_samegame(self.columns, solution)

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the game that a plain text holds: column and row of each move."""
        figures = super().parse_solution(text)
        if len(figures) % 2:
            raise InputError(f"expected a column and a row for each move, found {len(figures)} numbers")
        return [figures[k : k + 2] for k in range(0, len(figures), 2)]

    def replay(self, solution: list[list[int]]) -> list[SameGameStep]:
        """Return the steps of a game, up to the first move that is not legal."""
        return list(replay(self.columns, [(column, row) for column, row in solution]))

    def draw(self, solution: Any) -> str:
        """Return every position of a game as text: a letter for each colour, capitals for what is taken next."""
        return draw_samegame(self.columns, self.board.shape, self.replay(solution))

    def sketch(self, solution: Any) -> str:
        """Return six positions of a game as text, from the first to the last; of a large board how to see them."""
        if max(self.board.shape) > MOST_SKETCHED:
            return "the board is too large to be shown here; `nrpa check` draws it with --draw"
        return draw_samegame(self.columns, self.board.shape, self.replay(solution), most=SKETCHED)


class _Replayed(SameGame):
    """SameGame whose moves have names that stay the same when cells fall: a move is any cell of a group."""

    name = SameGame.name

    def __init__(self, board: ArrayLike, **options: Any) -> None:
        super().__init__(board, **options)
        cells = self.instance.cells
        self.max_moves, self.max_total = cells, cells * cells

    def new_state(self) -> Any:
        columns = len(self.instance.height)
        of_columns = dict.fromkeys(("word", "who", "origin", "place", "left", "mark"), columns)
        return zeros(replayed.ReplayedState, gone=1, counts=4, stack=replayed.MOST_ROWS * columns, **of_columns)


def _checked_board(board: ArrayLike) -> np.ndarray:
    try:
        array = np.array(board)
    except ValueError:
        raise InputError("a board must be a matrix of whole numbers, its rows of one length") from None
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise InputError(f"a board must be a matrix of whole numbers, not {array.dtype} of shape {array.shape}")
    if not all(SMALLEST <= side <= LARGEST for side in array.shape):
        why = BEYOND * (max(array.shape) > LARGEST)
        sizes = f"{SMALLEST}x{SMALLEST} to {LARGEST}x{LARGEST}"
        raise InputError(f"a board must be {sizes}, not of shape {array.shape}{why}")
    for y, x in np.argwhere((array < EMPTY) | (array >= MOST_COLOURS))[:1]:
        raise InputError(f"a colour must be 0 to {MOST_COLOURS - 1}, or -1 for empty, not {array[y, x]}")
    array = array.astype(np.int64)
    full = array != EMPTY
    if not full.any():
        raise InputError("every cell of the board is empty")
    if (full[:-1] & ~full[1:]).any() or (full[-1, 1:] & ~full[-1, :-1]).any():
        raise InputError("the cells of a board must lie on each other and its columns side by side")
    return array


def _samegame_instance(
    columns: Columns, height: int, width: int, tabu_colour: int | None, pairs_from: int, most_listed: int
) -> Any:
    stride = max(height, packed.MOST_ROWS) + 1
    size = (width + 2) * stride
    board = np.zeros(size, np.uint8)
    heights = np.zeros(width + 2, np.int64)
    for x, column in enumerate(columns, start=1):
        heights[x] = len(column)
        board[x * stride : x * stride + len(column)] = np.array(column) + 1
    key, colour_key = np.split(zobrist_keys(ZOBRIST_SEED, size + 128), [size])
    tabu = 0 if tabu_colour is None else tabu_colour + 1
    beta = np.minimum(np.arange(kernels.MOST_COUNTED + 1) - 2.0, MOST_BIAS)
    factor = np.exp([beta, beta])
    factor[1, 2] = np.exp(-1.0)
    live = np.zeros(size // 64 + 2, np.uint64)
    code, exp_bias, kind = np.zeros(size, np.int64), np.ones(size), np.full(size, kernels.FREE, np.uint8)
    for found in groups(columns):
        cells = sorted((x + 1) * stride + y for x, y in found)
        root, colour = cells[0], board[cells[0]]
        live[root // 64] |= np.uint64(1 << root % 64)
        code[root] = np.bitwise_xor.reduce(key[cells]) ^ colour_key[colour]
        exp_bias[root] = factor[int(colour == tabu), min(len(cells), kernels.MOST_COUNTED)]
        if colour == tabu:
            kind[root] = kernels.TABU_PAIR if len(cells) == 2 else kernels.TABU
    return kernels.Instance(
        board=board,
        column=(np.arange(size) // stride).astype(np.uint16),
        key=key,
        colour_key=colour_key,
        factor=factor,
        planes=_planes(board, len(live) if height <= packed.MOST_ROWS else 0),
        live=live,
        code=code,
        exp_bias=exp_bias,
        kind=kind,
        height=heights,
        stride=stride,
        columns=len(columns),
        cells=int(heights.sum()),
        tabu=tabu,
        pairs_from=pairs_from,
        most_listed=most_listed,
    )


def _planes(board: np.ndarray, words: int) -> np.ndarray:
    """Return the bits of the colours, 64 cells a word; nothing for no words, or where there are too many colours."""
    if words == 0 or board.max() > packed.MOST_COLOURS:
        return np.zeros((3, 0), np.uint64)
    cells = np.zeros(64 * words, np.uint8)
    cells[: len(board)] = board
    bits = (cells >> np.arange(3, dtype=np.uint8)[:, None]) & 1
    return np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
