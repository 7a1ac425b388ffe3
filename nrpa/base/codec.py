"""Moves, codes and what a solver in plain Python remembers as JSON can hold them, and back to what they were."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nrpa.base.values import shortened

_SCALARS = np.bool_, np.integer, np.floating


class CannotBeSavedError(Exception):
    """A thing cannot be saved as JSON, from which it would come back as it was; the message names the part."""


def encoded(thing: Any) -> Any:  # noqa: PLR0911
    """Return a thing as JSON can hold it, so that ``decoded`` returns an equal one of the same types.

    Raises CannotBeSavedError for anything that does not come back so: NaN, and objects of other classes.

    >>> encoded((1, "a", (2.5, None)))
    {'tuple': [1, 'a', {'tuple': [2.5, None]}]}
    """
    kind = type(thing)
    if thing is None or kind is str or kind is bool:
        return thing
    if isinstance(thing, int) and kind is int:
        return thing if -(2**63) <= thing < 2**63 else {"int": hex(thing)}
    if isinstance(thing, float) and kind is float and not math.isnan(thing):
        return thing if math.isfinite(thing) else {"float": repr(thing)}
    if isinstance(thing, (tuple, frozenset)) and kind in (tuple, frozenset):
        return {kind.__name__: [encoded(part) for part in thing]}
    if isinstance(thing, list) and kind is list:
        return [encoded(part) for part in thing]
    if isinstance(thing, dict) and kind is dict:
        return {"dict": [[encoded(key), encoded(value)] for key, value in thing.items()]}
    if isinstance(thing, np.ndarray) and thing.dtype.kind in "biuf":
        return {"array": [thing.dtype.name, encoded(thing.tolist()), list(thing.shape)]}
    if isinstance(thing, bytes) and kind is bytes:
        return {"bytes": thing.hex()}
    if isinstance(thing, _SCALARS) and _is_exact(thing):
        number: Any = thing
        return {number.dtype.name: encoded(number.item())}
    raise CannotBeSavedError(f"{shortened(repr(thing))} ({kind.__name__})")


def decoded(value: Any) -> Any:  # noqa: PLR0911
    """Return what ``encoded`` was given.

    >>> decoded({"tuple": [1, {"frozenset": [2]}]})
    (1, frozenset({2}))
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [*map(decoded, value)]
    ((kind, held),) = value.items()
    if kind == "dict":
        return {decoded(key): decoded(part) for key, part in held}
    if kind == "array":
        return np.array(decoded(held[1]), held[0]).reshape(held[2])
    if kind in ("tuple", "frozenset"):
        parts = map(decoded, held)
        return tuple(parts) if kind == "tuple" else frozenset(parts)
    if kind in ("bytes", "int", "float"):
        return bytes.fromhex(held) if kind == "bytes" else int(held, 16) if kind == "int" else float(held)
    make: Any = np.dtype(kind).type
    return make(decoded(held))


def _is_exact(number: Any) -> bool:
    """Return whether a number of NumPy is one of Python's without loss, and not NaN."""
    return not isinstance(number.item(), np.generic) and bool(number == number)  # noqa: PLR0124
