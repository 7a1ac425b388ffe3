"""What threads need that share arrays inside machine code: a lock, and additions that are not lost.

A lock is an array int64[1], 1 while somebody holds it. An empty one locks nothing. What is done under a lock takes
microseconds, so who waits looks again and again, and now and then lets other threads run.
"""

from __future__ import annotations

import os

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from nrpa.machine.jit import jit

LOOKS = 256


@intrinsic
def exchange(typing_context, lock, number):
    """Write a number into the first entry of an array, and return what was there, in one instruction."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(lock)(context, builder, arguments[0])
        return builder.atomic_rmw("xchg", entry.data, arguments[1], "seq_cst")

    return types.int64(lock, types.int64), generate


@intrinsic
def peek(typing_context, array, index):
    """Return an entry of an array of whole numbers as it is in memory now."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(array)(context, builder, arguments[0])
        return builder.load_atomic(builder.gep(entry.data, [arguments[1]]), "acquire", 8)

    return types.int64(array, types.int64), generate


@intrinsic
def give_way(typing_context):
    """Let other threads run, where the system has a call for that."""

    def generate(context, builder, signature, arguments):
        if hasattr(os, "sched_yield"):
            kind = ir.FunctionType(ir.IntType(32), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def add(typing_context, array, index, number):
    """Add a number to an entry of an array of whole numbers, in one instruction."""

    def generate(context, builder, signature, arguments):
        entry = context.make_array(array)(context, builder, arguments[0])
        return builder.atomic_rmw("add", builder.gep(entry.data, [arguments[1]]), arguments[2], "monotonic")

    return types.int64(array, types.int64, types.int64), generate


@intrinsic
def fence(typing_context):
    """Order memory: writes before this call are seen by others no later than writes after it; the same for reads."""

    def generate(context, builder, signature, arguments):
        builder.fence("acq_rel")
        return context.get_dummy_value()

    return types.void(), generate


@jit
def wait(array, index, number, until):
    """Wait until an entry of an array is a number, or with ``until`` False until it is another."""
    looks = 0
    while (peek(array, index) == number) != until:
        looks += 1
        if looks % LOOKS == 0:
            give_way()


@jit
def acquire(lock):
    """Wait for a lock, and take it."""
    if lock.shape[0] > 0:
        while exchange(lock, 1) == 1:
            wait(lock, 0, 1, False)


@jit
def release(lock):
    """Give a lock back."""
    if lock.shape[0] > 0:
        exchange(lock, 0)
