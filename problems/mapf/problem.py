"""Multi-agent path finding: robots go from start to goal on one grid and never meet; the sum of their times is short."""

# mypy: ignore-errors

from typing import NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Origin, Source
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem
from nrpa.problems.common import faultless
from nrpa.problems.lines import located_lines
from nrpa.problems.mapf.benchmark import FORMS, FREE, fault_in_map, read_benchmark
from nrpa.problems.mapf.paths import PENALTY, STEPS, cells_of, verdict_of

MOST_SPACE, NEVER, BETA = 50_000_000, 10**9, 1.0


class State(NamedTuple):
    """Who has a cell at a time, or a mark; when a cell is free at last; robots left; their number, marks, the cost."""

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
    agents = Option(0, "Only so many robots, the first ones; 0 for all.", most=PENALTY)
    longest = Option(0, "The most steps of a path; 0: twice the longest way, two a robot, and ten.", most=PENALTY)

    def __init__(self, grid, robots, **options):
        super().__init__(**options)
        self.grid, robots = listed(grid), listed(robots)
        if fault := fault_in_map(self.grid, robots):
            raise InputError(fault)
        self.robots = robots[: self.agents or None]
        places = [(x, y) for y, row in enumerate(self.grid) for x, letter in enumerate(row) if letter in FREE]
        number, count = {place: k for k, place in enumerate(places)}, len(self.robots)
        ends = np.array([[number.get((x, y), -1), number.get((u, v), -1)] for x, y, u, v in self.robots])
        if len(places) * count > MOST_SPACE:
            raise InputError(
                f"expected free cells times robots of at most {MOST_SPACE:,}; the option agents takes fewer"
            )
        walls = [[len(places)] * len(STEPS)]
        near = [[number.get((x + dx, y + dy), len(places)) for dx, dy in STEPS.values()] for x, y in places]
        self.near, self.starts, self.goals, self.count = np.array(near + walls), *ends.T.copy(), count
        self.far = self._distances()
        ways = self.far[np.arange(count), self.starts]
        for k in range(count):
            if ends[k].min() < 0 or ways[k] == NEVER or (ends[:k] == ends[k]).any():
                raise InputError(f"robot {k + 1}: expected a way over free cells, from a start to a goal of its own")
        self.least, self.steps = int(ways.sum()), 1 + (self.longest or 2 * (int(ways.max()) + count) + 10)
        if self.steps * len(places) > MOST_SPACE or self.steps * count > PENALTY:
            raise InputError(f"longest: expected fewer steps than {self.steps - 1:,} for this grid and these robots")

    def _distances(self):
        """Return how far each cell is from the goal of each robot, int32; cells from which there is no way are NEVER."""
        width = len(self.near)
        far, here = np.full(self.count * width, NEVER, np.int32), np.arange(self.count) * width + self.goals
        far[width - 1 :: width], distance = -1, 0
        while len(here):
            far[here] = distance
            there = np.unique((here // width * width)[:, None] + self.near[here % width])
            here, distance = there[far[there] == NEVER], distance + 1
        far[width - 1 :: width] = NEVER
        return far.reshape(self.count, width)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        grid, robots, is_apart = read_benchmark(source)
        problem = cls(grid, robots, **options)
        if is_apart or problem.agents:
            problem.origin = Origin(source.label, "" if is_apart else source.sha256)
        return problem

    def bound(self):
        """Return the sum of the distances."""
        return self.least

    def initial_state(self):
        taken, left = np.zeros((self.steps, len(self.near) - 1), np.int32), np.arange(self.count)
        return State(taken, np.zeros(len(self.near), np.int64), left, np.array([self.count, 0, 0]))

    def copy(self, state):
        return State(state.taken.copy(), state.free_from.copy(), state.left.copy(), state.counts.copy())

    def legal_moves(self, state):
        return state.left[: state.counts[0]]

    def plan(self, state, robot):
        """Return the cells of a shortest path that meets none before, the first in the order of letters, or no cells.

        Depth first, below a limit of the cost that rises. A mark says that there is no way on from a cell at a time.
        """
        goal, far, taken = self.goals[robot], self.far[robot], state.taken
        path, turn = np.zeros(self.steps, np.int64), np.zeros(self.steps, np.int64)
        path[0] = self.starts[robot]
        limit = max(int(far[path[0]]), state.free_from[goal])
        while limit < self.steps:
            state.counts[1] -= 1
            time, higher = 0, self.steps
            turn[0] = 0
            while time >= 0:
                cell = path[time]
                if cell == goal and time >= state.free_from[goal]:
                    return path[: time + 1]
                if turn[time] == self.near.shape[1]:
                    time -= 1
                    continue
                other = self.near[cell, turn[time]]
                turn[time] += 1
                cost = time + 1 + int(far[other])
                if cost > limit:
                    higher = min(higher, cost)
                    continue
                there, rival = int(taken[time + 1, other]), int(taken[time, other])
                if there <= 0 and there != state.counts[1] and not (rival > 0 and taken[time + 1, cell] == rival):
                    time += 1
                    path[time], turn[time], taken[time, other] = other, 0, state.counts[1]
            limit = higher
        return path[:0]

    def play(self, state, move):
        path, left, counts = self.plan(state, move), state.left, state.counts
        place = 0
        while left[place] != move:
            place += 1
        counts[0] -= 1
        left[place] = left[counts[0]]
        counts[2] += len(path) - 1 if len(path) > 0 else PENALTY
        for time in range(len(path)):
            state.taken[time, path[time]] = move + 1
            state.free_from[path[time]] = max(state.free_from[path[time]], time + 1)
        if len(path) > 0:
            state.taken[len(path) :, path[-1]] = move + 1
        return state

    def score(self, state):
        return -float(state.counts[2])

    def bias(self, state, move):
        return BETA * int(self.far[move, self.starts[move]]) * self.count / self.least

    def solution_of(self, moves):
        state, paths = self.initial_state(), {}
        for robot in moves:
            paths[robot] = self._text(self.plan(state, robot))
            state = self.play(state, robot)
        return [paths[robot] for robot in range(self.count)]

    def _text(self, path):
        steps = zip(path[:-1].tolist(), path[1:].tolist(), strict=True)
        return "".join([*STEPS][self.near[cell].tolist().index(other)] for cell, other in steps) if len(path) else "-"

    def own_moves(self, solution):
        faultless(self, solution)
        state, moves = self.initial_state(), []
        while len(moves) < self.count:
            robot = next(
                (k for k in range(self.count) if k not in moves and self._text(self.plan(state, k)) == solution[k]), -1
            )
            if robot < 0:
                raise InputError("mapf: no order of the robots leads to these paths")
            state, moves = self.play(state, robot), [*moves, robot]
        return moves

    def check(self, solution):
        return verdict_of(self.grid, self.robots, solution)

    @classmethod
    def parse_solution(cls, text: str) -> list[str]:
        """Return the paths that a text holds, one on each line; one without steps is a line of its own as ''."""
        return [str(line).strip("'") for line in located_lines(text)]

    def draw(self, solution):
        """Return the grid with the number of paths through each cell, up to 9."""
        rows = [[*row] for row in self.grid]
        for x, y in (place for k, path in enumerate(solution) for place in {*cells_of(self.robots[k], path)}):
            rows[y][x] = str(min(9, int(rows[y][x]) + 1 if rows[y][x].isdigit() else 1))
        return "\n".join(map("".join, rows))
