"""What chance deals and hides in games of several players: what ``deal`` and ``determinize`` give."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from nrpa.base.values import shortened
from nrpa.checking.contract import Subject
from nrpa.checking.games import own_moves, playing
from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem


def drawn_games(subject: Subject, most: int) -> Iterator[str]:
    """Deal, play on at random, and yield what is wrong with ``deal`` and ``determinize``; empty for nothing."""
    problem, chance = subject.problem, subject.chance
    is_dealt = problem.hides or type(problem).deal is not BaseProblem.deal
    for _ in range(most if is_dealt else 0):
        game, moves, fault = _drawn(problem, "deal", chance)
        yield fault
        while problem.hides and game.legal_moves():
            other, _, fault = _drawn(problem, "determinize", chance, moves)
            yield fault
            if (other.player(), sorted(other.listed)) != (game.player(), sorted(game.listed)):
                yield f"determinize led to another player or other legal moves after {len(moves)} moves"
            made = chance.choice(game.listed)
            moves = [*moves, *own_moves(problem, [made])]
            game.play(made)


def _drawn(problem: BaseProblem, method: str, chance: random.Random, *given: list[Any]) -> tuple[Game, list[Any], str]:
    """Return a game after the moves that a method gives, these moves, and what is wrong with them."""
    seed, game = chance.randrange(2**32), playing(problem)
    draw = getattr(problem, method)
    moves, again = ([*draw(*map(list, given), np.random.default_rng(seed))] for _ in range(2))
    if moves != again:
        return game, moves, f"{method} is not deterministic: it gives other moves for one seed; draw from random"
    game.reset()
    for step, move in enumerate(moves, start=1):
        legal = game.legal_moves()
        if move not in (own := own_moves(problem, legal)):
            return game, moves, f"{method} gave {shortened(repr(move))} as move {step}, which is not legal there"
        game.play(legal[own.index(move)])
    game.legal_moves()
    return game, moves, ""
