"""Values as JSON can hold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nrpa.base.values import shortened


def plain(value: Any, otherwise: Callable[[Any], Any] = repr) -> Any:
    """Return ``value`` made of what JSON can hold; of what it has no form for, such as NaN, what ``otherwise`` says."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, str)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part, otherwise) for key, part in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        parts = [plain(part, otherwise) for part in value]
        return parts if isinstance(value, (tuple, list)) else sorted(parts, key=repr)
    return otherwise(value)


def unwritable(value: Any) -> str:
    """Return the first thing in ``value`` that JSON has no form for, with its type; empty where there is none."""
    found: list[str] = []
    plain(value, lambda part: found.append(f"{shortened(repr(part))} ({type(part).__name__})"))
    return next(iter(found), "")
