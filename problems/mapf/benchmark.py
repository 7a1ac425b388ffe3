"""The .map and .scen forms of the MAPF benchmark (R. Stern et al., SoCS 2019; N. Sturtevant, movingai.com)."""

from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.source import Source, read_source
from nrpa.problems.common import fault_in_list, is_whole, whole_text
from nrpa.problems.lines import Located, located_lines

FORMS = (
    "the MAPF benchmark's .scen: `version 1`, and for each robot bucket, map, width, height, start x, start y, goal x, "
    "goal y, length; the .map lies beside it, or above it in the same file: `type octile`, `height`, `width`, `map`, "
    "rows of `.` and `G`, which are free, and `@`, `O`, `T`, `S` and `W`, which are not",
)
FREE, BLOCKED, MOST_SIDE = ".G", "@OTSW", 4096


def fault_in_map(grid: Any, robots: Any) -> str | None:
    """Return why values are no grid and robots; None if they are."""
    fits = lambda row: isinstance(row, str) and len(row) == len(grid[0]) <= MOST_SIDE and {*row} <= {*FREE, *BLOCKED}  # noqa: E731
    fault = fault_in_list(
        grid, "a grid is a list of rows", "row", f"as many letters of {FREE}{BLOCKED} as in the first", fits
    )
    is_robot = lambda row: isinstance(row, list) and len(row) == 4 and all(map(is_whole, row))  # noqa: E731
    fault = fault or fault_in_list(robots, "robots are a list", "robot", "start x and y, goal x and y", is_robot)
    return fault or (
        None
        if grid and grid[0] and robots and len(grid) <= MOST_SIDE
        else f"expected a robot, and 1 to {MOST_SIDE} rows"
    )


def read_benchmark(source: Source) -> tuple[list[str], list[tuple[int, ...]], bool]:
    """Return the rows of the grid, start and goal of each robot, and whether the map is a file of its own."""
    lines = located_lines(whole_text(source), source.label) or [Located("", source.label, 1)]
    begin = next((k for k, line in enumerate(lines) if line.startswith("version")), len(lines) - 1)
    if begin == len(lines) - 1:
        lines[-1].expected("a line 'version 1' with a line for each robot below it, at the end")
    rows = _rows(_beside(lines[1], source) if begin == 0 else lines[:begin])
    return rows, [_robot(line, len(rows[0]), len(rows)) for line in lines[begin + 1 :]], begin == 0


def _beside(line: Located, source: Source) -> list[Located]:
    """Return the lines of the map that a scenario names, from its own folder, whatever folder is in the name."""
    name = line.replace("\\", "/").split()[min(1, len(line.split()) - 1)].rsplit("/", 1)[-1]
    try:
        found = read_source("mapf", str(Path(source.label).parent / name))
    except InputError as error:
        line.fail(f"expected the map that it names beside it, or above it in the same file: {error}")
    return located_lines(found.text, found.label) or line.expected("a map that is not empty")


def _rows(lines: list[Located]) -> list[str]:
    head = {words[0]: words[-1] for words in (line.words() for line in lines[:4])}
    if [*head] != ["type", "height", "width", "map"]:
        lines[0].expected("a map that begins with lines of type, height, width and map")
    height, width = (head[word].whole(1, MOST_SIDE, f"a {word} of 1 to {MOST_SIDE}") for word in ("height", "width"))
    for row in lines[4 : height + 4]:
        if len(row) != width or not {*row} <= {*FREE, *BLOCKED}:
            row.expected(f"a row of {width} cells, letters of {FREE}{BLOCKED}")
    if len(lines) != height + 4:
        lines[-1].fail(f"expected {height} rows of cells, found {len(lines) - 4}")
    return [*map(str, lines[4:])]


def _robot(line: Located, width: int, height: int) -> tuple[int, ...]:
    words = line.words()
    if len(words) != 9 or words[2:4] != [str(width), str(height)]:
        line.expected(f"a bucket, a map, {width}, {height}, start x, start y, goal x, goal y and a length")
    sides = (width, height) * 2
    return tuple(w.whole(0, s - 1, f"a place from 0 to {s - 1}") for w, s in zip(words[4:8], sides, strict=True))
