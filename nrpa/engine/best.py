"""The best sequence of all, and how far the search is: what every search keeps, whatever its algorithm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit


class Best(NamedTuple):
    """The best sequence of all.

    found: bool[1], whether there is one. move: int64[steps], its moves. length: int64[1], their number.
    score: float64[1], -inf where there is none.
    """

    found: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


class Tally(NamedTuple):
    """How far a search is.

    playouts: int64[1], done. searches: int64[1], top-level searches finished.
    last_score: float64[1], of the last playout; NaN before the first.
    """

    playouts: np.ndarray
    searches: np.ndarray
    last_score: np.ndarray


def allocate_best(steps: int) -> Best:
    """Return that nothing has been found, with room for ``steps`` moves."""
    return Best(np.zeros(1, np.bool_), np.zeros(steps, np.int64), np.zeros(1, np.int64), np.full(1, -np.inf))


def allocate_tally() -> Tally:
    """Return the tally of a search that has not begun."""
    return Tally(np.zeros(1, np.int64), np.zeros(1, np.int64), np.full(1, np.nan))


@jit
def count_playout(best, tally, move, length, score):
    """Tally a playout of ``length`` moves and keep it if it is the best of all; return whether it is."""
    tally.playouts[0] += 1
    tally.last_score[0] = score
    if score <= best.score[0] and best.found[0]:
        return False
    best.found[0] = True
    best.score[0] = score
    best.length[0] = length
    for i in range(length):
        best.move[i] = move[i]
    return True
