"""The best sequence of all, and how far the search is: what every search keeps, whatever its algorithm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import inlined, jit

# So that sums of squares and differences of scores stay finite.
LARGEST_SCORE = 1e100


class Incumbent(NamedTuple):
    """The best sequence of all."""

    found: np.ndarray  # bool[1]: whether there is one
    move: np.ndarray  # int64[steps]: its moves
    length: np.ndarray  # int64[1]: the number of its moves
    score: np.ndarray  # float64[1]: its score, -inf where there is none


class Tally(NamedTuple):
    """How far a search is."""

    playouts: np.ndarray  # int64[1]: the playouts done
    searches: np.ndarray  # int64[1]: the top-level searches finished
    last_score: np.ndarray  # float64[1]: the score of the last playout; NaN before the first


def allocate_incumbent(steps: int) -> Incumbent:
    """Return the record of a search that has found nothing yet."""
    return Incumbent(np.zeros(1, np.bool_), np.zeros(steps, np.int64), np.zeros(1, np.int64), np.full(1, -np.inf))


def allocate_tally() -> Tally:
    """Return the tally of a search that has not begun."""
    return Tally(np.zeros(1, np.int64), np.zeros(1, np.int64), np.full(1, np.nan))


@inlined
def is_score(score):
    """Return whether a number can be the score of a playout: from -LARGEST_SCORE to LARGEST_SCORE, so not NaN."""
    return -LARGEST_SCORE <= score <= LARGEST_SCORE


@jit
def count_playout(best, tally, move, length, score):
    """Count a playout, keep its sequence (``move``, int64) if it is the best of all, and return whether it is."""
    tally.playouts[0] += 1
    tally.last_score[0] = score
    if score <= best.score[0] and best.found[0]:
        return False
    keep_best(best, move, length, score)
    return True


@jit
def keep_best(best, move, length, score):
    """Keep a sequence (``move``, int64) as the best of all."""
    best.found[0] = True
    best.score[0] = score
    best.length[0] = length
    for i in range(length):
        best.move[i] = move[i]
