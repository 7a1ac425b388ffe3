"""How far a score is from the best known value of its instance."""

from __future__ import annotations

from nrpa.modelling.base_problem import BaseProblem


def comparison(problem: BaseProblem, score: float) -> str:
    """Return the best known value of an instance and the gap to it, as text."""
    known = problem.best_known
    if known is None:
        return ""
    text = problem.objective.text(known.value)
    how = "proven optimal" if known.proven_by else "not proven optimal"
    return f"{text} ({how}); gap {gap_text(problem, score)}"


def gap_text(problem: BaseProblem, score: float) -> str:
    """Return by how much a score falls short of the best known value."""
    known = problem.best_known
    if known is None or not has_gap(problem):
        return ""
    objective = problem.objective
    gap = 100 * objective.sign * (known.value - objective.value(score)) / abs(known.value)
    if gap > 1000:
        return "> 1000 %"
    rounded = f"{gap:.2f}"
    return f"{'0.00' if rounded == '-0.00' else rounded} %"


def has_gap(problem: BaseProblem) -> bool:
    """Return whether there is a best known value, other than 0, that scores can be compared with."""
    return problem.best_known is not None and problem.best_known.value != 0
