"""Policies: the weight of every code, for each level of the search.

A policy keeps g = e^(w/τ + β(code)) instead of the weight w, so that a playout needs no exponential and Adapt
multiplies. The functions here do what a dense policy needs, and have cases for the hashed one. Row 0 is the work copy
of the two Adapts that copy, rows 1 to the top level belong to the levels, and the row above the top level holds the
initial policy.

The hashed policy is over arbitrary 64-bit codes: one hash table that all levels share, and an undo log instead of
copies. The policy of a level is that of its caller, with what its own Adapts have changed. So the table holds one
current g for each code. When a search of a level ends, the log is undone in reverse order: what the level changed is
put back, and the codes that it added are removed. Memory grows only with what the running searches of all levels have
changed: 20 bytes a slot, of which there are 2 to 4 for each code, and 16 for each change in the log. Playouts add no
codes: one that is not in the table has weight 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.engine.hash_table import ONE, HashTable, find, hash_table, is_free, occupy, table_size, vacate
from nrpa.machine.jit import as_float64, as_int64, by_type, jit, load

# The least and the largest g. Far inside float64, so that sums over a step stay finite, with e^β of a move, up to
# e^±300, as a factor. A weight this extreme has probability 0 or 1 already.
LOWEST = 1e-170
HIGHEST = 1e170

# Of the hashed policy: from how many slots on the table is filled by half and not by a quarter, what ``logged`` holds
# where there is no entry, and what ``counter`` counts.
LARGE = 2**20
NOT_LOGGED = -1
# In bytes; what is beyond takes longer than it is worth.
LARGEST_POLICY = 2**31
ENTRIES, LOGGED, LOCATED = 0, 1, 2


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


class HashedPolicy(NamedTuple):
    """A policy over 64-bit codes, in a hash table of S slots and with an undo log of L entries."""

    table: HashTable  # g = e^(w/τ) of each code, as the bits of a float64; 1 where a slot is free
    # float64[S] or [0]: row 0, the work copy of the two Adapts that copy; empty for the one that does not
    copy: np.ndarray
    logged: np.ndarray  # int32[S]: the index of the slot's latest entry in the log, or NOT_LOGGED
    log_slot: np.ndarray  # int32[L]: the log: which slot was changed
    log_logged: np.ndarray  # int32[L]: the log: ``logged`` of this slot before
    log_g: np.ndarray  # float64[L]: the log: g before the change, or 0 where the code was absent
    mark: np.ndarray  # int64[levels + 2]: where the log of each level's search begins
    found: np.ndarray  # int32[max_total]: the slots of the codes that Adapt works on
    # int64[3]: the number of codes in the table, the number of entries in the log, and the slot of the sequence whose
    # codes ``found`` is about (-1: none)
    counter: np.ndarray


def hashed_policy(levels: int, max_total: int, copies: bool, slots: int = 0, log: int = 0) -> HashedPolicy:
    """Return a policy of weight 0 for every code. Raises InputError where it would be too large."""
    slots, log = table_size(max(slots, 64, 2 * max_total)), max(log, 2 * max_total)
    size = (28 if copies else 20) * slots + 16 * log + 4 * max_total
    if size > LARGEST_POLICY:
        raise InputError(
            f"the policy would take {size / 2**30:.1f} GB, at most {LARGEST_POLICY / 2**30:g} GB, as a playout lists "
            f"up to {max_total:,} legal moves; list fewer moves a step, or use tempering"
        )
    table = hash_table(slots, int(np.float64(1.0).view(np.int64)))
    return HashedPolicy(
        table,
        copy=np.ones(table.slots if copies else 0),
        logged=np.full(table.slots, NOT_LOGGED, np.int32),
        log_slot=np.zeros(log, np.int32),
        log_logged=np.zeros(log, np.int32),
        log_g=np.zeros(log),
        mark=np.zeros(levels + 2, np.int64),
        found=np.zeros(max_total, np.int32),
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


@jit
def is_crowded(entries, codes, slots):
    """Return whether a table with so many codes is too full to take so many more."""
    return entries > slots // (4 if slots < LARGE else 2) or entries + codes > slots // 4 * 3


def enlarged_policy(policy: HashedPolicy, max_total: int = 0, more: int = 0) -> HashedPolicy:
    """Return a policy of equal content with more room where it lacks any, for playouts of ``max_total`` legal moves.

    ``more``: How many codes change between two looks at the room, if that may be more than those of one playout.
    """
    total = max(len(policy.found), max_total)
    codes = max(total, more)
    slots, log = len(policy.logged), len(policy.log_slot)
    if is_crowded.py_func(policy.counter[ENTRIES], codes, slots):
        slots *= 4 if slots < 2**14 else 2
    if policy.counter[LOGGED] + codes > log:
        log *= 2
    larger = hashed_policy(len(policy.mark) - 2, total, bool(len(policy.copy)), slots, log)
    rehash = load(_rehash, HashedPolicy, [], (policy, larger))
    rehash(policy, larger)
    return larger


def forget_searches(policy: HashedPolicy) -> None:
    """Forget what the searches of all levels have changed; they begin anew."""
    load(_forget, HashedPolicy, [], (policy,))(policy)


def _forget(policy):
    top = policy.mark.shape[0] - 2
    undo(policy, policy.mark[top])
    policy.mark[:] = policy.mark[top]
    policy.counter[LOCATED] = -1


def seeded(policy: HashedPolicy, codes: np.ndarray, g: np.ndarray) -> HashedPolicy:
    """Give an empty policy its first weights, which no search removes: e^(w/τ) of each code (int64[n], float64[n])."""
    load(_seed, HashedPolicy, [], (policy, codes, g))(policy, codes, g)
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
    """Return the slot of a code, and make it ready to be changed: add the code if it is absent, and log its old g."""
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


@weight.case(HashedPolicy)
def _hashed_weight(policy, row, code):
    return read(policy, find(policy.table, code))


@has_slow_weights.case(HashedPolicy)
def _hashed_has_slow_weights(policy):
    return True


@locate.case(HashedPolicy)
def _hashed_locate(policy, level, code, first, count, sequence):
    if sequence < 0 or policy.counter[LOCATED] != sequence:
        base = policy.mark[level]
        for m in range(np.uint64(first), np.uint64(first + count)):
            policy.found[m] = intern(policy, base, code[m])
        policy.counter[LOCATED] = sequence


@index_of.case(HashedPolicy)
def _hashed_index_of(policy, code, m):
    return policy.found[m]


@value.case(HashedPolicy)
def _hashed_value(policy, row, index):
    return read(policy, index)


@lower.case(HashedPolicy)
def _hashed_lower(policy, row, index, factor):
    if row == 0:
        changed = policy.copy[np.uint64(index)] * factor
        policy.copy[np.uint64(index)] = LOWEST if changed < LOWEST else changed
    else:
        changed = read(policy, index) * factor
        write(policy, index, LOWEST if changed < LOWEST else changed)


@lift.case(HashedPolicy)
def _hashed_lift(policy, row, index, factor):
    if row == 0:
        changed = policy.copy[np.uint64(index)] * factor
        policy.copy[np.uint64(index)] = HIGHEST if changed > HIGHEST else changed
    else:
        changed = read(policy, index) * factor
        write(policy, index, HIGHEST if changed > HIGHEST else changed)


@copy_row.case(HashedPolicy)
def _hashed_copy_row(policy, source, target):
    for slot in range(policy.copy.shape[0]):
        if target == 0:
            policy.copy[slot] = read(policy, slot)
        else:
            write(policy, slot, policy.copy[slot])


@enter.case(HashedPolicy)
def _hashed_enter(policy, level):
    policy.mark[level] = policy.counter[LOGGED]
    policy.counter[LOCATED] = -1


@leave.case(HashedPolicy)
def _hashed_leave(policy, level):
    undo(policy, policy.mark[level])
    policy.counter[LOCATED] = -1


@lacks_room.case(HashedPolicy)
def _hashed_lacks_room(policy, codes):
    is_full = is_crowded(policy.counter[ENTRIES], codes, policy.logged.shape[0])
    return is_full or policy.counter[LOGGED] + codes > policy.log_slot.shape[0]
