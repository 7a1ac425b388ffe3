"""The Investment Pair Game as the search plays it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.jit import jit
from nrpa.problems.games.turns import TURN, hash, player  # noqa: A004

ENOUGH = 3
NOBODY = -1
OPEN = 1
EXACT, ABSTRACT = 0, 1


class Instance(NamedTuple):
    """P teams of M members, N = P·M."""

    order: np.ndarray  # int64[N], the members in the order of their turns
    key: np.ndarray  # int64[N, 4], Zobrist keys
    turn_key: np.ndarray  # int64[N]
    members: int
    coding: int  # what a code tells, EXACT, ABSTRACT or, as else, the receiver alone


def reset(instance, state):
    """Begin without wealth."""
    state.hash[0] = 0
    for member in range(instance.order.shape[0]):
        state.hash[0] ^= instance.key[member, 0]
    state.wealth[:] = 0
    state.winner[:] = NOBODY
    state.won[:] = 0
    state.turn[TURN] = 0
    state.turn[OPEN] = instance.members


def legal_moves(instance, state, moves):
    """Write the members of the team against whom nobody has won, nor they against others."""
    giver = instance.order[state.turn[TURN]]
    team = giver // instance.members
    count = 0
    for number in range(instance.members):
        if state.winner[number] != NOBODY:
            continue
        member = team * instance.members + number
        moves.move[count] = member
        moves.code[count] = code_of(instance, state, giver, member)
        count += 1
    return count


@jit
def code_of(instance, state, giver, receiver):
    """Return the code of a unit of wealth that is given."""
    number = receiver % instance.members
    if instance.coding == ABSTRACT:
        return giver * instance.members + number
    code = receiver
    if instance.coding == EXACT:
        code = 4 * code + state.wealth[giver]
        for other in range(state.won.shape[0]):
            code = ENOUGH * code + state.wealth[other * instance.members + number]
    return code


def play(instance, state, move):
    """Give a unit of wealth, and pass the turn on to the next member who has not been beaten."""
    wealth = np.int64(state.wealth[move])
    state.hash[0] ^= instance.key[move, wealth] ^ instance.key[move, wealth + 1]
    state.wealth[move] = wealth + 1
    team, number = np.divmod(move, instance.members)
    if wealth + 1 == ENOUGH:
        state.winner[number] = team
        state.won[team] += 1
        state.turn[OPEN] -= 1
    members = instance.order.shape[0]
    turn = state.turn[TURN]
    while state.turn[OPEN] > 0:
        turn = turn + 1 if turn + 1 < members else 0
        team, number = np.divmod(instance.order[turn], instance.members)
        if state.winner[number] == NOBODY or state.winner[number] == team:
            break
    state.turn[TURN] = turn


def rewards(instance, state, rewards):
    """Share 1 between the teams that have won most often."""
    most = 0
    for team in range(rewards.shape[0]):
        most = max(most, state.won[team])
    best = 0
    for team in range(rewards.shape[0]):
        best += state.won[team] == most
    for team in range(rewards.shape[0]):
        rewards[team] = 1.0 / best if state.won[team] == most else 0.0


@kernels(reset, legal_moves, play, player, rewards, hash)
class State(NamedTuple):
    """A position."""

    wealth: NDArray[np.int8]  # [N]
    winner: NDArray[np.int8]  # [M], the team whose member has won against those of the same number, or NOBODY
    won: NDArray[np.int64]  # [P], how often each team has
    turn: NDArray[np.int64]  # [2], the place in the order of turns, and how many numbers are open
    hash: NDArray[np.int64]  # [1], of the members
