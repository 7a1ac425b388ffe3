"""Problems whose games are all orders of the same moves, each of which is legal as long as it is left.

Tours, schedules and numberings are of this kind. A changed game then needs no lists of legal moves: what is left is
legal. That is found out from random games, whose lists were made, and is not proven by them. So a game that is better
than all before is checked by the rules, and where one fails, or a move cannot be made, lists are made ever after.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.draws import STIR
from nrpa.engine.kernels import legal_moves, play, reset
from nrpa.engine.ranks import NONE, enter, last_index
from nrpa.engine.status import EXCEPTION
from nrpa.machine.jit import inlined, jit

UNTRIED, HOLDS, FAILS = range(3)
# Fewer random games say too little.
FEWEST_GAMES = 10


class Permutation(NamedTuple):
    """What is known of it, for each of some games.

    - ``verdict``, int64[games]: UNTRIED, HOLDS or FAILS.
    - ``seen``, int64[games]: How many random games it is from.
    - ``moves``, int64[games]: A hash of the moves of a whole game, whatever their order.
    """

    verdict: np.ndarray
    seen: np.ndarray
    moves: np.ndarray


def allocate_permutation(games: int) -> Permutation:
    """Return what is known before any game."""
    return Permutation(np.full(games, UNTRIED), np.zeros(games, np.int64), np.zeros(games, np.int64))


@inlined
def is_permutation(permutation, game):
    """Return whether it holds, as far as is known."""
    return permutation.verdict[game] == HOLDS and permutation.seen[game] >= FEWEST_GAMES


@jit
def learn_from(permutation, game, room):
    """Learn from a game of random moves, which is the changed one of ``room``."""
    child, ranks = room.child, room.ranks
    enter(ranks, child.name[0], 0, child.length[0])
    different, moves, holds = 0, np.int64(0), ranks.by_move[0]
    for step in range(child.length[0] - 1, -1, -1):
        different += ranks.following[step] == NONE
        holds &= room.offered[step] == different
        name = child.name[0, step]
        moves += (name ^ (name >> 29)) * STIR
    permutation.seen[game] += 1
    if permutation.verdict[game] == UNTRIED:
        permutation.verdict[game], permutation.moves[game] = HOLDS, moves
    if not holds or permutation.moves[game] != moves:
        permutation.verdict[game] = FAILS


@jit
def check_rules(position, child):
    """Return 0 if each move of a changed game is legal in its turn and none after the last one, or a status below 0."""
    instance, state, moves = position
    reset(instance, state)
    for step in range(child.length[0]):
        count = legal_moves(instance, state, moves)
        if count <= 0 or count > moves.move.shape[0] or last_index(moves.move, count, child.move[0, step]) == NONE:
            return min(count, EXCEPTION)
        play(instance, state, child.move[0, step])
    count = legal_moves(instance, state, moves)
    return 0 if count == 0 else min(count, EXCEPTION)
