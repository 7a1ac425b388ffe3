"""Container loading: boxes, of which some sides may not stand upright, into one container."""

# mypy: ignore-errors

import math
from typing import NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import faultless
from nrpa.problems.lines import rows_of_numbers
from nrpa.problems.packing.layouts import picture
from nrpa.problems.packing.spaces import blocks_of, cut, nearest
from nrpa.problems.packing.thpack import fault_in_kinds, faults_in_loading, read_boxes, ways_of

SPACES = 150
"""The most free spaces that a state has; more are left out."""


class State(NamedTuple):
    """A container in part filled."""

    spaces: np.ndarray  # free boxes as large as can be, which overlap: x, y, z, and where they end
    many: int  # how many of them there are
    at: int  # which is filled next
    left: np.ndarray  # how many boxes of each kind are left
    volume: int  # what was loaded


@compiled
class BoxLoading(Problem):
    """Container loading: fill one container with boxes of several kinds, as much of its volume as can be.

    A solution is a list of blocks, ``[kind, x, y, z, dx, dy, dz, nx, ny, nz]``: the kind from 1, the corner nearest to
    the origin, the sides of a box as it stands, and how many boxes there are in each direction. The score is the
    volume loaded, in percent of the container's.

    Parameters
    ----------
    container : tuple of int
        Length, width and height.
    boxes : list of tuple of int
        Of each kind length, width and height, each followed by 1 if it may stand upright, else 0; and the number of
        boxes.

    References
    ----------
    E. E. Bischoff and M. S. W. Ratcliff, *Issues in the development of approaches to container loading*, Omega 23,
    1995: the form and the instances. F. Parreño, R. Alvarez-Valdes, J. M. Tamarit and J. F. Oliveira, *A maximal-space
    algorithm for the container loading problem*, INFORMS Journal on Computing 20, 2008: free spaces and blocks.

    Examples
    --------
    >>> problem = BoxLoading((4, 4, 2), [(2, 1, 2, 1, 2, 1, 3), (4, 1, 2, 0, 1, 1, 2)])
    >>> problem.check([[1, 0, 0, 0, 2, 2, 2, 1, 2, 1], [2, 2, 0, 0, 2, 4, 1, 1, 1, 2]]).figures
    {'filled': 100.0, 'boxes': 4}
    """

    name = "boxes"
    _may_be_done = True
    objective = Objective("filled", sign=1, digits=2)
    forms = ("Bischoff and Ratcliff's (thpack of OR-Library): how many; of each `number seed`, sides, kinds, rows",)

    def __init__(self, container, boxes, **options):
        super().__init__(**options)
        container, boxes = listed(container), listed(boxes)
        fault = fault_in_kinds(container, boxes)
        if fault:
            raise InputError(f"boxes: {fault}")
        self.container, self.boxes = tuple(container), [tuple(row) for row in boxes]
        self.ways = [(kind, *way) for kind, row in enumerate(self.boxes) for way in ways_of(row)]
        self.counts = np.array([row[6] for row in self.boxes])
        self.room = int(np.prod(container))
        self.thinnest = min(min(way[1:]) for way in self.ways)

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        container, boxes = read_boxes(source)
        return cls(container, boxes, **options)

    def bound(self):
        return min(100.0, 100 * sum(row[0] * row[2] * row[4] * row[6] for row in self.boxes) / self.room)

    def initial_state(self):
        spaces = np.zeros((SPACES, 6), np.int64)
        spaces[0, 3:] = self.container
        return self.settled(spaces, 1, self.counts.copy(), 0)

    def settled(self, spaces, many, left, volume):
        """Choose the space that is filled next; spaces into which nothing fits are dropped."""
        while many > 0:
            at = nearest(spaces, many)
            if self.any_fits(spaces[at], left):
                return State(spaces, many, at, left, volume)
            many -= 1
            spaces[at] = spaces[many]
        return State(spaces, 0, 0, left, volume)

    def any_fits(self, space, left):
        x, y, z = space[3:] - space[:3]
        return any(left[kind] and dx <= x and dy <= y and dz <= z for kind, dx, dy, dz in self.ways)

    def blocks(self, state, way):
        kind, dx, dy, dz = self.ways[way]
        return blocks_of(state.spaces[state.at], dx, dy, dz, state.left[kind])

    def legal_moves(self, state):
        moves = []
        for way in range(len(self.ways) if state.many else 0):
            blocks = self.blocks(state, way)
            for shape, block in enumerate(blocks):
                if blocks.index(block) == shape:
                    moves.append((way, shape))
        return moves

    def is_legal(self, state, move):
        blocks = self.blocks(state, move[0])
        return state.many > 0 and len(blocks) > 0 and blocks.index(blocks[move[1]]) == move[1]

    def play(self, state, move):
        kind, dx, dy, dz = self.ways[move[0]]
        nx, ny, nz = self.blocks(state, move[0])[move[1]]
        begin, left = state.spaces[state.at, :3].copy(), state.left.copy()
        left[kind] -= nx * ny * nz
        end = begin + np.array([nx * dx, ny * dy, nz * dz])
        spaces, many = cut(state.spaces, state.many, begin, end, self.thinnest)
        return self.settled(spaces, many, left, state.volume + nx * ny * nz * dx * dy * dz)

    def score(self, state):
        return 100 * state.volume / self.room

    def code(self, state, move):
        return state.spaces[state.at, 0], move[0], move[1]

    def bias(self, state, move):
        """Return β: blocks that fill much of the space, and those that end where it ends."""
        _, dx, dy, dz = self.ways[move[0]]
        nx, ny, nz = self.blocks(state, move[0])[move[1]]
        x, y, z = state.spaces[state.at, 3:] - state.spaces[state.at, :3]
        return 5 * (nx * dx * ny * dy * nz * dz) / (x * y * z) + (nx * dx == x) + (ny * dy == y) + (nz * dz == z)

    def block_row(self, state, move):
        """Return the row of a solution that a move adds."""
        kind, *sides = self.ways[move[0]]
        return [kind + 1, *state.spaces[state.at, :3].tolist(), *sides, *map(int, self.blocks(state, move[0])[move[1]])]

    def solution_of(self, moves):
        state, rows = self.initial_state(), []
        for move in moves:
            rows.append(self.block_row(state, move))
            state = self.play(state, move)
        return rows

    def own_moves(self, solution):
        faultless(self, solution)
        state, moves = self.initial_state(), []
        for number, row in enumerate(solution, 1):
            move = next((each for each in self.legal_moves(state) if self.block_row(state, each) == [*row]), None)
            if move is None:
                raise InputError(f"boxes: block {number} is none that the search puts next")
            moves.append(move)
            state = self.play(state, move)
        return moves

    def check(self, solution):
        """Return how much is filled, with faults where boxes lie wrongly, are too many, overlap or stick out."""
        faults = faults_in_loading(solution, self.container, self.boxes)
        if faults:
            return Verdict({}, faults)
        volume = sum(math.prod(row[4:]) for row in solution)
        filled = 100 * volume / self.room
        return Verdict({"filled": filled, "boxes": sum(math.prod(row[7:]) for row in solution)}, score=filled)

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the rows of numbers that a text holds, one a line."""
        return rows_of_numbers(text)

    def draw(self, solution):
        """Return the container from above: a letter for each block, of several on one place the lowest."""
        length, width, _ = self.container
        rows = sorted(solution, key=lambda row: -row[3])
        return picture([(x, y, dx * nx, dy * ny) for _, x, y, _, dx, dy, _, nx, ny, _ in rows], length, width)
