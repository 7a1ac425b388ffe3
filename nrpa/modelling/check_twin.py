"""Whether kernels and a class in plain Python play the same games."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from nrpa.base.plain import plain
from nrpa.base.values import shortened
from nrpa.engine.answers import checked_rewards, listed, score_of
from nrpa.engine.game import Game
from nrpa.modelling.check_states import result_of
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.problem import Problem

CLOSE = 1e-9
LONGEST_LIST = 200


def different_games(problem: CompiledProblem, twin: Problem, games: Iterable[list[int]]) -> str:
    """Play the games in both side by side, and return the first difference in words.

    Moves belong together that build the same solution; where no first moves do, those at the same places in the lists.
    """
    game, by_place = Game(problem.model), False
    for number, moves in enumerate(games):
        game.reset()
        state: Any = twin.initial_state()
        things: list[Hashable] = []
        for step in range(len(moves) + 1):
            ours, theirs = game.legal_moves(), listed(twin, twin.legal_moves(state))
            built, built_there = _built(problem, moves[:step], ours), _built(twin, things, theirs)
            if number == step == 0:
                by_place = not any(each in built_there for each in built)
            if by_place:
                built, built_there = [*range(len(ours))], [*range(len(theirs))]
            if sorted(map(repr, built)) != sorted(map(repr, built_there)):
                return f"at step {step + 1} the legal moves are {_text(ours)}, those of the twin {_text(theirs)}"
            if twin.players > 1 and game.player() != twin.player(state):
                return f"at step {step + 1} it is player {game.player()}'s turn, in the twin {twin.player(state)}'s"
            if step < len(moves):
                things.append(theirs[built_there.index(built[ours.index(moves[step])])])
                state = twin.play(state, things[-1])
                game.play(moves[step])
        found, there = result_of(game), _result_there(twin, state)
        if not all(math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) for a, b in zip(found, there, strict=True)):
            kernel = "rewards" if twin.players > 1 else "score"
            return f"{kernel} is {_text(found)}, that of the twin {_text(there)}, after the moves {_text(moves)}"
    return ""


def _built(problem: CompiledProblem | Problem, before: list[Any], legal: Iterable[Any]) -> list[Any]:
    """Return what each legal move builds after those before; the place of the move where nothing is built yet."""
    built: list[Any] = []
    for place, move in enumerate(legal):
        moves = [*before, move]
        numbers = np.array(moves, np.int64) if isinstance(problem, CompiledProblem) else problem.model.numbers_of(moves)
        try:
            built.append(plain(problem.solution(numbers)))
        except Exception:
            # A class may build whole games only.
            built.append((type(problem), place))
    return built


def _result_there(twin: Problem, state: Any) -> list[float]:
    if twin.players > 1:
        return [*checked_rewards(twin, twin.rewards(state), twin.players)]
    return [score_of(twin, state)]


def _text(things: Iterable[Any]) -> str:
    return shortened(repr([*things]), LONGEST_LIST)
