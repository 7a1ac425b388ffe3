"""A problem with chance as the mean over scenarios that are drawn beforehand, the same for every candidate."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from statistics import fmean
from typing import Any

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import shortened, whole
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Lexicographic
from nrpa.modelling.played import played
from nrpa.modelling.problem import Problem

Measure = Callable[[list[float]], float]


class Averaged(Problem):
    """Problems that moves are played in side by side; a state is one of each, names and codes are the first's."""

    def __init__(self, scenarios: Sequence[Problem], measure: Measure) -> None:
        super().__init__()
        self.scenarios, self.measure, first = scenarios, measure, scenarios[0]
        for name in ("name", "objective", "goal", "max_steps"):
            setattr(self, name, getattr(first, name))
        self.bias_by_move = any(each.bias_by_move for each in scenarios)

    def digest(self) -> str:
        return hashlib.sha256("".join(each.sha256 for each in self.scenarios).encode()).hexdigest()

    @property
    def options(self) -> dict[str, Any]:
        """The options of the first scenario, how many there are, and the name of the measure."""
        measure = getattr(self.measure, "__name__", type(self.measure).__name__)
        return {**self.scenarios[0].options, "scenarios": len(self.scenarios), "measure": measure}

    def initial_state(self) -> tuple[Any, ...]:
        return tuple([each.initial_state() for each in self.scenarios])

    def legal_moves(self, state: Any) -> list[Hashable]:
        """Return the moves, which must be the same in all scenarios."""
        first, *others = [list(each.legal_moves(part)) for each, part in zip(self.scenarios, state, strict=True)]
        for number, moves in enumerate(others, start=2):
            if moves != first:
                differs = "expected the same legal moves in all scenarios; chance may change what moves do"
                raise ProblemError(f"{self.name}: scenario {number} has other legal moves than the first; {differs}")
        return first

    def play(self, state: Any, move: Any) -> tuple[Any, ...]:
        return tuple([each.play(part, move) for each, part in zip(self.scenarios, state, strict=True)])

    def copy(self, state: Any) -> tuple[Any, ...]:
        return tuple([each.copy(part) for each, part in zip(self.scenarios, state, strict=True)])

    def key(self, state: Any) -> Hashable:
        return tuple([each.key(part) for each, part in zip(self.scenarios, state, strict=True)])

    def code(self, state: Any, move: Any) -> Hashable:
        """Return the code of a move in the first scenario."""
        return self.scenarios[0].code(state[0], move)

    def biases(self, state: Any, moves: Sequence[Hashable]) -> list[float]:
        """Return the mean β of each move."""
        given = [each.biases(part, moves) for each, part in zip(self.scenarios, state, strict=True)]
        return list(map(fmean, zip(*given, strict=True)))

    def _scores(self, state: Any) -> list[float]:
        return [float(each.score(part)) for each, part in zip(self.scenarios, state, strict=True)]

    def score(self, state: Any) -> float:
        """Return the measure of the scores."""
        return self.measure(self._scores(state))

    def describe(self, state: Any) -> dict[str, Any]:
        """Return the objective's best and worst value of a scenario."""
        scores = self._scores(state)
        return {"best": self.objective.value(max(scores)), "worst": self.objective.value(min(scores))}


def averaged(
    scenarios: Iterable[BaseProblem] | Callable[[int], BaseProblem],
    measure: Measure = fmean,
    *,
    compared: int = 50,
) -> Problem:
    """Return the problem of a sequence of moves that is good on average over scenarios.

    A problem with chance is given as several without: the same instance, each with its own draw of what is uncertain.
    Every candidate is judged by the same draws (common random numbers), so that the same moves have one score, and two
    candidates differ by what they do and not by luck.

    Parameters
    ----------
    scenarios : iterable of BaseProblem, or callable
        The same instance with different draws, of one class. Legal moves must be the same in all of them. A function
        gives the scenario of a whole number, and is called with 0, 1, 2 and so on.
    measure : callable, optional
        Makes one score of a list of scores, one for each scenario; their mean without it. ``min`` is the worst case.
    compared : int, optional
        With a function: how many scenarios there are.

    Returns
    -------
    Problem
        The problem. Its figures have ``best`` and ``worst``, the objective's values of the best and the worst scenario.

    Raises
    ------
    InputError
        If there is no scenario, one is no problem for one player, they are of different classes, or the measure is no
        function.
    ProblemError
        In a search, if legal moves differ between scenarios.

    Examples
    --------
    >>> import random
    >>> import nrpa
    >>> class Stock(nrpa.Problem):
    ...     objective = nrpa.Objective("profit", sign=1)
    ...
    ...     def __init__(self, seed):
    ...         self.demand = [random.Random(seed).randrange(6) for _ in range(4)]
    ...
    ...     def initial_state(self):
    ...         return ()
    ...
    ...     def legal_moves(self, state):
    ...         return range(6) if len(state) < 4 else []
    ...
    ...     def play(self, state, move):
    ...         return (*state, move)
    ...
    ...     def score(self, state):
    ...         return sum(5 * min(pair) - 2 * pair[0] for pair in zip(state, self.demand))
    >>> problem = nrpa.averaged(Stock(seed) for seed in range(20))
    >>> result = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=2000)
    >>> result.figures["worst"] < result.profit < result.figures["best"]
    True
    """
    if not callable(measure):
        raise InputError(f"averaged: measure must be a function of a list of scores, not {shortened(repr(measure))}")
    if callable(scenarios) and not isinstance(scenarios, Iterable):
        scenarios = map(scenarios, range(whole("compared", compared)))
    try:
        given = list(scenarios)
    except TypeError:
        raise InputError(f"averaged expects several problems, not {shortened(repr(scenarios))}") from None
    return Averaged(_sound(given), measure)


def _sound(given: Sequence[BaseProblem]) -> list[Problem]:
    """Return scenarios as they are played from Python. Raises InputError for what are none."""
    kinds = {type(each) for each in given}
    if len(kinds) != 1 or not all(isinstance(each, BaseProblem) and each.players == 1 for each in given):
        what = ", ".join(sorted(kind.__name__ for kind in kinds)) or "none"
        raise InputError(f"averaged expects problems for one player, all of one class, not {what}")
    if isinstance(given[0].objective, Lexicographic):
        raise InputError("averaged expects problems whose scores are single numbers, not tuples")
    return [played(each) if isinstance(each, CompiledProblem) else each for each in given]  # type: ignore[misc]
