"""Policies: the weight of every code, for each level of the search.

A policy keeps g = e^(w/τ + β(code)) instead of the weight w, so that a playout needs no exponential and Adapt
multiplies. The search calls the functions of this module; the type of the policy decides which code runs. Row 0 is the
work copy of the two Adapts that copy, rows 1 to the top level belong to the levels, and the row above the top level
holds the initial policy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.by_type import implements
from nrpa.engine.extremes import HIGHEST, LOWEST


class DensePolicy(NamedTuple):
    """A policy over the codes 0 to C - 1.

    - ``g``, float64[levels + 2, C]: e^(w/τ + β) of each code in each row.
    """

    g: np.ndarray

    @property
    def nbytes(self) -> int:
        """The memory of the policy, in bytes."""
        return self.g.nbytes


def dense_policy(levels: int, codes: int, bias: np.ndarray | None) -> DensePolicy:
    """Return a policy; ``bias`` (float64[C]) is the initial w/τ + β of each code, None for 0."""
    g = np.ones((levels + 2, codes))
    if bias is not None:
        g[levels + 1] = np.exp(bias)
    return DensePolicy(g)


def weight(policy, row, code):
    """Return g of a code."""
    raise NotImplementedError


def has_slow_weights(policy):
    """Return whether ``weight`` has to look a code up in a table."""
    raise NotImplementedError


def locate(policy, level, code, first, count, sequence):
    """Find the places of ``code[first : first + count]`` (int64), which an Adapt is going to change.

    ``sequence`` is the slot of the sequence that has these codes, so that they are found once; -1 for none.
    """
    raise NotImplementedError


def place(policy, code, m):
    """Return the place of ``code[m]``, after ``locate`` of these codes."""
    raise NotImplementedError


def value(policy, row, place):
    """Return g of the code at ``place`` in ``row``."""
    raise NotImplementedError


def lower(policy, row, place, factor):
    """Multiply g of the code at ``place`` in ``row`` by ``factor`` <= 1; the result is at least LOWEST."""
    raise NotImplementedError


def lift(policy, row, place, factor):
    """Multiply g of the code at ``place`` in ``row`` by ``factor`` >= 1; the result is at most HIGHEST."""
    raise NotImplementedError


def copy_row(policy, source, target):
    """Make row ``target`` equal to row ``source``."""
    raise NotImplementedError


def enter(policy, level):
    """Start a search of ``level``: its policy becomes that of its caller, level + 1."""
    raise NotImplementedError


def leave(policy, level):
    """End a search of ``level``: forget what its Adapts changed."""
    raise NotImplementedError


def lacks_room(policy, codes):
    """Return whether the policy could be too full for one more Adapt of so many codes."""
    raise NotImplementedError


@implements(weight, DensePolicy)
def _dense_weight(policy, row, code):
    return policy.g[row, np.uint64(code)] if np.uint64(code) < np.uint64(policy.g.shape[1]) else np.nan


@implements(has_slow_weights, DensePolicy)
def _dense_has_slow_weights(policy):
    return False


@implements(locate, DensePolicy)
def _dense_locate(policy, level, code, first, count, sequence):
    pass


@implements(place, DensePolicy)
def _dense_place(policy, code, m):
    return code[m]


@implements(value, DensePolicy)
def _dense_value(policy, row, place):
    return policy.g[row, np.uint64(place)]


@implements(lower, DensePolicy)
def _dense_lower(policy, row, place, factor):
    value = policy.g[row, np.uint64(place)] * factor
    policy.g[row, np.uint64(place)] = LOWEST if value < LOWEST else value


@implements(lift, DensePolicy)
def _dense_lift(policy, row, place, factor):
    value = policy.g[row, np.uint64(place)] * factor
    policy.g[row, np.uint64(place)] = HIGHEST if value > HIGHEST else value


@implements(copy_row, DensePolicy)
def _dense_copy_row(policy, source, target):
    for code in range(policy.g.shape[1]):
        policy.g[target, code] = policy.g[source, code]


@implements(enter, DensePolicy)
def _dense_enter(policy, level):
    copy_row(policy, level + 1, level)


@implements(leave, DensePolicy)
def _dense_leave(policy, level):
    pass


@implements(lacks_room, DensePolicy)
def _dense_lacks_room(policy, codes):
    return False
