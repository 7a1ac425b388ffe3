"""The kernels of a cost function of a whole sequence: an order of things, a choice for each place, or some things."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call
from nrpa.machine.jit import jit


class SequenceInstance(NamedTuple):
    """What the kernels know of the sequence.

    - ``first``, int64[places + 1]: The code of the first choice of each place, and the number of codes.
    - ``is_order``: Whether each choice is made at most once, so that all places have the same choices.
    - ``is_subset``: Whether it is a set of things that are chosen one by one, whose order says nothing.
    - ``follows``: Whether the code of a choice depends on the one before it, in place of the place.
    - ``exp_bias``, float64[places, choices]: e^β by places, or [choices + 1, choices] by the choice before it, the last
      row for the first place; [1, choices] of a set; without rows where there is no β.
    - ``address``: The C function that gives the score of the int64 at an address.
    """

    first: np.ndarray
    is_order: bool
    is_subset: bool
    follows: bool
    exp_bias: np.ndarray
    address: int


class SequenceState(NamedTuple):
    """A sequence, the number of its places that are filled, which choices are made, and what the function is given."""

    sequence: np.ndarray  # int64[places]
    filled: np.ndarray  # int64[1]
    made: np.ndarray  # bool[choices]
    taken: np.ndarray  # int64[choices] of a set: 1 for a thing that is in it; else empty


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
    code = 0 if instance.is_subset else before * choices if instance.follows else instance.first[place]
    rows = instance.exp_bias.shape[0]
    row = 0 if instance.is_subset else before if rows > state.sequence.shape[0] else place
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
    return cost_of(instance, state, state.sequence)


def evaluate(instance, state, sequence):
    """Do so for a whole sequence."""
    return cost_of(instance, state, sequence)


@jit
def cost_of(instance, state, sequence):
    """Ask the cost function about a sequence, or about a set as 1 for each thing that is in it, else 0."""
    if not instance.is_subset:
        return call(instance.address, sequence)
    state.taken[:] = 0
    for place in range(sequence.shape[0]):
        state.taken[sequence[place]] = 1
    return call(instance.address, state.taken)


def choices(instance, state, place):
    """Return how many choices a place has; 0 in an order, and minus the number of things of a set."""
    number = instance.first[place + 1] - instance.first[place]
    return -number if instance.is_subset else 0 if instance.is_order else number


kernels(reset, legal_moves, play, score, evaluate, choices)(SequenceState)
