"""Classes in plain Python for the tests of ``nrpa.compiled``: together they use all idioms that are compiled."""

from typing import NamedTuple

import numpy as np

import nrpa


def distance(a, b):
    """Return how far apart two numbers are, for a method that calls a function of its module."""
    return abs(a - b) if a != b else 0


SCALES = [1, 2, 4]


class Visits(nrpa.Problem):
    """Arrays in a NamedTuple, ``_replace``, a property, a method that calls another one, codes, a bias, a lookahead."""

    objective = nrpa.Objective("length", sign=-1, digits=0)

    class State(NamedTuple):
        left: np.ndarray
        at: int
        length: float

    def __init__(self, places, reward=3):
        self.places, self.reward = list(places), reward

    @property
    def count(self):
        return len(self.places)

    def initial_state(self):
        return State(np.ones(self.count, np.bool_), 0, 0)

    def legal_moves(self, state):
        if not state.left.any():
            return []
        return [place for place in range(self.count) if state.left[place]]

    def step(self, state, place):
        return SCALES[place % 3] * distance(self.places[state.at], self.places[place])

    def play(self, state, move):
        left = state.left.copy()
        left[move] = False
        return state._replace(left=left, at=move, length=state.length + self.step(state, move) / 2)

    def score(self, state):
        return -state.length

    def code(self, state, move):
        return (state.at, move) if move != state.at else (-1, -1)

    def bias(self, state, move):
        return -self.step(state, move) / self.reward

    def is_legal(self, state, move):
        return True if state.left[move] else nrpa.NEVER

    def rest(self, state):
        return state.at, tuple([place for place in range(self.count) if state.left[place]])

    def value(self, state):
        return -state.length - sum(1.5 for place in range(self.count) if state.left[place])

    def improve(self, moves):
        return sorted(moves, key=lambda place: self.places[place])


State = Visits.State


class Words(nrpa.Problem):
    """Tuples of any length and moves that are tuples: stars, sums, repetitions, unpacked rows, extremes by a key."""

    objective = nrpa.Lexicographic(nrpa.Objective("cost", -1), nrpa.Objective("spread", -1, digits=1))

    def __init__(self, pairs, counts):
        self.pairs, self.counts = [tuple(pair) for pair in pairs], tuple(counts)

    def initial_state(self):
        return (), (0,) * len(self.counts), ((0, 0), 1)

    def legal_moves(self, state):
        made, used, _ = state
        legal = [(k, a) for k, (a, b) in enumerate(self.pairs) if used[k % len(used)] < 2 and (k, b) != (0, -1)]
        return legal if len(made) < 6 else []

    def play(self, state, move):
        made, used, ((low, high), sign) = state
        number, value = move
        used = list(used)
        used[number % len(used)] += 1
        best = max(range(len(used)), key=lambda place: used[place])
        made = (*made[-3:], value, -best) if len(made) > 4 else made + (value,)  # noqa: RUF005
        return made, tuple(used), ((min(low, value), max(high, value)), -sign)

    def score(self, state):
        made, used, ((low, high), sign) = state
        total = sum(value * value for value in made) + made.count(0)
        return -total - used.index(max(used)), -(high - low) / 2 - (sign > 0)

    def key(self, state):
        return state[0], state[1]


class Bits(nrpa.Problem):
    """One number is the state, written in place of nothing; a game of two players."""

    players = 2

    def __init__(self, width):
        self.width = width

    def initial_state(self):
        return (1 << self.width) - 1

    def legal_moves(self, state):
        return [bit for bit in range(self.width) if state >> bit & 1 and (state.bit_length() - bit) % 3 != 2]

    def play(self, state, move):
        assert state >> move & 1
        return state & ~(1 << move)

    def player(self, state):
        return state.bit_count() % 2

    def rewards(self, state):
        won = state.bit_count() % 2
        return [float(won), 1.0 - won]

    def key(self, state):
        return state


class Board(nrpa.Problem):
    """A matrix that ``play`` writes, and ``copy``: its own method to change places, and a loop that breaks."""

    objective = nrpa.Objective("points", sign=1, digits=0)

    def __init__(self, cells):
        self.cells = np.array(cells)

    def initial_state(self):
        return self.cells.copy(), np.zeros(2, np.int64)

    def copy(self, state):
        return state[0].copy(), state[1].copy()

    def legal_moves(self, state):
        cells, _ = state
        moves = []
        for row in range(cells.shape[0]):
            for column in range(cells.shape[1]):
                if cells[row, column] > 0:
                    moves.append((row, column, int(cells[row, column])))
                    break
        return moves

    def play(self, state, move):
        cells, points = state
        row, column, value = move
        cells[row, column] = 0
        points[0] += value * points[1]
        points[1] += 1
        return state

    def score(self, state):
        return float(state[1][0]) * (state[0] != self.cells).any()

    codes = 9

    def code(self, state, move):
        return 3 * move[0] + move[1]

    def all_moves(self, state):
        cells = state[0]
        return [
            (row, column, int(cells[row, column]))
            for row in range(cells.shape[0])
            for column in range(cells.shape[1])
            if cells[row, column] > 0
        ]


class Job(NamedTuple):
    work: int
    weight: float


CLOSED = {(0, 1), (2, 0)}


class Depot(nrpa.Problem):
    """Sets, dictionaries, letters, records, lists, and rows of several lengths."""

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, letters):
        self.letters = letters
        self.cost = {(a, b): 3 * ord(a) - 2 * ord(b) for a in letters for b in letters}
        self.weight = {place: place * place for place in range(2, len(letters))}
        self.near = [list(range(place)) for place in range(len(letters))]
        self.jobs = [Job(place + 1, place / 2) for place in range(len(letters))]

    def initial_state(self):
        return frozenset(range(len(self.letters))), tuple((k,) * k for k in range(3)), []

    def legal_moves(self, state):
        left, _, path = state
        moves = [place for place in range(len(self.letters)) if place in left]
        if path and any(place in left for place in self.near[path[-1]]):
            return [place for place in moves if (path[-1], place) not in CLOSED]
        return moves

    def play(self, state, move):
        left, stacks, path = state
        to = min(range(len(stacks)), key=lambda k: len(stacks[k]))
        stacks = stacks[:to] + (stacks[to] + (self.jobs[move].work,),) + stacks[to + 1 :]  # noqa: RUF005
        return left - {move}, stacks, [*path, move]

    def score(self, state):
        _, stacks, path = state
        where = {place: k for k, place in enumerate(path)}
        total = sum(self.weight.get(place, -1) * k for place, k in where.items())
        for a, b in zip(path, path[1:], strict=False):  # noqa: RUF007
            total += self.cost[self.letters[a], self.letters[b]]
        for (work, weight), place in zip(self.jobs, path, strict=False):
            total += work * weight * place
        first, *_, last = path[::-1]
        top = max((stack[-1] for stack in stacks if stack), default=-1)
        found = next((place for place in path if self.letters[place] == "c"), -1)
        alike = tuple(stacks[0]) == tuple(stacks[1])
        kinds = len({self.letters[place] for place in path})
        return -total - kinds - top * found + all(len(stack) > 1 for stack in stacks) - first * last - alike

    def code(self, state, move):
        return state[2][-1] - 2 if state[2] else 7, move

    def key(self, state):
        return state[0], state[1]


def problems():
    """Return an instance of each class."""
    return [
        Visits([3, 1, 4, 1, 5, 9, 2, 6]),
        Words([(2, 1), (0, 5), (-3, 2), (0, 0)], (1, 2, 3)),
        Bits(9),
        Board([[1, 2, 0], [0, 3, 4], [5, 0, 6]]),
        Depot("abcac"),
    ]
