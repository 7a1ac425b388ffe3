"""Choosing by type in compiled code: which NamedTuple an argument is, and functions made from text for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types


def made(source: str, name: str, names: dict[str, Any], file: str = "") -> Callable[..., Any]:
    r"""Return a function made from its source text.

    Parameters
    ----------
    source : str
        The text, which defines the function.
    name : str
        The name of the function.
    names : dict of str to Any
        What the function may use beside its parameters.
    file : str
        The source file under which numba's cache keeps the function.

    Returns
    -------
    callable
        The function.

    Examples
    --------
    >>> made("def twice(x):\n    return two * x\n", "twice", {"two": 2})(21)
    42
    """
    scope = {"__name__": __name__, **names}
    exec(compile(source, file or f"<{name}>", "exec"), scope)
    function: Callable[..., Any] = scope[name]
    return function


def is_a(argument: Any, named_tuple: type) -> bool:
    """Return whether the type of an argument is that of a NamedTuple class.

    Parameters
    ----------
    argument : numba type
        The type of the argument.
    named_tuple : type
        The class.

    Returns
    -------
    bool
        Whether it is.
    """
    return isinstance(argument, types.BaseNamedTuple) and argument.instance_class is named_tuple
