"""The kernels of any problem as functions that a test can call, and the work area that they write to."""

import numpy as np

from nrpa.engine.kernels import Moves, all_moves, copy, find, improve, kernels_of, legal_moves, play, reset, score
from nrpa.machine.jit import entry_point


def of_each_problem(function):
    """Return a function that is compiled for each class of states, with machine code on disk."""
    compiled = {}

    def call(instance, state, *rest):
        if type(state) not in compiled:
            kernels = kernels_of(type(state)).values()
            compiled[type(state)] = entry_point(function, type(state), kernels)
        return compiled[type(state)](instance, state, *rest)

    return call


@of_each_problem
def compiled_reset(instance, state):
    reset(instance, state)


@of_each_problem
def compiled_legal_moves(instance, state, moves):
    return legal_moves(instance, state, moves)


@of_each_problem
def compiled_all_moves(instance, state, moves):
    return all_moves(instance, state, moves)


@of_each_problem
def compiled_play(instance, state, move):
    play(instance, state, move)


@of_each_problem
def compiled_score(instance, state):
    return score(instance, state)


@of_each_problem
def compiled_find(instance, state, name):
    return find(instance, state, name)


@of_each_problem
def compiled_copy(instance, state, target):
    copy(instance, state, target)


@of_each_problem
def compiled_improve(instance, state, sequence, steps):
    return improve(instance, state, sequence, steps)


def random_game(problem, chance):
    """Return the moves of a random game (int64[steps]), and its last state."""
    state, listed, played = problem.new_state(), moves_for(problem), []
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, listed):
        assert problem.codes is None or listed.code[:count].max() < problem.codes
        played.append(chance.choice(listed.move[:count].tolist()))
        compiled_play(problem.instance, state, played[-1])
    return np.array(played, np.int64), state


def moves_for(problem):
    size = problem.max_moves
    return Moves(np.zeros(size, np.int64), np.zeros(size, np.int64), np.ones(size))
