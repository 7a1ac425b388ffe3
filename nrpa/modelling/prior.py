"""A prior from outside, such as that of a network: β of all legal moves of a state, asked once and kept by its key."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Hashable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import shortened, whole
from nrpa.modelling.base_problem import BaseProblem, require_problem
from nrpa.modelling.compiled_problem import CompiledProblem, nothing
from nrpa.modelling.played import played
from nrpa.modelling.problem import Problem
from nrpa.python.checks import is_told_by_content

Function = Callable[[list[Any], list[list[Hashable]]], Sequence[ArrayLike]]


class Prior:
    """A function of the user's, its answers by the key of the state, and how often it was asked for what."""

    def __init__(self, problem: Problem, function: Function, most: int) -> None:
        self.function = function
        self._problem, self._most = problem, most
        self.forget()

    def forget(self) -> None:
        """Begin without answers and counts."""
        self._answers: dict[Hashable, list[float]] = {}
        self._pending: dict[Hashable, tuple[Any, list[Hashable]]] = {}
        self._asked: dict[Hashable, tuple[Any, list[Hashable]]] = {}
        self._answered = threading.Condition()
        self.calls = self.states = self.reused = 0
        self.seconds = 0.0

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: no answers."""
        return {name: getattr(self, name) for name in ("function", "_problem", "_most")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Begin without answers."""
        vars(self).update(state)
        self.forget()

    def biases(self, state: Any, moves: Sequence[Hashable]) -> list[float]:
        """Return β of all legal moves of a state."""
        # A state that is reached in another way may list its moves in another order.
        key = self._key(state), tuple(moves)
        answer = self._answers.get(key)
        if answer is not None:
            self.reused += 1
            return answer
        with self._answered:
            while self._asked:
                if key not in self._asked:
                    self._pending[key] = state, list(moves)
                self._answered.wait()
                answer = self._answers.get(key)
                if answer is not None:
                    return answer
            asked = self._asked = {**self._pending, key: (state, list(moves))}
            self._pending.clear()
        try:
            answers = self._ask(asked)
        finally:
            with self._answered:
                self._asked = {}
                self._answered.notify_all()
        return answers[key]

    @property
    def counts(self) -> dict[str, Any]:
        """What a record says of its use."""
        return {"calls": self.calls, "states": self.states, "reused": self.reused, "seconds": round(self.seconds, 6)}

    def _key(self, state: Any) -> Hashable:
        key = self._problem.key(state)
        if not is_told_by_content(key):
            name, given = type(self._problem).__name__, shortened(repr(key))
            what = f"a prior is kept by state, but {given} has no hash of what it holds"
            raise InputError(f"{name}: {what}; expected a method key(state) that gives numbers or tuples")
        return key

    def _ask(self, asked: dict[Hashable, tuple[Any, list[Hashable]]]) -> dict[Hashable, list[float]]:
        """Call the function once for states by their keys; return β of their moves, which is kept."""
        states, moves = [state for state, _ in asked.values()], [legal for _, legal in asked.values()]
        begun = perf_counter()
        given = self.function(states, moves)
        self.seconds += perf_counter() - begun
        self.calls += 1
        self.states += len(states)
        answers = dict(zip(asked, self._checked(given, [len(legal) for legal in moves]), strict=True))
        if len(self._answers) + len(answers) > self._most:
            self._answers.clear()
        self._answers.update(answers)
        return answers

    def _checked(self, given: Any, sizes: list[int]) -> list[list[float]]:
        """Return the function's answer. Raises ProblemError unless it is a finite β of each move of each state."""
        try:
            rows = [np.asarray(row, np.float64) for row in given]
        except (TypeError, ValueError, OverflowError):
            rows = []
        if [row.shape for row in rows] != [(size,) for size in sizes] or not np.isfinite(np.concatenate(rows)).all():
            what = f"finite numbers, one for each legal move: arrays of lengths {sizes}"
            raise ProblemError(f"{self._problem.name}: the prior returned {shortened(repr(given))}; expected {what}")
        return [row.tolist() for row in rows]


def with_prior(problem: BaseProblem, function: Function, *, together: bool = False, most: int = 100_000) -> Problem:
    """Return a problem whose β comes from a function of whole states, such as a network of any library.

    β is the prior of PUCT (e^β over the sum at a node) and the bias of GNRPA, and playouts that draw by β follow it.
    The function is called once for each state; its answers are kept.

    Parameters
    ----------
    problem : BaseProblem
        The problem. A compiled one is then played step by step from Python, with all its legal moves.
    function : callable
        Takes a list of states and a list of their lists of legal moves, and returns a sequence of arrays of float64,
        one for each state: β of its legal moves. A state is that of the problem; of a compiled one, its NamedTuple of
        arrays. It must not be changed.
    together : bool, optional
        Whether several workers are threads of this process that share calls: the states that they reach during one call
        go into the next one. It pays if a call takes long and releases Python's lock, as one on a GPU does.
    most : int, optional
        The most answers that are kept; when there are more, all are deleted.

    Returns
    -------
    Problem
        The same instance with this prior. Results have ``inputs["prior"]``: the numbers of calls and of states in them,
        how often an answer was reused, and the seconds spent in the function, all in this process.

    Raises
    ------
    InputError
        If it is no function, or no problem. In a search: if states are not hashable by their content, and the problem
        has no ``key``.
    ProblemError
        In a search, if the function returns something else.

    Examples
    --------
    >>> import numpy as np
    >>> import nrpa
    >>> def nearest_first(states, moves):
    ...     return [-np.arange(len(legal)) for legal in moves]
    >>> problem = nrpa.with_prior(nrpa.WeakSchur.load("3"), nearest_first)
    >>> result = nrpa.solve(problem, nrpa.PUCT(policy="bias"), seed=1, playouts=100)
    >>> sorted(result.inputs["prior"])
    ['calls', 'kind', 'name', 'reused', 'seconds', 'sha256', 'states']
    """
    require_problem(problem)
    if not callable(function) or isinstance(function, type):
        raise InputError(f"a prior must be a function of states and their moves, not {shortened(repr(function))}")
    changed: Any = played(problem) if isinstance(problem, CompiledProblem) else copy.copy(problem)
    changed._prior = Prior(copy.copy(changed), function, whole("most", most))
    changed.biases, changed.bias_by_code = changed._prior.biases, nothing
    changed.bias_by_move = changed.bias_replaced = True
    changed.holds_gil = not together
    return changed  # type: ignore[no-any-return]
