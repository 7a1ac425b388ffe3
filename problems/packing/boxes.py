"""Container loading: boxes, of which some sides may not stand upright, into one container."""

# mypy: ignore-errors

import math
from typing import NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import listed
from nrpa.compiling.problem import compiled
from nrpa.io.source import Source
from nrpa.modelling.objective import Objective, Verdict
from nrpa.modelling.problem import Problem
from nrpa.problems.common import faultless
from nrpa.problems.lines import rows_of_numbers
from nrpa.problems.packing.layouts import picture
from nrpa.problems.packing.thpack import fault_in_kinds, faults_in_loading, read_boxes, ways_of

building, cutting, choosing = (lazy(f"nrpa.problems.packing.{name}") for name in ("blocks", "spaces", "worth"))

SPACES = 150
"""The most free spaces that a state has; more are left out."""
CHOICES = 64
"""The most moves of a state."""
SURE = 4.0
"""β of a block is this times the logarithm of its worth, over that of the best."""

# A beam keeps so many states, over the steps of the game, and CHOICES at most; twice as many in one of three searches,
# and four times as many in one of nine. Worth is raised by half by chance at most.
STEPS, RARER, WIDER, SPREAD = 320, 3, 2, 0.5


class State(NamedTuple):
    """A container in part filled."""

    spaces: np.ndarray  # int64[SPACES, 6]: free boxes as large as can be, which overlap: x, y, z, and where they end
    many: int  # how many of them there are
    at: int  # which is filled next
    left: np.ndarray  # int64[kinds]: how many boxes of each kind are left
    able: np.ndarray  # int64[n]: the blocks that they make
    placed: np.ndarray  # int64[boxes, 6]: where the blocks in the container begin and end
    count: int  # how many of them there are
    volume: int  # what was loaded
    best: np.ndarray  # int64[CHOICES]: the blocks that may be put next, the one worth most first
    worth: np.ndarray  # float64[CHOICES]: what they are worth
    choices: int  # how many of them there are


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
        self.size, self.counts = np.array(container), np.array([row[6] for row in self.boxes])
        self.ways = np.array([(kind, *way) for kind, row in enumerate(self.boxes) for way in ways_of(row)])
        self.blocks = building.blocks_of(self.ways, self.counts, self.size)
        volumes = self.blocks.sides.prod(axis=1)
        basic = volumes * self.blocks.counts.sum(axis=1) ** -choosing.FEWNESS
        self.ranked = np.argsort(-basic, kind="stable")
        self.basic, self.sides, self.needs = basic, self.blocks.sides, self.blocks.counts
        self.kinds, self.numbers = building.kinds_in(self.blocks.counts)
        self.rows = building.reachable(self.ways, self.counts, self.size)
        self.room = int(np.prod(container))
        self.thinnest = int(self.ways[:, 1:].min())

    @classmethod
    def from_source(cls, source: Source, **options) -> Self:
        container, boxes = read_boxes(source)
        return cls(container, boxes, **options)

    def bound(self):
        return min(100.0, 100 * sum(row[0] * row[2] * row[4] * row[6] for row in self.boxes) / self.room)

    def initial_state(self):
        spaces = np.zeros((SPACES, 6), np.int64)
        spaces[0, 3:] = self.size
        placed = np.zeros((self.counts.sum(), 6), np.int64)
        return self.settled(spaces, 1, self.counts.copy(), self.ranked.copy(), placed, 0, 0, CHOICES)

    def settled(self, spaces, many, left, able, placed, count, volume, most):
        """Choose the space that is filled next, and ``most`` blocks for it; spaces into which none fits are dropped."""
        best, worth = np.zeros(CHOICES, np.int64), np.zeros(CHOICES)
        while many > 0:
            at = cutting.nearest(spaces, many, self.size)
            blocks = self.sides, self.basic, self.rows
            choices = choosing.choose(spaces[at], able, placed, count, self.size, blocks, best, worth, most)
            if choices > 0:
                return State(spaces, many, at, left, able, placed, count, volume, best, worth, choices)
            many -= 1
            spaces[at] = spaces[many]
        return State(spaces, 0, 0, left, able, placed, count, volume, best, worth, 0)

    def legal_moves(self, state):
        return [*state.best[: state.choices]]

    def is_legal(self, state, move):
        return move in state.best[: state.choices]

    def play(self, state, move):
        return self.put(state, move, CHOICES)

    def put(self, state, block, most):
        """Return the state with a block in the corner of the space that is filled next, of ``most`` choices."""
        begin, left, placed = self.corner(state, block), state.left - self.needs[block], state.placed.copy()
        end = begin + self.sides[block]
        for axis in range(3):
            placed[state.count, axis], placed[state.count, axis + 3] = begin[axis], end[axis]
        able = building.still_able(state.able, left, self.kinds, self.numbers)
        spaces, many = cutting.cut(state.spaces, state.many, begin, end, self.thinnest)
        volume = state.volume + self.sides[block, 0] * self.sides[block, 1] * self.sides[block, 2]
        return self.settled(spaces, many, left, able, placed, state.count + 1, volume, most)

    def corner(self, state, block):
        """Return where a block begins, int64[3]."""
        space = state.spaces[state.at]
        at_end = choosing.at_ends(space, self.size)
        return at_end * (space[3:] - self.sides[block]) + (1 - at_end) * space[:3]

    def score(self, state):
        return 100 * state.volume / self.room

    def code(self, state, move):
        return state.spaces[state.at, 0], move

    def bias(self, state, move):
        """Return β: how much less a block is worth than the best."""
        for place in range(state.choices):
            if state.best[place] == move:
                return SURE * np.log(max(state.worth[place], 1e-9) / max(state.worth[0], 1e-9))
        return 0.0

    def improve(self, moves, others, stop):
        """Keep the first moves, and finish the game by a beam search.

        A state of it counts as much as the playout from it loads that always puts the block worth most (Araya and
        Riff, Computers & Operations Research 43, 2014). Where the kept moves end, how many states a step keeps and
        which blocks are tried is drawn.
        """
        number = len(others)
        for move in others:
            number = (31 * number + move + 1) % (1 << 32)
        number, played = self.drawn(number), max(1, len(moves))
        kept = number // 65_536 % played if len(others) > 0 else 0
        width, number = max(1, min(CHOICES, STEPS // played)), self.drawn(number)
        for _ in range(WIDER):
            if number // 65_536 % RARER == 0:
                width, number = 2 * width, self.drawn(number)
        begun, games = self.initial_state(), np.zeros((width, self.counts.sum()), np.int64)
        for step in range(kept):
            begun = self.play(begun, moves[step])
            games[:, step] = moves[step]
        best, length, most = games[0], 0, -1
        many, steps = 1, kept
        while many > 0 and not stop[0]:
            volume, children = np.zeros(width * CHOICES, np.int64), 0
            later = np.zeros((width * CHOICES, games.shape[1]), np.int64)
            for one in range(many):
                state = begun
                for step in range(kept, steps):
                    state = self.play(state, games[one, step])
                number = self.shuffle(state, number)
                for place in range(min(width, state.choices)):
                    game = later[children]
                    game[:steps] = games[one, :steps]
                    loaded, end = self.finish(state, state.best[place], game, steps, stop)
                    volume[children] = loaded
                    children += 1
                    if loaded > most and not stop[0]:
                        best, length, most = game, end, loaded
            many, last, child = 0, self.room + 1, 0
            while many < width and child >= 0:
                child = -1
                for other in range(children):
                    if volume[other] < last and (child < 0 or volume[other] > volume[child]):
                        child = other
                if child >= 0:
                    games[many], last = later[child], volume[child]
                    many += 1
            steps += 1
        return [*best[:length]]

    def finish(self, state, block, game, steps, stop):
        """Put a block, and then those worth most; write them to a game, and return what is loaded, and its length."""
        while True:
            game[steps] = block
            state, steps = self.put(state, block, 1), steps + 1
            if state.choices == 0 or stop[0]:
                return state.volume, steps
            block = state.best[0]

    def shuffle(self, state, number):
        """Put the choices of a state into an order by chance, where those worth more come first more often."""
        for place in range(state.choices):
            number = self.drawn(number)
            block, worth, at = state.best[place], state.worth[place] * (1 + SPREAD * (number // 65_536) / 65_536), place
            while at > 0 and state.worth[at - 1] < worth:
                state.best[at], state.worth[at] = state.best[at - 1], state.worth[at - 1]
                at -= 1
            state.best[at], state.worth[at] = block, worth
        return number

    def drawn(self, number):
        return (1_664_525 * number + 1_013_904_223) % (1 << 32)

    def block_rows(self, state, move):
        """Return the rows of a solution that a move adds."""
        rows, begin = building.rows_of(self.blocks, self.ways, move), self.corner(state, move).tolist()
        return [[kind, *map(sum, zip(begin, rest[:3], strict=True)), *rest[3:]] for kind, *rest in rows]

    def solution_of(self, moves):
        state, rows = self.initial_state(), []
        for move in moves:
            rows += self.block_rows(state, move)
            state = self.play(state, move)
        return rows

    def own_moves(self, solution):
        faultless(self, solution)
        state, moves, rows = self.initial_state(), [], [[*row] for row in solution]
        while rows:
            blocks = [(self.block_rows(state, move), move) for move in self.legal_moves(state)]
            fitting = [(len(own), move) for own, move in blocks if own == rows[: len(own)]]
            if not fitting:
                raise InputError(f"boxes: block {len(solution) - len(rows) + 1} is none that the search puts next")
            length, move = max(fitting)
            rows = rows[length:]
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
