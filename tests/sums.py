"""Sums as compiled code makes them."""

from functools import reduce
from operator import add


def in_order(numbers):
    """Return the sum, each number added to what was before; since Python 3.12 ``sum`` rounds otherwise."""
    return reduce(add, numbers, 0.0)
