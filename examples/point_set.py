"""The most points of a grid that hold no forbidden pattern, compiled: no right isosceles triangle, or no square.

How many there can be is A271906 and A240443 of the On-Line Encyclopedia of Integer Sequences. An instance is PATTERN/N,
as triangle/12; or PATTERN/N/SYMMETRY, for the sets that a symmetry does not change, among which large ones are found
sooner: its moves put in a point with all its images.

nrpa solve examples/point_set.py:PointSet triangle/12 --solver tempering --time 20
"""

from itertools import product
from typing import NamedTuple

import numpy as np

import nrpa


class Instance(NamedTuple):
    """Moves are orbits, a point with its images. Patterns have orbits as members, filled up with -1."""

    points: np.ndarray  # of each orbit
    closed: np.ndarray  # 1 for an orbit that holds a pattern by itself
    members: np.ndarray
    size: np.ndarray  # of each pattern
    first: np.ndarray  # where the patterns of each orbit begin in ``pattern``
    pattern: np.ndarray


def reset(instance, state):
    """No point is placed."""
    for orbit in range(len(state.closed)):
        state.closed[orbit] = instance.closed[orbit]
    state.held[:] = 0
    state.points[0] = 0


def legal_moves(instance, state, moves):
    """Write the orbits that complete no pattern."""
    count = 0
    for orbit in range(len(state.closed)):
        if state.closed[orbit] == 0:
            moves.move[count] = moves.code[count] = orbit
            count += 1
    return count


def play(instance, state, move):
    """Place the points of an orbit; close the last orbit of each pattern that lacks only one."""
    state.closed[move] = 1
    state.points[0] += instance.points[move]
    for k in range(instance.first[move], instance.first[move + 1]):
        pattern = instance.pattern[k]
        state.held[pattern] += 1
        if state.held[pattern] == instance.size[pattern] - 1:
            for place in range(instance.size[pattern]):
                state.closed[instance.members[pattern, place]] = 1


def score(instance, state):
    """Return how many points are placed."""
    return float(state.points[0])


def name(instance, state, moves, place):
    """An orbit is its own name."""
    return moves.move[place]


def find(instance, state, name):
    """An orbit that is closed stays closed."""
    return name if state.closed[name] == 0 else nrpa.NEVER


@nrpa.kernels(reset, legal_moves, play, score, name, find)
class State(NamedTuple):
    """Which orbits are placed or closed, how many of each pattern are placed, and how many points."""

    closed: np.ndarray
    held: np.ndarray
    points: np.ndarray


class PointSet(nrpa.CompiledProblem):
    """The most points of an n x n grid without a pattern; a solution is the list of the points."""

    objective = nrpa.Objective("points", sign=1)

    def __init__(self, pattern, n, symmetry="none"):
        self.n, self.corners = n, PATTERNS[pattern]
        grid = [*product(range(n), repeat=2)]
        self.orbits = sorted({tuple(sorted({image(n - 1, *p) for image in SYMMETRIES[symmetry]})) for p in grid})
        orbit_of = {point: k for k, orbit in enumerate(self.orbits) for point in orbit}
        steps = [step for step in product(range(1 - n, n), repeat=2) if step != (0, 0)]
        copies = (self.corners(*point, *step) for point, step in product(grid, steps))
        forbidden = {frozenset(map(orbit_of.get, copy)) for copy in copies if orbit_of.keys() >= {*copy}}
        count = len(self.orbits)
        instance = instance_of([len(orbit) for orbit in self.orbits], sorted(map(sorted, forbidden)))
        super().__init__(instance, max_steps=count, max_moves=count, codes=count)
        self.origin = nrpa.Origin(f"{pattern}/{n}/{symmetry}")

    @classmethod
    def load(cls, name):
        """The instance is PATTERN/N or PATTERN/N/SYMMETRY."""
        try:
            pattern, n, *symmetry = name.split("/")
            return cls(pattern, int(n), *symmetry)
        except (ValueError, KeyError, TypeError):
            known = f"PATTERN is {' or '.join(PATTERNS)}, SYMMETRY {', '.join(SYMMETRIES)}"
            raise nrpa.InputError(f"{name}: expected PATTERN/N or PATTERN/N/SYMMETRY; {known}") from None

    def new_state(self):
        return State(*(np.zeros(length, np.int64) for length in (len(self.orbits), len(self.instance.size), 1)))

    def solution(self, moves):
        return sorted([row, column] for move in moves for row, column in self.orbits[move])

    def moves_of(self, solution):
        """Return the moves of a solution, to begin with."""
        return [k for k, orbit in enumerate(self.orbits) if [*orbit[0]] in solution]

    def check(self, solution):
        """Look for the pattern at each two points."""
        points = [tuple(point) for point in solution]
        faults = [f"{point} is not in the grid, or twice" for point in points if points.count(point) > 1]
        faults += [f"{p} is not in the grid" for p in points if not (0 <= p[0] < self.n and 0 <= p[1] < self.n)]
        for (row, column), (down, right) in product(points, repeat=2):
            copy = self.corners(row, column, down - row, right - column)
            if (row, column) != (down, right) and set(copy) <= set(points):
                faults.append(f"{sorted(set(copy))} is the forbidden pattern")
        return nrpa.Verdict({"points": len(points)}, faults, score=float(len(points)))

    def draw(self, solution):
        """Return the grid."""
        rows = [["." for _ in range(self.n)] for _ in range(self.n)]
        for row, column in solution:
            rows[row][column] = "x"
        return "\n".join(map(" ".join, rows))


def instance_of(points, forbidden):
    """Return what the kernels know, of the points of each orbit and the patterns."""
    closed, members = np.zeros(len(points), np.int64), np.full((len(forbidden), 4), -1)
    patterns = [[] for _ in points]
    for k, pattern in enumerate(forbidden):
        members[k, : len(pattern)] = pattern
        closed[pattern] |= len(pattern) == 1
        for orbit in pattern:
            patterns[orbit].append(k)
    size = np.array([*map(len, forbidden)], np.int64)
    first = np.cumsum([0, *map(len, patterns)])
    return Instance(np.array(points), closed, members, size, first, np.concatenate(patterns).astype(np.int64))


# The corners of a pattern, of which one is a point and the next so many rows and columns away.
PATTERNS = {
    "triangle": lambda row, column, down, right: [
        (row, column), (row + down, column + right), (row + right, column - down)
    ],
    "square": lambda row, column, down, right: [
        (row, column), (row + down, column + right), (row + right, column - down),
        (row + down + right, column + right - down),
    ],
}  # fmt: skip
IDENTITY = lambda last, row, column: (row, column)  # noqa: E731
TURN = lambda last, row, column: (last - row, last - column)  # noqa: E731
# What a point and its images are, of a grid whose last row and column has a number.
SYMMETRIES = {
    "none": [IDENTITY],
    "turn": [IDENTITY, TURN],
    "mirror": [IDENTITY, lambda last, row, column: (row, last - column)],
    "diagonal": [IDENTITY, lambda last, row, column: (column, row)],
    "quarters": [IDENTITY, TURN, lambda last, row, column: (column, last - row),
                 lambda last, row, column: (last - column, row)],
}  # fmt: skip
