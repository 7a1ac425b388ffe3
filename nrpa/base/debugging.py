"""Whether searches run as plain Python, to be looked into."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_debugging = [os.environ.get("NRPA_DEBUG", "").strip().lower() not in ("", "0", "no", "off", "false")]


def is_debugging() -> bool:
    """Return whether searches that start now run as plain Python."""
    return _debugging[-1]


@contextmanager
def debug() -> Iterator[None]:
    """Run searches that start inside this context as plain Python; NRPA_DEBUG=1 in the environment does so everywhere.

    Breakpoints and ``print`` work in kernels, an index out of bounds is an IndexError, and a write to the instance a
    ValueError. The results are the same; the search is many times slower.

    Returns
    -------
    context manager
        For a ``with`` statement.

    Examples
    --------
    >>> with debug():
    ...     is_debugging()
    True
    """
    _debugging.append(True)
    try:
        yield
    finally:
        _debugging.pop()
