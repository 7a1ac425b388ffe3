"""Sequence alignment beside FAMSA: a published family of BAliBASE, the globins of Clustal's first examples, one drawn.

They were chosen before anything was measured: one of few strings that differ much, one of more and longer ones, and one
of DNA. The drawn files come from ``drawn``.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

INSTANCES = "bb11001", "globins", "dna-8x60"
PEER = "FAMSA (pyfamsa 0.6)"
BASELINE = "star alignment"


def drawn(count: int, length: int, seed: int) -> str:
    """Return DNA as FASTA: of one ancestor, each letter is changed, lost, or followed by another, each by 8 %."""
    chance, texts = np.random.default_rng(seed), []
    ancestor = chance.integers(4, size=length)
    for number in range(1, count + 1):
        letters = list[int]()
        for letter in ancestor.tolist():
            event = chance.random()
            new = int(chance.integers(4))
            letters += [new] if event < 0.08 else [] if event < 0.16 else [letter, new] if event < 0.24 else [letter]
        texts.append(f">{number}\n{''.join('ACGT'[letter] for letter in letters)}\n")
    return "".join(texts)


def answer(problem: Any, seconds: float) -> list[str]:
    """Return FAMSA's alignment, which it makes at once; it minds neither ``gap`` nor the sum of pairs."""
    import pyfamsa  # only measurements need it

    strings = [pyfamsa.Sequence(str(k).encode(), text.encode()) for k, text in enumerate(problem.strings)]
    rows = {int(row.id): row.sequence.decode() for row in pyfamsa.Aligner(threads=1).align(strings)}
    return without_empty([rows[k] for k in range(len(strings))])


def without_empty(rows: list[str]) -> list[str]:
    """Return an alignment without the columns of gaps alone."""
    kept = [column for column in zip(*rows, strict=True) if {*column} != {"-"}]
    return ["".join(row) for row in zip(*kept, strict=True)]


def baseline(problem: Any) -> list[str]:
    """Return the star alignment: each string is aligned best with the one that is nearest to all; gaps stay."""
    count = len(problem.strings)
    pairs = {(a, b): aligned(problem, a, b) for a, b in product(range(count), repeat=2) if a != b}
    scores = {pair: sum(worth(problem, x, y) for x, y in zip(*rows, strict=True)) for pair, rows in pairs.items()}
    centre = max(range(count), key=lambda a: sum(scores[a, b] for b in range(count) if b != a))
    length = len(problem.strings[centre])
    # What each string has before each letter of the centre, and at it.
    before = {b: [""] * (length + 1) for b in range(count)}
    at = {b: ["-"] * length for b in range(count)}
    at[centre] = [*problem.strings[centre]]
    for b in range(count):
        k = 0
        for x, y in zip(*pairs[centre, b], strict=True) if b != centre else ():
            if x == "-":
                before[b][k] += y
            else:
                at[b][k] = y
                k += 1
    wide = [max(len(before[b][k]) for b in range(count)) for k in range(length + 1)]
    ends = {b: [*at[b], ""] for b in range(count)}
    return ["".join(before[b][k].ljust(wide[k], "-") + ends[b][k] for k in range(length + 1)) for b in range(count)]


def worth(problem: Any, x: str, y: str) -> int:
    """Return what two letters are worth, or a letter and a gap."""
    return -problem.gap if "-" in (x, y) else int(problem.worth[problem.known.index(x), problem.known.index(y)])


def aligned(problem: Any, a: int, b: int) -> tuple[str, str]:
    """Return the rows of two strings aligned best, by the problem's table of what their rests are worth."""
    swapped, (a, b) = a > b, sorted((a, b))
    one, other, p, q, rows = problem.strings[a], problem.strings[b], 0, 0, list[tuple[str, str]]()
    rests = problem.rests[problem.begin[a, b] :]
    while p < len(one) or q < len(other):
        steps = [(1, 1), (1, 0), (0, 1)]
        fitting = [(u, v) for u, v in steps if p + u <= len(one) and q + v <= len(other)]
        pieces = [(one[p] if u else "-", other[q] if v else "-", u, v) for u, v in fitting]
        x, y, u, v = max(
            pieces,
            key=lambda each: worth(problem, each[0], each[1]) + rests[(p + each[2]) * (len(other) + 1) + q + each[3]],
        )
        rows.append((x, y))
        p, q = p + u, q + v
    first, second = ("".join(row) for row in zip(*rows, strict=True))
    return (second, first) if swapped else (first, second)
