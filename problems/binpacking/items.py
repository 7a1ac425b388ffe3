"""The items of an instance: sizes and capacity as they were given, checked, and scaled to whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import without_cached
from nrpa.base.values import DECIMAL_EXPONENT, is_moderate, shortened, shown
from nrpa.problems.binpacking.bounds import Bounds, bounds, l1, l2

LARGEST_CAPACITY = 10**12
MOST_ITEMS = 300_000


class Items:
    """What does not depend on the options of a problem, so that several share it.

    - ``capacity``, ``sizes``: As they were given.
    - ``scale``: A power of ten that makes them whole numbers, ``whole_capacity`` and ``whole_sizes``.
    """

    def __init__(self, capacity: Any, sizes: Any) -> None:
        self.capacity = _decimal("the capacity", capacity)
        self.sizes = _decimals(sizes)
        distinct = set(self.sizes)
        _check_sizes(self.capacity, self.sizes, distinct)
        self.scale = _scale(self.capacity, distinct)
        whole = {size: int(size * self.scale) for size in distinct}
        self.whole_capacity = int(self.capacity * self.scale)
        self.whole_sizes = [whole[size] for size in self.sizes]

    __getstate__ = without_cached

    @cached_property
    def least_bins(self) -> int:
        """The better of the lower bounds."""
        return max(l1(self.whole_capacity, self.whole_sizes), l2(self.whole_capacity, self.whole_sizes))

    @cached_property
    def bounds(self) -> Bounds:
        return bounds(self.whole_capacity, self.whole_sizes)


def _decimals(sizes: Any) -> list[Decimal]:
    known: dict[tuple[type, Any], Decimal] = {}
    found = []
    for k, size in enumerate(_as_list(sizes), 1):
        key = type(size), size if isinstance(size, (int, float)) else k
        if key not in known:
            known[key] = _decimal(f"the size of item {k}", size)
        found.append(known[key])
    return found


def _as_list(sizes: Any) -> list[Any]:
    if isinstance(sizes, np.ndarray) and sizes.ndim == 1:
        return list(sizes.tolist())
    if isinstance(sizes, Sequence) and not isinstance(sizes, (str, bytes)):
        return list(sizes)
    raise InputError(f"sizes must be a list of numbers, not {type(sizes).__name__}")


def _decimal(what: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, np.integer, np.floating)):
        raise InputError(f"{what} must be a number, not {shown(value)}")
    whole = isinstance(value, (int, np.integer))
    number = value if isinstance(value, Decimal) else Decimal(int(value) if whole else str(value))
    if not number.is_finite():
        raise InputError(f"{what} must be finite, not {value}")
    if not is_moderate(number):
        found = shortened(str(number))
        raise InputError(f"{what} must be from 1e-{DECIMAL_EXPONENT} to 1e{DECIMAL_EXPONENT}, not {found}")
    return number


def _check_sizes(capacity: Decimal, sizes: list[Decimal], distinct: set[Decimal]) -> None:
    if capacity <= 0:
        raise InputError(f"the capacity must be above 0, not {capacity:f}")
    if not sizes:
        raise InputError("there are no items; expected at least one size")
    if len(sizes) > MOST_ITEMS:
        most = f"expected at most {MOST_ITEMS:,}, with which a search needs 1.5 GB"
        raise InputError(f"there are {len(sizes):,} items; {most}")
    if min(distinct) > 0 and max(distinct) <= capacity:
        return
    k, size = next((k, size) for k, size in enumerate(sizes, 1) if size <= 0 or size > capacity)
    if size <= 0:
        raise InputError(f"item {k} has size {size:f}; expected a size above 0")
    raise InputError(f"item {k} has size {size:f}, larger than the capacity {capacity:f}")


def _scale(capacity: Decimal, sizes: set[Decimal]) -> int:
    """Return the power of ten that makes all of them whole numbers."""
    digits = max(0, *(-int(number.normalize().as_tuple().exponent) for number in (capacity, *sizes)))
    if digits > 12 or capacity * 10**digits > LARGEST_CAPACITY:
        raise InputError(
            f"the capacity {capacity:f} with sizes of {digits} decimals is too fine: "
            f"scaled to whole numbers it must be at most {LARGEST_CAPACITY:,}"
        )
    return int(10**digits)
