"""The Video Game as the search plays it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.games.turns import TURN, pass_on, player

NOBODY = -1
LEFT = 1
EXACT, ABSTRACT, SPECIFIC = 0, 1, 2


class Instance(NamedTuple):
    """A board of C cells and two teams of M units, N = 2·M, with H points of health in the beginning."""

    order: np.ndarray  # int64[N], the units in the order of their turns
    start: np.ndarray  # int64[N], their first cells
    around: np.ndarray  # int64[C, 9], the cell and those around it, row after row, -1 off the board
    reaches: np.ndarray  # uint8[C, C], whether a unit on the one cell can attack one on the other
    key: np.ndarray  # int64[N, C, H + 1], Zobrist keys
    turn_key: np.ndarray  # int64[N]
    left_key: np.ndarray  # int64[moves + 1]
    members: int
    coding: int  # EXACT, ABSTRACT or SPECIFIC


def reset(instance, state):
    """Set up the units."""
    full = instance.key.shape[2] - 1
    state.unit[:] = NOBODY
    state.hash[0] = 0
    for unit in range(instance.order.shape[0]):
        cell = instance.start[unit]
        state.cell[unit] = cell
        state.unit[cell] = unit
        state.health[unit] = full
        state.hash[0] ^= instance.key[unit, cell, full]
    state.alive[:] = instance.members
    state.turn[TURN] = 0
    state.turn[LEFT] = instance.left_key.shape[0] - 1


def legal_moves(instance, state, moves):
    """Write the moves that attack; where there are none, the cells where the unit can go or stay."""
    if state.turn[LEFT] == 0 or state.alive[0] == 0 or state.alive[1] == 0:
        return 0
    unit = instance.order[state.turn[TURN]]
    units = instance.order.shape[0]
    first = 0 if unit >= instance.members else instance.members
    count = 0
    for step in range(9):
        cell = destination(instance, state, unit, step)
        if cell < 0:
            continue
        for target in range(first, first + instance.members):
            if state.health[target] > 0 and instance.reaches[cell, state.cell[target]]:
                moves.move[count] = cell * (units + 1) + target + 1
                moves.code[count] = code_of(instance, state, unit, step, cell, target)
                count += 1
    if count == 0:
        for step in range(9):
            cell = destination(instance, state, unit, step)
            if cell >= 0:
                moves.move[count] = cell * (units + 1)
                moves.code[count] = code_of(instance, state, unit, step, cell, NOBODY)
                count += 1
    return count


@jit
def destination(instance, state, unit, step):
    """Return the cell where a step leads, -1 if it is off the board or taken by another unit."""
    cell = instance.around[state.cell[unit], step]
    if cell < 0 or (state.unit[cell] != NOBODY and state.unit[cell] != unit):
        return -1
    return cell


@jit
def code_of(instance, state, unit, step, cell, target):
    """Return the code of a move; ``target`` is NOBODY without attack."""
    units = instance.order.shape[0]
    cells = instance.around.shape[0]
    full = instance.key.shape[2] - 1
    health = 0 if target < 0 else np.int64(state.health[target])
    if instance.coding == ABSTRACT:
        return unit * (units + 1) + target + 1
    if instance.coding == SPECIFIC:
        place = cells if target < 0 else np.int64(state.cell[target])
        return ((unit // instance.members * cells + cell) * (cells + 1) + place) * (full + 1) + health
    attacker = (unit * cells + state.cell[unit]) * (full + 1) + state.health[unit]
    return ((attacker * 9 + step) * (units + 1) + target + 1) * (full + 1) + health


def play(instance, state, move):
    """Go to a cell and attack, and pass the turn on to the next unit that lives."""
    units = instance.order.shape[0]
    unit = instance.order[state.turn[TURN]]
    cell, target = np.divmod(move, units + 1)
    health = np.int64(state.health[unit])
    state.hash[0] ^= instance.key[unit, state.cell[unit], health] ^ instance.key[unit, cell, health]
    state.unit[state.cell[unit]] = NOBODY
    state.unit[cell] = unit
    state.cell[unit] = cell
    if target > 0:
        attack(instance, state, target - 1)
    pass_on(instance, state)
    state.turn[LEFT] -= 1


@jit
def attack(instance, state, target):
    """Take a point of health from a unit; without health it leaves the board."""
    health = np.int64(state.health[target])
    cell = state.cell[target]
    state.hash[0] ^= instance.key[target, cell, health]
    state.health[target] = health - 1
    if health == 1:
        state.unit[cell] = NOBODY
        state.alive[target // instance.members] -= 1
    else:
        state.hash[0] ^= instance.key[target, cell, health - 1]


def rewards(instance, state, rewards):
    """Give 1 to the only player who has units and 0 to the other; 0.5 each where both have."""
    for team in range(2):
        rewards[team] = 0.5
        if state.alive[1 - team] == 0:
            rewards[team] = 1.0
        if state.alive[team] == 0:
            rewards[team] = 0.0


def hash(instance, state):  # noqa: A001
    """Return the XOR of the keys of each unit's place and health, of whose turn it is, and of the moves left."""
    return state.hash[0] ^ instance.turn_key[state.turn[TURN]] ^ instance.left_key[state.turn[LEFT]]


@kernels(reset, legal_moves, play, player, rewards, hash)
class State(NamedTuple):
    """A position."""

    unit: NDArray[np.int16]  # [C], who is on a cell, or NOBODY
    cell: NDArray[np.int64]  # [N], where each unit is or was last
    health: NDArray[np.int8]  # [N]
    alive: NDArray[np.int64]  # [2], the living units of each player
    turn: NDArray[np.int64]  # [2], the place in the order of turns, and how many moves are left
    hash: NDArray[np.int64]  # [1], of the units
