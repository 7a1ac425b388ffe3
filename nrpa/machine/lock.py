"""What threads need that share arrays inside machine code: a lock, and additions that are not lost.

A lock is an array int64[1], 1 while somebody holds it. An empty one locks nothing. Who waits spins: what is done under
a lock takes microseconds.
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


@intrinsic
def add(typing_context, array, index, number):
    """Add a number to an entry of an array of whole numbers, in one instruction."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(array)(context, builder, arguments[0])
        return builder.atomic_rmw("add", builder.gep(entry.data, [arguments[1]]), arguments[2], "monotonic")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def fence(typing_context):
    """Let others see what was written before this no later than what is written after it; the same for reading."""

    def generate(context, builder, signature, arguments):
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return types.void(), generate


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
