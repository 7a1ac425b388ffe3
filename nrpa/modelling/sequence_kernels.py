"""The kernels of a cost function of a whole sequence: an order of things, a choice for each place, or some things."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call
from nrpa.machine.jit import jit
from nrpa.machine.records import begin

# Plain Python is asked, too, each so many calls; of sequences of this many places and more, in proportion to those.
COMPARED_AT, COMPARED_PLACES = 2**15, 256


class SequenceInstance(NamedTuple):
    """What the kernels know of the sequence.

    - ``first``, int64[places + 1]: The code of the first choice of each place, and the number of codes.
    - ``is_order``: Whether each choice is made at most once, so that all places have the same choices.
    - ``is_subset``: Whether it is a set of things that are chosen one by one, whose order says nothing.
    - ``follows``: Whether the code of a choice depends on the one before it, in place of the place.
    - ``exp_bias``, float64[places, choices]: e^β by places, or [choices + 1, choices] by the choice before it, the last
      row for the first place; [1, choices] of a set; without rows where there is no β.
    - ``addresses``, int64[4]: C functions: the one that gives the score of the int64 at an address, one that compares
      it with plain Python, one that gives the change of the score, 0 where there is none, and one that is told where
      that is wrong.
    """

    first: np.ndarray
    is_order: bool
    is_subset: bool
    follows: bool
    exp_bias: np.ndarray
    addresses: np.ndarray


class SequenceState(NamedTuple):
    """A sequence, how many of its places are filled, which choices are made, what the function is given, and calls."""

    sequence: np.ndarray  # int64[places]
    filled: np.ndarray  # int64[1]
    made: np.ndarray  # bool[choices]
    taken: np.ndarray  # int64[2, choices] of two sets: 1 for a thing that is in it; else empty
    calls: np.ndarray  # int64[1]
    change: np.ndarray  # int64[7]: where two sequences lie, how long they are, and how they differ


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
    """Ask the cost function about a sequence, or about a set as 1 for each thing that is in it, else 0.

    Now and then it is compared with plain Python.
    """
    state.calls[0] += 1
    address = instance.addresses[np.int64(state.calls[0] % compared_at(sequence) == 0)]
    if not instance.is_subset:
        return call(address, sequence)
    write_taken(state.taken[0], sequence)
    return call(address, state.taken[0])


@jit
def compared_at(sequence):
    """Return after how many calls the cost is compared with plain Python again."""
    return COMPARED_AT * max(sequence.shape[0] // COMPARED_PLACES, 1)


@jit
def write_taken(taken, things):
    """Write a set as 1 for each thing that is in it, else 0."""
    taken[:] = 0
    for place in range(things.shape[0]):
        taken[things[place]] = 1


def difference(instance, state, sequence, before, first, between, last, is_written):
    """Return by how much the score of a sequence is above that of another; NaN where it is not known by sums."""
    is_compared = (state.calls[0] + 1) % compared_at(sequence) == 0
    if instance.addresses[2] == 0 or (is_compared and not is_written):
        return np.nan
    state.calls[0] += 1
    if not instance.is_subset:
        return change_of(instance, state.change, sequence, before, first, between, last, is_written, is_compared)
    changed, taken = state.taken[0], state.taken[1]
    write_taken(changed, sequence)
    write_taken(taken, before)
    if last - first != 1:
        return change_of(instance, state.change, changed, taken, 0, -1, changed.shape[0], 1, is_compared)
    one, other = min(before[first], sequence[first]), max(before[first], sequence[first]) + 1
    return change_of(instance, state.change, changed, taken, one, other, other, 1, is_compared)


@jit
def change_of(instance, change, sequence, before, first, between, last, is_written, is_compared):
    """Ask how the cost changes; compare that with two whole sequences."""
    change[0], change[1], change[2] = begin(sequence), begin(before), sequence.shape[0]
    change[3], change[4], change[5], change[6] = first, between, last, is_written
    found = call(instance.addresses[2], change)
    if not is_compared or np.isnan(found):
        return found
    whole = call(instance.addresses[1], sequence) - call(instance.addresses[0], before)
    return found if found == whole else call(instance.addresses[3], change)


def choices(instance, state, place):
    """Return how many choices a place has; 0 in an order, and minus the number of things of a set."""
    number = instance.first[place + 1] - instance.first[place]
    return -number if instance.is_subset else 0 if instance.is_order else number


kernels(reset, legal_moves, play, score, evaluate, difference, choices)(SequenceState)
