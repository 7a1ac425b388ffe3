"""What a solution is worth: the figure, or figures, that users think in, as one score; what its check has found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Keywords
from nrpa.base.values import (
    LARGEST_EXACT,
    is_held,
    not_negative,
    positive,
    shortened,
    shown,
    unsigned_zero,
    whole,
)

MOST_DIGITS = 30


@dataclass(frozen=True)
class Objective(Keywords):
    """The figure that users think in, and how it follows from the score, which the search maximises.

    Parameters
    ----------
    name : str
        What the figure is called ("cost", "points", "bins").
    sign : int
        1: more is better. -1: less is better; the method ``score`` then returns the negative value.
    digits : int
        The decimals worth printing, at most 30.
    tie_break : float
        How far a score may lie below that of its value, less than 1: for whole values, if the score also ranks
        solutions of equal value. Else 0.
    penalty : float
        What each fault counts in the value, if scores have penalties: more than the value of any solution without
        faults, which is not negative. Tables and pictures then show the number of faults apart from the value. Else 0.
    fault : str
        What one of these faults is called, its noun first ("window missed").

    Raises
    ------
    InputError
        If one of them is anything else.

    Examples
    --------
    >>> bins = Objective("bins", sign=-1, tie_break=0.5)
    >>> bins.value(-12.3), bins.score(12)
    (12.0, -12.5)
    >>> cost = Objective("cost", sign=-1, penalty=1e6, fault="window missed")
    >>> cost.faults(2_000_870.0), cost.without_faults(2_000_870.0), cost.faults_text(2)
    (2, 870.0, '2 windows missed')
    """

    name: str
    sign: int
    digits: int = 0
    tie_break: float = 0.0
    # Neither is part of what the figure is: instances of one problem may differ in them.
    penalty: float = field(default=0.0, compare=False, repr=False)
    fault: str = field(default="violation", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.isprintable():
            raise InputError(f"the name of an objective must be text of one line, not {self.name!r}")
        if whole("sign", self.sign, -1, 1) == 0:
            raise InputError("sign must be 1 or -1, not 0")
        whole("digits", self.digits, 0, MOST_DIGITS)
        if not_negative("tie_break", self.tie_break) >= 1:
            raise InputError(f"tie_break must be less than 1, not {self.tie_break!r}")
        not_negative("penalty", self.penalty)
        if not isinstance(self.fault, str) or not self.fault.strip() or not self.fault.isprintable():
            raise InputError(f"fault must be a word or more, such as 'window missed', not {self.fault!r}")

    def value(self, score: float) -> float:
        """Return the objective value of a score."""
        if self.tie_break:
            return unsigned_zero(self.sign * float(np.ceil(score)))
        return unsigned_zero(self.sign * score)

    def figures(self, score: float) -> dict[str, float]:
        """Return the figures that a score says, by name."""
        return {self.name: self.value(score)}

    def of(self, name: str) -> Objective:
        """Return the objective by whose digits a figure is printed."""
        return self

    def score(self, value: float | Sequence[float]) -> float:
        """Return the least score that has an objective value.

        Raises InputError for several values, and for a whole number that float64 does not hold.
        """
        if isinstance(value, Sequence):
            raise InputError(f"expected one number ({self.name}), not {shortened(repr(value))}")
        if isinstance(value, int) and not is_held(value, float(value)):
            raise InputError(f"{self.name} {shown(value)} is a number that float64 does not hold exactly")
        return unsigned_zero(self.sign * value - self.tie_break)

    def faults(self, value: float) -> int:
        """Return how many penalties are in an objective value."""
        known = self.penalty and math.isfinite(value)
        return max(-self.sign * math.floor(value / self.penalty), 0) if known else 0

    def without_faults(self, value: float) -> float:
        """Return an objective value without its penalties."""
        return value + self.sign * self.penalty * self.faults(value)

    def faults_text(self, number: float) -> str:
        """Return a number of faults in words."""
        text = f"{number:.3g}" if number < 100 else f"{number:,.0f}"
        return f"{text} {self.fault if number == 1 else self.faults_name}"

    @property
    def faults_name(self) -> str:
        """What several faults are called."""
        noun, *rest = self.fault.split()
        return " ".join([f"{noun}s", *rest])

    def text(self, value: float) -> str:
        """Return an objective value as it is printed, with ``digits`` decimals."""
        return f"{value:z.{self.digits}f}"


def shared(objectives: Iterable[Objective | None]) -> Objective | None:
    """Return the objective that some problems share, without a penalty where theirs differ; None if there is none."""
    first, *others = [*objectives] or [None]
    if first is None or any(each != first for each in others):
        return None
    is_alike = all(each is not None and each.penalty == first.penalty for each in others)
    return first if is_alike else replace(first, penalty=0.0)


@dataclass(frozen=True, init=False)
class Lexicographic(Objective):
    """Several figures, the first of which counts most: solutions are compared as tuples, without weights.

    ``score`` of a problem in plain Python then returns a tuple, each part maximised; a part counts to its ``digits``
    decimals. They are packed into one number without loss, so what would not fit is refused.

    Parameters
    ----------
    *parts : Objective
        At least two, the most important first.
    most : float
        No part but the first is beyond it, above or below 0.

    Raises
    ------
    InputError
        If there are too few parts, or ``most`` and the digits leave no digits for the first part.

    Examples
    --------
    >>> objective = Lexicographic(Objective("vehicles", -1), Objective("distance", -1, digits=1), most=1000)
    >>> score = objective.packed((-3, -70.25))
    >>> objective.figures(score), objective.text(score)
    ({'vehicles': 3.0, 'distance': 70.2}, '3, 70.2')
    >>> objective.packed((-2, -900)) > score > objective.packed((-3, -70.4))
    True
    """

    parts: tuple[Objective, ...] = ()
    most: float = 1e6
    radix: tuple[float, ...] = field(default=(), repr=False)

    def __init__(self, *parts: Objective, most: float = 1e6) -> None:
        if len(parts) < 2 or not all(type(part) is Objective and not part.tie_break for part in parts):
            raise InputError("Lexicographic needs at least two parts, each an nrpa.Objective without tie_break")
        positive("most", most)
        # Powers of two, so that divisions by them are exact.
        radix = [math.ldexp(1.0, math.frexp(2.0 * most * 10.0**part.digits)[1]) for part in parts[1:]]
        if not 2 * math.prod(radix) <= LARGEST_EXACT:
            raise InputError(f"the parts do not fit into one number; lower most ({most:g}) or the digits of a part")
        super().__init__(", ".join(part.name for part in parts), 1)
        for name, value in (("parts", parts), ("most", most), ("radix", tuple(radix))):
            object.__setattr__(self, name, value)

    def of(self, name: str) -> Objective:
        """Return the part of that name; for any other figure, an objective of two digits."""
        return next((part for part in self.parts if part.name == name), Objective(name, 1, 2))

    def packed(self, scores: Iterable[float]) -> float:
        """Return the score of the parts' scores.

        Raises ValueError where a part is missing, no number, or too large.
        """
        given, packed = list(scores), 0.0
        if len(given) != len(self.parts):
            raise ValueError(f"of {len(given)} parts")
        following = 2.0 * math.prod(self.radix)
        for index, (part, score) in enumerate(zip(self.parts, given, strict=True)):
            units = round(score * 10.0**part.digits)
            limit = self.most * 10.0**part.digits if index else LARGEST_EXACT / following
            if abs(units) > limit:
                raise ValueError(f"{part.name} is {score:.12g}, beyond {limit / 10.0**part.digits:.12g}")
            packed = packed * (self.radix[index - 1] if index else 0.0) + units
        return packed

    def figures(self, score: float) -> dict[str, float]:
        """Return the parts' values by name."""
        if not math.isfinite(score):
            return {part.name: part.sign * score for part in self.parts}
        values = []
        for radix in reversed(self.radix):
            rest, score = score, float(round(score / radix))
            values.append(rest - score * radix)
        units = zip(self.parts, [score, *reversed(values)], strict=True)
        return {part.name: unsigned_zero(part.sign * value / 10.0**part.digits) for part, value in units}

    def score(self, value: Any) -> float:
        """Return the score of the parts' values, in order. Raises InputError for anything else."""
        try:
            return self.packed(part.sign * each for part, each in zip(self.parts, value, strict=True))
        except (TypeError, ValueError, OverflowError):
            what = f"expected {len(self.parts)} numbers ({self.name}), none but the first beyond {self.most:g}"
            raise InputError(f"{what}, not {shortened(repr(value))}") from None

    def text(self, value: float) -> str:
        """Return the parts of a score as they are printed."""
        if not math.isfinite(value):
            return str(value)
        figures = self.figures(value)
        return ", ".join(part.text(figures[part.name]) for part in self.parts)


@dataclass(frozen=True)
class Verdict:
    """What the check of a solution has found.

    Parameters
    ----------
    figures : dict of str to object
        What it computed, by name, made of what JSON can hold; empty where the solution is too broken to have figures.
    faults : list of str
        What is wrong, in words; empty if the solution is valid.
    score : float, optional
        The score that it computed, None where the solution is too broken to have one, and in a game.
    rewards : tuple of float, optional
        In a game, what each player gets; None where the solution is too broken for that, and in other problems.
    faults_counted : bool, optional
        Whether the score has a penalty for what is wrong, so that a search may end with such a solution.

    Examples
    --------
    >>> Verdict({"cost": 38.0, "violations": 1}, ["city 2 is reached too late"], -1000038.0, faults_counted=True).valid
    False
    """

    figures: dict[str, Any]
    faults: list[str] = field(default_factory=list)
    score: float | None = None
    rewards: tuple[float, ...] | None = None
    faults_counted: bool = False

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults
