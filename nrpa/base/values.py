"""Numbers that a caller gives: checked, and turned from NumPy's types into Python's, which JSON can hold."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from nrpa.base.errors import InputError

LARGEST_WHOLE = 2**63 - 1
LONGEST_SHOWN = 60
LONGEST_PATH_SHOWN = 255


def whole(what: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return a whole number as an int.

    Parameters
    ----------
    what : str
        What the number is, for the message.
    value : object
        What was given: an int or an integer of NumPy. A bool is refused.
    least : int
        The smallest that is accepted.
    most : int, optional
        The largest that is accepted; without it there is no end.

    Returns
    -------
    int
        The number.

    Raises
    ------
    InputError
        If it is no whole number from ``least`` to ``most``.

    Examples
    --------
    >>> whole("level", np.int32(3))
    3
    >>> whole("level", 0)
    Traceback (most recent call last):
    nrpa.base.errors.InputError: level must be a whole number of at least 1, not 0
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{what} must be a whole number of at least {least}, not {_text(value)}")
    if most is not None and value > most:
        raise InputError(f"{what} must be at most {most}, not {_text(value)}")
    return int(value)


def positive(what: str, value: Any, least: float = 0.0, most: float = math.inf) -> float:
    """Return a positive number as a float.

    Parameters
    ----------
    what : str
        What the number is, for the message.
    value : object
        What was given: a number of Python or NumPy. A bool is refused.
    least, most : float
        The smallest and the largest that are accepted.

    Returns
    -------
    float
        The number.

    Raises
    ------
    InputError
        If it is no number above 0 and from ``least`` to ``most``.
    """
    number = _float(value)
    if not number > 0:
        raise InputError(f"{what} must be a positive number, not {_text(value)}")
    if not least <= number <= most:
        raise InputError(f"{what} must be from {least:g} to {most:g}, not {_text(value)}")
    return number


def not_negative(what: str, value: Any, most: float = math.inf) -> float:
    """Return a number of at least 0 as a float.

    Parameters
    ----------
    what : str
        What the number is, for the message.
    value : object
        What was given: a number of Python or NumPy. A bool is refused.
    most : float
        The largest that is accepted.

    Returns
    -------
    float
        The number.

    Raises
    ------
    InputError
        If it is no number from 0 to ``most``.
    """
    number = _float(value)
    if not 0.0 <= number <= most:
        raise InputError(f"{what} must be a number from 0 to {most:g}, not {_text(value)}")
    return number


def flag(what: str, value: Any) -> bool:
    """Return ``value`` as a bool. Raises InputError unless it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{what} must be True or False, not {_text(value)}")
    return bool(value)


def shortened(text: str, longest: int = LONGEST_SHOWN) -> str:
    """Return ``text`` as a message shows it: of one longer than ``longest``, the beginning."""
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


def _text(value: Any) -> str:
    """Return the value as a message shows it: a number of NumPy as one of Python."""
    shown = value.item() if isinstance(value, np.generic) else value
    if isinstance(shown, int) and abs(shown) > 10**40:
        return "a number of more than 40 digits"
    return repr(shown)
