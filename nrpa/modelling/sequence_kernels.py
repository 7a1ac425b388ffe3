"""The kernels of a cost function of a whole sequence: an order of things, or a choice for each place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call


class SequenceInstance(NamedTuple):
    """What the kernels know of the sequence.

    - ``first``, int64[places + 1]: The code of the first choice of each place, and the number of codes.
    - ``is_order``: Whether each choice is made once, so that all places have the same choices.
    - ``follows``: Whether the code of a choice depends on the one before it, in place of the place.
    - ``exp_bias``, float64[places, choices]: e^β by places, or [choices + 1, choices] by the choice before it, the last
      row for the first place; without rows where there is no β.
    - ``address``: The C function that gives the score of the int64 at an address.
    """

    first: np.ndarray
    is_order: bool
    follows: bool
    exp_bias: np.ndarray
    address: int


class SequenceState(NamedTuple):
    """A sequence, the number of its places that are filled, and which choices of an order are made."""

    sequence: np.ndarray  # int64[places]
    filled: np.ndarray  # int64[1]
    made: np.ndarray  # bool[choices]


def reset(instance, state):
    """Begin with nothing."""
    state.filled[0] = 0
    state.made[:] = False


def legal_moves(instance, state, moves):
    """Write the choices of the next place, without those made of an order; return their number."""
    place, found = state.filled[0], 0
    if place == state.sequence.shape[0]:
        return 0
    choices = instance.first[place + 1] - instance.first[place]
    before = state.sequence[place - 1] if place > 0 else choices
    code = before * choices if instance.follows else instance.first[place]
    rows = instance.exp_bias.shape[0]
    row = before if rows > state.sequence.shape[0] else place
    for choice in range(choices):
        if instance.is_order and state.made[choice]:
            continue
        moves.move[found], moves.code[found] = choice, code + choice
        if rows > 0:
            moves.exp_bias[found] = instance.exp_bias[row, choice]
        found += 1
    return found


def play(instance, state, move):
    """Make the choice of the next place."""
    state.sequence[state.filled[0]] = move
    state.filled[0] += 1
    state.made[move] = True


def score(instance, state):
    """Ask the cost function; NaN after an exception."""
    return call(instance.address, state.sequence)


def evaluate(instance, state, sequence):
    """Do so for a whole sequence."""
    return call(instance.address, sequence)


def choices(instance, state, place):
    """Return how many choices a place has; 0 in an order."""
    return 0 if instance.is_order else instance.first[place + 1] - instance.first[place]


kernels(reset, legal_moves, play, score, evaluate, choices)(SequenceState)
