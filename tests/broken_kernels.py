"""A problem with kernels that break one promise each."""

from typing import NamedTuple

import numpy as np

import nrpa


class Instance(NamedTuple):
    broken: int


def reset(instance, state):
    for k in range(8):
        state.bits[k] = 0
    state.count[0] = 0


@nrpa.jit
def write_moves(instance, state, moves):
    if state.count[0] == 8:
        return 0
    for move in range(2):
        moves.move[move] = move
        moves.code[move] = 2 * state.count[0] + move
        if instance.broken == 1:
            state.asked[0] += 1
            moves.code[move] = state.asked[0] % 16
        if instance.broken == 2:
            moves.code[move] += 10
    return 2


def legal_moves(instance, state, moves):
    return write_moves(instance, state, moves)


def all_moves(instance, state, moves):
    count = write_moves(instance, state, moves)
    return count - 1 if instance.broken == 8 and count > 0 else count


def play(instance, state, move):
    state.bits[state.count[0] + (1 if instance.broken == 3 else 0)] = move
    state.count[0] += 1


def score(instance, state):
    total = 0.0
    for k in range(8):
        total += state.bits[k]
    return np.nan if instance.broken == 4 else total


def copy(instance, source, target):
    for k in range(8):
        target.bits[k] = source.bits[k]
    if instance.broken != 5:
        target.count[0] = source.count[0]


@nrpa.kernels(reset, legal_moves, all_moves, play, score, copy)
class State(NamedTuple):
    bits: np.ndarray
    count: np.ndarray
    asked: np.ndarray


class Compiled(nrpa.CompiledProblem):
    def __init__(self, broken):
        super().__init__(Instance(broken), max_steps=8, max_moves=2, codes=16)
        self.broken = broken
        self.shared = np.zeros(8, np.int64)

    def new_state(self):
        bits = self.shared if self.broken == 6 else np.zeros(8, np.int64)
        return State(bits, np.zeros(1, np.int64), np.zeros(1, np.int64))

    def check(self, solution):
        return nrpa.Verdict({"score": sum(solution)}, score=sum(solution) + (self.broken == 7))
