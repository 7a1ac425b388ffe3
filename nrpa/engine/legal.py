"""Whether moves that were read from a file are legal: compiled kernels do not look."""

from __future__ import annotations

import numpy as np

from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.model import Model
from nrpa.engine.sound import UnsoundError, require


def require_played(name: str, game: Game, moves: np.ndarray, to_the_end: bool = False) -> None:
    """Play moves from the beginning; raise UnsoundError if one is not legal, or ``to_the_end`` moves are left."""
    game.reset()
    path: list[int] = []
    for move in moves.tolist():
        if game.find(move.__eq__) is None and not leads_alike(game.model, path, move):
            raise UnsoundError(f"array {name} holds {move} as move {len(path) + 1} of a game; expected a legal move")
        game.play(move)
        path.append(move)
    if to_the_end:
        require(not game.legal_moves(), name, "a game to its end")


def leads_alike(model: Model, path: list[int], move: int) -> bool:
    """Return whether a move that is not listed after a path leads to where one that is listed leads, by the hash.

    States of equal hash that have come about in different ways may each have their own number for a move.
    """
    if not model.has_hash:
        return False
    game = Game(model)
    follow(game, path)
    listed = game.all_moves()
    try:
        reached = hash_behind(GuardedGame(model), path, move)
    # A kernel that is given a move that it does not know may raise anything.
    except Exception:
        return False
    return any(hash_behind(game, path, other) == reached for other in listed)


def hash_behind(game: Game, path: list[int], move: int) -> int:
    """Return the hash of the state after a path and a move."""
    follow(game, path)
    game.all_moves()
    game.play(move)
    return game.hash()


def follow(game: Game, path: list[int]) -> None:
    """Play a path from the beginning; a state is asked for all its moves before one of them is played."""
    game.reset()
    for move in path:
        game.all_moves()
        game.play(move)
