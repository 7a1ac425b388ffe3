"""A bias β, or initial weights, that the caller gives."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.engine.extremes import HIGHEST, LOWEST
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem

MOST_EXPONENT = math.floor(math.log(HIGHEST))
LEAST_EXPONENT = math.ceil(math.log(LOWEST))
"""Whole numbers within the policy's own range, so that no rounding of e^x leaves it: Adapt moves no weight back."""
Bias = ArrayLike | Mapping[Any, float] | Callable[..., float]


def with_bias(problem: BaseProblem, bias: Bias) -> BaseProblem:
    """Return a copy of ``problem`` with the given β in place of its own.

    Raises InputError where β cannot be given from outside: in a compiled problem whose codes are hashes.
    """
    changed: Any = copy.copy(problem)
    if isinstance(problem, Problem):
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
    for code, value in given.items():
        if not _is_finite(value):
            raise InputError(f"{problem.name}: bias must map codes to finite numbers, not {code!r} to {value!r}")
    return lambda state, move: given.get(problem.code(state, move), 0.0)


def by_code(values: Any, codes: int, what: str) -> np.ndarray:
    """Return ``values`` of codes 0 to ``codes`` - 1 as float64[codes]; a mapping is 0 elsewhere. Raises InputError."""
    given: Any = values
    if callable(values):
        given = [values(code) for code in range(codes)]
    elif isinstance(values, Mapping):
        given = [0.0] * codes
        for code, value in values.items():
            if not isinstance(code, (int, np.integer)) or not 0 <= code < codes:
                raise InputError(f"{what}: {code!r} is not a code; expected 0 to {codes - 1}")
            given[code] = value
    try:
        array = np.array(given, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be numbers, and of less than 300 digits") from None
    if array.shape != (codes,):
        raise InputError(f"{what} must be of shape ({codes},), one for each code, not {array.shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite")
    return array


def representable(problem: BaseProblem, exponent: np.ndarray) -> np.ndarray:
    """Return w/τ + β of each code as it is.

    Parameters
    ----------
    problem : BaseProblem
        Whose codes they are, for the message.
    exponent : float64[codes]
        What the policy keeps the exponential of.

    Returns
    -------
    float64[codes]
        ``exponent``.

    Raises
    ------
    InputError
        For one below -391 or above 391: a policy holds 1e-170 to 1e170, and would take two beyond it for the same.

    """
    if not (exponent <= MOST_EXPONENT).all():
        most = np.max(exponent)
        raise InputError(f"{problem.name}: w/τ + β must be at most {MOST_EXPONENT}, not {most:g}; differences count")
    if not (exponent >= LEAST_EXPONENT).all():
        least = np.min(exponent)
        raise InputError(f"{problem.name}: w/τ + β must be at least {LEAST_EXPONENT}, not {least:g}; differences count")
    return exponent


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except (TypeError, OverflowError):
        return False
