"""The clocks that a run can have, and its anytime curve: the best score at doubling seconds and playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
WIDTH, HEIGHT, MARGIN = 320, 90, 6


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
    """Return a curve as an SVG element: the best score over playouts, in powers of two."""
    points = [point for point in curve if point.playouts > 0 and np.isfinite(point.score)]
    if len(points) < 2:
        return ""
    across = np.log2([point.playouts for point in points])
    up = np.array([point.score for point in points])
    x = MARGIN + (WIDTH - 2 * MARGIN) * (across - across[0]) / max(across[-1] - across[0], 1e-12)
    y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (up - up.min()) / max(float(np.ptp(up)), 1e-12)
    steps = [f"M{x[0]:.1f},{y[0]:.1f}", *(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))]
    first, last = (objective.text(objective.value(point.score)) for point in (points[0], points[-1]))
    label = f"best {objective.name} from {first} after {points[0].playouts:,} playouts to {last}"
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img"><title>{label} after {points[-1].playouts:,}</title>'
        f'<path d="{"".join(steps)}" fill="none" stroke="#1f77b4" stroke-width="1.5"/></svg>'
    )
