"""Instances of a compiled problem with other values of its options."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range
from nrpa.modelling.compiled_problem import CompiledProblem

game_module = lazy("nrpa.engine.game")
# Games by which moves of an instance and of one with other options are compared.
GAMES = 3


def variants(problem: CompiledProblem) -> tuple[CompiledProblem, ...]:
    """Return instances made of the same arguments, each with another value of one option worth trying; made once.

    An option that the caller has set stays. A variant is left out if its moves mean something else in the instance.
    """
    if problem._variants is None:
        problem._variants = tuple(_made_of(problem))
    return problem._variants


def _made_of(problem: CompiledProblem) -> Iterator[CompiledProblem]:
    arguments, keywords = problem._given
    if any(isinstance(given, Iterator) for given in (*arguments, *keywords.values())):
        return
    for name, value in _tried_values(problem):
        try:
            variant = type(problem)(*arguments, **{**keywords, name: value})
        except (TypeError, InputError):
            continue
        variant.origin = problem.origin
        if variant.digest() == problem.digest() and _mean_the_same(variant, problem):
            yield variant


def _tried_values(problem: CompiledProblem) -> list[tuple[str, Any]]:
    """Return the values worth trying of the options at their defaults, where these are few, by the options' names."""
    found = []
    for option in problem.cli_options:
        is_chosen = option.name in problem.given_options or problem.options[option.name] != option.default
        if not is_chosen and not isinstance(option.tried, Range):
            found += [(option.name, value) for value in option.tried if value != option.default]
    return found


def _mean_the_same(variant: CompiledProblem, problem: CompiledProblem) -> bool:
    """Return whether the moves of some random games of a variant are the same solutions in the instance."""
    game, random = game_module.Game(variant.model), np.random.default_rng(0)
    for _ in range(GAMES):
        moves = game.playout(lambda legal: legal[random.integers(len(legal))], variant.max_steps)
        there, here = (each.check(each.solution(np.array(moves, np.int64))) for each in (variant, problem))
        if there.score is None or (there.faults, there.score) != (here.faults, here.score):
            return False
        if not math.isclose(there.score, game.value("score"), rel_tol=1e-9, abs_tol=1e-9):
            return False
    return True
