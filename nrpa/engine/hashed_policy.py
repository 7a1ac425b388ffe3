"""The policy over arbitrary 64-bit codes: one hash table that all levels share, and an undo log instead of copies.

The policy of a level is that of its caller and what its own Adapts have changed. So the table holds one current g for
each code. When a search of a level ends, the log is undone: what the level changed is put back in reverse order, and
the codes that it added are removed. No level needs a copy, and memory grows only with what the running searches of all
levels have changed. Playouts add no codes: one that is not in the table has weight 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine import hash_table as hash_table_module
from nrpa.engine import policy as policy_module
from nrpa.engine.by_type import is_a
from nrpa.engine.extremes import HIGHEST, LOWEST
from nrpa.engine.hash_table import ONE, HashTable, find, hash_table, is_free, occupy, vacate
from nrpa.engine.intrinsics import as_float64, as_int64
from nrpa.engine.jit import OPTIONS, jit, load
from nrpa.engine.policy import (
    copy_row,
    enter,
    has_slow_weights,
    lacks_room,
    leave,
    lift,
    locate,
    lower,
    place,
    value,
    weight,
)

NOT_LOGGED = -1
ENTRIES, LOGGED, LOCATED = 0, 1, 2


class HashedPolicy(NamedTuple):
    """A policy over 64-bit codes, in a hash table of S slots and with an undo log of L entries.

    Attributes
    ----------
    table : HashTable
        g = e^(w/τ) of each code, as the bits of a float64; 1 where a slot is free.
    copy : ndarray of float64, shape (S,) or (0,)
        Row 0, the work copy of the two Adapts that copy; empty for the one that does not.
    logged : ndarray of int64, shape (S,)
        The position of the slot's latest entry in the log, or NOT_LOGGED.
    log_slot : ndarray of int64, shape (L,)
        The log: which slot was changed.
    log_logged : ndarray of int64, shape (L,)
        The log: ``logged`` of the slot before the change.
    log_g : ndarray of float64, shape (L,)
        The log: g before the change, or 0 where the code was absent.
    mark : ndarray of int64, shape (levels + 2,)
        Where the log of each level's search begins.
    found : ndarray of int64, shape (max_total,)
        The slots of the codes that Adapt works on.
    counter : ndarray of int64, shape (3,)
        The number of codes in the table, the number of entries in the log, and the slot of the sequence whose codes
        ``found`` is about (-1: none).
    """

    table: HashTable
    copy: np.ndarray
    logged: np.ndarray
    log_slot: np.ndarray
    log_logged: np.ndarray
    log_g: np.ndarray
    mark: np.ndarray
    found: np.ndarray
    counter: np.ndarray

    @property
    def entries(self) -> int:
        """The number of codes in the table."""
        return int(self.counter[ENTRIES])

    @property
    def nbytes(self) -> int:
        """The memory of all arrays, in bytes."""
        return self.table.word.nbytes + sum(array.nbytes for array in self[1:])


def hashed_policy(levels: int, max_total: int, copies: bool, slots: int = 0, log: int = 0) -> HashedPolicy:
    """Return a policy of weight 0 for every code.

    Parameters
    ----------
    levels : int
        The levels of the search.
    max_total : int
        The most codes that one Adapt can meet.
    copies : bool
        Whether an Adapt that copies the policy is used.
    slots : int
        The least number of slots.
    log : int
        The least number of log entries.

    Returns
    -------
    HashedPolicy
        The policy.
    """
    table = hash_table(max(slots, 64, 2 * max_total), int(np.float64(1.0).view(np.int64)))
    log = max(log, 2 * max_total)
    return HashedPolicy(
        table,
        copy=np.ones(table.slots if copies else 0),
        logged=np.full(table.slots, NOT_LOGGED),
        log_slot=np.zeros(log, np.int64),
        log_logged=np.zeros(log, np.int64),
        log_g=np.zeros(log),
        mark=np.zeros(levels + 2, np.int64),
        found=np.zeros(max_total, np.int64),
        counter=np.array([0, 0, -1]),
    )


@jit
def read(policy, slot):
    """Return g of the code in ``slot``; 1 where the slot is free."""
    return as_float64(policy.table.word[(np.uint64(slot) << ONE) + ONE])


@jit
def write(policy, slot, g):
    """Make ``g`` the g of the code in ``slot``."""
    policy.table.word[(np.uint64(slot) << ONE) + ONE] = as_int64(g)


@overload(lacks_room, jit_options=OPTIONS)
def _lacks_room(policy, codes):
    def hashed(policy, codes):
        slots = policy.logged.shape[0]
        crowded = policy.counter[ENTRIES] > slots // 4 or policy.counter[ENTRIES] + codes > slots // 4 * 3
        return crowded or policy.counter[LOGGED] + codes > policy.log_slot.shape[0]

    if is_a(policy, HashedPolicy):
        return hashed


def enlarged(policy: HashedPolicy, max_total: int = 0) -> HashedPolicy:
    """Return a larger policy of equal content.

    Parameters
    ----------
    policy : HashedPolicy
        The policy.
    max_total : int
        The most codes that one Adapt can meet, if that is now more than before.

    Returns
    -------
    HashedPolicy
        A copy with room for another Adapt. What was too small, table or log, is at least twice as large.
    """
    codes = max(len(policy.found), max_total)
    slots, log = len(policy.logged), len(policy.log_slot)
    if policy.counter[ENTRIES] > slots // 4 or policy.counter[ENTRIES] + codes > slots // 4 * 3:
        slots *= 4 if slots < 2**14 else 2
    if policy.counter[LOGGED] + codes > log:
        log *= 2
    larger = hashed_policy(len(policy.mark) - 2, codes, bool(len(policy.copy)), slots, log)
    rehash = load(_rehash, HashedPolicy, [], _SOURCES, (policy, larger))
    rehash(policy, larger)
    return larger


def seeded(policy: HashedPolicy, codes: np.ndarray, g: np.ndarray) -> HashedPolicy:
    """Give an empty policy its first weights. Searches begin with them and never remove them.

    Parameters
    ----------
    policy : HashedPolicy
        The empty policy, with room for the codes; it changes.
    codes : ndarray of int64, shape (codes,)
        The codes.
    g : ndarray of float64, shape (codes,)
        e^(w/τ) of each code; values outside LOWEST to HIGHEST are moved to these limits.

    Returns
    -------
    HashedPolicy
        The policy that was given.
    """
    load(_seed, HashedPolicy, [], _SOURCES, (policy, codes, g))(policy, codes, g)
    return policy


def _seed(policy, codes, g):
    for k in range(len(codes)):
        write(policy, intern(policy, 0, codes[k]), min(max(g[k], LOWEST), HIGHEST))


def _rehash(policy, larger):
    """Copy ``policy`` into the empty ``larger`` one, the codes in the order in which they were interned."""
    logged = policy.counter[LOGGED]
    for entry in range(logged):
        slot = policy.log_slot[entry]
        code = policy.table.word[2 * slot]
        target = np.int64(find(larger.table, code))
        if policy.log_g[entry] == 0.0:
            occupy(larger.table, target, code)
            write(larger, target, read(policy, slot))
            larger.logged[target] = policy.logged[slot]
        larger.log_slot[entry] = target
        larger.log_logged[entry] = policy.log_logged[entry]
        larger.log_g[entry] = policy.log_g[entry]
    for level in range(policy.mark.shape[0]):
        larger.mark[level] = policy.mark[level]
    larger.counter[ENTRIES] = policy.counter[ENTRIES]
    larger.counter[LOGGED] = logged
    larger.counter[LOCATED] = -1


@jit
def intern(policy, base, code):
    """Return the slot of a code, and make it ready to be changed: add the code if it is absent, and log its old g.

    Parameters
    ----------
    policy : HashedPolicy
        The policy.
    base : int
        Where the log of the current search begins; the code is logged only once from there on.
    code : int64
        The code.

    Returns
    -------
    uint64
        The slot.
    """
    slot = find(policy.table, code)
    if policy.logged[slot] < base:
        entry = policy.counter[LOGGED]
        policy.log_slot[entry] = slot
        policy.log_logged[entry] = policy.logged[slot]
        if is_free(policy.table, slot):
            occupy(policy.table, slot, code)
            policy.counter[ENTRIES] += 1
            policy.log_g[entry] = 0.0
        else:
            policy.log_g[entry] = read(policy, slot)
        policy.logged[slot] = entry
        policy.counter[LOGGED] = entry + 1
    return slot


@jit
def undo(policy, mark):
    """Put back, in reverse order, what the log holds from entry ``mark`` on, and remove these entries."""
    for entry in range(policy.counter[LOGGED] - 1, mark - 1, -1):
        slot = policy.log_slot[entry]
        before = policy.log_g[entry]
        policy.logged[slot] = policy.log_logged[entry]
        if before == 0.0:
            vacate(policy.table, slot)
            write(policy, slot, 1.0)
            policy.counter[ENTRIES] -= 1
        else:
            write(policy, slot, before)
    policy.counter[LOGGED] = mark


@overload(weight, jit_options=OPTIONS)
def _hashed_weight(policy, row, code):
    if is_a(policy, HashedPolicy):
        return lambda policy, row, code: read(policy, find(policy.table, code))


@overload(has_slow_weights, jit_options=OPTIONS)
def _hashed_has_slow_weights(policy):
    if is_a(policy, HashedPolicy):
        return lambda policy: True


@overload(locate, jit_options=OPTIONS)
def _hashed_locate(policy, level, code, first, count, sequence):
    def intern_all(policy, level, code, first, count, sequence):
        if sequence < 0 or policy.counter[LOCATED] != sequence:
            base = policy.mark[level]
            for m in range(np.uint64(first), np.uint64(first + count)):
                policy.found[m] = intern(policy, base, code[m])
            policy.counter[LOCATED] = sequence

    if is_a(policy, HashedPolicy):
        return intern_all


@overload(place, jit_options=OPTIONS)
def _hashed_place(policy, code, m):
    if is_a(policy, HashedPolicy):
        return lambda policy, code, m: policy.found[m]


@overload(value, jit_options=OPTIONS)
def _hashed_value(policy, row, place):
    if is_a(policy, HashedPolicy):
        return lambda policy, row, place: read(policy, place)


@overload(lower, jit_options=OPTIONS)
def _hashed_lower(policy, row, place, factor):
    def multiply(policy, row, place, factor):
        if row == 0:
            changed = policy.copy[np.uint64(place)] * factor
            policy.copy[np.uint64(place)] = LOWEST if changed < LOWEST else changed
        else:
            changed = read(policy, place) * factor
            write(policy, place, LOWEST if changed < LOWEST else changed)

    if is_a(policy, HashedPolicy):
        return multiply


@overload(lift, jit_options=OPTIONS)
def _hashed_lift(policy, row, place, factor):
    def multiply(policy, row, place, factor):
        if row == 0:
            changed = policy.copy[np.uint64(place)] * factor
            policy.copy[np.uint64(place)] = HIGHEST if changed > HIGHEST else changed
        else:
            changed = read(policy, place) * factor
            write(policy, place, HIGHEST if changed > HIGHEST else changed)

    if is_a(policy, HashedPolicy):
        return multiply


@overload(copy_row, jit_options=OPTIONS)
def _hashed_copy_row(policy, source, target):
    def copy(policy, source, target):
        for slot in range(policy.copy.shape[0]):
            if target == 0:
                policy.copy[slot] = read(policy, slot)
            else:
                write(policy, slot, policy.copy[slot])

    if is_a(policy, HashedPolicy):
        return copy


@overload(enter, jit_options=OPTIONS)
def _hashed_enter(policy, level):
    def begin(policy, level):
        policy.mark[level] = policy.counter[LOGGED]
        policy.counter[LOCATED] = -1

    if is_a(policy, HashedPolicy):
        return begin


@overload(leave, jit_options=OPTIONS)
def _hashed_leave(policy, level):
    def end(policy, level):
        undo(policy, policy.mark[level])
        policy.counter[LOCATED] = -1

    if is_a(policy, HashedPolicy):
        return end


_SOURCES = (Path(__file__), Path(str(policy_module.__file__)), Path(str(hash_table_module.__file__)))
