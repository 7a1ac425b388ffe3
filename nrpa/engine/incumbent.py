"""The best sequence of all, and how far the search is: what every search keeps, whatever its algorithm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import inlined, jit

# So that sums of squares and differences of scores stay finite.
LARGEST_SCORE = 1e100


class Incumbent(NamedTuple):
    """The best sequence of all.

    - ``found``, bool[1]: Whether there is one.
    - ``move``, int64[steps]: Its moves.
    - ``length``, int64[1]: The number of its moves.
    - ``score``, float64[1]: Its score, -inf where there is none.
    """

    found: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


class Tally(NamedTuple):
    """How far a search is.

    - ``playouts``, int64[1]: The playouts done.
    - ``searches``, int64[1]: The top-level searches finished.
    - ``last_score``, float64[1]: The score of the last playout; NaN before the first.
    """

    playouts: np.ndarray
    searches: np.ndarray
    last_score: np.ndarray


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
