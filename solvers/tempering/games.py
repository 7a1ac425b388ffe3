"""Whole games, as moves and as the names by which they are changed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Games(NamedTuple):
    """Whole games."""

    move: np.ndarray  # int64[games, steps]
    name: np.ndarray  # int64[games, steps]: the names of the moves (the kernel ``name``)
    length: np.ndarray  # int64[games]: the number of moves
    score: np.ndarray  # float64[games]


def allocate_games(games: int, steps: int) -> Games:
    """Return games without moves, of score -inf."""
    move, name = np.zeros((2, games, steps), np.int64)
    return Games(move, name, np.zeros(games, np.int64), np.full(games, -np.inf))
