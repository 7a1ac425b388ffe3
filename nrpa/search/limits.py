"""What ends a search: the limits that ``solve`` takes as criteria, with those that the problem itself has."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nrpa.base.errors import InputError
from nrpa.base.values import agree, shown
from nrpa.modelling.base_problem import BaseProblem, score_of_value
from nrpa.search.stop import (
    AnyOf,
    Criterion,
    NoImprovement,
    PlayoutLimit,
    Progress,
    ScoreLimit,
    SearchLimit,
    TimeLimit,
    as_criteria,
)

logger = logging.getLogger("nrpa")

DEFAULT_SECONDS = 10.24


@dataclass(frozen=True)
class RunLimits:
    """What ends a search, as ``solve`` takes it; ``time``, ``playouts`` and ``searches`` are so much more of each."""

    time: float | None
    playouts: int | None
    searches: int | None
    target: float | Sequence[float] | None
    no_improvement: int | NoImprovement | None
    stop: Criterion | Iterable[Criterion] | None

    def criteria(self, problem: BaseProblem, done: Progress) -> AnyOf:
        """Return the criteria in their order, which count from the beginning of the run; without any, 10.24 seconds."""
        given = [*self._target(problem), *as_criteria(self.stop), *self._more(done)]
        if not given:
            logger.info("no limit given: searching for %s seconds", DEFAULT_SECONDS)
            given = [TimeLimit(DEFAULT_SECONDS + done.seconds)]
        return AnyOf((*_of_problem(problem), *given))

    def _target(self, problem: BaseProblem) -> Iterator[Criterion]:
        if self.target is not None:
            yield ScoreLimit(reachable_score(problem, self.target))

    def _more(self, done: Progress) -> Iterator[Criterion]:
        if self.playouts is not None:
            yield PlayoutLimit(PlayoutLimit(self.playouts).playouts + done.playouts)
        if self.searches is not None:
            yield SearchLimit(SearchLimit(self.searches).searches + done.searches)
        if self.time is not None:
            yield TimeLimit(TimeLimit(self.time).time + done.seconds)
        if isinstance(self.no_improvement, NoImprovement):
            yield self.no_improvement
        elif self.no_improvement is not None:
            yield NoImprovement(playouts=self.no_improvement)


def _of_problem(problem: BaseProblem) -> Iterator[Criterion]:
    bound = problem.bound()
    if bound is not None:
        yield ScoreLimit(score_of_value(problem, "bound()", bound), status="optimal")
    if problem.goal is not None:
        yield ScoreLimit(score_of_value(problem, "goal", problem.goal))


def reachable_score(problem: BaseProblem, target: float | Sequence[float]) -> float:
    """Return the score of a target.

    Raises InputError for one that is better than the bound of the problem, such as a score in place of a cost.
    """
    objective, bound = problem.objective, problem.bound()
    if bound is None and getattr(objective, "penalty", 0.0) > 0.0:
        bound = 0.0
    if bound is not None and objective.sign < 0 <= bound and not isinstance(target, Sequence) and target < 0:
        what = f"{objective.name} of {problem.name} is never negative, and the target is {shown(target)}"
        raise InputError(f"{what}; expected a {objective.name}, not a score")
    if bound is not None and not isinstance(target, Sequence):
        better = objective.sign * (target - bound)
        if better > 0 and not agree(target, bound):
            what = f"no {objective.name} of {problem.name} is better than {shown(bound)}"
            raise InputError(f"{what}, which bound() says; the target {shown(target)} is never reached")
    return objective.score(target)
