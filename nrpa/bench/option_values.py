"""Values of options that are written as text: in a variant's ``key=value``, or between quotes in TOML."""

from __future__ import annotations

from typing import Any

from nrpa.base.numerals import number_of, whole_of

_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def parse_option_value(default: Any, value: Any) -> Any:
    """Return the value that a text means for an option.

    >>> [parse_option_value(default, value) for default, value in ((True, "no"), (3, "2"), (1.0, "2"), ("", "2"))]
    [False, 2, 2.0, '2']
    >>> parse_option_value(True, "maybe")
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
