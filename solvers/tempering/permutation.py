"""Problems whose games are all orders of the same moves, each of which is legal as long as it is left.

Tours, schedules and numberings are of this kind. A changed game then needs no lists of legal moves: what is left is
legal. That is found out from random games, whose lists were made, and is not proven by them. So a game that is better
than all before is checked by the rules, and where one fails, or a move cannot be made, lists are made ever after.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import legal_moves, play, reset
from nrpa.engine.model import Model
from nrpa.engine.random import mixed
from nrpa.engine.status import EXCEPTION
from nrpa.machine.jit import inlined, jit
from nrpa.solvers.tempering.ranks import NONE, enter, last_index

UNTRIED, HOLDS, FAILS = range(3)
# Fewer random games say too little.
FEWEST_GAMES = 10
# How many moves are made without lists to find out whether that leaves the same states.
UNLISTED_STEPS = 30


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
def learn_from(permutation, game, work):
    """Learn from a game of random moves, which is the changed one of ``work``."""
    child, ranks = work.child, work.ranks
    enter(ranks, child.name[0], 0, child.length[0])
    different, moves, holds = 0, np.int64(0), ranks.by_move[0]
    for step in range(child.length[0] - 1, -1, -1):
        different += ranks.following[step] == NONE
        holds &= work.offered[step] == different
        moves += np.int64(mixed(np.uint64(child.name[0, step])))
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


def can_permute(model: Model) -> bool:
    """Return whether one random game is an order of moves that are legal until made, and needs no lists of them.

    It needs none where ``play`` leaves the same states, in plain Python, whether the legal moves were listed or not.
    """
    chance, numbers, left = random.Random(0), list[int](), set[int]()

    def chosen(moves: list[int]) -> int:
        numbers.append(len(moves))
        return chance.choice(moves)

    made = Game(model).playout(chosen)
    for move, number in zip(reversed(made), reversed(numbers), strict=True):
        left.add(move)
        if len(left) != number:
            return False
    return model.limits.grow or _plays_unlisted(model, made[:UNLISTED_STEPS])


def _plays_unlisted(model: Model, moves: list[int]) -> bool:
    states = []
    for lists in (True, False):
        try:
            game = GuardedGame(model)
            game.reset()
            for move in moves:
                if lists:
                    game.legal_moves()
                game.play(move)
            game.legal_moves()
        except Exception:
            return False
        states.append(game.state)
    return all(np.array_equal(one, other) for one, other in zip(*states, strict=True))
