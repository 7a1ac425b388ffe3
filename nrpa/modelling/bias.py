"""A bias β, or initial weights, that the caller gives."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.engine.policy import HIGHEST
from nrpa.modelling.problem import Problem

MOST_EXPONENT = math.log(HIGHEST)
LEAST_EXPONENT = -700
Bias = ArrayLike | Mapping[Any, float] | Callable[..., float]


def with_bias(problem: Problem, bias: Bias) -> Problem:
    """Return a copy of ``problem`` with the given β in place of its own.

    Raises InputError where β cannot be given from outside: in a compiled problem whose codes are hashes.
    """
    changed: Any = copy.copy(problem)
    if problem.in_python:
        changed.bias = _of_state_and_move(problem, bias)
        changed.bias_by_move = True
        return changed  # type: ignore[no-any-return]
    if problem.codes is None:
        raise InputError(f"{problem.name}: its codes are hashes, so its β can only be set by its kernel legal_moves")
    values = by_code(bias, problem.codes, "bias")
    changed.bias_by_code = lambda: values
    changed.bias_by_move = False
    changed.bias_replaced = True
    return changed  # type: ignore[no-any-return]


def _of_state_and_move(problem: Problem, bias: Bias) -> Callable[[Any, Any], float]:
    if callable(bias):
        return bias
    if not isinstance(bias, Mapping):
        raise InputError(f"{problem.name}: bias must be a function of state and move, or a mapping of codes to β")
    given: Mapping[Any, float] = bias
    return lambda state, move: given.get(problem.code(state, move), 0.0)


def by_code(values: Any, codes: int, what: str) -> np.ndarray:
    """Return ``values`` of codes 0 to ``codes`` - 1 as float64[codes]; a mapping is 0 elsewhere. Raises InputError."""
    if callable(values):
        array = np.array([values(code) for code in range(codes)], np.float64)
    elif isinstance(values, Mapping):
        array = np.zeros(codes)
        for code, value in values.items():
            if not isinstance(code, (int, np.integer)) or not 0 <= code < codes:
                raise InputError(f"{what}: {code!r} is not a code; expected 0 to {codes - 1}")
            array[code] = value
    else:
        array = np.array(values, np.float64)
    if array.shape != (codes,):
        raise InputError(f"{what} must be of shape ({codes},), one for each code, not {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite")
    return array


def representable(problem: Problem, exponent: np.ndarray) -> np.ndarray:
    """Return w/τ + β of each code as it is. Raises InputError where its exponential is 0 or too large for a policy."""
    if (exponent > MOST_EXPONENT).any():
        raise InputError(f"{problem.name}: w/τ + β must be at most {MOST_EXPONENT:.0f}, not {exponent.max():g}")
    if not (exponent >= LEAST_EXPONENT).all():
        least = np.min(exponent)
        raise InputError(f"{problem.name}: w/τ + β must be at least {LEAST_EXPONENT}, not {least:g}; differences count")
    return exponent
