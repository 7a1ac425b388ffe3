"""What some random games show the author of a problem: how long they are, what they score, which codes come again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter, thread_time

from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem

# A problem that uses the processor for less of the time than this waits for something else.
BUSY = 0.1


@dataclass(frozen=True)
class FirstGames:
    """What random games have shown: ``moves`` is the mean of a step, ``repeated`` the share of a game's codes."""

    lengths: list[int]
    scores: list[float]
    moves: float
    most_moves: int
    codes: int
    repeated: float
    waits: bool


def first_games(problem: BaseProblem, seed: int, most: int, seconds: float) -> FirstGames:
    """Play random games, at least 2 and at most ``most``, for so many seconds on the wall.

    The share of codes that an earlier game had is the mean over the second half of them, steps without a choice aside.
    """
    game, chance = Game(problem.model), random.Random(seed)
    counts: list[int] = []
    lengths: list[int] = []
    scores: list[float] = []
    repeated: list[float] = []
    codes: set[int] = set()
    seen: set[int] = set()
    begun, used = perf_counter(), thread_time()
    while len(scores) < 2 or (len(scores) < most and perf_counter() - begun < seconds):
        chosen: set[int] = set()
        before = len(counts)
        game.reset()
        while moves := game.legal_moves():
            place = chance.randrange(len(moves))
            codes.update(game.codes)
            if len(moves) > 1:
                chosen.add(game.codes[place])
            counts.append(len(moves))
            game.play(moves[place])
        lengths.append(len(counts) - before)
        scores.append(game.score())
        repeated.append(len(chosen & seen) / len(chosen) if chosen else 1.0)
        seen |= chosen
    waits = thread_time() - used < BUSY * (perf_counter() - begun)
    mean_repeated = fmean(repeated[len(repeated) // 2 :])
    return FirstGames(lengths, scores, fmean(counts), max(counts), len(codes), mean_repeated, waits)
