"""Compiled random games from the first position, and how often the codes of its moves appear in them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.kernels import allocate_moves, legal_moves, play, reset
from nrpa.engine.machine_code import machine_code
from nrpa.engine.model import Model
from nrpa.engine.playout import Position
from nrpa.engine.random import random_state, uniform
from nrpa.engine.status import TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS, failure

BATCH = 64


class Tally(NamedTuple):
    """What random games have shown."""

    length: np.ndarray  # int64[games]: the moves of each game
    present: np.ndarray  # bool[games, moves]: whether the code of each move of the first position appears in each game


def play_games(position, first, tally, begin, end, max_steps, random):
    """Play the uniformly random games ``begin`` to ``end`` of a tally; return 0 or a negative status."""
    instance, state, moves = position
    for game in range(begin, end):
        reset(instance, state)
        steps = 0
        while True:
            count = legal_moves(instance, state, moves)
            if count <= 0:
                if count < 0:
                    return count
                break
            if count > moves.move.shape[0]:
                return TOO_MANY_MOVES_AT_ONCE
            if steps == max_steps:
                return TOO_MANY_STEPS
            chosen = min(np.int64(uniform(random) * count), count - 1)
            code = moves.code[chosen]
            for k in range(first.shape[0]):
                if first[k] == code:
                    tally.present[game, k] = True
            play(instance, state, moves.move[chosen])
            steps += 1
        tally.length[game] = steps
    return 0


def random_games(model: Model, first: list[int], games: int, seed: int) -> Tally:
    """Play uniformly random games, and see in which of them the codes ``first`` appear."""
    room = model.limits.moves
    while True:
        tally = Tally(np.zeros(games, np.int64), np.zeros((games, len(first)), np.bool_))
        status = _played(model, np.array(first, np.int64), tally, room, random_state(seed))
        if status == TOO_MANY_MOVES_AT_ONCE and model.limits.grow:
            room *= 2
        elif status < 0:
            raise failure(status, model)
        else:
            return tally


def _played(model: Model, first: np.ndarray, tally: Tally, room: int, random: np.ndarray) -> int:
    """Play the games of a tally in batches, between which Python sees Ctrl-C; return the status."""
    position = Position(model.instance, model.new_state(), allocate_moves(room))
    arguments: tuple[Any, ...] = (first, tally, 0, 0, model.limits.steps, random)
    play_some = machine_code(play_games, model, position, arguments)
    games = len(tally.length)
    for begin in range(0, games, BATCH):
        end = min(begin + BATCH, games)
        status: int = play_some(position, first, tally, begin, end, model.limits.steps, random)
        model.raise_kept_error()
        if status < 0:
            return status
    return 0
