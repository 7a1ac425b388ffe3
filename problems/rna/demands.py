"""What a designer demands of a sequence beside its structure: letters of positions, G and C, no motifs."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError, faults_of
from nrpa.base.values import shortened
from nrpa.problems.rna.structure import BASES, IUPAC, LONGEST, PAIRS, WIDTH, parse_sequence

STRONG = np.array([[sum(base in "GC" for base in bases) for bases in offered] for offered in ([*BASES, "", ""], PAIRS)])
"""How many of G and C a base, or a pair, has, int64[2, 6], by its move."""
ROUNDED = 1e-9


class Demands(NamedTuple):
    """A letter of IUPAC for each position, or none at all; how many G and C; motifs, by IUPAC, that must not occur."""

    letters: str = ""
    fewest: int = 0
    most: int = LONGEST
    motifs: tuple[str, ...] = ()

    @classmethod
    def parse(cls, partner: list[int], letters: str = "", gc: str = "", forbid: str = "") -> Demands:
        """Return what texts demand of sequences for a structure; InputError where no sequence can be so."""
        with faults_of("constraints"):
            letters = parse_letters(partner, letters)
        with faults_of("forbid"):
            motifs = [parse_sequence(motif, iupac=True) for motif in forbid.replace(",", " ").split()]
            for motif in motifs:
                if forced := _places(motif, letters or "N" * len(partner)):
                    raise InputError(f"{motif} is at position {forced[0] + 1} whatever the bases are there")
        return cls(letters, *_counts(gc, len(partner)), tuple(motifs))

    def allowed(self, position: list[int], partner: list[int]) -> np.ndarray:
        """Return which moves (bool[steps, 6]) of the steps give bases that the letters allow."""
        letters = self.letters or "N" * (max([*position, *partner]) + 1)
        allowed = np.zeros((len(position), WIDTH), np.bool_)
        for step, (i, j) in enumerate(zip(position, partner, strict=True)):
            wanted, offered = (letters[i], BASES) if j < 0 else (letters[i] + letters[j], PAIRS)
            allowed[step, : len(offered)] = [_fits(bases, wanted) for bases in offered]
        return allowed

    def strong(self, allowed: np.ndarray, partner: np.ndarray) -> np.ndarray:
        """Return the fewest and the most G and C (int64[steps + 1, 2]) of each step and those after it.

        Raises InputError where no sequence has as many as are demanded.
        """
        added = STRONG[(partner >= 0).astype(int)]
        ends = np.where(allowed, added, WIDTH).min(1), np.where(allowed, added, -1).max(1)
        strong = np.zeros((len(allowed) + 1, 2), np.int64)
        strong[:-1] = np.cumsum(np.column_stack(ends)[::-1], axis=0)[::-1]
        if max(self.fewest, strong[0, 0]) > min(self.most, strong[0, 1]):
            wanted = f"{self.fewest:,} to {self.most:,} are wanted"
            raise InputError(f"gc: {strong[0, 0]:,} to {strong[0, 1]:,} of the bases can be G or C; {wanted}")
        return strong

    def masks(self) -> np.ndarray:
        """Return the motifs (uint8[motifs, longest]): bit b for the base ``BASES[b]``."""
        masks = np.zeros((len(self.motifs), max(map(len, self.motifs), default=1)), np.uint8)
        for k, motif in enumerate(self.motifs):
            masks[k, : len(motif)] = [sum(1 << BASES.index(base) for base in IUPAC[letter]) for letter in motif]
        return masks

    def wrong_letters(self, sequence: str) -> list[str]:
        """Return the faults of bases that the letters do not allow."""
        return [
            f"{base} at position {i + 1} is not one of {IUPAC[letter]}, as the constraints want"
            for i, (base, letter) in enumerate(zip(sequence, self.letters, strict=False))
            if base not in IUPAC[letter]
        ]

    def faults(self, sequence: str) -> list[str]:
        """Return what a sequence breaks, in words."""
        faults = self.wrong_letters(sequence)
        faults += [f"{motif} is at position {i + 1}" for motif in self.motifs for i in _places(motif, sequence)]
        if self._beyond(sequence):
            strong, range_ = sum(map(sequence.count, "GC")), f"{self.fewest:,} to {self.most:,}"
            faults.append(f"{strong:,} of the {len(sequence):,} bases are G or C; {range_} are wanted")
        return faults

    def broken(self, sequence: str) -> int:
        """Return how much a sequence breaks: wrong letters, motifs, and how many too many or too few are G or C."""
        motifs = sum(len(_places(motif, sequence)) for motif in self.motifs)
        return len(self.wrong_letters(sequence)) + motifs + self._beyond(sequence)

    def _beyond(self, sequence: str) -> int:
        strong = sum(map(sequence.count, "GC"))
        return max(strong - self.most, self.fewest - strong, 0)


NOTHING = Demands()


def parse_letters(partner: list[int], text: str) -> str:
    """Return the letters that a text gives the positions of a structure; InputError where no pairs fit them."""
    letters = parse_sequence(text, iupac=True) if text else ""
    if letters and len(letters) != len(partner):
        raise InputError(f"expected a letter for each of {len(partner):,} positions, found {len(letters):,}")
    for i, j in enumerate(partner) if letters else ():
        if j > i and not any(_fits(pair, letters[i] + letters[j]) for pair in PAIRS):
            at = f"{letters[i]} at position {i + 1} and {letters[j]} at position {j + 1}"
            raise InputError(f"{at} cannot pair, as the target wants")
    return letters


def _counts(gc: str, bases: int) -> tuple[int, int]:
    """Return the fewest and the most G and C of a range of parts such as ``0.4:0.6``; empty for any."""
    if not gc:
        return 0, LONGEST
    try:
        low, high = map(float, gc.split(":"))
    except ValueError:
        low, high = 1.0, 0.0
    if not 0.0 <= low <= high <= 1.0:
        what = "gc must be two parts from 0 to 1, the lesser first, such as 0.4:0.6"
        raise InputError(f"{what}, not {shortened(repr(gc))}")
    fewest, most = math.ceil(low * bases - ROUNDED), math.floor(high * bases + ROUNDED)
    if fewest > most:
        raise InputError(f"gc: no whole number of {bases:,} bases is in the range {gc}")
    return fewest, most


def _fits(bases: str, letters: str) -> bool:
    return all(base in IUPAC[letter] for base, letter in zip(bases, letters, strict=True))


def _places(motif: str, letters: str) -> list[int]:
    """Return where bases, or whatever bases letters of IUPAC stand for, are a motif."""
    return [found.start() for found in _pattern(motif).finditer(letters)]


@cache
def _pattern(motif: str) -> re.Pattern[str]:
    narrower = {wide: "".join(letter for letter in IUPAC if {*IUPAC[letter]} <= {*IUPAC[wide]}) for wide in motif}
    return re.compile("(?=" + "".join(f"[{narrower[letter]}]" for letter in motif) + ")")
