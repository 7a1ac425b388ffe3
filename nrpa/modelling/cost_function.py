"""A user's function of a whole sequence as kernels call it: in plain Python, or compiled by numba."""

from __future__ import annotations

import ctypes
import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np
from numba import carray, cfunc, njit, types
from numba.core.errors import NumbaError
from numba.extending import is_jitted

from nrpa.base.errors import DisagreementError, InputError, ProblemError
from nrpa.base.values import LARGEST_EXACT, is_held, shortened, shown
from nrpa.engine.kernels import ENDS
from nrpa.engine.machine_code import compiling_fault
from nrpa.engine.status import LARGEST_SCORE, SCORES
from nrpa.machine.callback import OF_BYTES, call
from nrpa.machine.jit import InnerFunction
from nrpa.machine.records import whole_numbers
from nrpa.modelling.neighbours import NO_NEIGHBOURS
from nrpa.modelling.objective import Lexicographic, Objective
from nrpa.modelling.worth import COMPILED, given_by, worth_of
from nrpa.python.efforts import traced

WORD = 8
# Addresses of sequences that are remembered.
MOST_VIEWS = 64
# A function in plain Python is compiled for so many instructions of byte code: about a second of them.
WORTH_IT = 20_000_000
# It is then asked in plain Python, too, for so many drawn sequences, for at most so long, and at each new best, unless
# that has taken that share of the time.
DRAWN, SECONDS, SHARE = 200, 0.5, 0.02
# Drawn sequences of which changes are compared, three of each.
CHANGES = 100
# So much of a cost, or of 1, may be lost where its terms are rounded, or added up in another order.
CLOSE = 1e-9


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
    draw : callable
        It draws a choice at each place by a ``numpy.random.Generator``.
    choices : int
        The most choices of a place.

    Attributes
    ----------
    addresses : ndarray of int64, shape (4,)
        Those of the functions that kernels call: the one to search with, one that compares it with plain Python, the
        one that finds the change of the score, 0 where there is none, and one that is told where that is wrong.
    why_whole : str
        Why a compiled function is called for the whole sequence at each change; empty where it is not.
    why_plain : str
        Why a function in plain Python is not compiled; empty where it is, or was not tried.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        objective: Objective,
        values: Sequence[Sequence[Any]],
        example: Sequence[int],
        draw: Callable[[np.random.Generator], Sequence[int]],
        choices: int,
    ) -> None:
        self.function, self.objective, self._values, self._example = function, objective, values, example
        self._draw, self._choices = draw, choices
        self._is_single = not isinstance(objective, Lexicographic)
        self.is_compiled = is_jitted(function)
        self._plain = function.py_func if self.is_compiled else function  # type: ignore[attr-defined]
        self._dtype = np.int64 if all(isinstance(each, (int, np.integer)) for each in chain(*values)) else np.float64
        if self.is_compiled:
            self._require_numbers()
        self._kept = threading.local()
        self._views: dict[int, np.ndarray] = {}
        self._in_python = OF_BYTES(self._called)
        self._comparing, self._refuting = OF_BYTES(self._compared), OF_BYTES(self._refuted)
        self._in_search: Any = self._in_python
        if self.is_compiled:
            compiled = njit(**COMPILED)(self._plain) if isinstance(function, InnerFunction) else function
            self._in_search = self._compiled(compiled, given_by(values, self._dtype))
        self.addresses = np.full(4, _address(self._in_search), np.int64)
        self.addresses[2] = 0
        # The function that translates one in plain Python, and what it has made.
        self.translate: Any = None
        self.has_neighbours = False
        self.translated: Any = None
        self._taken_apart: Any = None  # what has made its neighbours
        self.why_plain = self.why_whole = ""
        self._calls = 0
        self._left: float | None = None  # calls until it is compiled; None where that is not known
        self._begun, self._spent = time.perf_counter(), 0.0

    def given(self, choices: Sequence[int]) -> Any:
        """Return what the function is given for a choice at each place."""
        values = [each[choice] for each, choice in zip(self._values, choices, strict=True)] if self._values else choices
        return np.array(values, self._dtype) if self.is_compiled else list(values)

    def score(self, choices: Sequence[int]) -> float:
        """Return the score of a choice at each place, found by plain Python. Raises what the function raises."""
        given = self.given(choices)
        before = given.copy()
        score = self._score_of(self._asked(given))
        if not np.array_equal(given, before) if self.is_compiled else given != before:
            raise ProblemError(f"{self.name} changes the sequence that it is given; let it change a copy")
        return score

    def score_in_search(self, choices: Sequence[int]) -> float:
        """Return the score of a choice at each place as a search finds it. Raises what the function raises."""
        data = np.array(choices, np.int64)
        score = float(self._in_search(data.ctypes.data, data.nbytes))
        self.raise_kept_error()
        return score

    def _compiled(self, function: Any, given: Any, largest: float = math.inf) -> Any:
        """Return the function of what is ``given`` for choices, compiled for kernels; plain Python says why it fails.

        Plain Python is asked for scores beyond ``largest``, too.
        """
        worth, in_python = worth_of(self.objective), _address(self._in_python)

        def entry(data: Any, size: Any) -> Any:
            choices = carray(data, (size // WORD,), np.int64)
            try:
                score = worth(function(given(choices)))
            except Exception:
                score = np.nan
            return call(in_python, choices) if np.isnan(score) or largest < abs(score) < LARGEST_SCORE else score

        try:
            self._held = cfunc(types.float64(types.voidptr, types.int64))(entry)
            return self._held.ctypes
        except NumbaError as error:
            fault = self._fault_in_python() or f"{self.name} {compiling_fault(error, self._plain)}"
        raise ProblemError(fault)

    # A function in plain Python, compiled without a word from its author.

    def expect(self, calls: float) -> None:
        """Compile a function in plain Python if so many calls more are worth it, or as soon as they were."""
        if self.translate is None or self.is_compiled or self.translated is not None or self.why_plain:
            return
        if self._left is None:
            self._left = WORTH_IT / max(traced(self._asked, self.given(self._example), most=WORTH_IT)[1], 1)
        if self._calls + calls >= self._left:
            self._left = math.nan  # which no number of calls reaches
            self._translate()

    def _translate(self) -> None:
        self.why_whole = ""
        try:
            kinds = {type(each) for each in chain(*self._values)} or {int}
            self.translated = self.translate(self._plain, self._ranges if kinds == {int} else None)
            if kinds not in ({int}, {float}):
                raise ProblemError(f"{self.name}: its values are not all whole numbers, or all decimal ones")
            given = self.translated.listed(given_by(self._values, self._dtype))
            self._in_search = self._compiled(self.translated.compiled, given, LARGEST_EXACT)
            if not (fault := self._difference()):
                self._derive(given)
        except Exception as error:  # also where numba itself fails
            fault = str(error) or type(error).__name__
        if fault:
            self._be_plain(fault)
        else:
            self.addresses[:2] = _address(self._in_search), _address(self._comparing)

    @property
    def _ranges(self) -> np.ndarray:
        """The least and the most whole number that the function gets at each place."""
        ends = [(min(each), max(each)) for each in self._values] or [(0, self._choices - 1)] * len(self._example)
        return np.array(ends, np.int64).T

    def _derive(self, given: Any) -> None:
        """Let the change of the score be found by the terms that a change touches, if the function is a sum."""
        held, in_search, chance = self._held, self._in_search, np.random.default_rng(1)
        drawn = [np.array(self._draw(chance), np.int64) for _ in range(CHANGES)]
        try:
            if self._values or not self._is_single:
                raise ProblemError("its values are listed" if self._values else "it has several figures")
            sequences = [self._example, *(each.tolist() for each in drawn[:3])]
            is_whole = all(isinstance(self._plain(self.given(each)), (int, np.integer)) for each in sequences)
            sign = float(self.objective.sign) if self.has_neighbours else 0.0
            summed, change = self.translated.differences(is_whole, drawn[:3], sign)
            if not is_whole:  # else the function itself finds the same, sooner
                self._in_search = self._compiled(summed, given, LARGEST_EXACT)
            self._changing = _changes(change, float(self.objective.sign))
            fault = self._difference() or self._wrong_change(drawn)
        except Exception as error:  # also where numba itself fails
            fault = str(error) or type(error).__name__
        if fault:
            self._held, self._in_search, self.why_whole = held, in_search, fault
        else:
            self.addresses[2:] = _address(self._changing.ctypes), _address(self._refuting)

    def _wrong_change(self, drawn: list[np.ndarray]) -> str:
        """Return what is said where the change of a score is not that of two whole ones; empty where all are."""
        chance = np.random.default_rng(2)
        for before in drawn if len(drawn[0]) > 1 else ():
            begin, between, end = sorted(chance.choice(len(before) + 1, 3, replace=False).tolist())
            parts = before[begin:end][::-1], np.roll(before[begin:end], begin - between), before[begin:end].copy()
            parts[2][[0, -1]] = parts[2][[-1, 0]]
            for how, part in zip((begin, between, end), parts, strict=True):
                changed, near = before.copy(), before.copy()
                changed[begin:end] = part
                cuts = begin, begin + end - between, end
                ends = [at for cut in cuts for at in range(cut - ENDS, cut + ENDS) if begin <= at < end]
                near[ends] = changed[ends]
                for written, meeting in ((changed, how), (changed, -1), (near, how)):
                    if not self._is_right(changed, before, written, begin, meeting, end, written is changed):
                        return f"a change of {shortened(repr(before.tolist()))} was not derived rightly"
        return ""

    def _is_right(self, changed: np.ndarray, before: np.ndarray, written: np.ndarray, *how: int) -> bool:
        words = np.array([written.ctypes.data, before.ctypes.data, len(changed), *how], np.int64)
        found = self._changing.ctypes(words.ctypes.data, words.nbytes)
        whole = [self._in_search(each.ctypes.data, each.nbytes) for each in (changed, before)]
        return bool(math.isnan(found) or found == whole[0] - whole[1])

    def _refuted(self, data: int, size: int) -> float:
        """Note that a change was not what two whole sequences say; the search goes on with these.

        Decimal terms are not added up exactly where one is too large for the sum.
        """
        *both, places = (ctypes.c_int64 * 3).from_address(data)
        found = float(self._changing.ctypes(data, size))
        one, other = (self._in_search(at, places * WORD) for at in both)
        is_decimal = not (found.is_integer() and (one - other).is_integer())
        if is_decimal and abs(found - (one - other)) <= CLOSE * max(abs(one), abs(other), 1.0):
            return found
        self.addresses[2] = 0
        self.why_whole = "a change was not derived rightly"
        return math.nan

    def _be_plain(self, why: str) -> None:
        self.why_plain, self.translated, self._in_search = why, None, self._in_python
        self.addresses[:] = _address(self._in_python)
        self.addresses[2] = 0

    def _difference(self) -> str:
        """Return in which drawn sequence the compiled function differs; empty for none."""
        chance, end = np.random.default_rng(0), time.perf_counter() + SECONDS
        for _ in range(DRAWN):
            fault = self._difference_of(np.array(self._draw(chance), np.int64))
            if fault or time.perf_counter() > end:
                return fault
        return ""

    def _difference_of(self, choices: np.ndarray) -> str:
        """Return how the compiled function differs for a sequence; empty where it does not, or plain Python fails."""
        compiled = self._in_search(choices.ctypes.data, choices.nbytes)
        self._kept.error = None  # what plain Python raises for it, the search meets by itself
        try:
            value = self._plain(self.given(choices.tolist()))
            plain = self._score_of(value)
        except ProblemError as error:
            return str(error)
        except Exception as error:
            at = shortened(repr(self.given(choices.tolist())))
            differs = f"{self.name} differs compiled: {type(error).__name__} in plain Python alone, for {at}"
            return "" if math.isnan(compiled) else differs
        is_whole = isinstance(value, (int, np.integer))
        if plain == compiled or (not is_whole and math.isclose(plain, compiled, rel_tol=CLOSE, abs_tol=CLOSE)):
            return ""
        theirs, ours = (self.objective.text(self.objective.value(each)) for each in (plain, compiled))
        at = shortened(repr(self.given(choices.tolist())))
        return f"{self.name} differs compiled: {theirs} in plain Python, {ours} compiled, for {at}"

    def _compared(self, data: int, size: int) -> float:
        """Answer a kernel by both; where they differ, the search goes on in plain Python."""
        choices = self._view(data, size)
        score = float(self._in_search(data, size)) if self.translated is not None else math.nan
        fault = self._difference_of(choices.copy()) if self.translated is not None else ""
        if fault:
            self._be_plain(fault)
        return self._called(data, size) if self.translated is None else score

    def confirm(self, sequence: Callable[[], np.ndarray]) -> None:
        """Raise DisagreementError if a new best is another one in plain Python, unless it takes too much time."""
        now = time.perf_counter()
        if self.translated is None or self._spent > SECONDS + SHARE * (now - self._begun):
            return
        fault = self._difference_of(sequence())
        self._spent += time.perf_counter() - now
        if fault:
            self._be_plain(fault)
            raise DisagreementError(f"{fault}; search again, and it runs as it is")

    def forget(self) -> bool:
        """Let a function that reads other values now be compiled anew; return whether its neighbours are others."""
        self._begun, self._spent = time.perf_counter(), 0.0
        if self.translated is not None and self.translated.has_changed:
            self._be_plain("")
            self._left = None
        return self._taken_apart is not None and self._taken_apart.has_changed

    def neighbours(self, translate: Any) -> np.ndarray:
        """Return the things that go best behind each one by sums over neighbours (``SequenceProblem.neighbours``).

        ``translate`` translates a function that is not compiled here, too, as in the debug mode.
        """
        found: np.ndarray = NO_NEIGHBOURS
        self.expect(math.inf)
        with suppress(Exception):  # where the function is no such sum
            if self.translated is not None or not (self.why_plain or translate is None):
                self._taken_apart = self.translated or translate(self._plain, self._ranges)
                if self._is_single:
                    found = self._taken_apart.neighbours(float(self.objective.sign))
        return found

    @property
    def loops(self) -> list[str]:
        """A line for each loop of which a change touches some terms; empty where it touches all."""
        return self.translated.loops if self.translated is not None and not self.why_whole else []

    @property
    def how_computed(self) -> str:
        """A sentence that says whether the function is compiled, or why not; empty where it was not tried."""
        if self.is_compiled:
            return f"{self.name} is compiled by numba.njit."
        if self.translated is not None:
            how = "a change of the sequence is evaluated by the terms that it touches"
            if self.why_whole:
                how = f"each sequence is evaluated as a whole ({self.why_whole})"
            return f"{self.name} is compiled as it stands, and {how}."
        return f"{self.name} runs in plain Python: {self.why_plain}." if self.why_plain else ""

    def _fault_in_python(self) -> str:
        """Return the fault of the function's value in plain Python; empty where the function itself fails."""
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
        self._calls += 1
        view = self._views.get(data)
        if view is None:
            view = self._view(data, size)
        try:
            if self._left is None or self._calls >= self._left:
                self.expect(0)
            choices = view.tolist()
            if self.is_compiled:
                return self._explained(choices)
            return self._score_of(self._plain(self.given(choices) if self._values else choices))
        except BaseException as error:
            self._note(error, self.given(view.tolist()))
            self._kept.error = error
            return math.nan

    def _asked(self, given: Any) -> Any:
        """Return what the author's function returns; an exception of it says for which sequence."""
        before = given.copy()
        try:
            return self._plain(given)
        except Exception as error:
            self._note(error, before)
            raise

    def _note(self, error: BaseException, given: Any) -> None:
        if not isinstance(error, ProblemError) and not hasattr(error, "__notes__"):
            error.add_note(f"{self.name} was given {shortened(repr(list(given)))}")

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


def _address(function: Any) -> int:
    """Return where a C function is."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def _changes(change: Any, sign: float) -> Any:
    """Return a C function of seven whole numbers in an array: where two sequences lie, and how they differ."""

    def entry(data: Any, size: Any) -> Any:
        words = carray(data, (7,), np.int64)
        x, before = whole_numbers(words[0], words[2]), whole_numbers(words[1], words[2])
        try:
            found = sign * change(x, before, words[3], words[4], words[5], words[6] != 0)
        except Exception:
            found = np.nan
        return found

    return cfunc(types.float64(types.voidptr, types.int64))(entry)
