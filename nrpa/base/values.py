"""Numbers that a caller gives: checked, and turned from NumPy's types into Python's, which JSON can hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nrpa.base.errors import InputError

LARGEST_WHOLE = 2**63 - 1


def whole(what: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return ``value`` as an int. Raises InputError unless it is a whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{what} must be a whole number of at least {least}, not {_text(value)}")
    if most is not None and value > most:
        raise InputError(f"{what} must be at most {most}, not {_text(value)}")
    return int(value)


def positive(what: str, value: Any, least: float = 0.0, most: float = math.inf) -> float:
    """Return ``value`` as a float. Raises InputError unless it is a number above 0, from ``least`` to ``most``."""
    number = _float(value)
    if not number > 0:
        raise InputError(f"{what} must be a positive number, not {_text(value)}")
    if not least <= number <= most:
        raise InputError(f"{what} must be from {least:g} to {most:g}, not {_text(value)}")
    return number


def flag(what: str, value: Any) -> bool:
    """Return ``value`` as a bool. Raises InputError unless it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what} must be True or False, not {_text(value)}")
    return bool(value)


def _float(value: Any) -> float:
    """Return a number as a float, NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _text(value: Any) -> str:
    """Return the value as a message shows it: a number of NumPy as one of Python."""
    shown = value.item() if isinstance(value, np.generic) else value
    if isinstance(shown, int) and abs(shown) > 10**40:
        return "a number of more than 40 digits"
    return repr(shown)
