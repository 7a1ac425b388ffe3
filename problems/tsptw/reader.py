"""Reading TSPTW files: the Solomon-style table, and the matrix form."""

import re

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, shortened
from nrpa.problems.common import fail, filled_lines
from nrpa.problems.routing import LARGEST

COLUMNS = "number x y demand ready due service"


def parse_tsptw(text: str, label: str) -> dict[str, np.ndarray]:
    """Return the arguments of ``TSPTW`` that a file of either form has; ``#`` starts a comment.

    Matrix: n, then n rows of n distances, then n windows (opening, closing). It begins with a line of one whole number.
    Table, as Solomon's: rows of seven numbers (number, x, y, demand, ready, due, service), the depot first. The cost
    from i to j is the Euclidean distance plus the service time of i.
    """
    lines = [(number, line.split()) for number, line in filled_lines(text)]
    if not lines:
        raise InputError(f"{label}: is empty; expected a Solomon-style table or a distance matrix")
    first = lines[0][1]
    if len(first) == 1 and _is_number(first[0]):
        return _parse_matrix(lines, label)
    return _parse_table(lines, label)


def _is_number(word: str) -> bool:
    """Return whether a word is meant as a number, although it may be none that can be used."""
    try:
        float(word)
    except ValueError:
        return False
    return True


def _number(word: str, label: str, line: int) -> float:
    value = number_of(word)
    if value is None:
        kind = "finite number in digits 0 to 9" if _is_number(word) else "number"
        fail(label, line, f"expected a {kind}, found {shortened(word)!r}")
    if abs(value) > LARGEST:
        fail(label, line, f"expected a number of at most {LARGEST:g}, found {shortened(word)!r}")
    return value


def _check_window(label: str, line: int, city: int, opens: float, closes: float) -> None:
    if closes < opens:
        fail(label, line, f"the window of city {city} closes at {closes:g} before it opens at {opens:g}")


def _parse_matrix(lines: list[tuple[int, list[str]]], label: str) -> dict[str, np.ndarray]:
    line, words = lines[0]
    if not re.fullmatch("[0-9]{1,9}", words[0]):
        fail(label, line, f"expected the number of cities, found {words[0][:40]!r}")
    n = int(words[0])
    if n < 2:
        fail(label, line, "a tour needs at least one city beside the depot, so at least 2 in all")
    values, where = [], []
    for line, words in lines[1:]:
        values += [_number(word, label, line) for word in words]
        where += [line] * len(words)
    expected, what = n * n + 2 * n, f"{n}x{n} distances and {n} windows"
    if len(values) < expected:
        end = where[-1] if where else lines[0][0]
        fail(label, end, f"ends after {len(values)} numbers; expected {what}, {expected} in all")
    if len(values) > expected:
        fail(label, where[expected], f"expected the end of the file after {what}, found more numbers")
    distances = np.array(values[: n * n]).reshape(n, n)
    windows = np.array(values[n * n :]).reshape(n, 2)
    for i, j in np.argwhere(distances < 0)[:1]:
        fail(label, where[i * n + j], f"the distance from {i} to {j} is negative: {distances[i, j]:g}")
    for city, (opens, closes) in enumerate(windows):
        _check_window(label, where[n * n + 2 * city], city, opens, closes)
    return {"distances": distances, "windows": windows}


def _parse_table(lines: list[tuple[int, list[str]]], label: str) -> dict[str, np.ndarray]:
    rows = _table_rows(lines, label)
    if not rows:
        fail(label, lines[-1][0], f"holds no table; expected rows of seven numbers: {COLUMNS}")
    if len(rows) == 1:
        fail(label, rows[0][0], "has one city only; a tour needs at least one beside the depot")
    table = np.array([row for _, row in rows])
    _check_numbering(rows, label)
    for city, (line, row) in enumerate(rows):
        if row[6] < 0:
            fail(label, line, f"the service time of city {city} is negative: {row[6]:g}")
        _check_window(label, line, city, row[4], row[5])
    x, y, service = table[:, 1], table[:, 2], table[:, 6]
    distances = np.hypot(x[:, None] - x, y[:, None] - y) + service[:, None]
    np.fill_diagonal(distances, 0.0)
    return {"distances": distances, "windows": table[:, 4:6], "coordinates": table[:, 1:3]}


def _table_rows(lines: list[tuple[int, list[str]]], label: str) -> list[tuple[int, list[float]]]:
    """Return the rows with their line numbers; text above the table is skipped, as is Solomon's vehicle line."""
    headers = [k for k, (_, words) in enumerate(lines) if not all(map(_is_number, words))]
    start = 0
    for k in headers:
        if not any(len(words) == 7 for _, words in lines[start:k] if all(map(_is_number, words))):
            start = k + 1
    rows: list[tuple[int, list[float]]] = []
    for line, words in lines[start:]:
        if len(words) != 7:
            fail(label, line, f"expected seven numbers ({COLUMNS}), found {len(words)}: {' '.join(words)[:60]!r}")
        row = [_number(word, label, line) for word in words]
        if row == [999.0, 0, 0, 0, 0, 0, 0] and rows and rows[-1][1][0] != 998:
            break
        rows.append((line, row))
    return rows


def _check_numbering(rows: list[tuple[int, list[float]]], label: str) -> None:
    """Cities are numbered from 0 or from 1, without gaps, in order."""
    first = rows[0][1][0]
    if first not in (0, 1):
        fail(label, rows[0][0], f"expected the depot, numbered 0 or 1, found city number {first:g}")
    seen: set[float] = set()
    for k, (line, row) in enumerate(rows):
        if row[0] in seen:
            fail(label, line, f"city number {row[0]:g} appears twice")
        if row[0] != first + k:
            fail(label, line, f"expected city number {first + k:g}, found {row[0]:g}")
        seen.add(row[0])
