"""Checks of games of several players, for ``check_problem``: rewards, turns, and what chance deals and hides."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from nrpa.base.values import shortened
from nrpa.checking.games import playing, things
from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem


def reward_fault(problem: BaseProblem, rewards: Sequence[float]) -> str:
    """Return what is wrong with what the players of a game got; empty for nothing."""
    largest = max(rewards)
    if problem.players == 1 or largest <= problem.largest_reward:
        return ""
    limit = f"largest_reward = {problem.largest_reward:g}"
    return f"a player got {largest:g}, more than {limit}; set it to what no player can get more of"


def turn_doubt(problem: BaseProblem, played: Sequence[Sequence[int]]) -> str:
    """Return what to say where some players never move; empty where all do. ``played`` are the moves of games."""
    game, movers = playing(problem), set[int]()
    for moves in played:
        game.reset()
        for move in moves:
            game.legal_moves()
            movers.add(game.player())
            game.play(move)
    idle = sorted({*range(problem.players)} - movers)
    if not idle or not played:
        return ""
    said = ", ".join(map(str, sorted(movers)))
    return f"player gives {said} alone in {len(played)} games; of {problem.players} players, {idle[0]} never moves"


def faults_of_chance(problem: BaseProblem, chance: random.Random, most: int) -> Iterator[str]:
    """Deal, play on at random, and yield what is wrong with ``deal`` and ``determinize``; empty for nothing."""
    if type(problem).deal is BaseProblem.deal and not problem.hides:
        return
    for _ in range(most):
        seed = chance.randrange(2**32)
        dealt = _drawn(problem, problem.deal, seed)
        yield _unlike("deal", dealt, _drawn(problem, problem.deal, seed))
        game = _after(problem, "deal", dealt)
        if isinstance(game, str):
            yield game
            return
        moves = dealt
        while problem.hides and (legal := game.legal_moves()):
            yield _determinize_fault(problem, game, moves, chance.randrange(2**32))
            made = chance.choice(legal)
            moves = [*moves, *things(game, [made])]
            game.play(made)


def _determinize_fault(problem: BaseProblem, game: Game, moves: list[Any], seed: int) -> str:
    drawn = _drawn(problem, problem.determinize, seed, [*moves])
    if fault := _unlike("determinize", drawn, _drawn(problem, problem.determinize, seed, [*moves])):
        return fault
    other = _after(problem, "determinize", drawn)
    if isinstance(other, str):
        return other
    if other.player() != game.player() or sorted(other.legal_moves()) != sorted(game.legal_moves()):
        return f"determinize led to another player or other legal moves after {len(moves)} moves"
    return ""


def _drawn(problem: BaseProblem, draw: Any, seed: int, *given: Any) -> list[Any]:
    """Return what ``deal`` or ``determinize`` gives for a seed, as a list."""
    return [*draw(*given, np.random.default_rng(seed))]


def _unlike(method: str, one: list[Any], other: list[Any]) -> str:
    return "" if one == other else f"{method} is not deterministic: it gives other moves for one seed; draw from random"


def _after(problem: BaseProblem, method: str, moves: list[Any]) -> Game | str:
    """Return the game after some moves, or which of them is not legal."""
    game = playing(problem)
    game.reset()
    for step, thing in enumerate(moves, start=1):
        legal = game.legal_moves()
        alike = [move for move, own in zip(legal, things(game, legal), strict=True) if own == thing]
        if not alike:
            return f"{method} gave {shortened(repr(thing))} as move {step}, which is not legal there"
        game.play(alike[0])
    game.legal_moves()
    return game
