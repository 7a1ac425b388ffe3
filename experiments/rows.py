"""A table on disk that grows by a row at a time, so that a script which was stopped can go on."""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError


def read_rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of the table so far, without a last line that was cut short.

    Raises InputError when it has other columns.
    """
    rows = []
    for number, fields in enumerate(csv.reader(_whole_lines(path, columns)[1:]), 2):
        if len(fields) != len(columns):
            raise InputError(f"{path}:{number}: expected {len(columns)} fields, found {len(fields)}")
        rows.append(dict(zip(columns, fields, strict=True)))
    return rows


def append_row(path: Path, row: dict[str, Any]) -> None:
    """Add a row to the table, under a header where it is the first, and print it.

    A last line that was cut short is removed. Raises InputError, and leaves the table as it is, when it has other
    columns.
    """
    lines = _whole_lines(path, list(row))
    try:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.truncate(sum(len(line.encode()) + 1 for line in lines))
            writer = csv.DictWriter(file, list(row), lineterminator="\n")
            if not lines:
                writer.writeheader()
            writer.writerow(row)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
    print(*row.values(), sep=",", flush=True)


def run(main: Callable[[], None]) -> None:
    """Run a script; where its input cannot be used, say so in a sentence and exit with status 2."""
    try:
        main()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


def _whole_lines(path: Path, columns: Sequence[str]) -> list[str]:
    """Return the lines of the table that have their end, none where there is no table. Raises InputError."""
    header = ",".join(columns)
    if not path.exists():
        return []
    try:
        lines = path.read_bytes().decode("utf-8").split("\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a table of text") from None
    if lines[0] != header and (len(lines) > 1 or not header.startswith(lines[0])):
        raise InputError(f"{path}: has the columns {lines[0][:80]}, not {header}")
    return lines[:-1]
