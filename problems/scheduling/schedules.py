"""What scheduling problems share: limits, whether start times are allowed, and their picture."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import is_whole

MAKESPAN = Objective("makespan", sign=-1)
MOST = 9_999
"""The most activities."""
LONGEST = 100_000
"""The longest time of one."""
STARTS = f"start times, whole numbers from 0 to {MOST * LONGEST:,}"
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMNS = 80
"""The most columns of a picture."""


def is_start(value: Any) -> bool:
    """Return whether something is a start time."""
    return is_whole(value, 0, MOST * LONGEST)


def verdict_of(
    starts: Sequence[int],
    hours: Any,
    pairs: Iterable[tuple[int, int]],
    resources: Iterable[tuple[str, Any, int]],
    named: Callable[[int], str],
) -> Verdict:
    """Return what start times are worth.

    Of a pair, the first ends before the second begins. A resource has a name, what each activity needs of it, and its
    capacity. ``named`` gives the name of an activity.
    """
    begin = np.array(starts, np.int64)
    end = begin + hours
    faults = [
        f"{named(other)} begins at {begin[other]}, before {named(one)} ends at {end[one]}"
        for one, other in pairs
        if begin[other] < end[one]
    ]
    for name, needs, capacity in resources:
        used = _done(begin, needs, begin) - _done(end, needs, begin)
        if (over := used > capacity).any():
            first = np.flatnonzero(over)[begin[over].argmin()]
            faults.append(f"at {begin[first]}, {used[first]} of {name} are in use, and there are {capacity}")
    return Verdict({"makespan": int(end.max())}, faults, -float(end.max()))


def _done(when: np.ndarray, needs: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the sum of what is needed by the activities whose ``when`` has come, for each of some times."""
    order = when.argsort()
    total: np.ndarray = np.cumsum([0, *needs[order]])[np.searchsorted(when[order], times, "right")]
    return total


def gantt(rows: Iterable[tuple[str, Iterable[tuple[int, int, int]]]], makespan: int) -> str:
    """Return a picture: lines of a title and bars, each a start, an end and the number that its sign stands for."""
    scale = max(1, -(-makespan // COLUMNS))
    lines = [f"makespan {makespan}, a column is {scale}"]
    for title, bars in rows:
        line = ["."] * -(-makespan // scale)
        for start, end, number in bars:
            for column in range(start // scale, -(-end // scale)):
                line[column] = SIGNS[number % len(SIGNS)]
        lines.append(f"{title} {''.join(line)}")
    return "\n".join(lines)
