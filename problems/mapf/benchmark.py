"""The .map and .scen forms of the MAPF benchmark (R. Stern et al., SoCS 2019; N. Sturtevant, movingai.com)."""

import os

from nrpa.base.errors import InputError
from nrpa.io.source import Source, read_source
from nrpa.problems.common import whole_text
from nrpa.problems.lines import Located, located_lines

FORMS = (
    "the MAPF benchmark's .scen: `version 1`, and for each robot bucket, map, width, height, start x, start y, goal x, "
    "goal y, length; the .map lies beside it, or above it in the same file: `type octile`, `height`, `width`, `map`, "
    "rows of `.` and `G`, which are free, and `@`, `O`, `T`, `S` and `W`, which are not",
)


def read_benchmark(source: Source) -> tuple[list[Located], list[Located], bool]:
    """Return the rows of the grid, the lines of the robots, and whether the map is a file of its own."""
    lines = located_lines(whole_text(source), source.label) or [Located("", source.label, 1)]
    begin = next((k for k, line in enumerate(lines) if line.startswith("version")), len(lines) - 1)
    if begin == len(lines) - 1:
        lines[-1].expected("a line 'version 1', and below it a line for each robot")
    grid = lines[:begin] or _beside(lines[1], source)
    words = [line.words() for line in grid[:4]]
    if [each[0] for each in words] != ["type", "height", "width", "map"]:
        grid[0].expected("a map, which begins with lines of type, height, width and map")
    height, width = (each[-1].whole(1, 10**5, "a number of cells") for each in words[1:3])
    if len(grid) != 4 + height or len(grid[-1]) != width:
        grid[-1].fail(f"expected {height} rows of {width} cells in all, the last here")
    for line in lines[begin + 1 :]:
        if len(line.split()) != 9 or line.split()[2:4] != [words[2][-1], words[1][-1]]:
            line.expected("bucket, map, the map's width and height, start x, start y, goal x, goal y, length")
        if _map_of(line) != _map_of(lines[begin + 1]):
            line.expected(f"the map of the robots above, {_map_of(lines[begin + 1])}")
    return grid[4:], lines[begin + 1 :], begin == 0


def _map_of(line: Located) -> str:
    """Return the name of the map that a line names, without folders."""
    return line.split()[:2][-1].replace("\\", "/").rsplit("/", 1)[-1]


def _beside(line: Located, source: Source) -> list[Located]:
    """Return the lines of the map that a line names, from the folder of the scenario."""
    name = os.path.join(os.path.dirname(source.label) or ".", _map_of(line))
    try:
        found = read_source("mapf", name)
    except InputError as error:
        line.fail(f"expected a map beside the scenario, or above it in the same file: {error}")
    return located_lines(found.text, found.label) or line.expected("a map that is not empty")
