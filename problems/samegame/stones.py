"""Stones: cells of the first board that keep their names when they fall. Only some states know where they are.

The functions here do nothing for a state without stones, so that a search that does not ask for them has no code for
them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import made
from nrpa.engine.jit import OPTIONS, jit
from nrpa.engine.kernels import NEVER, NOT_NOW
from nrpa.problems.samegame.selective import STEP, has_group, most_playable

GONE = 0
# Odd, and without a pattern in its bits: 2^64 divided by the golden ratio, as int64.
STIR = np.int64(-7046029254386353131)
ONE = np.uint64(1)


def where_known(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function one that does nothing for a state without stones, by a decorator.

    Parameters
    ----------
    function : callable
        It takes a state with stones as ``state``, and returns nothing.

    Returns
    -------
    callable
        The function, for compiled code and for plain Python.
    """
    parameters = ", ".join(inspect.signature(function).parameters)
    compiled = jit(function)
    source = f"def call({parameters}):\n    if hasattr(state, 'stone'):\n        known({parameters})\n"
    call = made(source, "call", {"known": function})
    known = made(f"def known({parameters}):\n    compiled({parameters})\n", "known", {"compiled": compiled})
    nothing = made(f"def nothing({parameters}):\n    pass\n", "nothing", {})
    choose = f"def choose({parameters}):\n    return known if 'stone' in state.fields else nothing\n"
    overload(call, jit_options=OPTIONS)(made(choose, "choose", {"known": known, "nothing": nothing}))
    return call


@where_known
def place_stones(instance, state):
    """Place a stone on each cell of the first board; it is called as the cell."""
    for cell in range(instance.board.shape[0]):
        state.stone[cell] = cell
        state.cell[cell] = cell if instance.board[cell] != np.uint8(0) else GONE
        state.root[cell] = instance.root[cell]
    state.gone[0] = 0


@where_known
def follow(instance, state, source, target, kept):
    """Move the stone of a cell to another cell; take it away unless it is kept (uint64, 0 or 1)."""
    stone = np.uint64(state.stone[source])
    state.stone[target] = stone
    state.cell[stone] = target * kept
    state.gone[0] ^= instance.key[stone] & (np.int64(kept) - 1)


@where_known
def follow_column(state, source, target, height):
    """Move the stones of a column of a height; ``source`` and ``target`` are the lowest cells."""
    for row in range(height):
        stone = state.stone[source + row]
        state.stone[target + row] = stone
        state.cell[np.uint64(stone)] = target + row


@where_known
def enter_root(state, cell, root):
    """Enter the root of the group of a cell."""
    state.root[cell] = root


@where_known
def copy_stones(state, target):
    """Copy where the stones of a state are to another state."""
    for cell in range(state.stone.shape[0]):
        target.stone[cell] = state.stone[cell]
        target.cell[cell] = state.cell[cell]
        target.root[cell] = state.root[cell]
    target.gone[0] = state.gone[0]


def name(instance, state, moves, place):
    """Return the stone at the root of a group: one of its names."""
    return np.int64(state.stone[np.uint64(moves.move[place])])


def find(instance, state, name):
    """Return the root of the group that a stone is in; NEVER where it is gone, NOT_NOW where it may not be played.

    The root of a cell is that of its group wherever it has a neighbour of its colour.
    """
    stride = np.uint64(instance.stride)
    board = state.board
    cell = np.uint64(state.cell[np.uint64(name)])
    colour = board[cell]
    if colour == np.uint8(0):
        return NEVER
    joined = (board[cell + ONE] == colour) | (board[cell - ONE] == colour)
    joined |= (board[cell + stride] == colour) | (board[cell - stride] == colour)
    if not joined:
        return NOT_NOW
    root = np.uint64(state.root[cell])
    most = most_playable(instance, state)
    if state.kind[root] > most and has_group(state, most):
        return NOT_NOW
    return np.int64(root)


def rest(instance, state):
    """Return a hash of the stones that are gone, and of the moves made while the pairs of the tabu colour must wait."""
    return state.gone[0] ^ (min(state.counts[STEP], instance.pairs_from) * STIR)
