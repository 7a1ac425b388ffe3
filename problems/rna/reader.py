"""Reading records of a name, a sequence and a structure: FASTA, and dot-bracket notation with sequences (dbn)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nrpa.base.errors import InputError, faults_of
from nrpa.io.source import Source
from nrpa.problems.common import instance_meant
from nrpa.problems.lines import Located, located_lines
from nrpa.problems.rna.structure import parse_sequence

SYMBOLS = "().[]{}<>"
SEVERAL = "several, each after `>NAME`; FILE:NAME takes one"
_STRUCTURE = re.compile(rf"([{re.escape(SYMBOLS)}]+?)\s*(?:\(\s*[+-]?[0-9]+(?:\.[0-9]*)?\s*\))?")


class Strand(NamedTuple):
    """A sequence, a structure, or both, as a file has them, else empty; ``where`` is the file and the last line."""

    sequence: str
    structure: str
    where: str

    def require(self, own: str, other: str, expected: str) -> str:
        """Return one of the two; InputError where there is none."""
        text: str = getattr(self, own)
        if not text:
            what = f"holds a {other} and no {own}" if getattr(self, other) else "is empty"
            raise InputError(f"{self.where}: {what}; expected {expected}")
        return text


def read_record(source: Source, forms: Sequence[str], *, iupac: bool = False) -> Strand:
    """Return the record that a source means of those that its file holds; ``#`` starts a comment.

    A record is perhaps a line ``>NAME``, then a sequence, on one line or more, or a structure, or both, and after a
    structure perhaps its energy in round brackets, which is not used.
    """
    label = source.file or source.label
    records = _split(located_lines(source.text, label))
    return _strand(instance_meant(records, source), label, forms, iupac=iupac)


def _split(lines: list[Located]) -> dict[str, list[Located]]:
    """Return the lines of each record by its name, which is empty for one without a line ``>NAME``."""
    records: dict[str, list[Located]] = {}
    name = ""
    for line in lines:
        if not line.startswith(">"):
            records.setdefault(name, []).append(line)
            continue
        name = next(iter(line[1:].split()), "")
        if records and (name in records or "" in (name, *records)):
            line.expected("`>` and a name of its own before each record")
        records[name] = []
    return records or {"": []}


def _strand(lines: list[Located], label: str, forms: Sequence[str], *, iupac: bool) -> Strand:
    sequence = structure = ""
    where = label
    for line in lines:
        where = line.where
        if structure:
            line.expected("nothing but `>NAME` after a structure")
        if line[0] in SYMBOLS:
            found = _STRUCTURE.fullmatch(line)
            structure = found[1] if found else line.expected("a structure, perhaps with an energy such as (-1.20)")
        elif line[0].isalpha():
            with faults_of(where):
                sequence += parse_sequence("".join(line.split()), iupac=iupac)
        else:
            line.fail_form(forms)
    if sequence and structure and len(sequence) != len(structure):
        line.fail(f"the structure has {len(structure):,} positions, its sequence {len(sequence):,} bases")
    return Strand(sequence, structure, where)
