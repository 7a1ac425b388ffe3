"""The first games of a compiled problem: played as plain Python, with bounds checked, before machine code runs.

In machine code an index out of bounds writes to memory that belongs to something else. Then the score is wrong, or the
process ends later, elsewhere, without a message.
"""

from __future__ import annotations

import logging
import random
import time
from typing import Any
from weakref import WeakKeyDictionary

from nrpa.base.errors import ProblemError
from nrpa.engine.guarded_game import GuardedGame
from nrpa.engine.kernels import KERNELS, kernels_of
from nrpa.engine.model import Model

logger = logging.getLogger("nrpa")

GAMES = 5
SECONDS = 0.4
FIRST_SECONDS = 2.0
QUICK_SECONDS = 0.2
IMPROVE_SECONDS = 0.05
LEAST_STEPS = 10

# By state class: what was played, and whether thoroughly.
_played: WeakKeyDictionary[type, dict[Any, bool]] = WeakKeyDictionary()


def run_smoke_test(model: Model, compiled: bool) -> None:
    """Play a few short random games with bounds checked, once a process for a state class, its limits and sizes.

    They take about ``SECONDS``, the first one up to ``FIRST_SECONDS`` more, and may stop in mid-game after
    ``LEAST_STEPS``. If ``compiled``, machine code is there already: one game of ``QUICK_SECONDS`` is enough. Only the
    kernel ``improve`` is stopped when its time is over. Kernels that cannot run as plain Python are left unchecked,
    which is logged.
    """
    if model.limits.grow:
        return
    state_class = type(model.new_state())
    played = _played.setdefault(state_class, {})
    key = (model.name, model.limits, model.codes, model.bias_by_move, model.players, model.shapes())
    thorough = not compiled
    if played.get(key) or (key in played and compiled):
        return
    try:
        _play_games(model, state_class, thorough)
    except ProblemError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        logger.info("%s: as plain Python its kernels raise %s; bounds are not checked further", model.name, what)
    played[key] = thorough


def _play_games(model: Model, state_class: type, thorough: bool) -> None:
    chance = random.Random(0)
    end = time.perf_counter() + (SECONDS if thorough else QUICK_SECONDS)
    game = GuardedGame(model)
    own = kernels_of(state_class)
    for number in range(GAMES if thorough else 1):
        longer = FIRST_SECONDS if thorough and number == 0 else 0.0
        moves = _play(game, chance, end + longer, own=set(own))
        if moves is not None and number == 0:
            game.rewards() if model.players > 1 else game.score()
            if "improve" in own:
                game.improve(moves, IMPROVE_SECONDS)
        if time.perf_counter() >= end:
            break


def _play(game: GuardedGame, chance: random.Random, end: float, *, own: set[str]) -> list[int] | None:
    """Play a game until it ends, or the clock shows ``end`` after a few steps; return its moves if it ended."""
    made: list[int] = []
    values = [name for name in own if KERNELS[name].says_of_any_state]
    game.reset()
    while game.steps < LEAST_STEPS or time.perf_counter() < end:
        for name in values:
            game.value(name)
        if "all_moves" in own:
            game.all_moves()
        moves = game.legal_moves()
        if not moves:
            return made
        if "find" in own:
            game.check_names()
        if "value" in own:
            game.values()
        if "rest" in own:
            game.score()
        if "copy" in own and game.steps < 3:
            game.swap()
        made.append(chance.choice(moves))
        game.play(made[-1])
    return None
