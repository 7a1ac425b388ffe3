"""When a search stops. A criterion is a description: it keeps no counters, so that it can be used again.

The numbers that a criterion is made with count from the beginning of the run, over all calls of ``Run.advance``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from nrpa.base.errors import InputError
from nrpa.base.values import counted, positive


@dataclass(frozen=True)
class Progress:
    """Where a run stands."""

    seconds: float
    playouts: int
    score: float  # the best so far; -inf before the first playout
    improved_seconds: float  # when the best was found; 0 before the first
    improved_playouts: int
    searches: int = 0  # the top-level searches finished


class Criterion:
    """One reason to stop. A subclass has a ``status``, and the method ``applies`` or one of the others.

    The others say how much is left at the least. They let the search stop exactly where the criterion begins to apply.
    Without them ``applies`` is looked at after every slice of the search, about every 10 ms.

    Attributes
    ----------
    status : str
        The status of the result when this criterion has stopped the search.

    Examples
    --------
    >>> class EnoughPlayoutsSinceTheBest(Criterion):
    ...     status = "settled"
    ...
    ...     def applies(self, progress):
    ...         return progress.playouts > 10 * progress.improved_playouts
    >>> EnoughPlayoutsSinceTheBest().applies(Progress(1.0, 500, 7.0, 0.1, 40))
    True
    """

    status: str

    def applies(self, progress: Progress) -> bool:
        """Return whether the search should stop, given where the run stands; here, whether nothing is left."""
        left = min(self.seconds_left(progress), self.playouts_left(progress), self.searches_left(progress))
        return left <= 0 or progress.score >= self.least_score(progress)

    def seconds_left(self, progress: Progress) -> float:
        """Return a lower bound on the seconds until the criterion can apply because of the time alone.

        Like the bounds below, it is infinite if that alone never makes it apply.
        """
        return math.inf

    def playouts_left(self, progress: Progress) -> float:
        """Return a lower bound on the playouts until the criterion can apply because of their number alone."""
        return math.inf

    def searches_left(self, progress: Progress) -> float:
        """Return a lower bound on the top-level searches until the criterion can apply by their number alone."""
        return math.inf

    def least_score(self, progress: Progress) -> float:
        """Return the least score that makes the criterion apply: the search stops at the playout that reaches it."""
        return math.inf


@dataclass(frozen=True)
class TimeLimit(Criterion):
    """Stop after so many seconds of search. The status is "time".

    Parameters
    ----------
    time : float
        Seconds, above 0.

    Raises
    ------
    InputError
        If ``time`` is not above 0.

    Examples
    --------
    >>> TimeLimit(10.24).time
    10.24
    """

    time: float

    status = "time"

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", positive("time", self.time))

    def seconds_left(self, progress: Progress) -> float:
        return self.time - progress.seconds


@dataclass(frozen=True)
class PlayoutLimit(Criterion):
    """Stop after exactly so many playouts. The status is "playouts".

    Parameters
    ----------
    playouts : int
        The number of playouts, at least 1; a float such as 1e6 will do if it is whole.

    Raises
    ------
    InputError
        If ``playouts`` is no whole number of at least 1.
    """

    playouts: int

    status = "playouts"

    def __post_init__(self) -> None:
        object.__setattr__(self, "playouts", counted("playouts", self.playouts))

    def playouts_left(self, progress: Progress) -> float:
        return self.playouts - progress.playouts


@dataclass(frozen=True)
class SearchLimit(Criterion):
    """Stop when so many top-level searches are finished. The status is "searches".

    One search, from the initial policy to the end of its top level, is a run as the papers count them.

    Parameters
    ----------
    searches : int
        The number of searches, at least 1; a float such as 1e3 will do if it is whole.

    Raises
    ------
    InputError
        If ``searches`` is no whole number of at least 1.
    """

    searches: int

    status = "searches"

    def __post_init__(self) -> None:
        object.__setattr__(self, "searches", counted("searches", self.searches))

    def searches_left(self, progress: Progress) -> float:
        return self.searches - progress.searches


@dataclass(frozen=True)
class ScoreLimit(Criterion):
    """Stop at the first playout whose score is high enough.

    Parameters
    ----------
    score : float
        The least score to stop at. The search maximises scores: a cost of 900 is the score
        ``problem.objective.score(900)``.
    status : str
        The status of the result; "target" if it is not given.

    Raises
    ------
    InputError
        If ``score`` is NaN.
    """

    score: float
    status: str = "target"

    def __post_init__(self) -> None:
        if math.isnan(self.score):
            raise InputError("the target must be a number, not nan")

    def least_score(self, progress: Progress) -> float:
        return self.score


@dataclass(frozen=True)
class NoImprovement(Criterion):
    """Stop when the best has not improved for so long. The status is "no-improvement".

    Parameters
    ----------
    playouts : int, optional
        So many playouts without a new best, at least 1; a float such as 1e6 will do if it is whole.
    time : float, optional
        So many seconds without a new best, above 0. If both are given, the first that is reached stops the search.

    Raises
    ------
    InputError
        If neither is given, or one is out of range.

    Examples
    --------
    >>> NoImprovement(playouts=1000).playouts_left(Progress(0.5, 1300, 7.0, 0.2, 700))
    400
    """

    playouts: int | None = None
    time: float | None = None

    status = "no-improvement"

    def __post_init__(self) -> None:
        if self.playouts is None and self.time is None:
            raise InputError("no improvement needs a number of playouts or a time")
        if self.playouts is not None:
            object.__setattr__(self, "playouts", counted("no improvement's playouts", self.playouts))
        if self.time is not None:
            object.__setattr__(self, "time", positive("no improvement's time", self.time))

    def seconds_left(self, progress: Progress) -> float:
        return math.inf if self.time is None else progress.improved_seconds + self.time - progress.seconds

    def playouts_left(self, progress: Progress) -> float:
        return math.inf if self.playouts is None else progress.improved_playouts + self.playouts - progress.playouts


@dataclass(frozen=True)
class AnyOf(Criterion):
    """Stop when the first of several criteria applies."""

    criteria: tuple[Criterion, ...]

    def first(self, progress: Progress) -> Criterion | None:
        """Return the first criterion that applies, None if none does."""
        return next((each for each in self.criteria if each.applies(progress)), None)

    def seconds_left(self, progress: Progress) -> float:
        return min((each.seconds_left(progress) for each in self.criteria), default=math.inf)

    def playouts_left(self, progress: Progress) -> float:
        return min((each.playouts_left(progress) for each in self.criteria), default=math.inf)

    def searches_left(self, progress: Progress) -> int:
        return int(min([sys.maxsize, *(each.searches_left(progress) for each in self.criteria)]))

    def least_score(self, progress: Progress) -> float:
        return min((each.least_score(progress) for each in self.criteria), default=math.inf)


def as_criteria(stop: Criterion | Iterable[Criterion] | None) -> list[Criterion]:
    """Return criteria as a list. Raises InputError if something in it is no criterion."""
    if stop is None:
        return []
    criteria = list(stop) if isinstance(stop, Iterable) else [stop]
    for criterion in criteria:
        if not isinstance(criterion, Criterion):
            raise InputError(f"stop must be criteria such as nrpa.TimeLimit(5), not {criterion!r}")
    return criteria
