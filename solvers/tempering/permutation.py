"""Problems whose games are all orders of the same moves, each of which is legal as long as it is left.

Tours, schedules and numberings are of this kind. A changed game then needs no lists of legal moves: what is left is
legal. That is found out from random games, whose lists are made, and is not proven by them. So a game that is better
than all before is checked by the rules, and where one fails, or a move cannot be made, lists are made ever after.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import choices, legal_moves, play, reset
from nrpa.engine.model import Model
from nrpa.engine.status import EXCEPTION
from nrpa.machine.jit import jit
from nrpa.solvers.tempering.ranks import NONE, last_index

# Random games, or fewer that list so many moves; and how many moves are made without lists to find out whether that
# leaves the same states.
GAMES, LISTED, UNLISTED_STEPS = 5, 1_000_000, 30


def can_permute(model: Model) -> bool:
    """Return whether random games are orders of the same moves, legal until made, and need no lists of them.

    They need none where ``play`` leaves the same states, in plain Python, whether the legal moves were listed or not.
    Sequences that are evaluated say themselves whether they are orders.
    """
    if model.is_evaluated:
        return bool(choices(model.instance, model.new_state(), 0) == 0)
    chance, first, made, listed, games = random.Random(0), list[int](), list[int](), 0, 0
    while games < GAMES and listed < LISTED:
        offered = list[int]()

        def chosen(moves: list[int], offered: list[int] = offered) -> int:
            offered.append(len(moves))
            return chance.choice(moves)

        made = Game(model).playout(chosen)
        first = first or sorted(made)
        if sorted(made) != first or not offers_all_left(made, offered):
            return False
        games, listed = games + 1, listed + sum(offered)
    return model.limits.grow or _plays_unlisted(model, made[:UNLISTED_STEPS])


def offers_all_left(made: Sequence[int], offered: Sequence[int]) -> bool:
    """Return whether as many moves were offered at each step as differ among those that were made from then on."""
    later = set[int]()
    for move, count in zip(reversed(made), reversed(offered), strict=True):
        later.add(move)
        if len(later) != count:
            return False
    return True


def _plays_unlisted(model: Model, moves: Sequence[int]) -> bool:
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
