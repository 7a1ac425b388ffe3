"""Machine instructions that numba has no name for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def instruction(result: Any, operand: Any) -> Callable[[Callable[..., Any]], Any]:
    """Make an instruction of one operand, by a decorator of a function that emits it with LLVM's builder."""

    def make(emit: Callable[..., Any]) -> Any:
        def typed(typing_context, operand_type):
            def generate(context, builder, signature, arguments):
                return emit(builder, arguments[0])

            return result(operand), generate

        typed.__name__, typed.__doc__ = emit.__name__, emit.__doc__
        return intrinsic(typed)

    return make


@instruction(types.int64, types.uint64)
def trailing_zeros(builder, word):
    """Return the index of the lowest set bit."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


@instruction(types.int64, types.uint64)
def leading_zeros(builder, word):
    """Return the number of zero bits above the highest set bit."""
    return builder.ctlz(word, ir.Constant(ir.IntType(1), 1))


@instruction(types.int64, types.uint64)
def popcount(builder, word):
    """Return how many bits are set."""
    return builder.ctpop(word)


@instruction(types.float64, types.int64)
def as_float64(builder, word):
    """Return the float64 that has the bits of a whole number."""
    return builder.bitcast(word, ir.DoubleType())


@instruction(types.int64, types.float64)
def as_int64(builder, number):
    """Return the bits of a number as a whole number."""
    return builder.bitcast(number, ir.IntType(64))


@instruction(types.int64, types.int64)
def load_int64(builder, address):
    """Return the int64 at an address."""
    return builder.load(builder.inttoptr(address, ir.IntType(64).as_pointer()))


@instruction(types.float64, types.int64)
def load_float64(builder, address):
    """Return the float64 at an address."""
    return builder.load(builder.inttoptr(address, ir.DoubleType().as_pointer()))
