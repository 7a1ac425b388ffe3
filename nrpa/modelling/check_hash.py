"""Whether the hash of a problem tells its states apart."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from nrpa.engine.game import Game

MOST_COMPARISONS = 200


def confused_states(game: Game, other: Game, games: Iterable[list[int]]) -> str:
    """Look for two states of equal hash that are not the same.

    Both are played on by the same random moves: at each step they must have the same legal moves, codes and player's
    turn, and at the end the same result. Returns a fault in words, empty for none, as ``wrong_rest`` does.
    """
    chance = random.Random(0)
    first: dict[int, list[int]] = {}
    comparisons = 0
    for moves in games:
        game.reset()
        for step in range(len(moves) + 1):
            before = moves[:step]
            earlier = first.setdefault(game.hash(), before)
            if earlier != before and comparisons < MOST_COMPARISONS:
                comparisons += 1
                difference = _difference(game, other, earlier, before, chance)
                if difference:
                    return f"hash is equal for two states that differ: {difference} ({_lengths(earlier, before)})"
                follow(game, before)
            game.legal_moves()
            if step < len(moves):
                game.play(moves[step])
    return ""


def result_of(game: Game) -> list[float]:
    """Return what a final state is worth: the rewards of a game's players, else the score."""
    return game.rewards() if game.model.players > 1 else [game.score()]


def same_results(one: list[float], another: list[float]) -> bool:
    """Return whether two results agree, but for rounding."""
    return len(one) == len(another) and all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-6) for a, b in zip(one, another, strict=True)
    )


def _difference(game: Game, other: Game, earlier: list[int], later: list[int], chance: random.Random) -> str:
    """Return in words how the states after two beginnings differ; empty if they do not."""
    follow(game, earlier)
    follow(other, later)
    while True:
        for listed in (game, other):
            listed.legal_moves()
        if sorted(zip(game.listed, game.codes, strict=True)) != sorted(zip(other.listed, other.codes, strict=True)):
            return "their legal moves, or codes, are not the same"
        if game.player() != other.player():
            return "it is not the same player's turn"
        if not game.listed:
            return "" if same_results(result_of(game), result_of(other)) else "they do not end with the same result"
        move = chance.choice(sorted(game.listed))
        game.play(move)
        other.play(move)


def follow(game: Game, moves: list[int]) -> None:
    """Play moves from the beginning; a state is asked for its legal moves before one of them is played."""
    game.reset()
    for move in moves:
        game.legal_moves()
        game.play(move)


def _lengths(*beginnings: list[int]) -> str:
    return " and ".join(f"after {len(moves)} moves" for moves in beginnings)
