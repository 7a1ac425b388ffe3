"""Reading records of a name, a sequence and a structure: FASTA, and dot-bracket notation with sequences (dbn)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from nrpa.base.values import shortened
from nrpa.io.source import Source
from nrpa.problems.common import fail, fail_form, faults_of, filled_lines, select
from nrpa.problems.rna.structure import parse_sequence

SYMBOLS = "().[]{}<>"
SEVERAL = "several, each after `>NAME`; FILE:NAME takes one"
_STRUCTURE = re.compile(rf"([{re.escape(SYMBOLS)}]+?)\s*(?:\(\s*[+-]?[0-9]+(?:\.[0-9]*)?\s*\))?")

Lines = list[tuple[int, str]]


class Record(NamedTuple):
    """A sequence, a structure, or both, as a file has them, else empty; ``where`` is the file and the last line."""

    sequence: str
    structure: str
    where: str


def read_record(source: Source, forms: Sequence[str]) -> Record:
    """Return the record that a source means of those that its file holds; ``#`` starts a comment.

    A record is perhaps a line ``>NAME``, then a sequence, on one line or more, or a structure, or both, and after a
    structure perhaps its energy in round brackets, which is not used.
    """
    label = source.file or source.label
    records = _split(filled_lines(source.text), label)
    return _record(select(records, source), label, forms)


def _split(lines: Lines, label: str) -> dict[str, Lines]:
    """Return the lines of each record by its name, which is empty for one without a line ``>NAME``."""
    records: dict[str, Lines] = {}
    name = ""
    for number, line in lines:
        if not line.startswith(">"):
            records.setdefault(name, []).append((number, line))
            continue
        name = next(iter(line[1:].split()), "")
        if records and (name in records or "" in (name, *records)):
            fail(label, number, f"expected `>` and a name of its own before each record, found {shortened(line)!r}")
        records[name] = []
    return records or {"": []}


def _record(lines: Lines, label: str, forms: Sequence[str]) -> Record:
    sequence = structure = ""
    where = label
    for number, line in lines:
        where = f"{label}:{number}"
        if structure:
            fail(label, number, f"expected nothing but `>NAME` after a structure, found {shortened(line)!r}")
        if line[0] in SYMBOLS:
            structure = _structure(line, number, label)
        elif line[0].isalpha():
            with faults_of(where):
                sequence += parse_sequence("".join(line.split()))
        else:
            fail_form(label, number, line, forms)
    if sequence and structure and len(sequence) != len(structure):
        fail(label, number, f"the structure has {len(structure):,} positions, its sequence {len(sequence):,} bases")
    return Record(sequence, structure, where)


def _structure(line: str, number: int, label: str) -> str:
    """Return the structure of a line without its energy."""
    found = _STRUCTURE.fullmatch(line)
    if found is None:
        fail(label, number, f"expected a structure, perhaps with an energy such as (-1.20), found {shortened(line)!r}")
    return found[1]
