"""A cost in plain Python compiled as it stands, or the reason why it runs as it is."""

from __future__ import annotations

import ast
import functools
import math
from types import FunctionType
from typing import Any

import numpy as np

from nrpa.base.debugging import is_debugging
from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened
from nrpa.modelling.sequences import SequenceProblem

containers = lazy("nrpa.compiling.containers")
differences = lazy("nrpa.compiling.differences")
loops = lazy("nrpa.compiling.loops")
neighbours = lazy("nrpa.compiling.neighbours")
proven = lazy("nrpa.compiling.proven")
touched = lazy("nrpa.compiling.touched")
attributes = lazy("nrpa.compiling.attributes")
options = lazy("nrpa.compiling.options")
source = lazy("nrpa.compiling.source")
machine_code = lazy("nrpa.engine.machine_code")

# Shorter searches are not worth the compilation.
LEAST_SECONDS = 1.0


class _Alone:
    """What stands for the problem of a function that is no method."""

    players, codes, improves_again, heeds_stop = 1, None, False, False

    def __init__(self, function: FunctionType) -> None:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        read = [function.__globals__.get(name) for name in function.__code__.co_names]
        vars(self).update({f"read{k}": each for k, each in enumerate([*cells, *read])})

    def initial_state(self) -> tuple[()]:
        """Return a state that holds nothing."""
        return ()


class TranslatedCost:
    """A cost as machine code that has Python's meaning, from the author's function.

    Parameters
    ----------
    function : function
        The cost in plain Python, of a list of whole numbers or of a list of decimal ones.
    ranges : ndarray of int64, shape (2, places), optional
        The least and the most of what it is given at each place, if these are whole numbers.

    Raises
    ------
    ProblemError
        If it does not compile. The message has the line, the construct, and what to write in its place.
    """

    def __init__(self, function: Any, ranges: Any = None) -> None:
        if not isinstance(function, FunctionType):
            what = f"{shortened(repr(function))} is no function that begins with def or lambda"
            raise ProblemError(f"{what}; write one that calls it")
        self._function, self.loops, self._ranges = function, list[str](), ranges
        self._sources = source.Sources(_Alone(function), 0)
        self._sources.no_calls = {**self._sources.no_calls, "print": "nrpa.debug() to look into a function"}
        if ranges is not None:
            self._loops = loops.Loops(function, source.tree_of(function), ranges.shape[1])
        self._asked = functools.cache(lambda sign: neighbours.asked(self._terms, self._taken.parts, ranges, sign))
        self.compiled = self._rewritten() or self._sources.function(function, is_method=False)

    def _rewritten(self) -> Any:
        """Return the function with loops over places, compiled; None where that is not to be."""
        if self._ranges is None or not self._loops.sequence:
            return None
        tree: Any = self._loops.rewritten(within=True)
        tree.cells = self._loops.cells
        intervals = proven.Intervals(self._loops.meanings, self._loops.sequence, self._ranges, {})
        intervals.lines(tree.body[0].body)
        totals = [getattr(each, "is_proven", False) for each in ast.walk(tree) if hasattr(each, "is_total")]
        if not loops.ADDS_PLAINLY and not all(totals):
            return None
        for name, value in self._loops.read.items():
            self._sources.note_global(self._function, name, value)
        try:
            compiled = self._sources.derived(self._function, tree, intervals.is_safe)
            compiled.compile((containers.LIST_OF_NUMBERS,))
        except Exception:  # the function as it stands then says what does not compile
            return None
        return compiled

    def listed(self, given: Any) -> Any:
        """Return the compiled function ``given`` of choices with its array as a list that is only read."""
        as_list = containers.frozen_as("l")
        return options.allocating(lambda choices: as_list(given(choices)))

    def differences(self, is_whole: bool, sequences: list[np.ndarray], sign: float) -> tuple[Any, Any]:
        """Return compiled functions that find the cost of a sequence, and its change, by the terms of sums.

        ``is_whole`` says whether the cost is a whole number, and ``sequences`` how large its terms are otherwise;
        ``sign`` is that of ``neighbours`` if these are found, too, else 0. ``loops`` says of each loop what it is.
        Raises ProblemError for a function that is no sum.
        """
        places, parts = self._ranges.shape[1], self._taken.parts
        if not touched.is_worth_it(parts, places):
            raise ProblemError("it has so few terms that all are sooner added up")
        scale = 1.0 if is_whole else touched.scale_of(self._terms, parts, places, sequences)
        whole, change = touched.evaluators(self._terms, parts, places, self._asked(sign)[1], scale)
        compiled = self.compiled

        def summed(x: Any) -> Any:
            found = whole(x)
            return np.float64(compiled(x)) if np.isnan(found) else found

        kinds = "a term alone", "a sum over places", "a sum over pairs of places"
        self.loops = [f"line {part.line}: {kinds[part.depth]}" for part in parts if part.depth]
        return source.inner(summed), change

    def neighbours(self, sign: float) -> np.ndarray:
        """Return the things that go best behind each one, by sums over neighbours; ``sign`` says if more is better.

        Without rows where there is no such sum. Raises ProblemError for a function that is no sum.
        """
        best: np.ndarray = self._asked(sign)[0]
        return best

    @functools.cached_property
    def _taken(self) -> Any:
        return differences.parts_of(self._loops, self._ranges.shape[1])

    @functools.cached_property
    def _terms(self) -> list[Any]:
        how = self._sources, self._function, self._taken
        return [differences.term_of(*how, part, self._ranges) for part in self._taken.parts]

    def require_compiled(self) -> None:
        """Raise ProblemError, which says where and why, if numba cannot compile it for whole numbers."""
        try:
            self.compiled.compile((containers.LIST_OF_NUMBERS,))
        except Exception as error:
            function = self.compiled.py_func
            raise ProblemError(f"{function.__name__} {machine_code.compiling_fault(error, function)}") from error

    @property
    def has_changed(self) -> bool:
        """Whether a value that the function reads is another one than when it was translated."""
        return any(
            not attributes.is_same(attributes.as_given(read()), before) for _, read, before in self._sources.reads
        )


def attach(problem: Any) -> None:
    """Let a search of a cost in plain Python, here and in other processes, compile it where that is worth it."""
    if isinstance(problem, SequenceProblem):
        problem.translate_by(TranslatedCost, in_searches=not is_debugging())


def expect(problem: Any, playouts: float, seconds: float) -> None:
    """Compile a cost in plain Python if so many playouts more, or so many seconds, are worth it."""
    if isinstance(problem, SequenceProblem):
        problem.function.expect(playouts if seconds > LEAST_SECONDS else 0)


def how_computed(problem: Any) -> str | None:
    """Return a sentence that says how a cost was computed; None for other problems, and where it was not tried."""
    return getattr(problem, "how_computed", None) or None


def explain_cost(given: Any) -> str:
    """Say how a cost is computed in a search: compiled, or as it is, with the line, the reason, and what to write.

    Parameters
    ----------
    given : callable or SequenceProblem
        A cost of a list of whole numbers, which is compiled and not called; or a problem that ``nrpa.permutation``,
        ``nrpa.assignment`` or ``nrpa.subset`` returned, whose cost is compared with plain Python, too.

    Returns
    -------
    str
        A sentence, and a line for each loop whose terms are evaluated alone.

    Raises
    ------
    InputError
        If it is neither.

    Examples
    --------
    >>> import nrpa
    >>> def spread(order):
    ...     return max(order) - min(order)
    >>> nrpa.explain_cost(spread)
    'spread is compiled as it stands.'
    """
    if isinstance(given, SequenceProblem):
        attach(given)
        given.function.expect(math.inf)
        if given.may_have_neighbours:
            given.neighbours()
        said = given.function.how_computed or f"{given.name} runs in plain Python while the debug mode is on."
        return "\n".join([f"{said} {given.how_led}".strip(), *given.function.loops])
    if not callable(given):
        raise InputError(f"expected a function of a sequence, or its problem, not {shortened(repr(given))}")
    if hasattr(given, "py_func"):
        return f"{given.__name__} is compiled by numba.njit."
    try:
        TranslatedCost(given).require_compiled()
    except ProblemError as error:
        return f"{getattr(given, '__name__', 'The cost')} runs in plain Python: {error}."
    return f"{given.__name__} is compiled as it stands."
