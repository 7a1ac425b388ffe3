"""The anytime curve: the best score at doubling budgets, of seconds and of playouts."""

from __future__ import annotations

from typing import NamedTuple

FIRST_SECONDS = 0.01


class Point(NamedTuple):
    """The best score after so many seconds and playouts."""

    seconds: float
    playouts: int
    score: float


def seconds_mark(k: int) -> float:
    """Return the k-th time budget, 0.01 · 2^k seconds."""
    return FIRST_SECONDS * float(2**k)


class Recorder:
    """Collects the curve and the improvements of one run.

    curve: a point at each time mark 0.01 · 2^k (its seconds are the mark; its playouts those done by then) and at each
    playout mark 2^k (its playouts are the mark), in order. improvements: a point for each new best.
    """

    def __init__(self) -> None:
        self.curve: list[Point] = []
        self.improvements: list[Point] = []
        self._last = Point(0.0, 0, float("-inf"))
        self._seconds_marks = 0
        self._playouts_mark = 1

    @classmethod
    def going_on(cls, curve: list[Point], improvements: list[Point], last: Point) -> Recorder:
        """Return a recorder that goes on where another one stopped.

        Parameters
        ----------
        curve, improvements : list of Point
            What that one had collected.
        last : Point
            The state after its last slice.

        Returns
        -------
        Recorder
            The recorder.
        """
        recorder = cls()
        recorder.curve, recorder.improvements, recorder._last = list(curve), list(improvements), last
        while recorder.next_seconds < last.seconds:
            recorder._seconds_marks += 1
        while recorder.next_playouts <= last.playouts:
            recorder._playouts_mark *= 2
        return recorder

    @property
    def next_seconds(self) -> float:
        """The next time mark."""
        return seconds_mark(self._seconds_marks)

    @property
    def next_playouts(self) -> int:
        """The next playout mark; a slice must end on it."""
        return self._playouts_mark

    def record(self, now: Point) -> None:
        """Take in the state after a slice: marks passed since the last one hold what was true at the mark."""
        while self.next_seconds < now.seconds:
            if self._last.playouts:
                self.curve.append(Point(self.next_seconds, self._last.playouts, self._last.score))
            self._seconds_marks += 1
        if now.playouts == self._playouts_mark:
            self.curve.append(now)
            self._playouts_mark *= 2
        if now.playouts and (not self.improvements or now.score > self.improvements[-1].score):
            self.improvements.append(now)
        self._last = now
