"""The clocks that a run can have: the one on the wall, and the processor time of the thread that searches."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any

from nrpa.base.errors import InputError

WALL = "wall"
PROCESSOR = "processor"
CLOCKS: dict[str, Callable[[], float]] = {WALL: perf_counter, PROCESSOR: thread_time}


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
