"""Values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from nrpa.base.values import shortened


def plain(value: Any) -> Any:
    """Return ``value`` made of what JSON can hold: what it has no form for, such as NaN and infinity, becomes text."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if _is_writable(value):
        return value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(part) for part in value]
    if isinstance(value, (set, frozenset)):
        return sorted(map(plain, value), key=repr)
    return repr(value)


def unwritable(value: Any) -> str:
    """Return the first thing in ``value`` that JSON has no form for, with its type; empty where there is none."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if _is_writable(value):
        return ""
    if isinstance(value, Mapping):
        return next(filter(None, map(unwritable, value.values())), "")
    if isinstance(value, (tuple, list, set, frozenset)):
        return next(filter(None, map(unwritable, value)), "")
    return f"{shortened(repr(value))} ({type(value).__name__})"


def _is_writable(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value))
