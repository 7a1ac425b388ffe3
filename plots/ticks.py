"""A log axis of budgets whose ticks are the marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LABELS = 8


def mark_ticks(axes: Axes, marks: Sequence[float], unit: str) -> None:
    """Make the x axis logarithmic with its ticks on the budget marks; at most ``MOST_LABELS`` of them are labelled.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Whose x axis is changed.
    marks : sequence of float
        The budgets, ascending.
    unit : {"seconds", "playouts"}
        What the budgets count.
    """
    axes.set_xscale("log")
    axes.minorticks_off()
    every = -(-len(marks) // MOST_LABELS)
    last = len(marks) - 1
    labels = [_text(mark, unit) if (last - k) % every == 0 else "" for k, mark in enumerate(marks)]
    axes.set_xticks(list(marks), labels)
    axes.set_xlabel(unit)


def _text(mark: float, unit: str) -> str:
    if unit == "seconds":
        return f"{mark:g}"
    exponent = int(mark).bit_length() - 1
    return f"$2^{{{exponent}}}$" if mark == 2**exponent else f"{mark:g}"
