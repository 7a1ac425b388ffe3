"""Numbers that a caller gives: checked, and turned from NumPy's types into Python's, which JSON can hold."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from nrpa.base.errors import InputError

LARGEST_WHOLE = 2**63 - 1
# So that a count of them is exact as a float64 as well.
MOST_PLAYOUTS = 2**53
LONGEST_SHOWN = 60
LONGEST_PATH_SHOWN = 255


def whole(what: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return a whole number as an int. Raises InputError if it is none from ``least`` to ``most``.

    >>> whole("level", np.int32(3))
    3
    >>> whole("level", 0)
    Traceback (most recent call last):
    nrpa.base.errors.InputError: level must be a whole number of at least 1, not 0
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{what} must be a whole number of at least {least}, not {shown(value)}")
    if most is not None and value > most:
        raise InputError(f"{what} must be at most {most}, not {shown(value)}")
    return int(value)


def positive(what: str, value: Any, least: float = 0.0, most: float = math.inf) -> float:
    """Return a number as a float. Raises InputError if it is none above 0 and from ``least`` to ``most``."""
    number = _float(value)
    if not number > 0:
        raise InputError(f"{what} must be a positive number, not {shown(value)}")
    if not least <= number <= most:
        raise InputError(f"{what} must be from {least:g} to {most:g}, not {shown(value)}")
    return number


def not_negative(what: str, value: Any, most: float = math.inf) -> float:
    """Return a number as a float. Raises InputError if it is none from 0 to ``most``."""
    number = _float(value)
    if not 0.0 <= number <= most:
        raise InputError(f"{what} must be a number from 0 to {most:g}, not {shown(value)}")
    return number


def finite(what: str, value: Any) -> float:
    """Return a number as a float. Raises InputError unless it is finite, of Python or NumPy; a bool is refused."""
    number = _float(value)
    if not math.isfinite(number):
        raise InputError(f"{what} must be a finite number, not {shown(value)}")
    return number


def is_finite(value: Any) -> bool:
    """Return whether a value, of whatever type, is a finite number."""
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def numbers(what: str, values: Any) -> np.ndarray:
    """Return an array of float64 of its own. Raises InputError if the values cannot be one."""
    try:
        return np.array(values, np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be numbers") from None


def flag(what: str, value: Any) -> bool:
    """Return ``value`` as a bool. Raises InputError unless it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what} must be True or False, not {shown(value)}")
    return bool(value)


def shortened(text: str, longest: int = LONGEST_SHOWN) -> str:
    """Return the beginning of a text that is longer than ``longest``, else the text."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def path_shown(path: str | os.PathLike[str]) -> str:
    """Return ``path`` as a message shows it: whole, unless no file system could hold its name."""
    text = os.fspath(path)
    return text if len(text) <= LONGEST_PATH_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _float(value: Any) -> float:
    """Return a number as a float, NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def agree(one: Any, other: Any) -> bool:
    """Return whether two scores or figures are the same but for rounding; False for what is no number."""
    try:
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-6)
    except (TypeError, OverflowError):
        return False


def shown(value: Any) -> str:
    """Return a value as a message shows it: numbers of NumPy as Python's, of a long text the beginning."""
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, int) and abs(plain) > 10**40:
        return "a number of more than 40 digits"
    return shortened(repr(plain))
