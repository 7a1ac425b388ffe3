"""Problems whose games are all orders of the same moves, each of which is legal as long as it is left.

Tours, schedules and numberings are of this kind. A changed game then needs no lists of legal moves: what is left is
legal. That is found out from random games, whose lists are made, and is not proven by them. So a game that is better
than all before is checked by the rules, and where one fails, or a move cannot be made, lists are made ever after.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import choices, legal_moves, play, reset
from nrpa.engine.model import Model
from nrpa.engine.status import EXCEPTION
from nrpa.machine.jit import jit
from nrpa.solvers.tempering.ranks import NONE, last_index

# Random games, how many moves are made without lists to find out whether that leaves the same states, and how long a
# game may take.
GAMES, UNLISTED_STEPS, SECONDS_OF_ONE = 5, 30, 2.0
# The legal moves after which no other game is begun, and after which a game is too long to look at.
LISTED_OF_ALL, LISTED_OF_ONE = 1_000_000, 20_000_000

_known: WeakKeyDictionary[Model, bool] = WeakKeyDictionary()


def can_permute(model: Model) -> bool:
    """Return whether ``permutes`` says so of a problem, which is found out once."""
    if model not in _known:
        _known[model] = permutes(model)
    return _known[model]


def permutes(model: Model) -> bool:
    """Return whether random games are orders of the same moves, legal until made, and need no lists of them.

    They need none where ``play`` leaves the same states, in plain Python, whether the legal moves were listed or not.
    Sequences that are evaluated say themselves whether they are orders. Of a game of 20 million legal moves, or of some
    seconds, nothing is known.
    """
    if model.is_evaluated:
        return bool(choices(model.instance, model.new_state(), 0) == 0)
    chance, listed = random.Random(0), 0
    first, made = list[int](), list[int]()
    for _ in range(GAMES):
        made, offered = _random_game(Game(model), chance)
        first = first or sorted(made)
        if sorted(made) != first or numbers_left(made) != offered:
            return False
        listed += sum(offered)
        if listed > LISTED_OF_ALL:
            break
    return model.limits.grow or _plays_unlisted(model, made[:UNLISTED_STEPS])


def _random_game(game: Game, chance: random.Random) -> tuple[list[int], list[int]]:
    """Play a random game; return its moves and how many were legal at each, up to where a move is legal anew."""
    game.reset()
    made, offered, listed = list[int](), list[int](), 0
    end = time.perf_counter() + SECONDS_OF_ONE
    moves = game.legal_moves()
    known = set(moves)
    while moves and listed <= LISTED_OF_ONE and time.perf_counter() <= end and known.issuperset(moves):
        offered.append(len(moves))
        listed += len(moves)
        made.append(chance.choice(moves))
        game.play(made[-1])
        moves = game.legal_moves()
    return made, [*offered, *[len(moves)] * bool(moves)]


def numbers_left(made: Sequence[int]) -> list[int]:
    """Return how many different moves are left of a game before each of them."""
    left, numbers = set[int](), list[int]()
    for move in reversed(made):
        left.add(move)
        numbers.append(len(left))
    return numbers[::-1]


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
    instance, state, moves, _ = position
    reset(instance, state)
    for step in range(child.length[0]):
        count = legal_moves(instance, state, moves)
        if count <= 0 or count > moves.move.shape[0] or last_index(moves.move, count, child.move[0, step]) == NONE:
            return min(count, EXCEPTION)
        play(instance, state, child.move[0, step])
    count = legal_moves(instance, state, moves)
    return 0 if count == 0 else min(count, EXCEPTION)
