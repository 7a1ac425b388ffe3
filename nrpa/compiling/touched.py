"""The change of a cost by the terms that a change of the sequence touches, of a function taken apart."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import LARGEST_EXACT
from nrpa.compiling.containers import frozen_as
from nrpa.compiling.differences import AFTER, ALL, BEFORE, Part, Term
from nrpa.compiling.options import allocating
from nrpa.engine.kernels import ENDS
from nrpa.machine.jit import made
from nrpa.modelling.cost_function import CLOSE

# How a sequence differs from the one before: at few places, by two blocks that changed places, by a part in reverse
# order, or otherwise from one place to another.
POINTS, EXCHANGE, REVERSAL, WINDOW = range(4)
MOST_POINTS = 4
# This part of all terms are small ones.
SMALL = 0.01
# A window of at least this part of the sequence is not worth it: of a sum over places, and over pairs.
PART_OF_PLACES, PART_OF_PAIRS = 2, 4
_NO_TERM = -(2**62)
# A term that a change touches, and this number more for each change, are worth so many terms of a whole sequence, which
# are added up several at a time.
WORTH_OF_TERM, TERMS_OF_CHANGE = 2, 50


def terms_in(parts: list[Part], places: int) -> int:
    """Return how many terms are added up at most, of a whole sequence or of what a change touches."""
    return sum((1, part.span[1] - part.span[0] + 16, 2 * places**2 + 16 * places)[part.depth] for part in parts)


def is_worth_it(parts: list[Part], places: int) -> bool:
    """Return whether what an exchange of two places touches is sooner added up than the terms of a whole sequence."""
    pairs = places * places
    terms = sum((1, places, pairs if part.inner == ALL else pairs // 2)[part.depth] for part in parts)
    touched = sum((1, 4 * len(part.reads), 4 * places * (1 + (part.inner == ALL)))[part.depth] for part in parts)
    return terms >= WORTH_OF_TERM * (touched + TERMS_OF_CHANGE)


def units_of(term: Term, scale: float, most: float) -> tuple[Any, Any]:
    """Return the function of a term in multiples of 1 / ``scale``, and 0 of its kind.

    It gives NaN for a term beyond ``most``, which sums would not hold. Where none can be, it gives whole numbers.
    """
    as_list, found_by = frozen_as("l"), term.compiled
    if scale == 1.0 and term.largest is not None and term.largest <= most:
        return allocating(lambda x, k, l: np.int64(found_by(as_list(x), k, l))), 0  # noqa: E741

    def whole(x, k, l):  # noqa: E741
        found = np.float64(found_by(as_list(x), k, l))
        return found if abs(found) <= most else np.nan

    whole = allocating(whole)
    return whole if scale == 1.0 else allocating(lambda x, k, l: np.round(whole(x, k, l) * scale)), 0.0  # noqa: E741


def of_places(units: Any, nothing: Any, part: Part, places: int, is_same: bool) -> tuple[Any, Any]:
    """Return the functions of a whole sum over places, and of its change.

    ``is_same`` says that a term of two neighbours is the same for both orders of them.
    """
    (low, high), least, most = part.span, min(part.reads), max(part.reads)
    is_ring = (low, high) == (0, places)
    moves = part.is_free and (is_ring or (low + least == 0 and high + most == places))
    reads_ends = most - least <= ENDS

    def near(x, q0, q1, q2, q3, count, width):
        """Add up the terms that read the ``width`` places from each on; without width, from both sides of it."""
        total, last, first = nothing, _NO_TERM, _NO_TERM
        for c in range(count):
            q = q0 if c == 0 else q1 if c == 1 else q2 if c == 2 else q3
            begin, end = max(q - most, last + 1), q - least + width
            first = begin if c == 0 else first
            for k in range(begin, end):
                if is_ring and k - first < places:
                    total += units(x, k + places if k < 0 else k - places if k >= places else k, 0)
                elif not is_ring and low <= k < high:
                    total += units(x, k, 0)
            last = max(last, end - 1)
        return total

    def whole(x):
        total = nothing
        for k in range(low, high):
            total += units(x, k, 0)
        return total

    near = allocating(near)

    def change(x, before, kind, b, m, e, p, count, is_written):
        if kind == POINTS:
            return near(x, p[0], p[1], p[2], p[3], count, 1) - near(before, p[0], p[1], p[2], p[3], count, 1) + 0.0
        if kind == EXCHANGE and moves and (is_written or reads_ends):
            return near(x, b, b + e - m, e, 0, 3, 0) - near(before, b, m, e, 0, 3, 0) + 0.0
        if kind == REVERSAL and moves and is_same:
            return near(x, b, e, 0, 0, 2, 0) - near(before, b, e, 0, 0, 2, 0) + 0.0
        if not is_written or PART_OF_PLACES * (e - b) >= places:
            return np.nan
        return near(x, b, 0, 0, 0, 1, e - b) - near(before, b, 0, 0, 0, 1, e - b) + 0.0

    return allocating(whole), allocating(change)


def of_pairs(units: Any, nothing: Any, part: Part, places: int, is_same: bool) -> tuple[Any, Any]:
    """Return the functions of a whole sum over pairs of places, and of its change."""
    from_next, to_own = part.inner == AFTER, part.inner == BEFORE
    is_all, orders = part.inner == ALL, part.inner != ALL and part.is_free

    def row(x, at, low, high):
        """Add up the pairs of a place with a second one from ``low`` to ``high``."""
        total = nothing
        for j in range(max(low, at + 1) if from_next else low, min(high, at) if to_own else high):
            total += units(x, at, j)
        return total

    def column(x, at, low, high):
        """Add up the pairs of a place with a first one from ``low`` to ``high``."""
        total = nothing
        for i in range(max(low, at + 1) if to_own else low, min(high, at) if from_next else high):
            total += units(x, i, at)
        return total

    row, column = allocating(row), allocating(column)

    def whole(x):
        total = nothing
        for k in range(places):
            total += row(x, k, 0, places)
        return total

    def at_points(x, p, count):
        total = nothing
        for c in range(count):
            total += row(x, p[c], 0, places) + column(x, p[c], 0, places)
            for other in range(count):
                total -= column(x, p[c], p[other], p[other] + 1)
        return total

    def within(x, b, e):
        total = nothing
        for at in range(b, e):
            total += row(x, at, 0, places) + column(x, at, 0, b) + column(x, at, e, places)
        return total

    def turned(x, b, m, e, is_triangle):
        """Add up the change by pairs of a place from ``b`` to ``m`` and a later one up to ``e`` that is now before."""
        total = nothing
        for i in range(b, m):
            for j in range(i + 1 if is_triangle else m, e):
                total += units(x, j, i) - units(x, i, j)
        return total if from_next else -total

    at_points, within, turned = allocating(at_points), allocating(within), allocating(turned)

    def change(x, before, kind, b, m, e, p, count, is_written):
        if kind == POINTS:
            return at_points(x, p, count) - at_points(before, p, count) + 0.0
        if kind == EXCHANGE and orders and PART_OF_PAIRS * (m - b) * (e - m) < places * places:
            return turned(before, b, m, e, False) + 0.0
        if kind == REVERSAL and orders and PART_OF_PAIRS * (e - b) * (e - b) < places * places:
            return turned(before, b, e, e, True) + 0.0
        if not is_written or PART_OF_PAIRS * (e - b) * (1 + is_all) >= places:
            return np.nan
        return within(x, b, e) - within(before, b, e) + 0.0

    return allocating(whole), allocating(change)


def alone(units: Any, nothing: Any, part: Part, places: int, is_same: bool) -> tuple[Any, Any]:
    """Return the functions of a term alone, and of its change."""
    reads, first = np.array([at % places for at in part.reads], np.int64), part.span[0]

    def change(x, before, kind, b, m, e, p, count, is_written):
        is_touched = False
        for at in reads:
            if b <= at < e:
                is_touched = True
                middle = b + e - m if kind == EXCHANGE else b
                is_end = at < b + ENDS or at >= e - ENDS or middle - ENDS <= at < middle + ENDS
                if kind != POINTS and not is_written and not is_end:
                    return np.nan
        return units(x, first, 0) - units(before, first, 0) + 0.0 if is_touched else 0.0

    return allocating(lambda x: units(x, first, 0)), allocating(change)


@allocating
def how_changed(x, before, first, between, last):
    """Return how a sequence differs, where that begins, where its second block began, and where it ends; and points.

    ``between`` says the same as in the kernel ``difference``.
    """
    b, e = first, last
    if between >= 0 and e - b > 1:
        if between == e or e - b == 2:
            return POINTS, b, b, e, (b, e - 1, 0, 0), 2
        return REVERSAL if between == b else EXCHANGE, b, between, e, (0, 0, 0, 0), 0
    while b < e and x[b] == before[b]:
        b += 1
    while b < e and x[e - 1] == before[e - 1]:
        e -= 1
    p0 = p1 = p2 = p3 = count = 0
    for k in range(b, e):
        if x[k] != before[k]:
            p0, p1 = k if count == 0 else p0, k if count == 1 else p1
            p2, p3 = k if count == 2 else p2, k if count == 3 else p3
            count += 1
            if count > MOST_POINTS:
                break
    return POINTS if count <= MOST_POINTS else WINDOW, b, b, e, (p0, p1, p2, p3), count if count <= MOST_POINTS else 0


def evaluators(terms: list[Term], parts: list[Part], places: int, sizes: list[float], scale: float) -> tuple[Any, Any]:
    """Return the functions of a cost, of a sequence, and of its change from one ``before`` between two places.

    ``sizes`` are those of ``neighbours.asked``.
    """
    # A sum of terms far smaller than others, such as penalties, has too few digits.
    least = 0.0 if scale == 1.0 else least_of(parts, places, scale)
    names: dict[str, Any] = {"how_changed": how_changed, "scale": scale, "least": least, "nan": math.nan}
    most = LARGEST_EXACT / (max(terms_in(parts, places), 1) * scale)
    for k, (term, part, size) in enumerate(zip(terms, parts, sizes, strict=True)):
        kind = (alone, of_places, of_pairs)[part.depth]
        names[f"w{k}"], names[f"c{k}"] = kind(*units_of(term, scale, most), part, places, size <= most)
    wholes = " + ".join(f"w{k}(x)" for k in range(len(parts)))
    changes = " + ".join(f"c{k}(x, before, kind, b, m, e, p, count, is_written)" for k in range(len(parts)))
    lines = [f"found = ({wholes}) / scale", "return found if least <= max(1.0, abs(found)) else nan"]
    whole = made("\n    ".join(["def whole(x):", *lines, ""]), "whole", names)
    lines = ["kind, b, m, e, p, count = how_changed(x, before, first, between, last)"]
    lines += ["if b == e:", "    return 0.0", f"return ({changes}) / scale"]
    text = "\n    ".join(["def change(x, before, first, between, last, is_written):", *lines])
    return allocating(whole), allocating(made(f"{text}\n", "change", names))


def scale_of(terms: list[Term], parts: list[Part], places: int, sequences: list[np.ndarray]) -> float:
    """Return a power of two whose multiples of 1 over it hold sums of decimal terms as far as float64 does.

    Raises ProblemError where these multiples have too few digits for a sequence without the large ones of its terms.
    """
    sizes, as_list = [1e-30], frozen_as("l")
    for term, part in zip(terms, parts, strict=True):
        ask = allocating(lambda x, k, l, term=term.compiled: np.float64(term(as_list(x), k, l)))  # noqa: E741
        for x in sequences:
            for k in range(*part.span):
                found = abs(ask(x, k, (k + 1) % places if part.inner != BEFORE else max(k - 1, 0)))
                sizes += [found] if 0.0 < found < math.inf else []
    number = 1 + terms_in(parts, places)
    scale = float(2.0 ** math.floor(math.log2(LARGEST_EXACT / (4.0 * number * max(sizes)))))
    if least_of(parts, places, scale) > max(1.0, number * float(np.quantile(sizes, SMALL))):
        raise ProblemError("some terms are far larger than others; let penalties be smaller")
    return scale


def least_of(parts: list[Part], places: int, scale: float) -> float:
    """Return how large a sum of rounded terms must be so that it loses CLOSE of itself at most."""
    return math.sqrt(terms_in(parts, places)) / scale / CLOSE
