"""Values that a caller gives, as objects or in a text: how they are checked, shown in messages, and written as JSON."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from decimal import Decimal
from numbers import Number
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, UnknownNameError, did_you_mean, escaped

LARGEST_WHOLE = 2**63 - 1
# So that a count of them is exact as a float64 as well.
MOST_PLAYOUTS = 2**53
# Whole numbers up to here are exact in float64.
LARGEST_EXACT = 2**53
LONGEST_SHOWN = 60
LONGEST_PATH_SHOWN = 255
WHOLE_DIGITS = 18
DECIMAL_DIGITS = 28
DECIMAL_EXPONENT = 30
LISTED_DEPTH = 8
# What functions take as a seed.
SeedLike = int | np.integer | np.random.Generator
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


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


def checked_seed(seed: SeedLike) -> int:
    """Return a seed as an int of Python; a Generator of NumPy draws one, of 32 bits.

    Raises InputError for what is neither such a generator nor a whole number of at least 0.

    >>> checked_seed(np.int64(3)), checked_seed(np.random.default_rng(1)) == checked_seed(np.random.default_rng(1))
    (3, True)
    """
    return int(seed.integers(2**32)) if isinstance(seed, np.random.Generator) else whole("seed", seed, 0)


def counted(what: str, value: Any, least: int = 1) -> int:
    """Return a number of playouts or the like as an int; a float such as 1e6 will do if it is whole.

    Raises InputError for anything else, and below ``least``.
    """
    is_round = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return whole(what, int(value) if is_round else value, least)


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
    """Return whether a value of any type is a finite number."""
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def is_held(value: Any, number: float) -> bool:
    """Return whether ``number``, the float64 of a value, is that value, where it is too large for all whole numbers.

    >>> is_held(-(10**18), -1e18), is_held(10**17 + 1, 1e17), is_held(0.1, 0.1)
    (True, False, True)
    """
    if abs(number) < LARGEST_EXACT:
        return True
    exact = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
    return bool(exact == number) or not isinstance(exact, Number)


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


def require_known(what: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raise UnknownNameError for the first name of an option that is not among those known."""
    for name in given:
        if name not in known:
            hint = did_you_mean(name, known) or f"expected one of {', '.join(known)}"
            raise UnknownNameError(f"{what} has no option {name!r}; {hint if known else 'it has none'}")


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


def whole_of(text: str, digits: int = WHOLE_DIGITS) -> int | None:
    """Return the whole number that a text of at most ``digits`` digits is; None for anything else."""
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


def unsigned_zero(value: float) -> float:
    """Return a number, or 0 for -0, which is the score of a cost of 0."""
    return value if value else abs(value)


def plain(value: Any, otherwise: Callable[[Any], Any] = repr) -> Any:
    """Return ``value`` in the types of JSON; a value without such a form, as NaN, becomes ``otherwise`` of it."""
    value = listed(value, 1)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return unsigned_zero(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part, otherwise) for key, part in value.items()}
    if isinstance(value, (list, set, frozenset)):
        parts = [plain(part, otherwise) for part in value]
        return parts if isinstance(value, list) else sorted(parts, key=repr)
    return otherwise(value)


def listed(value: Any, depth: int = LISTED_DEPTH) -> Any:
    """Return a value with lists in place of tuples, ranges, arrays and series, and Python's numbers for NumPy's.

    So it is down to some depth of lists in lists. Others, sets among them, stay as they are.

    >>> listed((range(2), np.array([3, 4]), {5}))
    [[0, 1], [3, 4], {5}]
    """
    if callable(tolist := getattr(value, "tolist", None)) and not isinstance(value, type):
        value = tolist()
    if not isinstance(value, (list, tuple, range)):
        return value
    return [listed(part, depth - 1) for part in value] if depth > 1 else list(value)


def unwritable(value: Any) -> str:
    """Return the first thing in ``value`` that JSON has no form for, with its type; empty where there is none."""
    found: list[str] = []
    plain(value, lambda part: found.append(f"{shortened(repr(part))} ({type(part).__name__})"))
    return next(iter(found), "")


def aligned(lines: Sequence[Sequence[str]], left: Container[int] = ()) -> str:
    """Return cells as text in columns, aligned to the right, but for those of the numbers in ``left``.

    >>> print(aligned([["move", "visits"], ["c3", "120"]], left=(0,)))
    move  visits
    c3       120
    """
    lines = [list(map(escaped, line)) for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(f"{text:{'<' if k in left else '>'}{widths[k]}}" for k, text in enumerate(line)) for line in lines
    )
