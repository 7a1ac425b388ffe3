"""Multi-agent path finding: robots go from start to goal on one grid and never meet, in little time in sum."""

# mypy: ignore-errors

import re
from typing import NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Origin, Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import fault_in_list, faultless, is_whole
from nrpa.problems.mapf.benchmark import FORMS, read_benchmark
from nrpa.problems.mapf.paths import PENALTY, STEPS, verdict_of

planning = lazy("nrpa.problems.mapf.planning")

MOST, MOST_SPACE, NEVER = 10_000, 50_000_000, 10**9


class State(NamedTuple):
    """Who has a cell at a time, or a mark below 0; since when a cell is free; robots left; marks made, and the cost."""

    taken: np.ndarray
    free_from: np.ndarray
    left: np.ndarray
    counts: np.ndarray


@compiled
class MAPF(Problem):
    """A move plans a robot: a shortest path that meets none of those planned before. A solution is the list of paths.

    A path is a text of u, l, r, d and w (wait), or ``-`` of a robot that finds none, which costs 1,000,000. Else it
    costs the time from which on the robot stays at its goal (R. Stern et al., SoCS 2019).

    Parameters
    ----------
    grid : list of str
        The rows, from y = 0 on; ``.`` and ``G`` are free, ``@``, ``O``, ``T``, ``S`` and ``W`` are not.
    robots : list of (int, int, int, int)
        Start x, start y, goal x and goal y of each.
    """

    name = "mapf"
    picture = "robots:draw_paths"
    objective = Objective("cost", sign=-1, penalty=PENALTY, fault="robot without a path")
    forms = (FORMS,)
    agents = Option(0, "Only so many robots, the first ones; 0 for all.", most=MOST)

    def __init__(self, grid, robots, **options):
        super().__init__(**options)
        grid, robots = listed(grid), listed(robots)
        is_row = lambda row: isinstance(row, str) and 0 < len(row) == len(grid[0]) and {*row} <= {*".G@OTSW"}  # noqa: E731
        is_robot = lambda robot: isinstance(robot, list) and len(robot) == 4 and all(map(is_whole, robot))  # noqa: E731
        fault = fault_in_list(grid, "a grid is a list", "row", "letters .G@OTSW, as many as in the first", is_row)
        fault = fault or fault_in_list(robots, "robots are a list", "robot", "start x and y, goal x and y", is_robot)
        if not fault and self.agents > len(robots):
            fault = f"expected at most {len(robots):,} agents, as many as there are, found {self.agents:,}"
        self.grid, self.robots = grid, () if fault else robots[: self.agents or None]
        places = [] if fault else [(x, y) for y, row in enumerate(grid) for x, a in enumerate(row) if a in ".G"]
        number, count, self.count = {place: k for k, place in enumerate(places)}, len(places), len(self.robots)
        if not 0 < count * self.count <= MOST_SPACE:
            raise InputError(fault or f"expected 1 to {MOST_SPACE:,} free cells times robots")
        ends = np.array([[number.get((x, y), count), number.get((u, v), count)] for x, y, u, v in self.robots])
        steps = [[number.get((x + dx, y + dy), count) for dx, dy in STEPS.values()] for x, y in places]
        self.near, self.starts, self.goals = np.array([*steps, [count] * len(STEPS)]), *ends.T.copy()
        self.far = self._distances(count)
        ways = self.far[np.arange(self.count), self.starts]
        for k, way in enumerate(ways.tolist()):
            if way == NEVER or (ends[:k] == ends[k]).any():
                raise InputError(f"robot {k + 1}: expected a way over free cells, from a start to a goal of its own")
        self.least, self.steps = int(ways.sum()), 2 * (int(ways.max()) + self.count) + 10
        for what, many, most in (("free cells", count, MOST_SPACE), ("robots", self.count, PENALTY)):
            if self.steps * many > most:
                found = f"{many:,}, times steps, which are {self.steps:,}"
                raise InputError(f"expected at most {most:,} {what}, {found}; --agents takes fewer robots")

    def _distances(self, count):
        """Return how far each cell is from the goal of each robot, by int32; NEVER of cells that do not lead there."""
        far, width = np.full(self.count * (count + 1), NEVER, np.int32), count + 1
        here, distance = np.arange(self.count) * width + self.goals, 0
        while len(here := here[(far[here] == NEVER) & (here % width < count)]):
            far[here], distance = distance, distance + 1
            here = np.unique((here // width * width)[:, None] + self.near[here % width])
        return far.reshape(self.count, width)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        rows, lines, is_apart = read_benchmark(source)
        robots = [[word.whole(0, MOST, f"a place from 0 to {MOST:,}") for word in line.words()[4:8]] for line in lines]
        try:
            problem = cls([*map(str, rows)], robots, **options)
        except InputError as error:
            if where := re.match(r"(row|robot) (\d+): ", str(error)):
                (rows if where[1] == "row" else lines)[int(where[2]) - 1].fail(str(error))
            raise
        if is_apart or problem.agents:
            problem.origin = Origin(source.label, "" if is_apart else source.sha256)
        return problem

    def bound(self):
        """Return the sum of the distances."""
        return self.least

    def initial_state(self):
        taken, free_from = np.zeros((self.steps, len(self.near) - 1), np.int32), np.zeros(len(self.near), np.int64)
        return State(taken, free_from, np.ones(self.count, np.bool_), np.zeros(2, np.int64))

    def copy(self, state):
        return State(state.taken.copy(), state.free_from.copy(), state.left.copy(), state.counts.copy())

    def legal_moves(self, state):
        return [robot for robot in range(self.count) if state.left[robot]]

    def plan(self, state, robot):
        """Return the cells of a shortest path that meets none before, the first in order of letters, or no cells."""
        path, turn = np.zeros(self.steps, np.int64), np.zeros(self.steps, np.int64)
        layers, goal = np.zeros((2, len(self.near)), np.int64), self.goals[robot]
        layers[0, 0] = self.starts[robot]
        known = self.near, self.far, robot, goal, state.free_from, state.taken, state.counts
        return path[: planning.planned(*known, layers, path, turn)]

    def play(self, state, move):
        path = self.plan(state, move)
        state.left[move] = False
        state.counts[1] += len(path) - 1 if len(path) > 0 else PENALTY
        for time, cell in enumerate(path):
            state.taken[time, cell] = move + 1
            state.free_from[cell] = max(state.free_from[cell], time + 1)
        if len(path) > 0:
            state.taken[len(path) :, path[-1]] = move + 1
        return state

    def score(self, state):
        return -float(state.counts[1])

    def bias(self, state, move):
        return int(self.far[move, self.starts[move]]) * self.count / (self.least + 1)

    def _text(self, path):
        steps = zip(path[:-1].tolist(), path[1:].tolist(), strict=True)
        return "".join([*STEPS][self.near[cell].tolist().index(other)] for cell, other in steps) if len(path) else "-"

    def solution_of(self, moves):
        state, paths = self.initial_state(), {}
        for robot in moves:
            paths[robot] = self._text(self.plan(state, robot))
            state = self.play(state, robot)
        return [paths[robot] for robot in range(self.count)]

    def own_moves(self, solution):
        faultless(self, solution)
        state, moves = self.initial_state(), []
        while left := self.legal_moves(state):
            robot = next((k for k in left if self._text(self.plan(state, k)) == solution[k]), None)
            if robot is None:
                raise InputError("mapf: no order of the robots leads to these paths")
            state, moves = self.play(state, robot), [*moves, robot]
        return moves

    def check(self, solution):
        is_path = lambda path: isinstance(path, str) and (path == "-" or {*path} <= {*STEPS})  # noqa: E731
        fault = fault_in_list(solution, "a solution is a list of paths", "path", "letters u, l, r, d, w, or -", is_path)
        if fault or len(solution) != self.count:
            return Verdict({}, [fault or f"expected {self.count} paths, found {len(solution)}"])
        return verdict_of(self.grid, self.robots, solution)

    def draw(self, solution):
        return "\n".join(f"{k:>4} {path}" for k, path in enumerate(solution, 1))
