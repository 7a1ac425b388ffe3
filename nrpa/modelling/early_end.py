"""Games that end although moves are left: where a state comes again, or after ``max_steps`` moves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from nrpa.modelling.base_problem import BaseProblem


class EarlyEnd:
    """What ends one game early, as ``at_repetition`` and ``at_max_steps`` of its problem say."""

    def __init__(self, problem: BaseProblem) -> None:
        self._problem = problem
        self._met: list[Hashable] = []

    @property
    def is_told_by_keys(self) -> bool:
        """Whether ``rewards_at`` needs the keys of states."""
        return self._problem.at_repetition is not None

    def rewards_at(self, key: Hashable) -> Sequence[float] | None:
        """Note the next state of the game; return what each player gets if the game ends there, else None."""
        problem, again = self._problem, self.is_told_by_keys and key in self._met
        self._met.append(key)
        if again:
            return problem.at_repetition
        return problem.at_max_steps if len(self._met) > problem.max_steps else None
