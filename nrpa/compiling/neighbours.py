"""What a cost says of each two things of an order, one right behind the other: its sums over neighbours, asked once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from nrpa.compiling.containers import frozen_as
from nrpa.compiling.differences import Part, Term
from nrpa.compiling.options import allocating
from nrpa.modelling.neighbours import NO_NEIGHBOURS, none_yet, take_in


def is_of_neighbours(part: Part) -> bool:
    """Return whether terms depend on two things alone, one of which is right behind the other."""
    return part.depth == 1 and part.is_free and max(part.reads) - min(part.reads) == 1


def _rows_of(term: Term, part: Part) -> Any:
    """Return the function that writes a term for a thing at one of two places and each before it at the other."""
    at, value, as_list = part.span[0], term.compiled, frozen_as("l")

    def write(x, thing, one, other, row):
        b, x[one] = 0, thing
        while b < thing:
            try:
                while b < thing:
                    x[other] = b
                    row[b] = value(as_list(x), at, 0)
                    b += 1
            except Exception:
                row[b] = np.nan
                b += 1

    return allocating(write)


def asked(terms: list[Term], parts: list[Part], ranges: np.ndarray, sign: float) -> tuple[np.ndarray, list[float]]:
    """Return the neighbours of each thing, and for each part how large terms are that are the same for both orders.

    That is infinity where a term of two things is another one the other way round. ``sign`` says if more is better,
    or is 0.0 where no neighbours are asked for.
    """
    chosen, things = [k for k, part in enumerate(parts) if is_of_neighbours(part)], int(ranges.max()) + 1
    all_sizes = np.array([math.inf if len(part.reads) > 1 else 0.0 for part in parts])
    if not chosen:
        return NO_NEIGHBOURS, all_sizes.tolist()
    asks = [(_rows_of(terms[k], parts[k]), *(parts[k].span[0] + at for at in sorted(parts[k].reads))) for k in chosen]
    (best, worths), x = none_yet(things if sign else 0), ranges[0].copy()
    rows, sizes = np.zeros((2, len(chosen), things)), np.zeros(len(chosen))
    for thing in range(things):
        for (write, one, other), forth, back in zip(asks, *rows, strict=True):
            write(x, thing, one, other, forth)
            write(x, thing, other, one, back)
        forth, back = rows[:, :, :thing]
        largest = np.abs(forth).max(axis=1, initial=0.0)
        sizes = np.where((forth == back).all(axis=1), np.maximum(sizes, largest), np.inf)
        if sign:
            take_in(best, worths, thing, sign * forth.sum(axis=0), sign * back.sum(axis=0))
        elif np.isinf(sizes).all():
            break
    all_sizes[chosen] = sizes
    return best, all_sizes.tolist()
