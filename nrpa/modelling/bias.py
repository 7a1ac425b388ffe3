"""A bias β, or initial weights, that the caller gives."""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError
from nrpa.base.values import is_finite
from nrpa.engine.playout import ExpBias
from nrpa.engine.policy import HIGHEST, LOWEST
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem, nothing
from nrpa.modelling.digest import UNNAMED
from nrpa.modelling.learned_bias import ByValue, LearnedBias, compilable, python_of
from nrpa.modelling.problem import Problem

MOST_EXPONENT = math.floor(math.log(HIGHEST))
LEAST_EXPONENT = math.ceil(math.log(LOWEST))
"""Whole numbers, so that e^x lies within the policy's own range however it is rounded."""
Bias = ArrayLike | Mapping[Any, float] | Callable[..., float] | LearnedBias


def with_bias(problem: BaseProblem, bias: Bias) -> BaseProblem:
    """Return a copy of a problem with another β: values by code, or a function of the code, or of state and move."""
    changed: Any = copy.copy(problem)
    changed.bias_replaced = True
    if isinstance(problem, Problem):
        changed.bias = ByValue(_of_state_and_move(problem, bias))
        if isinstance(bias, LearnedBias):
            changed.bias_weights = np.array([*bias.weights.values()])
        changed.bias_by_move = True
        changed._prior, changed.biases, changed.bias_by_code = None, partial(Problem.biases, changed), nothing
        return changed  # type: ignore[no-any-return]
    if not isinstance(problem, CompiledProblem):
        raise InputError(f"{problem.name}: takes no bias")
    if _is_of_state(problem, bias):
        return problem.with_state_bias(bias)
    if problem.codes is None:
        what = "its codes are hashes, so its β cannot be given by code"
        raise InputError(f"{problem.name}: {what}; expected a function of {', '.join(problem.bias_parameters)}")
    values = by_code(bias, problem.codes, "bias")
    changed.bias_by_code = partial(np.asarray, values)
    changed.bias_by_move = False
    return changed  # type: ignore[no-any-return]


def with_stronger_bias(problem: BaseProblem, factor: float) -> BaseProblem:
    """Return a copy of a problem that has a method ``bias``, with β times ``factor``; moves and codes stay."""
    if not isinstance(problem, Problem):
        return with_bias(problem, LearnedBias(["bias"], [factor]))
    changed: Any = copy.copy(problem)
    changed._numbered, changed.biases = problem, partial(_times, problem, factor)
    return changed  # type: ignore[no-any-return]


def _times(problem: Problem, factor: float, state: Any, moves: Sequence[Any]) -> list[float]:
    return [factor * bias for bias in problem.biases(state, moves)]


def _is_of_state(problem: CompiledProblem, bias: Any) -> bool:
    """Return whether a bias is a function of the state; an InputError for one that takes other arguments."""
    if isinstance(bias, LearnedBias):
        return True
    try:
        parameters = inspect.signature(python_of(bias)).parameters.values() if callable(bias) else ()
    except (TypeError, ValueError):
        return False
    needed = [each for each in parameters if each.default is each.empty and each.kind not in UNNAMED]
    wanted = problem.bias_parameters
    if len(needed) in (0, 1):
        return False
    if len(needed) != len(wanted):
        what = f"bias is a function of {len(needed)} arguments"
        raise InputError(f"{problem.name}: {what}; expected {', '.join(wanted)}, or the code alone")
    compilable(bias)
    return True


def _of_state_and_move(problem: Problem, bias: Bias) -> Callable[[Any, Any], float]:
    if isinstance(bias, LearnedBias):
        return bias.of(problem)
    if callable(bias):
        if not _takes_two(bias):
            what = "bias must be a function of state and move, or a mapping of codes to β"
            raise InputError(f"{problem.name}: {what}, not a function of other arguments")
        return bias
    if not isinstance(bias, Mapping):
        raise InputError(f"{problem.name}: bias must be a function of state and move, or a mapping of codes to β")
    given: Mapping[Any, float] = bias
    for code, value in given.items():
        if not is_finite(value):
            raise InputError(f"{problem.name}: bias must map codes to finite numbers, not {code!r} to {value!r}")
    return lambda state, move: given.get(problem.code(state, move), 0.0)


def _takes_two(function: Callable[..., Any]) -> bool:
    """Return whether a function can be called with two arguments, as far as it says what it takes."""
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        return False
    except ValueError:
        pass
    return True


def by_code(values: Any, codes: int, what: str) -> np.ndarray:
    """Return a value for each of the codes 0 to codes - 1, float64[codes].

    They come from an array, a mapping of codes to values, 0 for others, or a function of the code. Raises InputError if
    they are no finite numbers, their number is another, or a key of a mapping is no code.

    >>> by_code({1: 0.5}, 3, "bias").tolist()
    [0.0, 0.5, 0.0]
    """
    given: Any = values
    if callable(values):
        given = [values(code) for code in range(codes)]
    elif isinstance(values, Mapping):
        given = [0.0] * codes
        for code, value in values.items():
            if not isinstance(code, (int, np.integer)) or not 0 <= code < codes:
                raise InputError(f"{what}: {code!r} is not a code; expected 0 to {codes - 1}")
            given[code] = value
    array = finite_numbers(given, what)
    if array.shape != (codes,):
        raise InputError(f"{what} must be of shape ({codes},), one for each code, not {array.shape}")
    return array


def finite_numbers(values: Any, what: str) -> np.ndarray:
    """Return finite numbers as float64. Raises InputError for anything else."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be numbers, and of less than 300 digits") from None
    if not np.isfinite(array).all():
        raise InputError(f"{what} must be finite")
    return array


def representable(problem: BaseProblem, exponent: np.ndarray) -> np.ndarray:
    """Return ``exponent``, w/τ + β of each code (float64[codes]). Raises InputError if a policy cannot hold it."""
    if not (exponent <= MOST_EXPONENT).all():
        most = np.max(exponent)
        raise InputError(f"{problem.name}: w/τ + β must be at most {MOST_EXPONENT}, not {most:g}; differences count")
    if not (exponent >= LEAST_EXPONENT).all():
        least = np.min(exponent)
        raise InputError(f"{problem.name}: w/τ + β must be at least {LEAST_EXPONENT}, not {least:g}; differences count")
    return exponent


def exp_bias(problem: BaseProblem, is_used: bool) -> ExpBias:
    """Return the β of a problem for playouts without a policy, or none. Raises InputError where e^β is too large."""
    by_code = problem.bias_by_code() if is_used else None
    return ExpBias(
        by_move=bool(is_used and problem.model.bias_by_move),
        by_code=np.ones(0) if by_code is None else np.exp(representable(problem, by_code)),
    )
