"""Random moves of changed games, drawn by what earlier draws of them were worth, and by the problem's bias β.

A draw is worth 1 where the changed game is no worse than the game, and less the worse it is. The mean worth of a move
is brought nearer to that of all moves as if it had been drawn some more times (a prior), so that moves drawn in vain
seldom come again, and new ones are not left out.

References
----------
H. Finnsson and Y. Björnsson, *Simulation-Based Approach to General Game Playing*, AAAI 2008: random moves by the mean
of what they came to in other playouts (MAST).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import shared_entry
from nrpa.engine.random import uniform
from nrpa.machine.jit import jit

# Moves with the same bits of a hash of their names share an entry.
ENTRIES = 4096
# How many draws the prior stands for, the share of draws that are even, and how much a loss of the mean size counts.
PRIOR, EVEN, SHARPNESS = 3.0, 0.1, 10.0
# What is remembered of a move at its next draw, and of all moves at each draw.
REMEMBERED, REMEMBERED_OF_ALL = 0.98, 0.999
NO_DRAW = -1


class MoveWorth(NamedTuple):
    """What the draws of moves were worth, for each of some games; older ones count for less.

    - ``number``, float64[games, ENTRIES]: How often a move was drawn.
    - ``worth``, float64[games, ENTRIES]: What its draws were worth together.
    - ``overall``, float64[games, 4]: Both of all moves; how many changed games were worse, and their losses together.
    """

    number: np.ndarray
    worth: np.ndarray
    overall: np.ndarray


def allocate_move_worth(games: int) -> MoveWorth:
    """Return what is known before any draw."""
    overall = np.tile([1.0, 1.0, 0.0, 0.0], (games, 1))
    return MoveWorth(np.zeros((games, ENTRIES)), np.zeros((games, ENTRIES)), overall)


@jit
def worth_entry(name):
    """Return the entry of a name, or of a hash of it."""
    return shared_entry(name, ENTRIES)


@jit
def draw_index(record, game, is_even, names, exp_bias, count, random):
    """Return an index below ``count``, drawn evenly or by worth, and by e^β where there is one.

    ``names`` (int64[moves]) and ``exp_bias`` (float64[moves], or [0] where β is not used) are those of the legal moves.
    """
    left = uniform(random)
    has_bias = exp_bias.shape[0] > 0
    if is_even and not has_bias:
        return np.int64(left * count)
    if left < EVEN:
        return np.int64(left / EVEN * count)
    total = 0.0
    for index in range(count):
        total += draw_weight(record, game, is_even, names, exp_bias, index)
    left = (left - EVEN) / (1.0 - EVEN) * total
    for index in range(count - 1):
        left -= draw_weight(record, game, is_even, names, exp_bias, index)
        if left < 0.0:
            return np.int64(index)
    return np.int64(count - 1)


@jit
def draw_weight(record, game, is_even, names, exp_bias, index):
    """Return what the probability of a legal move is in proportion to."""
    factor = exp_bias[index] if exp_bias.shape[0] > 0 else 1.0
    return factor if is_even else factor * mean_worth(record, game, names[index])


@jit
def mean_worth(record, game, name):
    """Return what a draw of a move is worth, as far as it is known."""
    entry = worth_entry(name)
    prior = PRIOR * record.overall[game, 1] / record.overall[game, 0]
    return (record.worth[game, entry] + prior) / (record.number[game, entry] + PRIOR)


@jit
def count_draws(record, game, entries, gain):
    """Count the draws of a changed game, ``entries`` (int64[draws + 1]) to NO_DRAW, and its gain, which is not 0."""
    overall, worth = record.overall[game], 1.0
    if gain < 0.0:
        overall[2] = overall[2] * REMEMBERED_OF_ALL + 1.0
        overall[3] = overall[3] * REMEMBERED_OF_ALL - gain
        worth = np.exp(SHARPNESS * gain * overall[2] / overall[3])
    for entry in entries:
        if entry == NO_DRAW:
            return
        record.number[game, entry] = record.number[game, entry] * REMEMBERED + 1.0
        record.worth[game, entry] = record.worth[game, entry] * REMEMBERED + worth
        overall[0] = overall[0] * REMEMBERED_OF_ALL + 1.0
        overall[1] = overall[1] * REMEMBERED_OF_ALL + worth
