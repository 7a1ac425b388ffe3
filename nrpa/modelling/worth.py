"""Compiled functions around a user's own: they make its argument, and turn its cost into a score."""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

import numpy as np
from numba import literal_unroll, njit

from nrpa.base.values import LARGEST_EXACT
from nrpa.engine.status import LARGEST_SCORE
from nrpa.modelling.objective import Lexicographic

COMPILED = {"nogil": True, "error_model": "numpy"}


def given_by(values: Any, dtype: Any) -> Any:
    """Return a compiled function from choices to what they stand for."""
    if not values:
        return njit(**COMPILED)(lambda choices: choices)
    table, first = np.array([*chain(*values)], dtype), np.cumsum([0, *map(len, values)])[:-1]
    return njit(**COMPILED)(lambda choices: table[first + choices])


def worth_of(objective: Any, of_scores: bool = False) -> Any:
    """Return a compiled function from a value of an objective to the score; NaN where plain Python has to say why.

    With ``of_scores``, it is a function from the score that an author's method returns.
    """
    sign, lowest = 1.0 if of_scores else float(objective.sign), -LARGEST_SCORE

    @njit(**COMPILED)
    def single(value):
        score = sign * value
        if score == -np.inf and not of_scores:
            return lowest
        return score if lowest <= score <= -lowest else np.nan

    if not isinstance(objective, Lexicographic):
        return single
    signs = np.array([1.0 if of_scores else float(part.sign) for part in objective.parts])
    units = np.array([10.0**part.digits for part in objective.parts])
    most = np.array([LARGEST_EXACT / (2.0 * math.prod(objective.radix)), *(objective.most * units[1:])])
    radix = np.array([0.0, *objective.radix])

    @njit(**COMPILED)
    def several(value):
        packed, place = 0.0, 0
        for part in literal_unroll(value):
            number = np.round(signs[place] * part * units[place])
            if np.isinf(number) and not of_scores:
                return lowest
            if not abs(number) <= most[place]:
                return np.nan
            packed = packed * radix[place] + number
            place += 1
        return packed if place == len(signs) else np.nan

    return several
