"""The neighbours of a thing of an order: the things that go best behind it, to which changes bring it."""

from __future__ import annotations

import numpy as np

from nrpa.machine.jit import jit

# How many neighbours of a thing are known, and of how few and how many things they are found.
NEIGHBOURS, FEWEST, MOST = 8, 100, 10_000
NO_NEIGHBOURS = np.zeros((0, NEIGHBOURS), np.int64)


def none_yet(things: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the neighbours of some things, int64[things, NEIGHBOURS], and what they are worth, for ``take_in``.

    A thing stands for each of its neighbours that is not known.
    """
    return np.arange(things).repeat(NEIGHBOURS).reshape(-1, NEIGHBOURS), np.full((things, NEIGHBOURS), -np.inf)


@jit
def take_in_one(best, worths, thing, other, worth):
    """Let another thing be a neighbour of one if it is worth more behind it than one that is.

    Of those that are worth the same the next ones are taken, so that not all things have the same neighbours.
    """
    things, at = best.shape
    near = (other - thing) % things
    while at > 0 and (
        worth > worths[thing, at - 1]
        or (worth == worths[thing, at - 1] and near < (best[thing, at - 1] - thing) % things)
    ):
        at -= 1
    for k in range(best.shape[1] - 1, at, -1):
        best[thing, k], worths[thing, k] = best[thing, k - 1], worths[thing, k - 1]
    if at < best.shape[1]:
        best[thing, at], worths[thing, at] = other, worth


@jit
def take_in(best, worths, thing, behind, before):
    """Take in what the first things are worth behind a thing, and what this is worth behind each; NaN is nothing."""
    for other in range(behind.shape[0]):
        if behind[other] >= worths[thing, -1]:
            take_in_one(best, worths, thing, other, behind[other])
        if before[other] >= worths[other, -1]:
            take_in_one(best, worths, other, thing, before[other])


def best_of(table: np.ndarray) -> np.ndarray:
    """Return the neighbours of things by what each is worth behind each, float64[things or more, things]."""
    best, worths = none_yet(table.shape[1])
    for thing in range(len(best)):
        take_in(best, worths, thing, table[thing, :thing], table[:thing, thing].copy())
    return best
