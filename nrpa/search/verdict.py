"""What a search has found, against what the problem says of it: its check, its bound, the sign of its scores."""

from __future__ import annotations

import logging
import math

from nrpa.base.errors import DisagreementError, ProblemError
from nrpa.base.values import agree, is_held, shortened, shown
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem

logger = logging.getLogger("nrpa")


def verdict_on(problem: BaseProblem, solution: object, score: float) -> Verdict:
    """Return what the problem's check says of a solution. Raises ProblemError for a score that is no number.

    DisagreementError if it says another score than the search.
    """
    if not math.isfinite(score):
        raise ProblemError(
            f"{type(problem).__name__}: the best score is {score}; expected a finite number, "
            "a low one where something is not allowed"
        )
    verdict = problem.check(solution)
    if not isinstance(verdict, Verdict):
        what = f"check returned {shortened(repr(verdict))}; expected an nrpa.Verdict"
        raise ProblemError(f"{type(problem).__name__}: {what}")
    if verdict.score is not None and agree(verdict.score, score) and not is_held(verdict.score, score):
        what = f"check returned the score {shown(verdict.score)}, the search {score!r}"
        raise ProblemError(f"{type(problem).__name__}: {what}; whole numbers beyond 2^53 must be the same in both")
    if not agree(verdict.score, score):
        if type(problem).check is Problem.check and not verdict.faults:
            twice = f"{score!r} in the search, {verdict.score!r} when it was played again"
            what = f"the same solution has two scores ({twice}); {problem._of_two_scores}"
            raise DisagreementError(f"{problem.name}: {what}")
        if verdict.score is None and not verdict.faults:
            raise DisagreementError(f"{problem.name}: check returned a Verdict without a score; give it, too")
        why = f" ({'; '.join(verdict.faults)})" if verdict.faults else "; are score and check of the same formula?"
        raise DisagreementError(
            f"{problem.name}: the search scored {score!r}, the independent check {verdict.score!r}{why}"
        )
    return verdict


def require_possible(problem: BaseProblem, score: float) -> None:
    """Raise ProblemError for a score that is better than the bound of the problem."""
    bound = problem.bound()
    if bound is None:
        return
    # Not ``objective.score``, which is the least score of the value: others of the same value are better.
    best = problem.objective.sign * float(bound)
    if score > best and not agree(score, best):
        name, value = problem.objective.name, problem.objective.value(score)
        raise ProblemError(
            f"{type(problem).__name__}: a solution with {name} {value:.12g} was found, but bound() says that none can "
            f"be better than {float(bound):.12g}; one of the two is wrong"
        )


def warn_of_sign(problem: BaseProblem, score: float) -> None:
    """Warn where the score of a plain-Python problem looks like a cost that was not negated, which nobody can tell."""
    name, value = problem.objective.name, problem.objective.value(score)
    if isinstance(problem, Problem) and problem.objective.sign < 0 and value < 0 and problem.bound() is None:
        what = f"the first score is {score:.12g}, so that {name} is {value:.12g}: with sign=-1 the score is minus the"
        logger.warning(
            "%s: %s %s; if that is never negative, let score return it negated", type(problem).__name__, what, name
        )
