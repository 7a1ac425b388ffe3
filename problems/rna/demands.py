"""What a designer demands of a sequence beside its structure: the letters of positions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.problems.rna.structure import BASES, IUPAC, PAIRS, WIDTH, parse_sequence


class Demands(NamedTuple):
    """What is demanded: a letter of IUPAC for each position, or none at all."""

    letters: str = ""

    @classmethod
    def parse(cls, partner: list[int], letters: str) -> Demands:
        """Return what texts demand of sequences for a structure; InputError where no sequence can be so."""
        letters = parse_sequence(letters, iupac=True) if letters else ""
        if letters and len(letters) != len(partner):
            raise InputError(f"expected a letter for each of {len(partner):,} positions, found {len(letters):,}")
        for i, j in enumerate(partner) if letters else ():
            if j > i and not any(_fits(pair, letters[i] + letters[j]) for pair in PAIRS):
                at = f"{letters[i]} at position {i + 1} and {letters[j]} at position {j + 1}"
                raise InputError(f"{at} cannot pair, as the target wants")
        return cls(letters)

    def allowed(self, position: list[int], partner: list[int]) -> np.ndarray:
        """Return which moves (bool[steps, 6]) of the steps give bases that the letters allow."""
        letters = self.letters or "N" * (max([*position, *partner]) + 1)
        allowed = np.zeros((len(position), WIDTH), np.bool_)
        for step, (i, j) in enumerate(zip(position, partner, strict=True)):
            wanted, offered = (letters[i], BASES) if j < 0 else (letters[i] + letters[j], PAIRS)
            allowed[step, : len(offered)] = [_fits(bases, wanted) for bases in offered]
        return allowed

    def wrong_letters(self, sequence: str) -> list[str]:
        """Return the faults of bases that the letters do not allow."""
        return [
            f"{base} at position {i + 1} is not one of {IUPAC[letter]}, as the constraints want"
            for i, (base, letter) in enumerate(zip(sequence, self.letters, strict=False))
            if base not in IUPAC[letter]
        ]


NOTHING = Demands()


def _fits(bases: str, letters: Any) -> bool:
    return all(base in IUPAC[letter] for base, letter in zip(bases, letters, strict=True))
