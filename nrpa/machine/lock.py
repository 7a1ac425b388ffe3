"""A lock for threads inside machine code: an array int64[1], 1 while somebody holds it. An empty one locks nothing.

Who waits spins: what is done under a lock takes microseconds.
"""

from __future__ import annotations

from numba import types
from numba.extending import intrinsic

from nrpa.machine.jit import internal


@intrinsic
def exchange(typing_context, lock, number):
    """Write a number into the first entry of an array, and return what was there, in one instruction."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(lock)(context, builder, arguments[0])
        return builder.atomic_rmw("xchg", entry.data, arguments[1], "seq_cst")

    return types.int64(lock, types.int64), generate


@intrinsic
def peek(typing_context, lock):
    """Return the first entry of an array as it is in memory now."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(lock)(context, builder, arguments[0])
        return builder.load_atomic(entry.data, "monotonic", 8)

    return types.int64(lock), generate


@internal
def acquire(lock):
    """Wait for a lock, and take it."""
    if lock.shape[0] > 0:
        while exchange(lock, 1) == 1:
            while peek(lock) == 1:
                pass


@internal
def release(lock):
    """Give a lock back."""
    if lock.shape[0] > 0:
        exchange(lock, 0)
