"""Policies: the weight of every code, for each level of the search.

A policy keeps g = e^(w/τ + β(code)) instead of the weight w, so that a playout needs no exponential and Adapt
multiplies. The search calls the functions of this module; the type of the policy decides which code runs. Row 0 is the
work copy of the two Adapts that copy, rows 1 to the top level belong to the levels, and the row above the top level
holds the initial policy.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import is_a
from nrpa.engine.extremes import HIGHEST, LOWEST
from nrpa.engine.jit import OPTIONS


class DensePolicy(NamedTuple):
    """A policy over the codes 0 to C - 1.

    Attributes
    ----------
    g : ndarray of float64, shape (levels + 2, C)
        e^(w/τ + β) of each code in each row.
    """

    g: np.ndarray

    @property
    def nbytes(self) -> int:
        """The memory of the policy, in bytes."""
        return self.g.nbytes


def dense_policy(levels: int, codes: int, bias: np.ndarray | None) -> DensePolicy:
    """Return a policy whose initial weights are 0.

    Parameters
    ----------
    levels : int
        The levels of the search.
    codes : int
        The number of codes C.
    bias : ndarray of float64, shape (C,), or None
        β of each code, or w/τ + β where the initial weights are not 0; None for 0.

    Returns
    -------
    DensePolicy
        The policy; the row of the initial policy has the bias.
    """
    g = np.ones((levels + 2, codes))
    if bias is not None:
        g[levels + 1] = np.exp(bias)
    return DensePolicy(g)


def weight(policy, row, code):
    """Return g of a code.

    Parameters
    ----------
    policy : DensePolicy or HashedPolicy
        The policy.
    row : int
        The row.
    code : int64
        The code.

    Returns
    -------
    float64
        g = e^(w/τ + β); 1 for a code that a hashed policy does not hold.
    """
    raise NotImplementedError


def has_slow_weights(policy):
    """Return whether ``weight`` has to search for a code."""
    raise NotImplementedError


def locate(policy, level, code, first, count, sequence):
    """Find the places of codes that an Adapt is going to change.

    Parameters
    ----------
    policy : DensePolicy or HashedPolicy
        The policy.
    level : int
        The level whose Adapt it is.
    code : ndarray of int64
        Codes.
    first, count : int
        The first of the codes, and how many there are.
    sequence : int
        The slot of the sequence whose codes they are, so that the next Adapt towards it need not find them again; -1 if
        they are not those of a sequence.
    """
    raise NotImplementedError


def place(policy, code, m):
    """Return the place of a code, after ``locate``.

    Parameters
    ----------
    policy : DensePolicy or HashedPolicy
        The policy.
    code : ndarray of int64
        The codes that ``locate`` was given.
    m : int
        The position of the code in ``code``.

    Returns
    -------
    int
        The place.
    """
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
    """Return whether the policy could be too full for one more Adapt.

    Parameters
    ----------
    policy : DensePolicy or HashedPolicy
        The policy.
    codes : int
        The most codes that the Adapt can meet.

    Returns
    -------
    bool
        Whether it must be enlarged first; never for a dense policy.
    """
    raise NotImplementedError


@overload(weight, jit_options=OPTIONS)
def _dense_weight(policy, row, code):
    if is_a(policy, DensePolicy):
        return lambda policy, row, code: policy.g[row, np.uint64(code)]


@overload(has_slow_weights, jit_options=OPTIONS)
def _dense_has_slow_weights(policy):
    if is_a(policy, DensePolicy):
        return lambda policy: False


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
