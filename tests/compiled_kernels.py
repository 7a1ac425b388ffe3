"""The kernels of any problem as functions that a test can call, and the work area that they write to."""

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import Moves, all_moves, improve, legal_moves, play, reset, score


@jit
def compiled_reset(instance, state):
    reset(instance, state)


@jit
def compiled_legal_moves(instance, state, moves):
    return legal_moves(instance, state, moves)


@jit
def compiled_all_moves(instance, state, moves):
    return all_moves(instance, state, moves)


@jit
def compiled_play(instance, state, move):
    play(instance, state, move)


@jit
def compiled_score(instance, state):
    return score(instance, state)


@jit
def compiled_improve(instance, state, sequence, steps):
    return improve(instance, state, sequence, steps)


def moves_for(problem):
    size = problem.max_moves
    return Moves(np.zeros(size, np.int64), np.zeros(size, np.int64), np.ones(size))
