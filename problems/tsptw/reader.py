"""Reading TSPTW files: Solomon's table, the matrix, and TSPLIB's form as LKH extends it by time windows."""

import re
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.common import fail, fail_form, filled_lines
from nrpa.problems.routing import number_in
from nrpa.problems.tsplib import EUCLIDEAN, MOST_NODES, Tsplib, is_tsplib, parse_tsplib

FORMS = (
    "Solomon's table: number x y demand ready due service, the depot first",
    "matrix: n, then n x n costs, then n windows (opening, closing)",
    "TSPLIB and LKH: TYPE : TSPTW, with a TIME_WINDOW_SECTION",
)
COLUMNS = "number x y demand ready due service"
COLUMN_WORDS = ("DEMAND", "READY", "DUE", "SERVICE")
LAST_ROW = [999.0, 0, 0, 0, 0, 0, 0]
SPECIFICATIONS = ("TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "SERVICE_TIME")
NAMES = ("NAME", "COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE")
SECTIONS = (
    *("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "TIME_WINDOW_SECTION"),
    *("SERVICE_TIME_SECTION", "DEPOT_SECTION", "DISPLAY_DATA_SECTION"),
)
# How a word begins that is meant as a number, although it may be none that can be used; a dash is a missing one.
_MEANT_AS_NUMBER = re.compile(r"[-+]?\.?[0-9]|[-+]?(?:nan|inf)|-$", re.IGNORECASE)
_LISTED_CUSTOMERS = re.compile(r"solomon \S+ customers: [0-9 ]+", re.IGNORECASE)


def parse_tsptw(text: str, label: str, rounding: str = "exact") -> dict[str, Any]:
    """Return the arguments of ``TSPTW`` that a file of any form has, but for options; ``#`` starts a comment.

    Matrix: n, then n rows of n distances, then n windows (opening, closing). It begins with a line of one whole number.
    Table, as Solomon's: rows of seven numbers (number, x, y, demand, ready, due, service), the depot first. TSPLIB: the
    depot is node 1. Of coordinates, distances are Euclidean; ``rounding`` is the option, which is refused where the
    file says how it rounds.
    """
    lines = [(number, line.split()) for number, line in filled_lines(text)]
    if not lines:
        raise InputError(f"{label}: is empty; expected one of these forms: {'; '.join(FORMS)}")
    if is_tsplib(text):
        return _parse_tsplib(parse_tsplib(text, label), rounding)
    first = lines[0][1]
    if len(first) == 1 and _is_meant_as_number(first[0]):
        return _parse_matrix(lines, label)
    return _parse_table(lines, label)


def _is_meant_as_number(word: str) -> bool:
    return _MEANT_AS_NUMBER.match(word) is not None


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
        values += [number_in(word, label, line) for word in words]
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
        fail_form(label, lines[-1][0], " ".join(lines[-1][1]), FORMS)
    if len(rows) > MOST_NODES:
        fail(label, rows[MOST_NODES][0], f"expected at most {MOST_NODES:,} cities")
    if len(rows) == 1:
        fail(label, rows[0][0], "has one city only; a tour needs at least one beside the depot")
    table = np.array([row for _, row in rows])
    _check_numbering(rows, label)
    for city, (line, row) in enumerate(rows):
        if row[6] < 0:
            fail(label, line, f"the service time of city {city} is negative: {row[6]:g}")
        _check_window(label, line, city, row[4], row[5])
    x, y, service = table[:, 1], table[:, 2], table[:, 6]
    distances = np.hypot(x[:, None] - x, y[:, None] - y)
    return {"distances": distances, "service": service, "windows": table[:, 4:6], "coordinates": table[:, 1:3]}


def _table_rows(lines: list[tuple[int, list[str]]], label: str) -> list[tuple[int, list[float]]]:
    """Return the rows with their line numbers, to the end or a row of 999; what is a heading above them is skipped."""
    start = 0
    while start < len(lines) and _is_heading(lines, start, label):
        start += 1
    rows: list[tuple[int, list[float]]] = []
    for k, (line, words) in enumerate(lines[start:], start):
        if len(words) != 7:
            fail(label, line, f"expected seven numbers ({COLUMNS}), found {len(words)}: {' '.join(words)[:60]!r}")
        row = [number_in(word, label, line) for word in words]
        if row == LAST_ROW and rows and rows[-1][1][0] != 998:
            for after, found in lines[k + 1 : k + 2]:
                fail(label, after, f"expected nothing after the row of 999, found {shortened(' '.join(found))!r}")
            break
        rows.append((line, row))
    return rows


def _is_heading(lines: list[tuple[int, list[str]]], k: int, label: str) -> bool:
    """Return whether a line above the table is a heading, or Solomon's vehicles, of which nothing is used.

    A heading begins with a word, and half of its words at least are none that are meant as numbers. InputError for
    columns in another order.
    """
    line, words = lines[k]
    meant = sum(map(_is_meant_as_number, words))
    above = [word.upper() for word in lines[k - 1][1]] if k else []
    if above[-2:] == ["NUMBER", "CAPACITY"] and meant == len(words) == 2:
        return True
    if _is_meant_as_number(words[0]):
        return False
    columns = [each for word in words for each in COLUMN_WORDS if word.upper().startswith(each)]
    if len(columns) == len(COLUMN_WORDS) and tuple(columns) != COLUMN_WORDS:
        fail(label, line, f"expected columns in the order {COLUMNS}, found {' '.join(words)[:60]!r}")
    return 2 * meant <= len(words) or _LISTED_CUSTOMERS.fullmatch(" ".join(words)) is not None


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


def _parse_tsplib(file: Tsplib, rounding: str) -> dict[str, Any]:
    file.refuse_others("tour", [*SPECIFICATIONS, *NAMES], SECTIONS)
    file.word("TYPE", ["TSPTW"])
    if "NODE_COORD_TYPE" in file.specifications:
        file.word("NODE_COORD_TYPE", ["TWOD_COORDS", "NO_COORDS"])
    n = file.whole("DIMENSION", 2, MOST_NODES)
    for line, depot in file.depots():
        if depot != "1":
            fail(file.label, line, f"DEPOT_SECTION: expected node 1 as the only depot, found {shortened(depot)!r}")
    windows = file.rows("TIME_WINDOW_SECTION", n, 2)
    for city, (opens, closes) in enumerate(windows):
        if closes < opens:
            line = file.line_of("TIME_WINDOW_SECTION", city + 1)
            fail(file.label, line, f"the window of node {city + 1} closes at {closes:g} before it opens at {opens:g}")
    distances, service = file.distances(n), file.service(n)
    kind = file.word("EDGE_WEIGHT_TYPE", ["EXPLICIT", *EUCLIDEAN])
    if rounding != "exact" and EUCLIDEAN.get(kind, "exact") != "exact":
        line, _ = file.specifications["EDGE_WEIGHT_TYPE"]
        fail(file.label, line, f"{kind} says how distances are rounded; expected rounding=exact, not {rounding}")
    coordinates = file.rows("NODE_COORD_SECTION", n, 2) if "NODE_COORD_SECTION" in file.sections else None
    return {"distances": distances, "service": service, "windows": windows, "coordinates": coordinates}
