"""The figures of a solution: as a result keeps them, and as they are printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nrpa.base.plain import unwritable
from nrpa.modelling.objective import Objective

SIGNIFICANT = 4
MOST_DECIMALS = 10


def unwritable_figures(figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each figure that JSON cannot hold; NumPy's numbers and arrays, and tuples, it can."""
    sentences = []
    for name, value in figures.items():
        if not isinstance(name, str):
            sentences.append(f"the name of a figure must be text, not {name!r}")
        elif found := unwritable(value):
            sentences.append(f"the figure {name!r} must be of finite numbers, text, lists and dicts, not {found}")
    return sentences


def figure_text(objective: Objective, name: str, value: Any) -> str:
    """Return a figure as it is printed.

    The objective's own figure has its digits. Another one that is a float has as many, and where that leaves fewer
    than four significant ones, as many as make four, without zeros at the end.
    """
    if not isinstance(value, float):
        return str(value)
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
    """Return the figures in one line, each after its name."""
    return ", ".join(f"{name} {figure_text(objective, name, value)}" for name, value in figures.items())
