"""Paths of robots, walked step by step."""

from collections.abc import Iterator, Sequence
from typing import Any

from nrpa.modelling.objective import Verdict

STEPS = {"u": (0, -1), "l": (-1, 0), "r": (1, 0), "d": (0, 1), "w": (0, 0)}
PENALTY = 1_000_000


def cells_of(robot: Sequence[int], path: str) -> list[tuple[int, int]]:
    """Return the cells of a path, one for each time from 0 on; none of a robot without one."""
    cells = [(robot[0], robot[1])]
    for letter in path.replace("-", ""):
        cells.append((cells[-1][0] + STEPS[letter][0], cells[-1][1] + STEPS[letter][1]))
    return [] if path == "-" else cells


def verdict_of(grid: Sequence[str], robots: Sequence[Sequence[int]], solution: Sequence[str]) -> Verdict:
    """Return what paths are worth: the sum of the times from which on the robots stay at their goals."""
    walks = {k: cells_of(robots[k - 1], path) for k, path in enumerate(solution, 1) if path != "-"}
    if faults := [*_faults(grid, robots, walks)]:
        return Verdict({}, faults)
    none = [f"robot {k} has no path" for k in range(1, len(robots) + 1) if k not in walks]
    cost = sum(len(path.replace("-", "").rstrip("w")) for path in solution) + PENALTY * len(none)
    return Verdict({"cost": cost}, none, -float(cost), faults_counted=True)


def _faults(grid: Sequence[str], robots: Sequence[Sequence[int]], walks: dict[int, Any]) -> Iterator[str]:
    for k, cells in walks.items():
        if astray := [
            (x, y) for x, y in cells if not (0 <= y < len(grid) and 0 <= x < len(grid[0]) and grid[y][x] in ".G")
        ]:
            yield f"path {k}: comes to {astray[0]} at time {cells.index(astray[0])}, which is not free"
        if cells[-1] != (*robots[k - 1][2:],):
            yield f"path {k}: ends at {cells[-1]}, not at the goal {(*robots[k - 1][2:],)}"
    for time in range(max(map(len, walks.values()), default=0)):
        steps = {k: (cells[: time + 1][-1], cells[: time + 2][-1]) for k, cells in walks.items()}
        at, moved = {here: k for k, (here, _) in steps.items()}, {step: k for k, step in steps.items()}
        for k, (here, there) in steps.items():
            if at[here] != k:
                yield f"robots {k} and {at[here]} are both at {here} at time {time}"
            if here != there and moved.get((there, here), 0) > k:
                yield f"robots {k} and {moved[there, here]} change places between {here} and {there} at time {time + 1}"
