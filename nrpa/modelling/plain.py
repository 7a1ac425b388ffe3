"""Moves and solutions as JSON can hold them."""

from __future__ import annotations

from typing import Any

import numpy as np


def plain(thing: Any) -> Any:
    """Return a move as JSON can hold it: tuples as lists, sets as sorted lists, NumPy numbers as numbers, else text."""
    if isinstance(thing, np.generic):
        return thing.item()
    if thing is None or isinstance(thing, (bool, int, float, str)):
        return thing
    if isinstance(thing, (tuple, list)):
        return [plain(part) for part in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted(map(plain, thing), key=repr)
    return repr(thing)
