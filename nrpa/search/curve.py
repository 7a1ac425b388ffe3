"""The clocks that a run can have, and its anytime curve: the best score at doubling seconds and playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import count, takewhile
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.modelling.objective import Objective

# On the wall, and the processor time of the thread that searches.
WALL = "wall"
PROCESSOR = "processor"
CLOCKS: dict[str, Callable[[], float]] = {WALL: perf_counter, PROCESSOR: thread_time}
FIRST_SECONDS = 0.01
# Of the picture of a curve, in pixels: the axes begin at the left and end at the bottom, below which labels are.
WIDTH, HEIGHT, MARGIN, LEFT, BOTTOM, LETTERS = 360, 110, 8, 70, 86, 11
LEAST_SECONDS = 1e-4


def seconds_text(clock: str) -> str:
    """Return what the seconds of a clock are called in tables and pictures."""
    return "processor seconds" if clock == PROCESSOR else "seconds"


def of_clock(clock: str) -> str:
    """Return what follows a number of seconds where they are not those on the wall."""
    return " of processor time" if clock == PROCESSOR else ""


def require_clock(given: Any, workers: int = 1, is_elsewhere: bool = False) -> None:
    """Raise InputError unless it is "wall", or "processor" where only the calling thread searches."""
    if not isinstance(given, str) or given not in CLOCKS:
        raise InputError(f"clock must be one of {', '.join(CLOCKS)}, not {given!r:.40}")
    if given == PROCESSOR and (workers > 1 or is_elsewhere):
        raise InputError("the processor's clock counts the thread that searches; expected one worker, and no executor")


class Point(NamedTuple):
    """The best score after so many seconds and playouts.

    Attributes
    ----------
    seconds : float
        Seconds of search.
    playouts : int
        Playouts done.
    score : float
        The best score by then, which the search maximises.
    """

    seconds: float
    playouts: int
    score: float


BEGINNING = Point(0.0, 0, float("-inf"))


def seconds_mark(k: int) -> float:
    """Return a time mark of the curve.

    >>> seconds_mark(10)
    10.24
    """
    return FIRST_SECONDS * float(2**k)


class Recorder:
    """Collects the curve and the improvements of one run; goes on from those of a run that was stopped.

    - ``curve``: A point at each time mark of 0.01 · 2^k seconds and at each playout mark of 2^k playouts, in order. At
      a time mark, ``seconds`` is the mark and ``playouts`` those done by then; at a playout mark, ``playouts`` is the
      mark.
    - ``improvements``: A point for each new best, in order.

    >>> recorder = Recorder()
    >>> for now in (Point(0.004, 1, 7.0), Point(0.006, 2, 9.0), Point(0.015, 4, 9.0)):
    ...     recorder.record(now)
    >>> [(point.seconds, point.playouts) for point in recorder.curve]
    [(0.004, 1), (0.006, 2), (0.01, 2), (0.015, 4)]
    >>> len(recorder.improvements)
    2
    """

    def __init__(
        self,
        curve: Iterable[Point] = (),
        improvements: Iterable[Point] = (),
        last: Point = BEGINNING,
    ) -> None:
        self.curve, self.improvements, self._last = list(curve), list(improvements), last

    @property
    def next_seconds(self) -> float:
        """The next time mark, in seconds."""
        return next(mark for mark in map(seconds_mark, count()) if mark >= self._last.seconds)

    @property
    def next_playouts(self) -> int:
        """The next playout mark; a slice must end on it."""
        return 1 << self._last.playouts.bit_length()

    def record(self, now: Point) -> None:
        """Take in where the run stands. A mark that was passed since the last call gets the best score of that call."""
        last = self._last
        for mark in takewhile(lambda mark: mark < now.seconds, map(seconds_mark, count())):
            if mark >= last.seconds and last.playouts:
                self.curve.append(Point(mark, last.playouts, last.score))
        if now.playouts == self.next_playouts:
            self.curve.append(now)
        if now.playouts and (not self.improvements or now.score > self.improvements[-1].score):
            self.improvements.append(now)
        self._last = now


def curve_svg(curve: Sequence[Point], objective: Objective) -> str:
    """Return a curve as an SVG element: the best value over the seconds, on a log axis; costs fall.

    Its ends are labelled. Values with faults, such as missed windows, are left out where later ones have none.
    """
    points = [point for point in curve if point.playouts > 0 and np.isfinite(point.score)]
    values = [_first_value(objective, point.score) for point in points]
    first = next((k for k, value in enumerate(values) if not objective.faults(value)), 0)
    points, values = points[first:], values[first:]
    if len(points) < 2:
        return ""
    across, up = np.log2([max(point.seconds, LEAST_SECONDS) for point in points]), np.array(values)
    x = LEFT + (WIDTH - LEFT - MARGIN) * (across - across[0]) / max(across[-1] - across[0], 1e-12)
    y = MARGIN + (BOTTOM - MARGIN) * (up.max() - up) / max(float(np.ptp(up)), 1e-12)
    steps = [f"M{x[0]:.1f},{y[0]:.1f}", *(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))]
    shown = objective.of(objective.name.partition(", ")[0])
    begin, end = (f"{max(point.seconds, LEAST_SECONDS):.2g} s" for point in (points[0], points[-1]))
    labels = [
        _label(LEFT - 4, y[0] + 4, "end", shown.text(values[0])),
        *([_label(LEFT - 4, y[-1] + 4, "end", shown.text(values[-1]))] if values[-1] != values[0] else []),
        _label(LEFT, HEIGHT - 2, "start", begin),
        _label(WIDTH - MARGIN, HEIGHT - 2, "end", end),
    ]
    text = f"best {shown.name} from {shown.text(values[0])} after {begin} to {shown.text(values[-1])} after {end}"
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img"><title>{escape(text)}</title>'
        f'<path d="M{LEFT},{MARGIN}V{BOTTOM + 4}H{WIDTH - MARGIN}" fill="none" stroke="currentColor" opacity="0.3"/>'
        f'<path d="{"".join(steps)}" fill="none" stroke="#0072b2" stroke-width="1.5"/>{"".join(labels)}</svg>'
    )


def _first_value(objective: Objective, score: float) -> float:
    return next(iter(objective.figures(score).values()))


def _label(x: float, y: float, anchor: str, text: str) -> str:
    style = f'text-anchor="{anchor}" font-size="{LETTERS}" fill="currentColor"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>'
