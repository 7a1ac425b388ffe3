"""A table on disk that grows by a row at a time, so that a script which was stopped can go on; and as Markdown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.io.csv_lines import holds, lines_of, read_lines, rewrite
from nrpa.io.files import append_text


def read_rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    """Return the rows of the table so far; make it if there is none, and remove a last line that was cut short."""
    rows = (
        [fields for _, fields in read_lines(path, columns, writer=Path(sys.argv[0]).name).fields] if holds(path) else []
    )
    rewrite(path, lines_of([columns, *(row.values() for row in rows)]))
    return rows


def append_row(path: Path, row: dict[str, Any]) -> None:
    """Add a row to the table, and print it."""
    append_text(path, lines_of([row.values()]))
    print(*row.values(), sep=",", flush=True)


def markdown(lines: Iterable[Sequence[str]], figures: str = "---:") -> str:
    """Return a table in Markdown, of its head and its lines; figures to the right."""
    head, *rest = lines
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, ["---", *[figures] * (len(head) - 1)], *rest))


def run(main: Callable[[], None]) -> None:
    """Run a script; where its input cannot be used, say so in a sentence and exit with status 2."""
    try:
        main()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
