"""Paths of robots, walked step by step."""

from collections.abc import Iterator, Sequence
from typing import Any

from nrpa.modelling.objective import Verdict
from nrpa.problems.common import fault_in_list

STEPS = {"u": (0, -1), "l": (-1, 0), "r": (1, 0), "d": (0, 1), "w": (0, 0)}
PENALTY = 1_000_000


def cells_of(robot: Sequence[int], path: str) -> list[tuple[int, int]]:
    """Return the cells of a path, one for each time from 0 on; none of a robot without one."""
    cells = [(robot[0], robot[1])]
    for letter in path.replace("-", ""):
        cells.append((cells[-1][0] + STEPS[letter][0], cells[-1][1] + STEPS[letter][1]))
    return [] if path == "-" else cells


def verdict_of(grid: Sequence[str], robots: Sequence[Sequence[int]], solution: Any) -> Verdict:
    """Return what paths are worth: the sum of the times from which on the robots stay at their goals."""
    is_path = lambda path: isinstance(path, str) and (path == "-" or {*path} <= {*STEPS})  # noqa: E731
    fault = fault_in_list(solution, "a solution is a list of paths", "path", "letters u, l, r, d and w, or -", is_path)
    if fault or len(solution) != len(robots):
        return Verdict({}, [fault or f"expected {len(robots)} paths, found {len(solution)}"])
    if faults := [*_faults(grid, robots, solution)]:
        return Verdict({}, faults)
    none = [f"robot {k} has no path" for k, path in enumerate(solution, 1) if path == "-"]
    cost = sum(len(path.rstrip("w")) for path in solution if path != "-") + PENALTY * len(none)
    return Verdict({"cost": cost}, none, -float(cost), faults_counted=True)


def _faults(grid: Sequence[str], robots: Sequence[Sequence[int]], solution: Sequence[str]) -> Iterator[str]:
    walks = {k: cells_of(robot, path) for k, (robot, path) in enumerate(zip(robots, solution, strict=True), 1)}
    walks = {k: cells for k, cells in walks.items() if cells}
    for k, cells in walks.items():
        for time, (x, y) in enumerate(cells):
            if not (0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] in ".G"):
                yield f"path {k}: comes to ({x}, {y}) at time {time}, which is not free"
                break
        if cells[-1] != (*robots[k - 1][2:],):
            yield f"path {k}: ends at {cells[-1]}, not at the goal {(*robots[k - 1][2:],)}"
    before = dict[int, tuple[int, int]]()
    for time in range(max(map(len, walks.values()), default=0)):
        now = {k: cells[min(time, len(cells) - 1)] for k, cells in walks.items()}
        who = dict[Any, int]()
        for k, cell in now.items():
            if (other := who.setdefault(cell, k)) != k:
                yield f"robots {other} and {k} are both at {cell} at time {time}"
            who[before.get(k), cell] = k
            if before and cell != before[k] and (other := who.get((cell, before[k]), k)) != k:
                yield f"robots {other} and {k} change places between {cell} and {before[k]} at time {time}"
        before = now
