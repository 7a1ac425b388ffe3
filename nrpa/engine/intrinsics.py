"""Machine instructions that numba has no name for."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context, word):
    """Return the index of the lowest set bit.

    Parameters
    ----------
    word : uint64
        Any number but 0, for which the result is undefined.

    Returns
    -------
    int64
        The index, 0 to 63.
    """
    signature = types.int64(types.uint64)

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def leading_zeros(typing_context, word):
    """Return the number of zero bits above the highest set bit.

    Parameters
    ----------
    word : uint64
        Any number but 0, for which the result is undefined.

    Returns
    -------
    int64
        The number, 0 to 63.
    """
    signature = types.int64(types.uint64)

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return signature, generate


@intrinsic
def popcount(typing_context, word):
    """Return how many bits of ``word`` (uint64) are set, int64."""
    signature = types.int64(types.uint64)

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return signature, generate


@intrinsic
def as_float64(typing_context, word):
    """Return the float64 whose bits ``word`` (int64) has."""
    signature = types.float64(types.int64)

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.DoubleType())

    return signature, generate


@intrinsic
def as_int64(typing_context, number):
    """Return the bits of ``number`` (float64) as int64."""
    signature = types.int64(types.float64)

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], ir.IntType(64))

    return signature, generate
