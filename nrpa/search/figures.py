"""The figures of a solution as a result keeps them, and as they are printed; how far it is from the best known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nrpa.base.errors import escaped
from nrpa.base.plain import unwritable
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective

SIGNIFICANT = 4
MOST_DECIMALS = 10


def unwritable_figures(figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each figure that JSON cannot hold.

    >>> unwritable_figures({"cost": float("inf"), "stops": (1, 2)})
    ["the figure 'cost' must be of finite numbers, text, lists and dicts, not inf (float)"]
    """
    sentences = []
    for name, value in figures.items():
        if not isinstance(name, str):
            sentences.append(f"the name of a figure must be text, not {name!r}")
        elif found := unwritable(value):
            sentences.append(f"the figure {name!r} must be of finite numbers, text, lists and dicts, not {found}")
    return sentences


def figure_text(objective: Objective, name: str, value: Any) -> str:
    """Return a figure as it is printed.

    >>> cost = Objective("cost", sign=-1, digits=2)
    >>> figure_text(cost, "cost", 878.6397), figure_text(cost, "share", 0.0123456), figure_text(cost, "missed", 3)
    ('878.64', '0.01235', '3')
    """
    objective = objective.of(name)
    if not isinstance(value, float):
        return escaped(str(value))
    if name == objective.name or value == 0 or not math.isfinite(value):
        return objective.text(value)
    decimals = max(objective.digits, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
    if decimals > max(objective.digits, MOST_DECIMALS):
        return f"{value:.{SIGNIFICANT}g}"
    text = f"{value:.{decimals}f}"
    surplus = len(text) - len(text.rstrip("0"))
    kept = max(objective.digits, decimals - surplus)
    return f"{value:.{kept}f}"


def figures_text(objective: Objective, figures: Mapping[str, Any]) -> str:
    """Return the figures in one line, each after its name.

    >>> figures_text(Objective("cost", sign=-1, digits=2), {"cost": 38.0, "violations": 1})
    'cost 38.00, violations 1'
    """
    return ", ".join(f"{escaped(name)} {figure_text(objective, name, value)}" for name, value in figures.items())


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
