"""Reading rich vehicle routing: Li and Lim's tables, and VRPLIB's files with several depots, backhauls, or prizes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from nrpa.problems.lines import Located, located_lines
from nrpa.problems.routing.reader import (
    MOST_PLACES,
    MOST_VEHICLES,
    VRPLIB,
    places_of_file,
    places_of_table,
    windows_of,
)
from nrpa.problems.tsplib import Tsplib, is_tsplib, parse_tsplib

FORMS = (
    "Li and Lim's: vehicles, capacity and speed; then a row of 9 numbers each",
    f"{VRPLIB}, with several in DEPOT_SECTION",
)
TYPES = ("MDVRP", "MDVRPTW", "VRPB", "VRPBTW", "PCVRP", "PCVRPTW", "CVRP", "VRP", "VRPTW", "CVRPTW")
LIMIT = "VEHICLES_MAX_DURATION"
SECTIONS = ("BACKHAUL_SECTION", "PRIZE_SECTION", "VEHICLES_DEPOT_SECTION")
LI_AND_LIM = 9


def parse_rich(text: str, label: str) -> dict[str, Any]:
    """Return the arguments of ``RichVRP`` that a file of either form has."""
    lines = located_lines(text, label) or [Located("", label, 1)]
    if is_tsplib(text):
        return _vrplib(parse_tsplib(text, label))
    if len(lines[0].words()) != len(("vehicles", "capacity", "speed")):
        lines[0].fail_form(FORMS)
    return _li_and_lim(lines)


def _li_and_lim(lines: Sequence[Located]) -> dict[str, Any]:
    vehicles, capacity, speed = lines[0].words()
    if speed.number() not in {0.0, 1.0}:
        speed.expected("a speed of 1, or 0, as some published files have it")
    if not len(("depot", "pickup", "delivery")) <= len(lines) - 1 <= MOST_PLACES:
        lines[-1].fail(f"expected the rows of 3 to {MOST_PLACES:,} places, found {len(lines) - 1:,}")
    rows = [line.words() for line in lines[1:]]
    for place, (line, row) in enumerate(zip(lines[1:], rows, strict=True)):
        if len(row) != LI_AND_LIM:
            line.expected(f"{LI_AND_LIM} numbers")
        row[0].whole(place, place, f"place {place} first")
        for other in row[7:]:
            other.whole(0, len(rows) - 1, f"a place from 1 to {len(rows) - 1}, or 0 for none")
    table = np.array([[word.number() for word in row] for row in rows])
    for place, (_, _, _, demand, _, _, _, pickup, delivery) in enumerate(table.tolist()):
        here, there = (pickup, 8) if pickup else (delivery, 7)
        is_pair = place > 0 and bool(pickup) != bool(delivery) and table[int(here), there] == place
        if place > 0 and not (is_pair and (demand < 0) == bool(pickup) and demand == -table[int(here), 3]):
            lines[1 + place].expected("a pickup and its delivery, which name each other, with the same demand")
        if place == 0 and (demand or pickup or delivery):
            lines[1].expected("the depot, which asks for nothing")
    return {
        **places_of_table(table[:, 1:7]),
        "capacity": capacity.number(),
        "partners": table[:, 7:9].sum(axis=1).astype(np.int64),
        "vehicles": [vehicles.whole(1, MOST_VEHICLES, "a whole number of vehicles")],
        "vehicles_first": True,
    }


def _vrplib(file: Tsplib) -> dict[str, Any]:
    arguments = places_of_file(file, TYPES, [LIMIT], SECTIONS)
    demand, service, n = arguments["demand"], arguments["service"], len(arguments["demand"])
    depots = _depots(file, n)
    if "SERVICE_TIME" in file.specifications:
        service[:depots] = 0.0
    is_back = _listed_backhauls(file, n)
    if is_back is None:
        backhauls = _numbers(file, "BACKHAUL_SECTION", n)
        for place in np.flatnonzero((demand != 0) & (backhauls != 0))[:1].tolist():
            row = file.row_of("BACKHAUL_SECTION", place + 1)
            row.fail(f"node {place + 1} has a demand and a backhaul; expected one")
        demand, is_back = demand + backhauls, backhauls > 0
    return {
        **arguments,
        "windows": windows_of(file, arguments, "TIME_WINDOW_SECTION" in file.sections),
        "demand": demand,
        "depots": depots,
        "backhauls": is_back,
        "prizes": _numbers(file, "PRIZE_SECTION", n),
        "vehicles": _vehicles(file, depots, arguments["vehicles"]),
        "duration": file.number(LIMIT, 0.0) if LIMIT in file.specifications else None,
    }


def _numbers(file: Tsplib, key: str, nodes: int) -> np.ndarray:
    """Return the number of each node in a section; 0 where there is no such section."""
    return file.rows(key, nodes, 1)[:, 0] if key in file.sections else np.zeros(nodes)


def _listed_backhauls(file: Tsplib, nodes: int) -> np.ndarray | None:
    """Return which places are backhauls (bool[nodes]) where LKH's list of them is given, which ends with -1."""
    section = file.sections.get("BACKHAUL_SECTION")
    words = [word for words in section.rows for word in words] if section else []
    if not words or words[-1] != "-1":
        return None
    is_back = np.zeros(nodes, np.bool_)
    for word in words[:-1]:
        is_back[word.whole(2, nodes, f"a node from 2 to {nodes}, or -1 at the end", "BACKHAUL_SECTION: ") - 1] = True
    return is_back


def _depots(file: Tsplib, nodes: int) -> int:
    """Return how many depots there are, which must be the first nodes."""
    if "DEPOT_SECTION" not in file.sections:
        return 1
    listed = [word for words in file.sections["DEPOT_SECTION"].rows for word in words]
    if listed and listed[-1] == "-1":
        listed.pop()
    if not listed:
        file.refuse("DEPOT_SECTION", "is empty; expected node 1, or more")
    for number, word in enumerate(listed, 1):
        word.whole(number, number, f"node {number}, as depots are the first nodes", "DEPOT_SECTION: ")
    return len(listed) if len(listed) < nodes else file.refuse("DEPOT_SECTION", "lists all nodes")


def _vehicles(file: Tsplib, depots: int, number: int | None) -> list[int] | None:
    """Return how many vehicles each depot has; None for as many as it takes."""
    if "VEHICLES_DEPOT_SECTION" in file.sections:
        homes = file.rows("VEHICLES_DEPOT_SECTION", number or 0, 1)[:, 0] if number else None
        if homes is None:
            file.refuse("VEHICLES_DEPOT_SECTION", "needs VEHICLES")
        for vehicle in np.flatnonzero(~np.isin(homes, np.arange(1, depots + 1)))[:1].tolist():
            place = file.row_of("VEHICLES_DEPOT_SECTION", vehicle + 1)
            place.fail(f"vehicle {vehicle + 1} is at no depot; expected 1 to {depots}")
        return [int((homes == depot + 1).sum()) for depot in range(depots)]
    if number is not None and depots > 1:
        file.refuse("VEHICLES", "says not at which depots; expected VEHICLES_DEPOT_SECTION")
    return None if number is None else [number]
