"""The rules of Morpion Solitaire in plain Python, on coordinates: what checks and draws files and solutions.

A move places one dot and draws a line of 5 (in 4T and 4D: 4) consecutive dots through it, across, down or along a
diagonal; all its other dots must be there. Two lines of one direction may share no segment, that is at most an end dot
(T, touching), or no dot at all (D, disjoint). The score is the number of moves.
Demaine, Demaine, Langerman & Langerman, Morpion Solitaire, Theory of Computing Systems 39, 2006.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.modelling.objective import Verdict
from nrpa.problems.common import is_whole

VARIANTS = ("5T", "5D", "4T", "4D")
CELL_WIDTH = 4
_STROKES = {"H": "-", "V": "|", "DP": "/", "DN": "\\"}
STEPS = {"H": (1, 0), "V": (0, 1), "DP": (1, -1), "DN": (1, 1)}

Dot = tuple[int, int]


class Move(NamedTuple):
    """A move as record games are published: the new dot, y downwards; the line's direction; the dot's index in it."""

    x: int
    y: int
    direction: str
    position: int

    def __str__(self) -> str:
        return f"{self.x} {self.y} {self.direction} {self.position}"


def line_length(variant: str) -> int:
    """Return the number of dots of a line."""
    return int(variant[0])


def cross(variant: str) -> set[Dot]:
    """Return the dots of the standard cross."""
    side = line_length(variant) - 1
    low, high = side - 1, 2 * side - 2
    edge = low + high
    arm = range(low, high + 1)
    outline = set()
    for a in arm:
        outline |= {(a, 0), (a, edge), (0, a), (edge, a)}
    for a in [*range(low + 1), *range(high, edge + 1)]:
        outline |= {(a, low), (a, high), (low, a), (high, a)}
    return outline


def line_of(move: Move, length: int) -> list[Dot]:
    """Return the dots of the line that a move draws."""
    dx, dy = STEPS[move.direction]
    return [(move.x + (k - move.position) * dx, move.y + (k - move.position) * dy) for k in range(length)]


class MorpionGame:
    """A game in progress: all dots, the lines drawn by direction, the moves played."""

    def __init__(self, variant: str, dots: Iterable[Dot]) -> None:
        self.length = line_length(variant)
        self.touching = variant.endswith("T")
        self.dots = set(dots)
        self.lines: dict[str, list[list[Dot]]] = defaultdict(list)
        self.moves: list[Move] = []

    def fault(self, move: Move) -> str | None:
        """Return why a move is not legal now."""
        if not 0 <= move.position < self.length:
            return f"position {move.position} is not in a line of {self.length} dots, numbered from 0"
        if (move.x, move.y) in self.dots:
            return f"there is a dot at ({move.x}, {move.y}) already"
        line = line_of(move, self.length)
        for dot in line:
            if dot != (move.x, move.y) and dot not in self.dots:
                return f"its line has no dot at ({dot[0]}, {dot[1]})"
        for other in self.lines[move.direction]:
            shared = set(line) & set(other)
            if len(shared) > self.touching:
                x, y = min(shared)
                what = "a segment" if self.touching else "the dot"
                return f"its line shares {what} at ({x}, {y}) with an earlier one of the same direction"
        return None

    def play_if_legal(self, move: Move, where: str = "") -> None:
        """Play a move; InputError, which begins with ``where``, if it is not legal."""
        reason = self.fault(move)
        if reason:
            raise InputError(f"{where}move {len(self.moves) + 1} ({move}) is not legal: {reason}")
        self.play(move)

    def play(self, move: Move) -> None:
        """Place the dot and draw the line, legal or not."""
        self.dots.add((move.x, move.y))
        self.lines[move.direction].append(line_of(move, self.length))
        self.moves.append(move)

    def legal_moves(self) -> set[Move]:
        """Return all legal moves: every free cell next to a dot, every line through it."""
        cells = {(x + i, y + j) for x, y in self.dots for i in (-1, 0, 1) for j in (-1, 0, 1)} - self.dots
        moves = (Move(x, y, d, k) for x, y in cells for d in STEPS for k in range(self.length))
        return {move for move in moves if self.fault(move) is None}


def draw_morpion(dots: set[Dot], moves: list[Move], length: int) -> str:
    """Return a game as text, as record games are printed.

    The dots of the start are `o`, each other dot is the number of its move. Crossing diagonals meet in an `X`.
    """
    lines = [line_of(move, length) for move in moves]
    cells = set(dots).union(*lines)
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    width, height = max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - top + 1
    canvas = [[" "] * (CELL_WIDTH * width) for _ in range(2 * height - 1)]
    for move, line in zip(moves, lines, strict=True):
        for x, y in line[:-1]:
            _stroke(canvas, x - left, y - top, move.direction)
    for x, y in dots:
        _write_label(canvas, x - left, y - top, "o")
    for number, move in enumerate(moves, start=1):
        _write_label(canvas, move.x - left, move.y - top, str(number))
    return "\n".join("".join(row).rstrip() for row in canvas)


def _column(x: int) -> int:
    """Return the column of a cell's last character."""
    return CELL_WIDTH * x + CELL_WIDTH - 2


def _write_label(canvas: list[list[str]], x: int, y: int, label: str) -> None:
    end = _column(x) + 1
    canvas[2 * y][max(end - len(label), 0) : end] = label


def _stroke(canvas: list[list[str]], x: int, y: int, direction: str) -> None:
    """Draw the segment from (x, y) one step on."""
    dx, dy = STEPS[direction]
    row, column = 2 * y + dy, _column(x)
    if direction == "H":
        canvas[row][column + 1 : column + CELL_WIDTH] = "-" * (CELL_WIDTH - 1)
        return
    column += CELL_WIDTH // 2 * dx
    mark = _STROKES[direction]
    canvas[row][column] = mark if canvas[row][column] in (" ", mark) else "X"


def check_morpion(variant: str, dots: set[Dot], prefix: list[Move], solution: Any) -> Verdict:
    """Check that a game is legal and begins with given moves.

    The first move that is not legal ends the check; the score then counts the moves before it.
    """
    fault = form_fault(solution)
    if fault:
        return Verdict({}, [fault])
    game = MorpionGame(variant, dots)
    faults = []
    for step in solution:
        try:
            game.play_if_legal(Move(*step))
        except InputError as error:
            faults.append(str(error))
            break
    if not faults and game.moves[: len(prefix)] != prefix:
        faults.append(f"the game does not begin with the {len(prefix)} moves of the start position")
    figures = {"moves": len(game.moves), "moves_left": len(game.legal_moves())}
    return Verdict(figures, faults, score=float(len(game.moves)))


def form_fault(solution: Any) -> str | None:
    """Return why something is not a list of ``[x, y, direction, position]``."""
    if not isinstance(solution, list):
        return f"a game is a list of moves, not {type(solution).__name__}"
    for number, step in enumerate(solution, start=1):
        if not (isinstance(step, (list, tuple)) and len(step) == 4):
            return f"move {number}: expected [x, y, direction, position], found {step!r}"
        x, y, direction, position = step
        if not all(map(is_whole, (x, y, position))):
            return f"move {number}: x, y and position must be whole numbers, found {step!r}"
        if not isinstance(direction, str) or direction not in STEPS:
            return f"move {number}: the direction must be one of {', '.join(STEPS)}, not {direction!r}"
    return None
