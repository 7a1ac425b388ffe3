"""Numbers in a text, in the digits 0 to 9 only: Python's own readers take those of any script."""

from __future__ import annotations

import math
import re
from decimal import Decimal

WHOLE_DIGITS = 18
DECIMAL_DIGITS = 28
DECIMAL_EXPONENT = 30

_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def whole_of(text: str, digits: int = WHOLE_DIGITS) -> int | None:
    """Return the whole number that ``text`` is, of at most so many digits; None for anything else."""
    if not _WHOLE.fullmatch(text) or len(text.lstrip("+-")) > digits:
        return None
    return int(text)


def number_of(text: str) -> float | None:
    """Return the finite number that ``text`` is; None for anything else, infinity and NaN among it."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def decimal_of(text: str) -> Decimal | None:
    """Return the number that ``text`` is, exactly; None for anything else, more than 28 digits, or an extreme size."""
    if not _NUMBER.fullmatch(text) or len(text) > 2 * DECIMAL_DIGITS:
        return None
    value = Decimal(text)
    if len(value.as_tuple().digits) > DECIMAL_DIGITS or not is_moderate(value):
        return None
    return value


def is_moderate(value: Decimal) -> bool:
    """Return whether a decimal is 0 or its size is from 1e-30 to 1e30."""
    return value.is_finite() and (not value or -DECIMAL_EXPONENT <= value.adjusted() <= DECIMAL_EXPONENT)
