"""Policies: the weight of every code, for each level of the search.

A policy keeps g = e^(w/τ + β(code)) instead of the weight w, so that a playout needs no exponential and Adapt
multiplies. The functions here do what a dense policy needs, and have cases for the hashed one. Row 0 is the work copy
of the two Adapts that copy, rows 1 to the top level belong to the levels, and the row above the top level holds the
initial policy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.by_type import by_type

# The least and the largest g. Far inside float64, so that sums over a step stay finite, with e^β of a move, up to
# e^±300, as a factor. A weight this extreme has probability 0 or 1 already.
LOWEST = 1e-170
HIGHEST = 1e170


class DensePolicy(NamedTuple):
    """A policy over the codes 0 to C - 1."""

    g: np.ndarray  # float64[levels + 2, C]: e^(w/τ + β) of each code in each row


def dense_policy(levels: int, codes: int, bias: np.ndarray | None) -> DensePolicy:
    """Return a policy; ``bias`` (float64[C]) is the initial w/τ + β of each code, None for 0."""
    g = np.ones((levels + 2, codes))
    if bias is not None:
        g[levels + 1] = np.exp(bias)
    return DensePolicy(g)


@by_type()
def weight(policy, row, code):
    """Return g of a code."""
    return policy.g[row, np.uint64(code)] if np.uint64(code) < np.uint64(policy.g.shape[1]) else np.nan


@by_type()
def has_slow_weights(policy):
    """Return whether ``weight`` has to look a code up in a table."""
    return False


@by_type()
def locate(policy, level, code, first, count, sequence):
    """Find the indices of ``code[first : first + count]`` (int64), which an Adapt is going to change.

    ``sequence`` is the slot of the sequence that has these codes, so that they are found once; -1 for none.
    """


@by_type()
def index_of(policy, code, m):
    """Return the index of ``code[m]`` in the policy, after ``locate`` of these codes."""
    return code[m]


@by_type()
def value(policy, row, index):
    """Return g of the code at ``index`` in ``row``."""
    return policy.g[row, np.uint64(index)]


@by_type()
def lower(policy, row, index, factor):
    """Multiply g of the code at ``index`` in ``row`` by ``factor`` <= 1; the result is at least LOWEST."""
    value = policy.g[row, np.uint64(index)] * factor
    policy.g[row, np.uint64(index)] = LOWEST if value < LOWEST else value


@by_type()
def lift(policy, row, index, factor):
    """Multiply g of the code at ``index`` in ``row`` by ``factor`` >= 1; the result is at most HIGHEST."""
    value = policy.g[row, np.uint64(index)] * factor
    policy.g[row, np.uint64(index)] = HIGHEST if value > HIGHEST else value


@by_type()
def copy_row(policy, source, target):
    """Make row ``target`` equal to row ``source``."""
    for code in range(policy.g.shape[1]):
        policy.g[target, code] = policy.g[source, code]


@by_type()
def enter(policy, level):
    """Start a search of ``level``: its policy becomes that of its caller, level + 1."""
    copy_row(policy, level + 1, level)


@by_type()
def leave(policy, level):
    """End a search of ``level``: forget what its Adapts changed."""


@by_type()
def lacks_room(policy, codes):
    """Return whether the policy could be too full for one more Adapt of so many codes."""
    return False
