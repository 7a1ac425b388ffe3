"""When a search stops. A criterion is a description: it keeps no counters, so it can be used again."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from nrpa.base.errors import InputError
from nrpa.base.values import positive, whole


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    seconds, playouts: used so far. score: the best so far, -inf before the first playout.
    improved_seconds, improved_playouts: when the best was found. searches: top-level searches finished.
    """

    seconds: float
    playouts: int
    score: float
    improved_seconds: float
    improved_playouts: int
    searches: int = 0


class Criterion:
    """One reason to stop: a subclass has ``status`` and ``applies``, and says what it can foresee.

    status: the result's status when it applies.
    """

    status: str

    def applies(self, progress: Progress) -> bool:
        """Return whether the search should stop."""
        raise NotImplementedError

    def seconds_left(self, progress: Progress) -> float:
        """Return after how many more seconds at the earliest the passing of time alone makes it apply."""
        return math.inf

    def playouts_left(self, progress: Progress) -> float:
        """Return after how many more playouts at the earliest their number alone makes it apply."""
        return math.inf

    def searches_left(self, progress: Progress) -> float:
        """Return after how many more finished top-level searches at the earliest their number alone makes it apply."""
        return math.inf

    def least_score(self, progress: Progress) -> float:
        """Return the least score that makes it apply: the search stops at the playout that reaches it."""
        return math.inf


@dataclass(frozen=True)
class TimeLimit(Criterion):
    """Stop after ``time`` seconds."""

    time: float

    status = "time"

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", positive("time", self.time))

    def applies(self, progress: Progress) -> bool:
        """Return whether the time is up."""
        return progress.seconds >= self.time

    def seconds_left(self, progress: Progress) -> float:
        """Return the seconds left."""
        return self.time - progress.seconds


@dataclass(frozen=True)
class PlayoutLimit(Criterion):
    """Stop after exactly ``playouts`` playouts."""

    playouts: int

    status = "playouts"

    def __post_init__(self) -> None:
        object.__setattr__(self, "playouts", whole("playouts", self.playouts))

    def applies(self, progress: Progress) -> bool:
        """Return whether the playouts are used up."""
        return progress.playouts >= self.playouts

    def playouts_left(self, progress: Progress) -> float:
        """Return the playouts left."""
        return self.playouts - progress.playouts


@dataclass(frozen=True)
class SearchLimit(Criterion):
    """Stop when so many top-level ``searches`` are finished: one is a run as the papers count them."""

    searches: int

    status = "searches"

    def __post_init__(self) -> None:
        object.__setattr__(self, "searches", whole("searches", self.searches))

    def applies(self, progress: Progress) -> bool:
        """Return whether the searches are finished."""
        return progress.searches >= self.searches

    def searches_left(self, progress: Progress) -> float:
        """Return the searches left."""
        return self.searches - progress.searches


@dataclass(frozen=True)
class ScoreLimit(Criterion):
    """Stop when the best score is at least ``score``; ``status`` says what that means."""

    score: float
    status: str = "target"

    def __post_init__(self) -> None:
        if math.isnan(self.score):
            raise InputError("the target must be a number, not nan")

    def applies(self, progress: Progress) -> bool:
        """Return whether the score is reached."""
        return progress.score >= self.score

    def least_score(self, progress: Progress) -> float:
        """Return the score."""
        return self.score


@dataclass(frozen=True)
class NoImprovement(Criterion):
    """Stop when the best has not improved for so many ``playouts`` or for ``time`` seconds, whichever comes first."""

    playouts: int | None = None
    time: float | None = None

    status = "no-improvement"

    def __post_init__(self) -> None:
        if self.playouts is None and self.time is None:
            raise InputError("no improvement needs a number of playouts or a time")
        if self.playouts is not None:
            object.__setattr__(self, "playouts", whole("no improvement's playouts", self.playouts))
        if self.time is not None:
            object.__setattr__(self, "time", positive("no improvement's time", self.time))

    def applies(self, progress: Progress) -> bool:
        """Return whether either patience has run out."""
        return self.seconds_left(progress) <= 0 or self.playouts_left(progress) <= 0

    def seconds_left(self, progress: Progress) -> float:
        """Return the seconds left without an improvement."""
        return math.inf if self.time is None else progress.improved_seconds + self.time - progress.seconds

    def playouts_left(self, progress: Progress) -> float:
        """Return the playouts left without an improvement."""
        return math.inf if self.playouts is None else progress.improved_playouts + self.playouts - progress.playouts


@dataclass(frozen=True)
class AnyOf:
    """Stop when the first of several ``criteria`` applies; its status is theirs."""

    criteria: tuple[Criterion, ...]

    def first(self, progress: Progress) -> Criterion | None:
        """Return the first criterion that applies, or None."""
        return next((c for c in self.criteria if c.applies(progress)), None)

    def seconds_left(self, progress: Progress) -> float:
        """Return the least of the criteria's."""
        return min((c.seconds_left(progress) for c in self.criteria), default=math.inf)

    def playouts_left(self, progress: Progress) -> float:
        """Return the least of the criteria's."""
        return min((c.playouts_left(progress) for c in self.criteria), default=math.inf)

    def searches_left(self, progress: Progress) -> int:
        """Return the least of the criteria's, ``sys.maxsize`` where there is none."""
        return int(min([sys.maxsize, *(c.searches_left(progress) for c in self.criteria)]))

    def least_score(self, progress: Progress) -> float:
        """Return the least of the criteria's."""
        return min((c.least_score(progress) for c in self.criteria), default=math.inf)


def as_criteria(stop: Criterion | Iterable[Criterion] | None) -> list[Criterion]:
    """Return one criterion, several or none as a list. Raises InputError for anything else."""
    if stop is None:
        return []
    criteria = list(stop) if isinstance(stop, Iterable) else [stop]
    for criterion in criteria:
        if not isinstance(criterion, Criterion):
            raise InputError(f"stop must be criteria such as nrpa.TimeLimit(5), not {criterion!r}")
    return criteria
