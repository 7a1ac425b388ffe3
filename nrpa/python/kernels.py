"""The kernels of a problem in plain Python, through which the compiled search drives it.

The search knows the number of a state's slot. One call does a whole step: it plays the last move, lists the legal moves
of the new state, and scores it if there are none. So kernels only note what is due; it is done when something about the
state is asked for. The player and the hash of a state are asked for by calls of their own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import kernels
from nrpa.engine.status import EXCEPTION, TOO_MANY_MOVES_AT_ONCE
from nrpa.machine.callback import call, call_int64
from nrpa.machine.jit import jit, load_float64, load_int64

SLOT, MOVE, HEADER, CODES, BIAS = range(5)
NO_PLAYER = -1
# What is due before the next look at a state: a move (its number), or one of these.
RESET, NOTHING, FAILED = -1, -2, -3
WORD = 8
# How a number of moves, and the most that there can be, are one number.
LENGTH_BITS = 32


class PythonInstance(NamedTuple):
    """What the kernels know of the problem: addresses of Python functions, and the number of players."""

    players: int
    step: int
    play_out: int  # plays a whole game of random moves
    play_order: int  # plays a whole order of moves
    copy: int
    value: int
    choices: np.ndarray  # int64[steps]: how many moves each step of a game that is evaluated has; empty of orders
    player: int = 0  # 0 where it is always the first player's turn
    hash: int = 0  # 0 where states have none
    improve: int = 0  # 0 where the problem improves no games
    all_moves: int = 0  # 0 where all moves are the legal ones
    evaluate: int = 0  # gives the score of the int64 at an address; 0 where games are played


def reset(instance, state):
    """Note that the initial state is to be made."""
    state.cell[MOVE] = RESET


def legal_moves(instance, state, moves):
    """Do what is due and write the legal moves; return their number.

    EXCEPTION or INTERRUPTED where the problem raised one, TOO_MANY_MOVES_AT_ONCE where ``moves`` is too small.
    """
    return write_moves(instance.step, state, moves)


def all_moves(instance, state, moves):
    """Do the same for the moves that a level of NMCS tries."""
    return write_moves(instance.step if instance.all_moves == 0 else instance.all_moves, state, moves)


@jit
def write_moves(address, state, moves):
    """Do what is due and write the moves that a Python function lists; return what ``legal_moves`` does."""
    count = ask(address, state)
    if count < 0:
        return count
    if count > len(moves.move):
        return TOO_MANY_MOVES_AT_ONCE
    data = load_int64(state.cell[HEADER])
    for m in range(count):
        moves.move[m] = load_int64(data + WORD * m)
    if state.cell[CODES]:
        data += WORD * count
    for m in range(count):
        moves.code[m] = load_int64(data + WORD * m)
    if state.cell[BIAS]:
        data += WORD * count
        for m in range(count):
            moves.exp_bias[m] = load_float64(data + WORD * m)
    return count


def play(instance, state, move):
    """Note that ``move`` is to be made."""
    if state.cell[MOVE] != NOTHING:
        step(instance, state)
    if state.cell[MOVE] != FAILED:
        state.cell[MOVE] = move


def score(instance, state):
    """Return the score, which came with the empty list of legal moves: 0 in a game, NaN after an exception."""
    if state.cell[MOVE] != NOTHING and step(instance, state) < 0:
        return np.nan
    return 0.0 if instance.players > 1 else load_float64(state.cell[HEADER] + WORD)


def rewards(instance, state, rewards):
    """Write the rewards, which came with the empty list of legal moves; NaN after an exception."""
    failed = state.cell[MOVE] != NOTHING and step(instance, state) < 0
    for player in range(rewards.shape[0]):
        rewards[player] = np.nan if failed else load_float64(state.cell[HEADER] + WORD * (1 + player))


def value(instance, state, rewards):
    """Write what each player can expect; NaN after an exception."""
    failed = state.cell[MOVE] != NOTHING and step(instance, state) < 0
    failed = failed or call_int64(instance.value, state.cell[SLOT], 0) < 0
    for player in range(rewards.shape[0]):
        rewards[player] = np.nan if failed else load_float64(state.cell[HEADER] + WORD * (1 + player))


def player(instance, state):
    """Return whose turn it is; NO_PLAYER after an exception."""
    if instance.player == 0:
        return 0
    if state.cell[MOVE] != NOTHING and step(instance, state) < 0:
        return NO_PLAYER
    return call_int64(instance.player, state.cell[SLOT], 0)


def hash(instance, state):  # noqa: A001
    """Return the hash of the state's key; after an exception 0, and the state's legal moves then give EXCEPTION."""
    if instance.hash == 0 or (state.cell[MOVE] != NOTHING and step(instance, state) < 0):
        return 0
    if call_int64(instance.hash, state.cell[SLOT], 0) < 0:
        state.cell[MOVE] = FAILED
        return 0
    return load_int64(state.cell[HEADER] + WORD * (1 + instance.players))


def copy(instance, source, target):
    """Copy a state, and what is due for it, into the slot of another one."""
    target.cell[MOVE] = source.cell[MOVE]
    if call_int64(instance.copy, source.cell[SLOT], target.cell[SLOT]) < 0:
        target.cell[MOVE] = FAILED


def improve(instance, state, sequence, steps):
    """Let the problem change a whole game; return whether it did, or a negative status."""
    if instance.improve == 0:
        return 0
    return call_int64(instance.improve, sequence.ctypes.data, steps + (sequence.shape[0] << LENGTH_BITS))


def evaluate(instance, state, sequence):
    """Return the score of a whole game, which is not played; NaN after an exception."""
    return call(instance.evaluate, sequence)


def choices(instance, state, place):
    """Return how many moves a step has; 0 in an order."""
    return instance.choices[place] if instance.choices.shape[0] > 0 else 0


@jit
def step(instance, state):
    """Do what is due; return the number of legal moves, or a negative status after an exception."""
    return ask(instance.step, state)


@jit
def ask(address, state):
    """Do what is due by the Python function at an address; return the number of moves, or a negative status."""
    if state.cell[MOVE] == FAILED:
        return EXCEPTION
    count = call_int64(address, state.cell[SLOT], state.cell[MOVE])
    state.cell[MOVE] = NOTHING if count >= 0 else FAILED
    return count


KERNELS = (reset, legal_moves, all_moves, play, score, rewards, value, player, hash, copy, improve)


@kernels(*KERNELS)
class PythonState(NamedTuple):
    """A state that is kept in Python."""

    # int64[5]: the number of its slot; what is due (a move, RESET, NOTHING or FAILED); the address of the slot's
    # header; whether codes are written after the moves; whether e^β is written after them
    cell: np.ndarray


@kernels(*KERNELS, evaluate, choices)
class EvaluatedState(NamedTuple):
    """The same of a class that values whole games."""

    cell: np.ndarray
