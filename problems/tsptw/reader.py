"""Reading TSPTW files: Solomon's table, the matrix, and TSPLIB's form as LKH extends it by time windows."""

import re
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.lines import Located, located_lines, nth_word, numbers_of
from nrpa.problems.tsplib import EUCLIDEAN, MOST_NODES, Tsplib, is_tsplib, parse_tsplib

FORMS = (
    "Solomon's table: number x y demand ready due service, the depot first",
    "matrix: n, then n x n costs, then n windows (opening, closing)",
    "TSPLIB and LKH: TYPE : TSPTW, with a TIME_WINDOW_SECTION",
)
MOST_CITIES = 8000
"""With 512 MB for each matrix of distances, of which there are three at a time."""
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

    A matrix begins with a line of one whole number. The depot of TSPLIB is node 1. Of coordinates, distances are
    Euclidean; ``rounding`` is the option, which is refused where the file says how it rounds.
    """
    lines = located_lines(text, label)
    if not lines:
        raise InputError(f"{label}: is empty; expected one of these forms: {'; '.join(FORMS)}")
    if is_tsplib(text):
        return _parse_tsplib(parse_tsplib(text, label), rounding)
    if len(lines[0].split()) == 1 and _is_meant_as_number(lines[0]):
        return _parse_matrix(lines)
    return _parse_table(lines)


def require_few_cities(cities: int, place: str = "") -> None:
    """Raise InputError where there are more than ``MOST_CITIES``; the message begins with a place, if there is one."""
    if cities > MOST_CITIES:
        found = f"{place}: {cities:,} cities" if place else f"{cities:,} cities"
        raise InputError(f"{found}; expected at most {MOST_CITIES:,}, as the distances between all take memory")


def _is_meant_as_number(word: str) -> bool:
    return _MEANT_AS_NUMBER.match(word) is not None


def _check_window(place: Located, what: str, opens: float, closes: float) -> None:
    if closes < opens:
        place.fail(f"the window of {what} closes at {closes:g} before it opens at {opens:g}")


def _parse_matrix(lines: list[Located]) -> dict[str, np.ndarray]:
    if not re.fullmatch("[0-9]{1,9}", lines[0]):
        lines[0].expected("the number of cities")
    n = int(lines[0])
    if n < 2:
        lines[0].fail("a tour needs at least one city beside the depot, so at least 2 in all")
    require_few_cities(n, lines[0].where)
    values = numbers_of(lines[1:])
    expected, what = n * n + 2 * n, f"{n}x{n} distances and {n} windows"
    if len(values) < expected:
        lines[-1].fail(f"ends after {len(values)} numbers; expected {what}, {expected} in all")
    if len(values) > expected:
        nth_word(lines[1:], expected).fail(f"expected the end of the file after {what}, found more numbers")
    distances, windows = values[: n * n].reshape(n, n), values[n * n :].reshape(n, 2)
    for i, j in np.argwhere(distances < 0)[:1]:
        nth_word(lines[1:], i * n + j).fail(f"the distance from {i} to {j} is negative: {distances[i, j]:g}")
    for city in np.flatnonzero(windows[:, 1] < windows[:, 0])[:1].tolist():
        _check_window(nth_word(lines[1:], n * n + 2 * city), f"city {city}", *windows[city])
    return {"distances": distances, "windows": windows}


def _parse_table(lines: list[Located]) -> dict[str, np.ndarray]:
    rows = _table_rows(lines)
    if not rows:
        lines[-1].fail_form(FORMS)
    require_few_cities(len(rows), rows[0][0].label)
    if len(rows) == 1:
        rows[0][0].fail("has one city only; a tour needs at least one beside the depot")
    table = np.array([row for _, row in rows])
    _check_numbering(rows)
    for city, (line, row) in enumerate(rows):
        if row[6] < 0:
            line.fail(f"the service time of city {city} is negative: {row[6]:g}")
        _check_window(line, f"city {city}", row[4], row[5])
    x, y, service = table[:, 1], table[:, 2], table[:, 6]
    distances = np.subtract.outer(x, x)
    np.hypot(distances, np.subtract.outer(y, y), out=distances)
    return {"distances": distances, "service": service, "windows": table[:, 4:6], "coordinates": table[:, 1:3]}


def _table_rows(lines: list[Located]) -> list[tuple[Located, list[float]]]:
    """Return the rows with their numbers, to the end or a row of 999; what is a heading above them is skipped."""
    start = 0
    while start < len(lines) and _is_heading(lines, start):
        start += 1
    rows: list[tuple[Located, list[float]]] = []
    for k, line in enumerate(lines[start:], start):
        words = line.words()
        if len(words) != 7:
            line.fail(f"expected seven numbers ({COLUMNS}), found {len(words)}: {shortened(line)!r}")
        row = [word.number() for word in words]
        if row == LAST_ROW and rows and rows[-1][1][0] != 998:
            for after in lines[k + 1 : k + 2]:
                after.expected("nothing after the row of 999")
            break
        rows.append((line, row))
    return rows


def _is_heading(lines: list[Located], k: int) -> bool:
    """Return whether a line above the table is a heading, or Solomon's vehicles, of which nothing is used.

    A heading begins with a word, and half of its words at least are none that are meant as numbers. InputError for
    columns in another order.
    """
    words = lines[k].split()
    meant = sum(map(_is_meant_as_number, words))
    above = lines[k - 1].upper().split() if k else []
    if above[-2:] == ["NUMBER", "CAPACITY"] and meant == len(words) == 2:
        return True
    if _is_meant_as_number(words[0]):
        return False
    columns = [each for word in words for each in COLUMN_WORDS if word.upper().startswith(each)]
    if len(columns) == len(COLUMN_WORDS) and tuple(columns) != COLUMN_WORDS:
        lines[k].expected(f"columns in the order {COLUMNS}")
    return 2 * meant <= len(words) or _LISTED_CUSTOMERS.fullmatch(" ".join(words)) is not None


def _check_numbering(rows: list[tuple[Located, list[float]]]) -> None:
    """Cities are numbered from 0 or from 1, without gaps, in order."""
    first = rows[0][1][0]
    if first not in (0, 1):
        rows[0][0].fail(f"expected the depot, numbered 0 or 1, found city number {first:g}")
    for k, (line, row) in enumerate(rows):
        if first <= row[0] < first + k and row[0].is_integer():
            line.fail(f"city number {row[0]:g} appears twice")
        if row[0] != first + k:
            line.fail(f"expected city number {first + k:g}, found {row[0]:g}")


def _parse_tsplib(file: Tsplib, rounding: str) -> dict[str, Any]:
    file.refuse_others("tour", [*SPECIFICATIONS, *NAMES], SECTIONS)
    file.word("TYPE", ["TSPTW"])
    if "NODE_COORD_TYPE" in file.specifications:
        file.word("NODE_COORD_TYPE", ["TWOD_COORDS", "NO_COORDS"])
    n = file.whole("DIMENSION", 2, MOST_NODES)
    require_few_cities(n, file.label)
    file.require_first_as_depot()
    windows = file.rows("TIME_WINDOW_SECTION", n, 2)
    for node, (opens, closes) in enumerate(windows, 1):
        if closes < opens:
            _check_window(file.row_of("TIME_WINDOW_SECTION", node), f"node {node}", opens, closes)
    distances, service = file.distances(n), file.service(n)
    kind = file.word("EDGE_WEIGHT_TYPE", ["EXPLICIT", *EUCLIDEAN])
    if rounding != "exact" and EUCLIDEAN.get(kind, "exact") != "exact":
        file.specifications["EDGE_WEIGHT_TYPE"].fail(
            f"{kind} says how distances are rounded; expected rounding=exact, not {rounding}"
        )
    return {"distances": distances, "service": service, "windows": windows, "coordinates": file.coordinates(n)}
