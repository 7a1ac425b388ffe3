"""Pictures of a game at each of its steps, as shapes of SVG: small, and of colours for light and dark pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem

if TYPE_CHECKING:
    from nrpa.problems.games.problem import BoardProblem
    from nrpa.problems.morpion.problem import Morpion
    from nrpa.problems.samegame.problem import SameGame

_cells = lazy("nrpa.problems.games.cells")
_morpion, _samegame = lazy("nrpa.problems.morpion.rules"), lazy("nrpa.problems.samegame.rules")

COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7")
"""Okabe and Ito's, which differ for colour-blind eyes and stand out of black and white."""
MARGIN, MANY = 6.0, 60


class Still(NamedTuple):
    """What is drawn when a step is reached: shapes that stay, shapes of this step alone, and words about it."""

    stays: str
    now: str
    text: str


class Film(NamedTuple):
    """The pictures of a game, one more than it has moves, above the shapes of the ground."""

    kind: str  # the class of style
    box: tuple[float, float, float, float]  # left, top, width, height
    ground: str
    stills: list[Still]


def film_of(problem: BaseProblem, moves: Sequence[int]) -> Film | None:
    """Return the pictures of a game whose moves are given; None of a problem that has none but its text."""
    names = [vars(cls)["name"] for cls in type(problem).__mro__ if "name" in vars(cls)]
    made = next((_FILMS[name] for name in names if name in _FILMS), None)
    return None if made is None else made(problem, moves)


def _path(kind: str, drawn: str, colour: str = "") -> str:
    style = f' style="--c:{colour}"' if colour else ""
    return f'<path class="{kind}" d="{drawn}"{style}/>' if drawn else ""


def _dots(kind: str, places: Any, colour: str = "") -> str:
    """Return dots: strokes of no length with round ends."""
    return _path(kind, "".join(f"M{x:g} {y:g}h0" for x, y in places), colour)


def _label(x: float, y: float, text: object, size: float, kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}">{text}</text>'


def _samegame_film(problem: SameGame, moves: Sequence[int]) -> Film:
    steps = problem.replay(problem.solution(np.array(moves, np.int64)))
    boards = [(step.board, step.cells, step.points) for step in steps]
    boards.append((_samegame.without(*boards[-1][:2]) if boards else problem.columns, set(), 0))
    (height, width), stills, points = problem.board.shape, [], 0
    for board, taken, gained in boards:
        cells = [(x, height - 1 - y, colour) for x, column in enumerate(board) for y, colour in enumerate(column)]
        drawn = []
        for c in sorted({c for *_, c in cells}):
            squares = "".join(f"M{x} {y}h1v1h-1z" for x, y, own in cells if own == c)
            drawn.append(_path("cell", squares, COLOURS[c % len(COLOURS)]))
        letters = [_label(x + 0.5, y + 0.5, chr(97 + c), 0.6, "dark") for x, y, c in cells if c >= len(COLOURS)]
        outline = _path("next", "".join(_sides({(x, height - 1 - y) for x, y in taken})))
        left = sum(map(len, board))
        text = f"{points} points, {left} cell{'s' * (left != 1)} left"
        more = f"; the next move takes {len(taken)}" * bool(taken)
        stills.append(Still("", "".join([*drawn, *letters, outline]), text + more))
        points += gained
    return Film("grid", (0, 0, width, height), f'<rect class="frame" width="{width}" height="{height}"/>', stills)


def _sides(cells: set[tuple[int, int]]) -> list[str]:
    """Return the sides of cells that no two of them share."""
    ways = {(0, -1): "h1", (0, 1): "m0 1h1", (-1, 0): "v1", (1, 0): "m1 0v1"}
    return [f"M{x} {y}{way}" for x, y in sorted(cells) for (a, b), way in ways.items() if (x + a, y + b) not in cells]


def _morpion_film(problem: Morpion, moves: Sequence[int]) -> Film:
    game = [_morpion.Move(*step) for step in problem.solution(np.array(moves, np.int64))]
    before = len(game) - len(moves)
    length = _morpion.line_length(problem.variant)
    drawn, last = [], []
    for number, move in enumerate(game, 1):
        (x, y), (end_x, end_y) = _morpion.line_of(move, length)[:: length - 1]
        line = f"M{x} {y}L{end_x} {end_y}"
        drawn.append(_path("line", line) + _dots("new", [move[:2]]) + _label(move.x, move.y, number, 0.4))
        last.append(_path("last", line))
    places = np.array([*problem.dots, *(move[:2] for move in game)])
    (left, top), (right, bottom) = places.min(axis=0) - 1, places.max(axis=0) + 1
    stays, now = ["".join(drawn[:before]), *drawn[before:]], ["", *last[before:]]
    stills = [Still(*each, "") for each in zip(stays, now, strict=True)]
    return Film("grid", (left, top, right - left, bottom - top), _dots("dot", sorted(problem.dots)), stills)


def _tour_film(problem: Any, moves: Sequence[int]) -> Film | None:
    """Return the way from place to place; 0 is the depot, at which a vehicle ends its route."""
    if problem.coordinates is None:
        return None
    span = float(np.ptp(problem.coordinates, axis=0).max()) or 1.0
    # In hundredths of the span, y upwards.
    places = (problem.coordinates - problem.coordinates.min(axis=0)) / span * 100
    places = np.round(np.column_stack([places[:, 0], places[:, 1].max() - places[:, 1]]), 2)
    # Of routes, windows are kept or left out.
    visits = problem.visits(list(moves)) if hasattr(problem, "visits") else []
    late = {step for step, visit in enumerate(visits) if visit.late}
    at, length, route, stills = 0, 0.0, 0, [Still("", _dots("here", places[:1]), "at the depot")]
    # A tour of one vehicle ends without a move to the depot.
    back = [0] if len(moves) == len(places) - 1 and 0 not in moves else []
    for step, place in enumerate([*moves, *back]):
        length += float(problem.distances[at, place])
        line = "M{:g} {:g}L{:g} {:g}".format(*places[at], *places[place])
        drawn = _path("way", line, COLOURS[route % len(COLOURS)]) + _dots("missed", places[[place]]) * (step in late)
        where = f"at {place}" if place else "at the depot"
        many = "" if back else f"route {route + 1}, "
        text = f"{many}{where}, {length:.2f} travelled" + ", after its window" * (step in late)
        stills.append(Still(drawn, _path("last", line) + _dots("here", places[[place]]), text))
        at, route = place, route + (place == 0)
    if back:
        stays, now, text = stills.pop()
        stills[-1] = Still(stills[-1].stays + stays, now, f"{stills[-1].text}; then {text}")
    size = 2.6 if len(places) < MANY else 1.8
    ground = _dots("place", places[1:]) + "".join(_label(x, y - size, k, size) for k, (x, y) in enumerate(places) if k)
    depot = '<path class="depot" d="M{:g} {:g}m-1.6 -1.6h3.2v3.2h-3.2z"/>'.format(*places[0])
    width, height = places.max(axis=0)
    return Film("tour", (-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN), ground + depot, stills)


def _board_film(problem: BoardProblem, moves: Sequence[int]) -> Film:
    size, lean = problem.size, 0.5 if problem.six_sided else 0.0
    high = 3**0.5 / 2 if problem.six_sided else 1.0
    places = [(k % size + lean * (k // size), high * (k // size)) for k in range(size**2)]
    sides = 6 if problem.six_sided else 4
    turns = 2 * np.pi * (np.arange(sides) + 0.5 * (sides == 4)) / sides
    corners = 0.5 / np.cos(np.pi / sides) * np.column_stack([np.sin(turns), np.cos(turns)])
    outlines = ["L".join(f"{x + a:.3g} {y + b:.3g}" for a, b in corners) for x, y in places]
    names = [_label(k, -0.9, _cells.cell_name(k, size)[0], 0.4) for k in range(size)]
    names += [_label(lean * k - 0.9, high * k, k + 1, 0.4) for k in range(size)]
    position: Any = problem.rules()
    positions = [[*position.cells]]
    for move in moves:
        position.play(move)
        positions.append([*position.cells])
    stills = []
    for before, after in pairwise([positions[0], *positions]):
        first, second = ([place for place, own in zip(places, after, strict=True) if own == who] for who in (0, 1))
        changed = [place for place, a, b in zip(places, before, after, strict=True) if a != b]
        drawn = _dots("first", first) + _dots("second", second) + _dots("mark", changed)
        stills.append(Still("", drawn, ""))
    ground = _path("hole", "".join(f"M{outline}z" for outline in outlines)) + "".join(names)
    return Film("grid", (-1.4, -1.4, (1 + lean) * size + 1, size * high + 1.3), ground, stills)


_BOARDS = ("atarigo", "breakthrough", "gomoku", "hex", "knightthrough", "nogo")
_FILMS: dict[str, Callable[[Any, Sequence[int]], Film | None]] = {
    **dict.fromkeys(_BOARDS, _board_film),
    **dict.fromkeys(("tsptw", "vrptw", "cvrp"), _tour_film),
    "morpion": _morpion_film,
    "samegame": _samegame_film,
}
