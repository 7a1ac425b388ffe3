"""CSVs that grow by a line at a time: how lines are written, and read, a last one that was cut short left out."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from nrpa.base.errors import InputError
from nrpa.base.values import WHOLE_DIGITS, number_of, shortened, whole_of
from nrpa.io.files import as_text, read_bytes, write_text

T = TypeVar("T", int, float)
SEED_DIGITS = 1000


def lines_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows of fields as lines of a CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


class Row(NamedTuple):
    """A line of a CSV: where it is, and its fields by column. Raises InputError for a field that is no such number."""

    where: str
    fields: dict[str, str]

    def whole(self, name: str, digits: int = WHOLE_DIGITS) -> int:
        """Return a field that is a whole number of at most so many digits."""
        return self._number(name, whole_of(self.fields[name], digits))

    def seed(self) -> int:
        """Return the seed, which may be any that Python can write."""
        return self.whole("seed", SEED_DIGITS)

    def number(self, name: str) -> float:
        """Return a field that is a finite number."""
        return self._number(name, number_of(self.fields[name]))

    def _number(self, name: str, value: T | None) -> T:
        if value is None:
            raise InputError(f"{self.where}: expected a number as {name}, found {shortened(self.fields[name])!r}")
        return value


class Lines(NamedTuple):
    """What a CSV holds: its columns, its lines, and whether a last one was cut short."""

    columns: tuple[str, ...]
    fields: list[Row]
    cut: bool


def read_lines(path: str | os.PathLike[str], *known: Sequence[str], writer: str = "") -> Lines:
    """Return what a CSV with some ``known`` columns holds, which the command ``writer`` wrote, or a person without it.

    A last line without its end was left by a crash, and is left out, unless a person wrote it.
    """
    expected = f"expected a CSV that `{writer}` wrote" if writer else f"expected a CSV of {','.join(known[0])}"
    try:
        given = read_bytes(path)
        if not writer and not given.endswith(b"\n"):
            given += b"\n"
        ended, end, rest = given.rpartition(b"\n")
        head, *lines = as_text(ended or rest).split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; {expected}") from None
    if not head.strip() and not lines:
        raise InputError(f"{path}: is empty; {expected}")
    if head.startswith("{"):
        raise InputError(f"{path}: is JSON, as a result is, which `nrpa plot --solution` draws; {expected}")
    columns = tuple(head.rstrip("\r").split(","))
    if columns not in map(tuple, known):
        raise InputError(f"{path}:1: expected the columns {','.join(known[0])}, found {shortened(','.join(columns))!r}")
    if not end:
        return Lines(columns, [], True)
    numbered = [(f"{path}:{number}", line.rstrip("\r")) for number, line in enumerate(lines, 2)]
    return Lines(columns, [Row(where, _fields(where, line, columns)) for where, line in numbered], bool(rest))


def _fields(where: str, line: str, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of a line by the names of the columns. Raises InputError, which says ``where`` it is."""
    try:
        fields = next(csv.reader([line], strict=True), [])
    except csv.Error as error:
        raise InputError(f"{where}: is no line of a CSV ({error})") from None
    if len(fields) != len(names):
        raise InputError(f"{where}: expected {len(names)} fields ({','.join(names)}), found {len(fields)}")
    return dict(zip(names, fields, strict=True))


def holds(path: Path) -> bool:
    """Return whether a file is there and not empty."""
    return path.exists() and path.stat().st_size > 0


def rewrite(path: Path, text: str) -> None:
    """Write a file unless it holds that text already."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        write_text(path, text)
