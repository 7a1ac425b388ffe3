"""Games that are changed and played again; whole searches of them: ``tests/solvers/test_tempering.py``."""

from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa.engine.kernels import allocate_moves
from nrpa.engine.playout import Position
from nrpa.engine.random import random_state
from nrpa.engine.replay import EVERY, allocate_games, allocate_replay, replay, states_between, take_child
from nrpa.engine.status import SCORE_IS_NAN, TOO_MANY_STEPS

STEPS = 30
COLOURS = 4


class Instance(NamedTuple):
    steps: int


def reset(instance, state):
    state.made[0] = 0
    state.left[:] = 9


def legal_moves(instance, state, moves):
    return listed(instance, state, moves, COLOURS - 1)


def all_moves(instance, state, moves):
    return listed(instance, state, moves, COLOURS)


@nrpa.jit
def listed(instance, state, moves, colours):
    """List the colours that are left, the last move's excepted; a move is a colour, and a code says when it is made."""
    count = 0
    for colour in range(colours if state.made[0] < instance.steps else 0):
        if state.left[colour] > 0 and state.made[1] != colour:
            moves.move[count] = colour
            moves.code[count] = COLOURS * state.made[0] + colour
            count += 1
    return count


def play(instance, state, move):
    state.made[0] += 1
    state.made[1] = move
    state.left[move] -= 1


def score(instance, state):
    return state.left[0] - state.left[1]


def name(instance, state, moves, place):
    return 100 + moves.move[place]


def find(instance, state, moves, count, name):
    for place in range(count):
        if 100 + moves.move[place] == name:
            return place
    return -1


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find)
class State(NamedTuple):
    made: np.ndarray
    left: np.ndarray


class Beads(nrpa.CompiledProblem):
    """A row of beads, of no colour twice in turn; levels of NMCS have a colour more."""

    def __init__(self, steps=STEPS):
        super().__init__(Instance(steps), max_steps=steps, max_moves=COLOURS, codes=COLOURS * steps)

    def new_state(self):
        return State(np.zeros(2, np.int64), np.zeros(COLOURS, np.int64))


def reset_row(instance, state):
    state.made[0], state.made[1] = 0, -1
    state.left[:] = 9


class Table:
    """What ``replay`` needs, with one game in place 0."""

    def __init__(self, steps=STEPS):
        problem = Beads()
        self.position = Position(problem.instance, problem.new_state(), allocate_moves(COLOURS))
        self.games = allocate_games(2, steps)
        self.room = allocate_replay([problem.new_state() for _ in range(states_between(steps))], steps)
        self.random = random_state(1)

    def replayed(self, unchanged, wanted, by_chance=False):
        """Play again, with no state known, then with those that are; return the status and the changed game's names."""
        seen = []
        before = self.random.copy()
        for known in (0, self.room.known[0]):
            self.room.known[0] = known
            self.random[:] = before
            self.room.wanted[: len(wanted)] = wanted
            status = replay(
                self.position, self.room, self.games, 0, unchanged, len(wanted), by_chance, self.random
            )
            length = self.room.child.length[0]
            seen.append((status, self.room.child.name[0, :length].tolist(), self.room.child.move[0, :length].tolist()))
        assert seen[0] == seen[1]
        assert seen[0][1] == [100 + move for move in seen[0][2]]
        return seen[0][:2]
