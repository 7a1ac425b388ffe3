"""Drawing a game as text."""

from nrpa.problems.morpion.rules import STEPS, Dot, Move, line_of

CELL_WIDTH = 4
_STROKES = {"H": "-", "V": "|", "DP": "/", "DN": "\\"}


def draw_game(dots: set[Dot], moves: list[Move], length: int) -> str:
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
        _write(canvas, x - left, y - top, "o")
    for number, move in enumerate(moves, start=1):
        _write(canvas, move.x - left, move.y - top, str(number))
    return "\n".join("".join(row).rstrip() for row in canvas)


def _column(x: int) -> int:
    """Return the column of a cell's last character."""
    return CELL_WIDTH * x + CELL_WIDTH - 2


def _write(canvas: list[list[str]], x: int, y: int, label: str) -> None:
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
