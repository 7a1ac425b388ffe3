"""The Wargame as the search plays it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.problems.games.turns import TURN, hash, pass_on, player  # noqa: A004

LEFT = 1


class Instance(NamedTuple):
    """P teams of M units, N = P·M, with H points of health in the beginning."""

    order: np.ndarray  # int64[N], the units in the order of their turns
    key: np.ndarray  # int64[N, H + 1], Zobrist keys
    turn_key: np.ndarray  # int64[N]
    members: int
    abstract: bool  # whether a code is attacker and target alone


def reset(instance, state):
    """Give all units their health."""
    full = instance.key.shape[1] - 1
    state.health[:] = full
    state.hash[0] = 0
    for unit in range(instance.order.shape[0]):
        state.hash[0] ^= instance.key[unit, full]
    state.alive[:] = instance.members
    state.turn[TURN] = 0
    state.turn[LEFT] = state.alive.shape[0]


def legal_moves(instance, state, moves):
    """Write the living units of the other teams, none where only one team is left."""
    if state.turn[LEFT] == 1:
        return 0
    attacker = instance.order[state.turn[TURN]]
    team = attacker // instance.members
    units = instance.order.shape[0]
    full = instance.key.shape[1] - 1
    count = 0
    for target in range(units):
        health = np.int64(state.health[target])
        if health > 0 and target // instance.members != team:
            code = attacker
            if not instance.abstract:
                code = full * attacker + state.health[attacker] - 1
            code = units * code + target
            if not instance.abstract:
                code = full * code + health - 1
            moves.move[count] = target
            moves.code[count] = code
            count += 1
    return count


def play(instance, state, move):
    """Attack a unit, and pass the turn on to the next unit that lives."""
    health = np.int64(state.health[move])
    state.hash[0] ^= instance.key[move, health] ^ instance.key[move, health - 1]
    state.health[move] = health - 1
    if health == 1:
        team = move // instance.members
        state.alive[team] -= 1
        if state.alive[team] == 0:
            state.turn[LEFT] -= 1
    pass_on(instance, state)


def rewards(instance, state, rewards):
    """Give 1 to the only player who has units, and 0 to the others."""
    for team in range(rewards.shape[0]):
        rewards[team] = 1.0 if state.alive[team] > 0 else 0.0


@kernels(reset, legal_moves, play, player, rewards, hash)
class State(NamedTuple):
    """A position."""

    health: NDArray[np.int8]  # [N]
    alive: NDArray[np.int64]  # [P], the living units of each team
    turn: NDArray[np.int64]  # [2], the place in the order of turns, and how many teams are left
    hash: NDArray[np.int64]  # [1], of the units
