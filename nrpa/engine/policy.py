"""Policies: the weight of every code, for each level of the search.

A policy keeps g = e^(w/τ + β(code)) instead of the weight w, so that a playout needs no exponential and Adapt
multiplies. The search calls the functions of this module; the type of the policy decides which one is meant. ``row``
0 is the work copy of the two Adapts that copy, rows 1 to the top level belong to the levels, and the row above the
top level holds the initial policy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import is_a
from nrpa.engine.extremes import HIGHEST, LOWEST
from nrpa.engine.jit import OPTIONS


class DensePolicy(NamedTuple):
    """A policy over codes 0 to C - 1.

    g: float64[levels + 2, C], e^(w/τ + β).
    """

    g: np.ndarray

    @property
    def nbytes(self) -> int:
        """The memory of the policy, in bytes."""
        return self.g.nbytes


def dense_policy(levels: int, codes: int, bias: np.ndarray | None) -> DensePolicy:
    """Return the policy of weight 0 over ``codes`` codes, with bias β (float64[codes], or None for 0)."""
    g = np.ones((levels + 2, codes))
    if bias is not None:
        g[levels + 1] = np.exp(bias)
    return DensePolicy(g)


def weight(policy, row, code):
    """Return g of ``code`` in ``row``."""
    raise NotImplementedError


def locate(policy, level, code, first, count, sequence):
    """Find the places of ``code[first : first + count]``, in which an Adapt of ``level`` may change them.

    ``sequence`` is the slot of the sequence whose codes they are, so that the next Adapt for it need not find them
    again; -1 if that is not so.
    """
    raise NotImplementedError


def place(policy, code, m):
    """Return the place of ``code[m]``, after ``locate``."""
    raise NotImplementedError


def value(policy, row, place):
    """Return g of the code at ``place`` in ``row``."""
    raise NotImplementedError


def lower(policy, row, place, factor):
    """Multiply g of the code at ``place`` in ``row`` by ``factor`` <= 1, but not below LOWEST."""
    raise NotImplementedError


def lift(policy, row, place, factor):
    """Multiply g of the code at ``place`` in ``row`` by ``factor`` >= 1, but not above HIGHEST."""
    raise NotImplementedError


def copy_row(policy, source, target):
    """Make row ``target`` equal to row ``source``."""
    raise NotImplementedError


def enter(policy, level):
    """Start a search of ``level``: its policy is its caller's, level + 1."""
    raise NotImplementedError


def leave(policy, level):
    """End a search of ``level``: what its Adapts changed is forgotten."""
    raise NotImplementedError


def lacks_room(policy, codes):
    """Return whether the policy could be too full for one more Adapt of ``codes`` codes."""
    raise NotImplementedError


@overload(weight, jit_options=OPTIONS)
def _dense_weight(policy, row, code):
    if is_a(policy, DensePolicy):
        return lambda policy, row, code: policy.g[row, np.uint64(code)]


@overload(locate, jit_options=OPTIONS)
def _dense_locate(policy, level, code, first, count, sequence):
    if is_a(policy, DensePolicy):
        return lambda policy, level, code, first, count, sequence: None


@overload(place, jit_options=OPTIONS)
def _dense_place(policy, code, m):
    if is_a(policy, DensePolicy):
        return lambda policy, code, m: code[m]


@overload(value, jit_options=OPTIONS)
def _dense_value(policy, row, place):
    if is_a(policy, DensePolicy):
        return lambda policy, row, place: policy.g[row, np.uint64(place)]


@overload(lower, jit_options=OPTIONS)
def _dense_lower(policy, row, place, factor):
    def multiply(policy, row, place, factor):
        value = policy.g[row, np.uint64(place)] * factor
        policy.g[row, np.uint64(place)] = LOWEST if value < LOWEST else value

    if is_a(policy, DensePolicy):
        return multiply


@overload(lift, jit_options=OPTIONS)
def _dense_lift(policy, row, place, factor):
    def multiply(policy, row, place, factor):
        value = policy.g[row, np.uint64(place)] * factor
        policy.g[row, np.uint64(place)] = HIGHEST if value > HIGHEST else value

    if is_a(policy, DensePolicy):
        return multiply


@overload(copy_row, jit_options=OPTIONS)
def _dense_copy_row(policy, source, target):
    def copy(policy, source, target):
        for code in range(policy.g.shape[1]):
            policy.g[target, code] = policy.g[source, code]

    if is_a(policy, DensePolicy):
        return copy


@overload(enter, jit_options=OPTIONS)
def _dense_enter(policy, level):
    if is_a(policy, DensePolicy):
        return lambda policy, level: copy_row(policy, level + 1, level)


@overload(leave, jit_options=OPTIONS)
def _dense_leave(policy, level):
    if is_a(policy, DensePolicy):
        return lambda policy, level: None


@overload(lacks_room, jit_options=OPTIONS)
def _dense_lacks_room(policy, codes):
    if is_a(policy, DensePolicy):
        return lambda policy, codes: False
