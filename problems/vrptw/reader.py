"""Reading vehicle routing files: Solomon's tables, and VRPLIB's specifications and sections."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nrpa.problems.lines import Located, located_lines
from nrpa.problems.tsplib import EUCLIDEAN as AS_TSPLIB
from nrpa.problems.tsplib import Section, Tsplib, by_node, is_tsplib, parse_tsplib

MOST_PLACES = 6000
FORMS: tuple[str, ...] = (
    "Solomon's: VEHICLE, NUMBER and CAPACITY, CUSTOMER, a row of 7 numbers each",
    "VRPLIB's: KEY : VALUE, NODE_COORD_SECTION, DEMAND_SECTION and others",
)
COLUMNS = "CUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE TIME"
WITHOUT_WINDOWS = ("CVRP", "ACVRP", "DCVRP", "VRP")
TYPES = (*WITHOUT_WINDOWS, "CVRPTW", "VRPTW")
WITHOUT_MEANING = ("NAME", "COMMENT", "DISPLAY_DATA_TYPE", "NODE_COORD_TYPE", "BEST_KNOWN")
LIMITS = ("DISTANCE", "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DURATION")
KEYS = (
    *("TYPE", "DIMENSION", "VEHICLES", "CAPACITY", "SERVICE_TIME", *LIMITS),
    *("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "SCALE"),
)
SECTIONS = (
    *("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DEMAND_SECTION", "TIME_WINDOW_SECTION"),
    *("SERVICE_TIME_SECTION", "DEPOT_SECTION", "DISPLAY_DATA_SECTION"),
)
SCALED = {"FLOOR_2D": "down", "CEIL_2D": "up"}
EUCLIDEAN = {"EUC_2D": "exact", "EXACT_2D": "exact", **SCALED}
MOST_VEHICLES = 10**9


def parse_vrptw(text: str, label: str) -> dict[str, Any]:
    """Return the arguments of ``VRPTW`` that a file of either form has; one without windows is always open."""
    lines = located_lines(text, label) or [Located("", label, 1)]
    if any(_letters(line) == "VEHICLE" for line in lines[:2]):
        return _solomon(lines)
    if not is_tsplib(text):
        lines[0].fail_form(FORMS)
    return _vrplib(parse_tsplib(text, label))


def _letters(line: str) -> str:
    """Return the letters of a line as capitals, since headings differ in spaces and full stops."""
    return re.sub("[^A-Z]", "", line.upper())


def _solomon(lines: Sequence[Located]) -> dict[str, Any]:
    begin = next(k for k, line in enumerate(lines) if _letters(line) == "VEHICLE")
    headings = {1: "NUMBER CAPACITY", 3: "CUSTOMER", 4: COLUMNS}
    for k in range(1, 5):
        line = lines[begin + k] if begin + k < len(lines) else lines[-1].at("")
        if k in headings and _letters(line) != _letters(headings[k]):
            line.expected(f"the heading {headings[k]}")
    words = lines[begin + 2].words()
    if len(words) != 2:
        lines[begin + 2].expected("a whole number of vehicles and their capacity")
    vehicles, capacity = words
    rows = [row.words() for row in lines[begin + 5 :]]
    if not 2 <= len(rows) <= MOST_PLACES:
        why = ", as distances are a matrix" if len(rows) > MOST_PLACES else ""
        lines[-1].fail(f"expected the rows of 2 to {MOST_PLACES:,} places, found {len(rows):,}{why}")
    table = by_node("CUSTOMER", Section(lines[begin + 3], rows), range(len(rows)), 6)
    x, y = table[:, :2].T
    return {
        "distances": np.hypot(x[:, None] - x, y[:, None] - y),
        "windows": table[:, 3:5],
        "demand": table[:, 2],
        "capacity": capacity.number(),
        "service": table[:, 5],
        "coordinates": table[:, :2],
        "vehicles": vehicles.whole(1, MOST_VEHICLES, "a whole number of vehicles"),
    }


def parse_cvrp(text: str, label: str, rounds: bool) -> dict[str, Any]:
    """Return the arguments of ``CVRP`` that a VRPLIB file has; ``rounds`` says whether EUC_2D does, as in TSPLIB."""
    lines = located_lines(text, label) or [Located("", label, 1)]
    if not is_tsplib(text):
        lines[0].fail_form(FORMS[1:])
    file = parse_tsplib(text, label)
    if "TYPE" in file.specifications:
        file.word("TYPE", WITHOUT_WINDOWS)
    if "TIME_WINDOW_SECTION" in file.sections:
        file.refuse("TIME_WINDOW_SECTION", "is not of this problem; expected the problem vrptw for time windows")
    arguments = _without_windows(file, AS_TSPLIB if rounds else EUCLIDEAN)
    arguments["longest"], arguments["duration"] = _limits(file, bool(arguments["service"].any()), False)
    return arguments


def _vrplib(file: Tsplib) -> dict[str, Any]:
    arguments = _without_windows(file, EUCLIDEAN)
    distances, service = arguments["distances"], arguments["service"]
    has_windows = file.specifications.get("TYPE", "").upper().endswith("TW") or "TIME_WINDOW_SECTION" in file.sections
    arguments["longest"], latest = _limits(file, bool(service.any()), has_windows)
    if has_windows:
        arguments["windows"] = file.rows("TIME_WINDOW_SECTION", len(distances), 2)
    else:
        arguments["windows"] = always_open(distances, service, latest)
    return arguments


def always_open(distances: np.ndarray, service: np.ndarray, latest: float | None) -> np.ndarray:
    """Return the windows of places that are open until the latest hour, or for as long as any route can take."""
    n = len(distances)
    far = max(float(distances.sum(axis=1).max(initial=0.0)) * n + float(service.sum()), 1.0)
    return np.tile([0.0, far if latest is None else latest], (n, 1))


def _without_windows(file: Tsplib, euclidean: Mapping[str, str]) -> dict[str, Any]:
    """Return what a file says of all but windows and limits of routes."""
    file.refuse_others("routes", (*KEYS, *WITHOUT_MEANING), SECTIONS)
    if "TYPE" in file.specifications:
        file.word("TYPE", TYPES)
    n = file.whole("DIMENSION", 2, MOST_PLACES) if "DIMENSION" in file.specifications else file.length("DEMAND_SECTION")
    file.require_first_as_depot()
    return {
        "distances": file.distances(n, euclidean, scale_of(file)),
        "demand": file.rows("DEMAND_SECTION", n, 1)[:, 0],
        "capacity": file.number("CAPACITY"),
        "service": file.service(n),
        "coordinates": file.coordinates(n),
        "vehicles": file.whole("VEHICLES", 1, MOST_VEHICLES) if "VEHICLES" in file.specifications else None,
    }


def scale_of(file: Tsplib) -> float:
    """Return by what distances are multiplied before they are rounded, and divided afterwards."""
    if "SCALE" not in file.specifications:
        return 1.0
    kind = file.word("EDGE_WEIGHT_TYPE", ("EXPLICIT", *EUCLIDEAN))
    if kind not in SCALED:
        file.refuse("SCALE", f"is not modelled with EDGE_WEIGHT_TYPE {kind}; expected {' or '.join(SCALED)}")
    return file.number("SCALE", 1.0)


def _limits(file: Tsplib, is_served: bool, has_windows: bool) -> tuple[float | None, float | None]:
    """Return the longest distance of a route, and until when it must be back; None for no limit.

    VEHICLES_MAX_DISTANCE limits the distance. DISTANCE and VEHICLES_MAX_DURATION limit distance and service together.
    """
    given = [key for key in LIMITS if key in file.specifications]
    if not given:
        return None, None
    if len(given) > 1:
        file.refuse(given[1], f"and {given[0]} are both given; expected one of them")
    limit = file.number(given[0], 0.0)
    if given == ["VEHICLES_MAX_DISTANCE"] or (given == ["DISTANCE"] and not is_served):
        return limit, None
    if has_windows:
        file.refuse(given[0], "is not modelled where there are time windows as well as times of service")
    return None, limit
