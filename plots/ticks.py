"""A log axis of budgets whose ticks are the marks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LABELS = 8
# Up to so much between the ends of an axis, each decade has three labels.
MOST_DECADES = 150.0


def mark_ticks(axes: Axes, marks: Sequence[float], unit: str) -> None:
    """Make the x axis logarithmic with its ticks on the budget marks; at most ``MOST_LABELS`` of them are labelled."""
    axes.set_xscale("log")
    axes.minorticks_off()
    every = -(-len(marks) // MOST_LABELS)
    last = len(marks) - 1
    labels = [_text(mark, unit) if (last - k) % every == 0 else "" for k, mark in enumerate(marks)]
    axes.set_xticks(list(marks), labels)
    axes.set_xlabel(unit)


def decade_ticks(axes: Axes) -> None:
    """Label a logarithmic x axis at 1, 2 and 5 of each power of ten; at 1 only where it has more than two of them.

    An axis so short that it has fewer than two of these is labelled at 1, 2, 3 … 9 of each power of ten.
    """
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = axes.get_xlim()
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if high / low <= MOST_DECADES else (1,)
    powers = [10.0**power for power in range(first, last + 1)]
    places = [step * power for power in powers for step in steps if low <= step * power <= high]
    if len(places) < 2:
        places = [step * power for power in powers for step in range(1, 10) if low <= step * power <= high]
    axes.xaxis.set_major_locator(FixedLocator(places))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_xlim(low, high)


def _text(mark: float, unit: str) -> str:
    if unit != "playouts":
        return f"{mark:g}"
    exponent = int(mark).bit_length() - 1
    return f"$2^{{{exponent}}}$" if mark == 2**exponent else f"{mark:g}"
