"""Reading vehicle routing files: Solomon's tables, and VRPLIB's specifications and sections."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, shortened, whole_of
from nrpa.problems.common import fail, fail_form, filled_lines
from nrpa.problems.routing import ROUNDING

MOST_PLACES = 3000
FORMS = (
    "Solomon's: VEHICLE, NUMBER and CAPACITY, CUSTOMER, a row of 7 numbers each",
    "VRPLIB's: KEY : VALUE, NODE_COORD_SECTION, DEMAND_SECTION and others",
)
COLUMNS = "CUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE TIME"
TYPES = ("CVRP", "ACVRP", "DCVRP", "VRP", "CVRPTW", "VRPTW")
WITHOUT_MEANING = ("NAME", "COMMENT", "DISPLAY_DATA_TYPE", "NODE_COORD_TYPE", "BEST_KNOWN")
LIMITS = ("DISTANCE", "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DURATION")
KEYS = (
    *("TYPE", "DIMENSION", "VEHICLES", "CAPACITY", "SERVICE_TIME", *LIMITS),
    *("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "SCALE"),
)
SECTIONS = {"NODE_COORD_SECTION": 2, "DEMAND_SECTION": 1, "TIME_WINDOW_SECTION": 2, "SERVICE_TIME_SECTION": 1}
"""How many numbers a row has after its place."""
LISTS = ("EDGE_WEIGHT_SECTION", "DEPOT_SECTION", "DISPLAY_DATA_SECTION")
TRIANGLES = {"UPPER_ROW": 1, "LOWER_COL": 1, "UPPER_DIAG_ROW": 0, "LOWER_DIAG_COL": 0}
"""Matrix formats that list an upper triangle by its rows, from so many places behind the diagonal on."""
MIRRORED = {"LOWER_ROW": 1, "UPPER_COL": 1, "LOWER_DIAG_ROW": 0, "UPPER_DIAG_COL": 0}
"""Those that list a lower triangle by its rows."""
_KEY = re.compile(r"([A-Za-z][\w ]*?)\s*:\s*(.*)")
_SECTION = re.compile(r"([A-Za-z]\w*_SECTION)\s*:?", re.IGNORECASE)

Line = tuple[int, str]


def parse_vrptw(text: str, label: str) -> dict[str, Any]:
    """Return the arguments of ``VRPTW`` that a file of either form has; one without windows is always open."""
    lines = filled_lines(text) or [(1, "")]
    if any(_letters(line) == "VEHICLE" for _, line in lines[:2]):
        return _solomon(lines, label)
    if not any(_SECTION.fullmatch(line) for _, line in lines):
        fail_form(label, *lines[0], FORMS)
    return _vrplib(_File.of(lines, label))


def _letters(line: str) -> str:
    """Return the letters of a line as capitals, since headings differ in spaces and full stops."""
    return re.sub("[^A-Z]", "", line.upper())


def _solomon(lines: Sequence[Line], label: str) -> dict[str, Any]:
    begin = next(k for k, (_, line) in enumerate(lines) if _letters(line) == "VEHICLE")
    headings = {1: "NUMBER CAPACITY", 3: "CUSTOMER", 4: COLUMNS}
    for k in range(1, 5):
        number, line = lines[begin + k] if begin + k < len(lines) else (lines[-1][0], "")
        if k in headings and _letters(line) != _letters(headings[k]):
            fail(label, number, f"expected the heading {headings[k]}, found {shortened(line)!r}")
    number, line = lines[begin + 2]
    vehicles, capacity = _numbers(label, number, line, 2, "the number of vehicles and their capacity")
    if vehicles != int(vehicles) or vehicles < 1:
        fail(label, number, f"expected a whole number of vehicles of at least 1, found {vehicles:g}")
    table = _by_place(label, "CUSTOMER", lines[begin + 5 :], 6, 0)
    return {
        "distances": _lengths(table[:, :2]),
        "windows": table[:, 3:5],
        "demand": table[:, 2],
        "capacity": capacity,
        "service": table[:, 5],
        "coordinates": table[:, :2],
        "vehicles": int(vehicles),
    }


def _numbers(label: str, number: int, line: str, count: int, expected: str) -> list[float]:
    """Return the numbers of a line; InputError if there are others than so many, or anything else."""
    values = [value for value in map(number_of, line.split()) if value is not None]
    if len(values) != count or len(line.split()) != count:
        fail(label, number, f"expected {expected}, found {shortened(line)!r}")
    return values


def _by_place(
    label: str, name: str, rows: Sequence[Line], columns: int, first: int, n: int | None = None
) -> np.ndarray:
    """Return the rows of a table (float64[n, columns]) by the place that they begin with, the depot ``first``."""
    n = len(rows) if n is None else n
    if n < 2:
        raise InputError(f"{label}: {name}: expected the rows of a depot and at least one customer")
    _require_few(label, n)
    table = np.full((n, columns), np.nan)
    expected = f"a place from {first} to {n - 1 + first} and {columns} number{'s' * (columns > 1)} in {name}"
    for number, line in rows:
        place, *values = _numbers(label, number, line, columns + 1, expected)
        if place not in range(first, n + first):
            fail(label, number, f"expected {expected}, found {shortened(line)!r}")
        row = table[int(place) - first]
        if not np.isnan(row[0]):
            fail(label, number, f"place {place:g} is in {name} twice")
        row[:] = values
    for missing in np.flatnonzero(np.isnan(table[:, 0])):
        raise InputError(f"{label}: place {missing + first} is not in {name}")
    return table


def _require_few(label: str, n: int) -> None:
    if n > MOST_PLACES:
        raise InputError(f"{label}: has {n:,} places; expected at most {MOST_PLACES:,}")


def _lengths(coordinates: np.ndarray) -> np.ndarray:
    """Return the Euclidean distances between places."""
    x, y = coordinates.T
    lengths: np.ndarray = np.sqrt((x[:, None] - x) ** 2 + (y[:, None] - y) ** 2)
    return lengths


class _File(NamedTuple):
    """A VRPLIB file in parts: the value of each key, and the rows of each section, with lines."""

    label: str
    values: dict[str, Line]
    sections: dict[str, tuple[int, list[Line]]]

    @classmethod
    def of(cls, lines: Sequence[Line], label: str) -> "_File":
        """Return a file in parts; InputError for a line, a key or a section that is not known, or is there twice."""
        file = cls(label, {}, {})
        rows: list[Line] | None = None
        for k, (number, line) in enumerate(lines):
            if section := _SECTION.fullmatch(line):
                rows = []
                file._add(file.sections, section[1].upper(), (*SECTIONS, *LISTS), number, (number, rows))
            elif key := _KEY.fullmatch(line):
                file._add(file.values, key[1].upper(), (*KEYS, *WITHOUT_MEANING), number, (number, key[2]))
            elif line.upper() == "EOF":
                if k + 1 < len(lines):
                    fail(label, lines[k + 1][0], f"expected nothing after EOF, found {shortened(lines[k + 1][1])!r}")
            elif rows is None:
                fail(label, number, f"expected KEY : VALUE before the first section, found {shortened(line)!r}")
            else:
                rows.append((number, line))
        return file

    def _add(self, parts: dict[str, Any], name: str, known: Sequence[str], number: int, part: Any) -> None:
        if name not in known:
            fail(self.label, number, f"{shortened(name)} is not modelled, and could change the problem")
        if name in parts and name not in WITHOUT_MEANING:
            fail(self.label, number, f"{name} is given twice")
        parts[name] = part

    def word(self, key: str, known: Sequence[str]) -> str:
        """Return the value of a key, which must be one of those known, as capitals; nothing where it is not given."""
        number, value = self.values.get(key, (0, ""))
        if key in self.values and value.upper() not in known:
            fail(self.label, number, f"{key} {shortened(value)} is not modelled; expected {', '.join(known)}")
        return value.upper()

    def number(self, key: str, least: float = 0.0) -> float | None:
        """Return the value of a key, a number of at least so much; None where it is not given."""
        if key not in self.values:
            return None
        number, text = self.values[key]
        value = number_of(text)
        if value is None or value < least:
            fail(self.label, number, f"{key}: expected a number of at least {least:g}, found {shortened(text)!r}")
        return value

    def whole(self, key: str) -> int | None:
        """Return the value of a key, a whole number of at least 1; None where it is not given."""
        if key not in self.values:
            return None
        number, text = self.values[key]
        value = whole_of(text)
        if value is None or value < 1:
            fail(self.label, number, f"{key}: expected a whole number of at least 1, found {shortened(text)!r}")
        return value

    def table(self, name: str, n: int | None) -> Any:
        """Return the rows of a section by place; None where there is no such section."""
        if name not in self.sections:
            return None
        return _by_place(self.label, name, self.sections[name][1], SECTIONS[name], 1, n)

    def listed(self, name: str) -> list[float]:
        """Return the numbers of a section, whatever its rows."""
        found = []
        for number, line in self.sections[name][1]:
            found += _numbers(self.label, number, line, len(line.split()), f"numbers in {name}")
        return found

    def refuse(self, key: str, why: str) -> None:
        """Raise InputError about a key or a section."""
        number, _ = self.values[key] if key in self.values else self.sections[key]
        fail(self.label, number, f"{key} {why}")

    def require(self, *names: str) -> None:
        """Raise InputError for the first key or section that is missing."""
        for name in names:
            if name not in self.values and name not in self.sections:
                raise InputError(f"{self.label}: {name} is missing")


def _vrplib(file: _File) -> dict[str, Any]:
    kind = file.word("TYPE", TYPES)
    file.require("CAPACITY", "EDGE_WEIGHT_TYPE", "DEMAND_SECTION", *["TIME_WINDOW_SECTION"] * kind.endswith("TW"))
    n = file.whole("DIMENSION")
    demand = file.table("DEMAND_SECTION", n)[:, 0]
    n = len(demand)
    coordinates = file.table("NODE_COORD_SECTION", n)
    _require_one_depot(file)
    distances, service = _distances(file, n, coordinates), _service(file, n)
    windows = file.table("TIME_WINDOW_SECTION", n)
    longest, latest = _limits(file, bool(service.any()), windows is not None)
    if windows is None:
        far = max(float(distances.sum(axis=1).max()) * n + float(service.sum()), 1.0)
        windows = np.tile([0.0, far if latest is None else latest], (n, 1))
    return {
        "distances": distances,
        "windows": windows,
        "demand": demand,
        "capacity": file.number("CAPACITY"),
        "service": service,
        "coordinates": coordinates,
        "vehicles": file.whole("VEHICLES"),
        "longest": longest,
    }


def _require_one_depot(file: _File) -> None:
    if "DEPOT_SECTION" in file.sections:
        depots = file.listed("DEPOT_SECTION")
        if depots[-1:] == [-1.0]:
            depots.pop()
        if len(depots) > 1:
            file.refuse("DEPOT_SECTION", f"has {len(depots)} depots; expected one")
        if depots != [1.0]:
            file.refuse("DEPOT_SECTION", "must name place 1, and nothing else")


def _service(file: _File, n: int) -> np.ndarray:
    """Return how long service takes in each place; what holds for all does not hold for the depot."""
    same, each = file.number("SERVICE_TIME"), file.table("SERVICE_TIME_SECTION", n)
    if same is not None and each is not None:
        file.refuse("SERVICE_TIME", "and SERVICE_TIME_SECTION are both given")
    if each is not None:
        return np.array(each[:, 0])
    return np.where(np.arange(n) > 0, same or 0.0, 0.0)


def _limits(file: _File, is_served: bool, has_windows: bool) -> tuple[float | None, float | None]:
    """Return the longest distance of a route, and until when it must be back; None for no limit.

    VEHICLES_MAX_DISTANCE limits the distance. DISTANCE and VEHICLES_MAX_DURATION limit distance and service together.
    """
    given = [key for key in LIMITS if key in file.values]
    if not given:
        return None, None
    if len(given) > 1:
        file.refuse(given[1], f"and {given[0]} are both given")
    limit = file.number(given[0])
    if given == ["VEHICLES_MAX_DISTANCE"] or (given == ["DISTANCE"] and not is_served):
        return limit, None
    if has_windows:
        file.refuse(given[0], "is not modelled where there are time windows as well as times of service")
    return None, limit


def _distances(file: _File, n: int, coordinates: np.ndarray | None) -> np.ndarray:
    kind = file.word("EDGE_WEIGHT_TYPE", ("EUC_2D", "EXACT_2D", "FLOOR_2D", "CEIL_2D", "EXPLICIT"))
    scale = file.number("SCALE", 1.0)
    if scale is not None and kind not in ("FLOOR_2D", "CEIL_2D"):
        file.refuse("SCALE", f"is not modelled with EDGE_WEIGHT_TYPE {kind}; expected FLOOR_2D or CEIL_2D")
    if kind == "EXPLICIT":
        return _matrix(file, n)
    if "EDGE_WEIGHT_SECTION" in file.sections:
        file.refuse("EDGE_WEIGHT_SECTION", f"is not read with EDGE_WEIGHT_TYPE {kind}; expected EXPLICIT")
    file.word("EDGE_WEIGHT_FORMAT", ("FUNCTION",))
    file.require("NODE_COORD_SECTION")
    assert coordinates is not None
    lengths = _lengths(coordinates) * (scale or 1.0)
    if kind == "FLOOR_2D":
        lengths = np.floor(lengths + ROUNDING)
    elif kind == "CEIL_2D":
        lengths = np.ceil(lengths - ROUNDING)
    return lengths / (scale or 1.0)


def _matrix(file: _File, n: int) -> np.ndarray:
    """Return the distances that a file lists."""
    form = file.word("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", *TRIANGLES, *MIRRORED))
    file.require("EDGE_WEIGHT_FORMAT", "EDGE_WEIGHT_SECTION")
    _require_few(file.label, n)
    where = np.arange(n * n)
    if form in TRIANGLES:
        where = np.ravel_multi_index(np.triu_indices(n, TRIANGLES[form]), (n, n))
    elif form in MIRRORED:
        where = np.ravel_multi_index(np.tril_indices(n, -MIRRORED[form]), (n, n))
    values = file.listed("EDGE_WEIGHT_SECTION")
    if len(values) != len(where):
        file.refuse("EDGE_WEIGHT_SECTION", f"has {len(values):,} numbers; expected {len(where):,}, a {form}")
    flat = np.zeros(n * n)
    flat[where] = values
    distances = flat.reshape(n, n)
    return distances if form == "FULL_MATRIX" else np.where(distances == 0, distances.T, distances)
