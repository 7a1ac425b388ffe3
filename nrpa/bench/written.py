"""Values of options that are written as text: in a variant's ``key=value``, or between quotes in TOML."""

from __future__ import annotations

from typing import Any

from nrpa.base.numerals import number_of, whole_of

_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def read_as(default: Any, value: Any) -> Any:
    """Return the value that a text means for an option.

    Parameters
    ----------
    default : bool, int, float, str or None
        The default of the option; its type is that of the values. None where the option does not say: a number is then
        one.
    value : object
        A text, or a value that is returned as it is.

    Returns
    -------
    object
        The value; the text itself where it means none, which the option then refuses.

    Examples
    --------
    >>> read_as(True, "no"), read_as(3, "2"), read_as(1.0, "2"), read_as("", "2")
    (False, 2, 2.0, '2')
    >>> read_as(True, "maybe")
    'maybe'
    """
    if not isinstance(value, str) or isinstance(default, str):
        return value
    if isinstance(default, bool):
        return _FLAGS.get(value.lower(), value)
    found = None if isinstance(default, float) else whole_of(value)
    if found is None and not isinstance(default, int):
        return value if (number := number_of(value)) is None else number
    return value if found is None else found
