"""The best sequence of all, and how far the search is: what every search keeps, whatever its algorithm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit


class Best(NamedTuple):
    """The best sequence of all.

    Attributes
    ----------
    found : ndarray of bool, shape (1,)
        Whether there is one.
    move : ndarray of int64, shape (steps,)
        Its moves.
    length : ndarray of int64, shape (1,)
        The number of its moves.
    score : ndarray of float64, shape (1,)
        Its score, -inf where there is none.
    """

    found: np.ndarray
    move: np.ndarray
    length: np.ndarray
    score: np.ndarray


class Tally(NamedTuple):
    """How far a search is.

    Attributes
    ----------
    playouts : ndarray of int64, shape (1,)
        The playouts done.
    searches : ndarray of int64, shape (1,)
        The top-level searches finished.
    last_score : ndarray of float64, shape (1,)
        The score of the last playout; NaN before the first.
    """

    playouts: np.ndarray
    searches: np.ndarray
    last_score: np.ndarray


def allocate_best(steps: int) -> Best:
    """Return the record of a search that has found nothing yet.

    Parameters
    ----------
    steps : int
        The room, in moves.

    Returns
    -------
    Best
        The record.
    """
    return Best(np.zeros(1, np.bool_), np.zeros(steps, np.int64), np.zeros(1, np.int64), np.full(1, -np.inf))


def allocate_tally() -> Tally:
    """Return the tally of a search that has not begun."""
    return Tally(np.zeros(1, np.int64), np.zeros(1, np.int64), np.full(1, np.nan))


@jit
def count_playout(best, tally, move, length, score):
    """Count a playout, and keep its sequence if it is the best of all.

    Parameters
    ----------
    best : Best
        The best sequence of all; changed where the score is above its own, or there was none.
    tally : Tally
        How far the search is; changed.
    move : ndarray of int64
        The moves of the playout.
    length : int
        The number of moves.
    score : float
        The score of the playout.

    Returns
    -------
    bool
        Whether it is the best of all.
    """
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
