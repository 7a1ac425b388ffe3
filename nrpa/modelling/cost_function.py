"""A user's function of a whole sequence as kernels call it: in plain Python, or compiled by numba."""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numba import carray, cfunc, njit, types
from numba.core.errors import NumbaError
from numba.extending import is_jitted

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import is_held, shown
from nrpa.engine.machine_code import compiling_fault
from nrpa.engine.status import LARGEST_SCORE, SCORES
from nrpa.machine.callback import OF_BYTES, call
from nrpa.machine.jit import InnerFunction
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.modelling.worth import COMPILED, given_by, worth_of

WORD = 8
# Addresses of sequences that are remembered.
MOST_VIEWS = 64


class CostFunction:
    """A function that gives the value of an objective for a sequence, and its address for kernels.

    Parameters
    ----------
    function : callable
        It takes a list; one that numba compiles takes an array, int64, or float64 where a value is no whole number.
    objective : Objective
        What its value means.
    values : sequence of sequence
        What the function gets for each choice of each place; empty where it gets the number of the choice.
    example : list of int
        A choice at each place, for which the function is asked in plain Python where it does not compile.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        objective: Objective,
        values: Sequence[Sequence[Any]],
        example: Sequence[int],
    ) -> None:
        self.function, self.objective, self._values, self._example = function, objective, values, example
        self._is_single = not isinstance(objective, Lexicographic)
        self.is_compiled = is_jitted(function)
        self._plain = function.py_func if self.is_compiled else function  # type: ignore[attr-defined]
        self._dtype = np.int64 if all(isinstance(each, (int, np.integer)) for each in chain(*values)) else np.float64
        if self.is_compiled:
            self._require_numbers()
        self._kept = threading.local()
        self._views: dict[int, np.ndarray] = {}
        self._in_python = OF_BYTES(self._called)
        self._in_search = self._compiled().ctypes if self.is_compiled else self._in_python
        self.address: int = ctypes.cast(self._in_search, ctypes.c_void_p).value or 0

    def given(self, choices: Sequence[int]) -> Any:
        """Return what the function is given for a choice at each place."""
        values = [each[choice] for each, choice in zip(self._values, choices, strict=True)] if self._values else choices
        return np.array(values, self._dtype) if self.is_compiled else list(values)

    def score(self, choices: Sequence[int]) -> float:
        """Return the score of a choice at each place, found by plain Python. Raises what the function raises."""
        given = self.given(choices)
        before = given.copy()
        score = self._score_of(self._plain(given))
        if not np.array_equal(given, before) if self.is_compiled else given != before:
            raise ProblemError(f"{self.name} changes the sequence that it is given; let it change a copy")
        return score

    def score_in_search(self, choices: Sequence[int]) -> float:
        """Return the score of a choice at each place as a search finds it. Raises what the function raises."""
        data = np.array(choices, np.int64)
        score = float(self._in_search(data.ctypes.data, data.nbytes))
        self.raise_kept_error()
        return score

    def _compiled(self) -> Any:
        """Return the function compiled for kernels; where it fails, plain Python says why."""
        function = njit(**COMPILED)(self._plain) if isinstance(self.function, InnerFunction) else self.function
        given, worth = given_by(self._values, self._dtype), worth_of(self.objective)
        in_python = ctypes.cast(self._in_python, ctypes.c_void_p).value or 0

        def entry(data: Any, size: Any) -> Any:
            choices = carray(data, (size // WORD,), np.int64)
            try:
                score = worth(function(given(choices)))
            except Exception:
                score = np.nan
            return call(in_python, choices) if np.isnan(score) else score

        try:
            return cfunc(types.float64(types.voidptr, types.int64))(entry)
        except NumbaError as error:
            fault = self._fault_in_python() or f"{self.name} {compiling_fault(error, self._plain)}"
        raise ProblemError(fault)

    def _fault_in_python(self) -> str:
        """Return what is wrong with what the function returns in plain Python; empty where it fails itself."""
        try:
            self.score(self._example)
        except ProblemError as error:
            return str(error)
        except Exception:
            return ""
        return ""

    def _require_numbers(self) -> None:
        for value in chain(*self._values):
            if not isinstance(value, (int, float, np.number)):
                what = f"{self.name} is compiled by numba, so that it is given an array of numbers"
                raise InputError(f"{what}; {shown(value)} is none")

    @property
    def name(self) -> str:
        """What the function is called."""
        return getattr(self._plain, "__name__", type(self._plain).__name__)

    def raise_kept_error(self) -> None:
        """Raise what the function raised in this thread, once; do nothing if there was nothing."""
        error, self._kept.error = getattr(self._kept, "error", None), None
        if error is not None:
            raise error

    def _called(self, data: int, size: int) -> float:
        """Answer a kernel in plain Python."""
        view = self._views.get(data)
        if view is None:
            view = self._view(data, size)
        try:
            choices = view.tolist()
            if self.is_compiled:
                return self._explained(choices)
            return self._score_of(self._plain(self.given(choices) if self._values else choices))
        except BaseException as error:
            self._kept.error = error
            return math.nan

    def _explained(self, choices: list[int]) -> float:
        """Let plain Python say why machine code gave no score; a division by zero is an exception in both."""
        with np.errstate(divide="raise"):
            value = self._plain(self.given(choices))
        return self._score_of(value)

    def _view(self, data: int, size: int) -> np.ndarray:
        """Return the choices at an address, kept, since most games are made at a few addresses."""
        if len(self._views) >= MOST_VIEWS:
            self._views.clear()
        view: np.ndarray = np.ctypeslib.as_array((ctypes.c_int64 * (size // WORD)).from_address(data))
        self._views[data] = view
        return view

    def _score_of(self, value: Any) -> float:
        """Return the score of a value; the lowest one where it is infinitely bad."""
        objective = self.objective
        if self._is_single and (type(value) is float or (type(value) is int and -(2**53) <= value <= 2**53)):
            score = objective.sign * value
            if -LARGEST_SCORE <= score <= LARGEST_SCORE:
                return float(score)
        return self._score_of_any(value)

    def _score_of_any(self, value: Any) -> float:
        if isinstance(self.objective, Lexicographic):
            parts = value if isinstance(value, tuple) else (value,)
            if any(isinstance(part, float) and math.isinf(part) for part in parts):
                return -LARGEST_SCORE
            try:
                return self.objective.score(parts)
            except InputError as error:
                raise ProblemError(f"{self.name}: {error}") from None
        try:
            number = math.nan if isinstance(value, (str, bytes, bool, np.bool_)) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        score = self.objective.sign * number
        if score == -math.inf:
            return -LARGEST_SCORE
        if not -LARGEST_SCORE <= score <= LARGEST_SCORE:
            worst = "inf" if self.objective.sign < 0 else "-inf"
            raise self._wrong(value, f"a number from {SCORES}, or {worst} for what is not allowed")
        if not is_held(value, number):
            raise self._wrong(value, "a number that float64 holds, as all whole ones up to 2^53")
        return score

    def _wrong(self, value: Any, expected: str) -> ProblemError:
        return ProblemError(f"{self.name} returned {shown(value)}; expected {expected}")
