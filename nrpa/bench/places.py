"""Scores of different instances made comparable: by the place of a configuration among all that were tried."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FAILED = -1.0


def places(scores: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the place of each configuration on each pair of instance and seed.

    The place is the share of the other configurations that it beats; a tie counts half. So no instance counts for more
    than another, whatever its scores are like. A configuration that was not run on a pair, having been found worse
    before, counts as beaten there.

    Parameters
    ----------
    scores : sequence of sequence of float
        The scores of each configuration on the first pairs, as many as it was run on; higher is better.

    Returns
    -------
    list of list of float
        The places, 0 to 1, of each configuration on the pairs that it was run on; one half where there is no other
        configuration.

    Examples
    --------
    >>> places([[5.0, 1.0], [7.0, 1.0], [6.0]])
    [[0.0, 0.75], [1.0, 0.75], [0.5]]
    """
    pairs = max(map(len, scores), default=0)
    table = np.full((len(scores), pairs), -np.inf)
    for row, own in zip(table, scores, strict=True):
        row[: len(own)] = own
    beaten = (table[:, None, :] > table[None, :, :]).sum(axis=1)
    ties = (table[:, None, :] == table[None, :, :]).sum(axis=1) - 1
    others = len(scores) - 1
    found = (beaten + ties / 2) / others if others else np.full(table.shape, 0.5)
    return [[float(place) for place in row[: len(own)]] for row, own in zip(found, scores, strict=True)]


def worths(scores: Sequence[Sequence[float]], pairs: int) -> list[float]:
    """Return what each configuration is worth: the mean of its places over all pairs.

    Parameters
    ----------
    scores : sequence of sequence of float
        As for ``places``.
    pairs : int
        The number of pairs, for configurations that were run on all of them.

    Returns
    -------
    list of float
        The worths, 0 to 1; on pairs that it was not run on a configuration has the place 0. -1 for one that was not run
        at all.

    Examples
    --------
    >>> worths([[5.0, 1.0], [7.0, 1.0], [6.0], []], 2)
    [0.5833333333333334, 0.9166666666666667, 0.3333333333333333, -1.0]
    """
    return [sum(own) / pairs if own else FAILED for own in places(scores)]


def incumbent(scores: Sequence[Sequence[float]], pairs: int) -> int:
    """Return which configuration is the best: the one of the largest worth of those that were run on all pairs.

    Parameters
    ----------
    scores : sequence of sequence of float
        As for ``places``; at least one configuration was run on all pairs.
    pairs : int
        The number of pairs.

    Returns
    -------
    int
        Its index; the first of several that are worth the same.

    Examples
    --------
    >>> incumbent([[5.0, 1.0], [7.0, 1.0], [9.0]], 2)
    1
    """
    found = worths(scores, pairs)
    return max((k for k, own in enumerate(scores) if len(own) == pairs), key=lambda k: (found[k], -k))
