"""Pictures of a game at each of its steps, as shapes of SVG: small, and of colours for light and dark pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem

if TYPE_CHECKING:
    from nrpa.problems.games.problem import BoardProblem
    from nrpa.problems.mapf.problem import MAPF
    from nrpa.problems.morpion.problem import Morpion
    from nrpa.problems.samegame.problem import SameGame

_cells = lazy("nrpa.problems.games.cells")
_morpion, _samegame = lazy("nrpa.problems.morpion.rules"), lazy("nrpa.problems.samegame.rules")
_paths = lazy("nrpa.problems.mapf.paths")

COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7")
"""Okabe and Ito's, which differ for colour-blind eyes and stand out of black and white."""
OF_PLAYERS = (COLOURS[4], COLOURS[0])
MARGIN, MANY = 6.0, 60
SECONDS = 0.4  # a step of a robot


class Still(NamedTuple):
    """What is drawn when a step is reached: shapes that stay, shapes of this step alone, and words about it."""

    stays: str
    now: str
    text: str = ""


class Film(NamedTuple):
    """The pictures of a game, one more than it has moves, above the shapes of the ground."""

    box: tuple[float, float, float, float]  # left, top, width, height
    ground: str
    stills: list[Still]


def film_of(problem: BaseProblem, moves: Sequence[int]) -> Film | None:
    """Return the pictures of a game whose moves are given; None of a problem that has none but its text."""
    made = _FILMS.get(problem.picture)
    return None if made is None else made(problem, moves)


def _path(kind: str, drawn: str, colour: str = "") -> str:
    style = f' style="--c:{colour}"' if colour else ""
    return f'<path class="{kind}" d="{drawn}"{style}/>' if drawn else ""


def _dots(kind: str, places: Iterable[Any], colour: str = "") -> str:
    """Return dots: strokes of no length with round ends."""
    return _path(kind, "".join(f"M{x:g} {y:g}h0" for x, y in places), colour)


def _squares(kind: str, places: Iterable[Any], colour: str = "") -> str:
    return _path(kind, "".join(f"M{x} {y}h1v1h-1z" for x, y in places), colour)


def _label(x: float, y: float, text: object, size: float) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}">{text}</text>'


def _samegame_film(problem: SameGame, moves: Sequence[int]) -> Film:
    steps = problem.replay(problem.solution(np.array(moves, np.int64)))
    boards = [(step.board, step.cells, step.points) for step in steps]
    boards.append((_samegame.without(*boards[-1][:2]) if boards else problem.columns, set(), 0))
    (height, width), stills, points = problem.board.shape, [], 0
    for board, taken, gained in boards:
        cells = {(x, height - 1 - y): colour for x, column in enumerate(board) for y, colour in enumerate(column)}
        colours = {c: COLOURS[c % len(COLOURS)] for c in sorted({*cells.values()})}
        drawn = [_squares("cell", (at for at in cells if cells[at] == c), colours[c]) for c in colours]
        text = f"{points} points, {len(cells)} cell{'s' * (len(cells) != 1)} left"
        if taken:
            # The outline is seen around the cells that cover its middle.
            group = [(x, height - 1 - y) for x, y in taken]
            drawn += [_squares("next", group), _squares("taken", group, colours[cells[group[0]]])]
            text += f"; the next move takes {len(taken)}"
        drawn += [_label(x + 0.5, y + 0.5, chr(97 + c), 0.6) for (x, y), c in cells.items() if c >= len(COLOURS)]
        stills.append(Still("", "".join(drawn), text))
        points += gained
    return Film((0, 0, width, height), f'<rect class="frame" width="{width}" height="{height}"/>', stills)


def _morpion_film(problem: Morpion, moves: Sequence[int]) -> Film:
    game = [_morpion.Move(*step) for step in problem.solution(np.array(moves, np.int64))]
    length = _morpion.line_length(problem.variant)
    drawn = [Still("", "")]
    for number, move in enumerate(game, 1):
        (x, y), (end_x, end_y) = _morpion.line_of(move, length)[:: length - 1]
        line = f"M{x} {y}L{end_x} {end_y}"
        made = _path("line", line) + _dots("new", [move[:2]]) + _label(move.x, move.y, number, 0.4)
        drawn.append(Still(made, _path("last", line)))
    begun = len(game) - len(moves)
    first = Still("".join(still.stays for still in drawn[: begun + 1]), "")
    places = np.array([*problem.dots, *(move[:2] for move in game)])
    (left, top), (width, height) = places.min(axis=0) - 1, np.ptp(places, axis=0) + 2
    return Film((left, top, width, height), _dots("dot", sorted(problem.dots)), [first, *drawn[begun + 1 :]])


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
    # A tour of one vehicle ends without a move to the depot.
    is_tour = len(moves) == len(places) - 1 and 0 not in moves
    at, length, route, stills = 0, 0.0, 1, [Still("", _dots("here", places[:1]), "at the depot")]
    for step, place in enumerate(moves):
        way = [at, place, 0] if is_tour and step == len(moves) - 1 else [at, place]
        length += sum(float(problem.distances[leg]) for leg in pairwise(way))
        line = "M" + "L".join("{:g} {:g}".format(*places[k]) for k in way)
        missed = [places[visit.city] for visit in visits[step : step + len(way) - 1] if visit.late]
        drawn = _path("way", line, COLOURS[(route - 1) % len(COLOURS)]) + _dots("missed", missed)
        where = f"at {place}" if way[-1] else "at the depot"
        text = (
            f"route {route}, " * (not is_tour) + f"{where}, {length:.2f} travelled" + ", a window missed" * bool(missed)
        )
        stills.append(Still(drawn, _path("leg", line) + _dots("here", places[way[-1:]]), text))
        at, route = place, route + (place == 0)
    size = 2.6 if len(places) < MANY else 1.8
    ground = _dots("place", places[1:]) + "".join(_label(x, y - size, k, size) for k, (x, y) in enumerate(places) if k)
    depot = '<path class="depot" d="M{:g} {:g}m-1.6 -1.6h3.2v3.2h-3.2z"/>'.format(*places[0])
    width, height = places.max(axis=0)
    return Film((-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN), ground + depot, stills)


def _board_film(problem: BoardProblem, moves: Sequence[int]) -> Film:
    size = problem.size
    lean, high = (0.5, 3**0.5 / 2) if problem.six_sided else (0.0, 1.0)
    places = [(k % size + lean * (k // size), high * (k // size)) for k in range(size**2)]
    names = [_label(k, -0.9, _cells.cell_name(k, size)[0], 0.4) for k in range(size)]
    names += [_label(lean * k - 0.9, high * k, k + 1, 0.4) for k in range(size)]
    position: Any = problem.rules()
    stills, before = [], [*position.cells]
    for move in [None, *moves]:
        if move is not None:
            position.play(move)
        stones = [
            _dots("stone", (place for place, own in zip(places, position.cells, strict=True) if own == who), colour)
            for who, colour in enumerate(OF_PLAYERS)
        ]
        changed = [place for place, a, b in zip(places, before, position.cells, strict=True) if a != b]
        stills.append(Still("", "".join(stones) + _dots("mark", changed)))
        before = [*position.cells]
    box = (-1.4, -1.4, (1 + lean) * size + 1, size * high + 1.3)
    return Film(box, _dots("hole", places) + "".join(names), stills)


def _robots_film(problem: MAPF, moves: Sequence[int]) -> Film:
    """Return the robots planned so far, which go their ways over and over, all at the same time."""
    robots: Any = problem.model.things_of(np.array(moves, np.int64))
    solution = problem.solution(np.array(moves, np.int64))
    walks = [_paths.cells_of(robot, path) for robot, path in zip(problem.robots, solution, strict=True)]
    long, stills, cost = max(map(len, walks)), [Still("", "", "no robot is planned")], 0
    for robot in robots:
        colour, goal, places = COLOURS[robot % len(COLOURS)], problem.robots[robot][2:], walks[robot]
        text = f"robot {robot + 1} finds no path"
        drawn = _squares("cell", [(goal[0] - 0.5, goal[1] - 0.5)], colour).replace("<path", '<path opacity=".35"')
        if places:
            way = ";".join(f"{x} {y}" for x, y in places + places[-1:] * (long + 2 - len(places)))
            kind = f'attributeName="transform" type="translate" dur="{SECONDS * (long + 1):g}s"'
            moving = f'<animateTransform {kind} values="{way}" repeatCount="indefinite"/>'
            drawn += f"<g>{moving}{_dots('stone', [(0, 0)], colour)}{_label(0, 0, robot + 1, 0.5)}</g>"
            steps = len(solution[robot].rstrip("w"))
            cost += steps
            text = f"robot {robot + 1} takes {steps} steps, all planned so far {cost}"
        stills.append(Still(drawn, "", text))
    walls = [(x - 0.5, y - 0.5) for y, row in enumerate(problem.grid) for x, a in enumerate(row) if a not in ".G"]
    width, height = len(problem.grid[0]), len(problem.grid)
    return Film((-1, -1, width + 1, height + 1), _squares("cell", walls, "#888"), stills)


# By the picture of the problem, which is the film's last step.
_FILMS: dict[str, Callable[[Any, Sequence[int]], Film | None]] = {
    "games:draw_board": _board_film,
    "games:draw_game": _samegame_film,
    "games:draw_grid": _morpion_film,
    "robots:draw_paths": _robots_film,
    "tours:route_panels": _tour_film,
    "tours:tour_panels": _tour_film,
}
