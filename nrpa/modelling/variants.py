"""An instance with other values of its options: those that its class says are worth trying."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.modelling.compiled_problem import CompiledProblem

game_module = lazy("nrpa.engine.game")

GAMES = 3


def tried_values(cls: type[BaseProblem]) -> list[tuple[str, Any]]:
    """Return the values, other than its default, that are worth trying of an option by name, where these are few."""
    few = [option for option in cls.cli_options if not isinstance(option.tried, Range)]
    return [(option.name, value) for option in few for value in option.tried if value != option.default]


def variants(
    problem: CompiledProblem, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> list[CompiledProblem]:
    """Return instances made of the same arguments, each with another value of one option worth trying.

    An option that the caller has set stays. A variant is left out if its moves mean something else in the instance.
    """
    if any(isinstance(given, Iterator) for given in (*arguments, *keywords.values())):
        return []
    defaults = {option.name: option.default for option in problem.cli_options}
    found = []
    for name, value in tried_values(type(problem)):
        if problem.options[name] != defaults[name]:
            continue
        try:
            variant = type(problem)(*arguments, **{**keywords, name: value})
        except (TypeError, InputError):
            continue
        variant.origin = problem.origin
        if variant.digest() == problem.digest() and _mean_the_same(variant, problem):
            found.append(variant)
    return found


def _mean_the_same(variant: CompiledProblem, problem: CompiledProblem) -> bool:
    """Return whether the moves of some random games of a variant are the same solutions in the instance."""
    game, random = game_module.Game(variant.model), np.random.default_rng(0)
    for _ in range(GAMES):
        moves: list[int] = []
        game.reset()
        while len(moves) < variant.max_steps and (legal := game.legal_moves()):
            moves.append(legal[random.integers(len(legal))])
            game.play(moves[-1])
        there, here = (each.check(each.solution(np.array(moves, np.int64))) for each in (variant, problem))
        if there.score is None or (there.faults, there.score) != (here.faults, here.score):
            return False
        if not math.isclose(there.score, game.value("score"), rel_tol=1e-9, abs_tol=1e-9):
            return False
    return True
