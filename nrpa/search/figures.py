"""The figures of a solution: as a result keeps them, and as they are printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nrpa.base.errors import escaped
from nrpa.base.plain import unwritable
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
