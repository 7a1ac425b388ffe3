"""What first games show of a problem: whether codes say anything else than moves do, and how many moves are legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.portfolio.arms import BY_CODES, Arm
from nrpa.solvers.tempering.options import Tempering

# How many moves of a game are looked at.
LOOKED_AT = 100


class FirstGames(NamedTuple):
    """What first games have shown, so that a search that is pickled does not play them again.

    - ``has_codes``: Whether codes say anything else than moves do, as far as the arms ask.
    - ``listed``: How many moves are legal in the mean; 0 where tempering is no arm beside others.
    """

    has_codes: bool
    listed: float


def has_codes(problem: BaseProblem) -> bool:
    """Return whether codes say anything else than moves do, in the first moves of one game."""
    game, differ = Game(problem.model), list[bool]()

    def last(moves: list[int]) -> int:
        differ.append(moves != game.codes)
        return moves[-1]

    game.playout(last, LOOKED_AT)
    return any(differ)


def moves_listed(problem: BaseProblem) -> float:
    """Return how many moves are legal in the mean, in the first moves of one game."""
    counts = list[int]()

    def last(moves: list[int]) -> int:
        counts.append(len(moves))
        return moves[-1]

    Game(problem.model).playout(last, LOOKED_AT)
    return sum(counts) / max(len(counts), 1)


def first_games_of(problem: BaseProblem, arms: Sequence[Arm]) -> FirstGames:
    """Return what first games have shown."""
    has_codes = any(arm.label == BY_CODES for arm in arms)
    kinds = {isinstance(arm.solver, Tempering) for arm in arms}
    return FirstGames(has_codes, moves_listed(problem) if len(kinds) > 1 else 0.0)
