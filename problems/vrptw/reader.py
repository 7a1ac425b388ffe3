"""Reading vehicle routing files: Solomon's tables, and VRPLIB's specifications and sections."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from nrpa.problems.lines import Located, located_lines
from nrpa.problems.routing.reader import (
    EUCLIDEAN,
    MOST_PLACES,
    MOST_VEHICLES,
    VRPLIB,
    places_of_file,
    places_of_table,
    windows_of,
)
from nrpa.problems.tsplib import EUCLIDEAN as AS_TSPLIB
from nrpa.problems.tsplib import Section, Tsplib, by_node, is_tsplib, parse_tsplib

FORMS: tuple[str, ...] = ("Solomon's: VEHICLE, NUMBER and CAPACITY, CUSTOMER, a row of 7 numbers each", VRPLIB)
COLUMNS = "CUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE TIME"
WITHOUT_WINDOWS = ("CVRP", "ACVRP", "DCVRP", "VRP")
TYPES = (*WITHOUT_WINDOWS, "CVRPTW", "VRPTW")
LIMITS = ("DISTANCE", "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DURATION")


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
    fleet = vehicles.whole(1, MOST_VEHICLES, "a whole number of vehicles")
    return {**places_of_table(table), "capacity": capacity.number(), "vehicles": fleet}


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
    arguments = _places(file, AS_TSPLIB if rounds else EUCLIDEAN)
    arguments["longest"], arguments["duration"] = _limits(file, bool(arguments["service"].any()), False)
    return arguments


def _vrplib(file: Tsplib) -> dict[str, Any]:
    arguments = _places(file, EUCLIDEAN)
    has_windows = file.specifications.get("TYPE", "").upper().endswith("TW") or "TIME_WINDOW_SECTION" in file.sections
    arguments["longest"], latest = _limits(file, bool(arguments["service"].any()), has_windows)
    arguments["windows"] = windows_of(file, arguments, has_windows, latest)
    return arguments


def _places(file: Tsplib, euclidean: Mapping[str, str]) -> dict[str, Any]:
    arguments = places_of_file(file, TYPES, LIMITS, euclidean=euclidean)
    file.require_first_as_depot()
    return arguments


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
