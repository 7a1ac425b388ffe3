"""What files of routes share: rows of places, VRPLIB's specifications and sections, and lists of routes."""

import re
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from nrpa.problems.lines import located_lines
from nrpa.problems.tsplib import Tsplib

MOST_PLACES, MOST_VEHICLES = 6000, 10**9
VRPLIB = "VRPLIB's: KEY : VALUE, NODE_COORD_SECTION, DEMAND_SECTION and others"
WITHOUT_MEANING = ("NAME", "COMMENT", "DISPLAY_DATA_TYPE", "NODE_COORD_TYPE", "BEST_KNOWN")
KEYS = (
    *("TYPE", "DIMENSION", "VEHICLES", "CAPACITY", "SERVICE_TIME"),
    *("EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT", "SCALE"),
)
SECTIONS = (
    *("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DEMAND_SECTION", "TIME_WINDOW_SECTION"),
    *("SERVICE_TIME_SECTION", "DEPOT_SECTION", "DISPLAY_DATA_SECTION"),
)
SCALED = {"FLOOR_2D": "down", "CEIL_2D": "up"}
EUCLIDEAN = {"EUC_2D": "exact", "EXACT_2D": "exact", **SCALED}


def places_of_table(table: np.ndarray) -> dict[str, Any]:
    """Return what rows say of places: x, y, demand, opening, closing and service."""
    x, y, demand, _, _, service = table.T
    return {
        "distances": np.hypot(x[:, None] - x, y[:, None] - y),
        "windows": table[:, 3:5],
        "demand": demand,
        "service": service,
        "coordinates": table[:, :2],
    }


def places_of_file(
    file: Tsplib,
    types: Collection[str],
    keys: Collection[str],
    sections: Collection[str] = (),
    euclidean: Mapping[str, str] = EUCLIDEAN,
) -> dict[str, Any]:
    """Return what a file says of places and vehicles, but for windows; ``keys`` and ``sections`` may also be there."""
    file.refuse_others("routes", (*KEYS, *keys, *WITHOUT_MEANING), (*SECTIONS, *sections))
    if "TYPE" in file.specifications:
        file.word("TYPE", types)
    n = file.whole("DIMENSION", 2, MOST_PLACES) if "DIMENSION" in file.specifications else file.length("DEMAND_SECTION")
    return {
        "distances": file.distances(n, euclidean, _scale_of(file)),
        "demand": file.rows("DEMAND_SECTION", n, 1)[:, 0],
        "capacity": file.number("CAPACITY"),
        "service": file.service(n),
        "coordinates": file.coordinates(n),
        "vehicles": file.whole("VEHICLES", 1, MOST_VEHICLES) if "VEHICLES" in file.specifications else None,
    }


def _scale_of(file: Tsplib) -> float:
    """Return by what distances are multiplied before they are rounded, and divided afterwards."""
    if "SCALE" not in file.specifications:
        return 1.0
    kind = file.word("EDGE_WEIGHT_TYPE", ("EXPLICIT", *EUCLIDEAN))
    if kind not in SCALED:
        file.refuse("SCALE", f"is not modelled with EDGE_WEIGHT_TYPE {kind}; expected {' or '.join(SCALED)}")
    return file.number("SCALE", 1.0)


def windows_of(file: Tsplib, places: Mapping[str, Any], has_windows: bool, latest: float | None = None) -> np.ndarray:
    """Return the windows of places, which are always open where a file has none: until the latest hour, if given."""
    if has_windows:
        return file.rows("TIME_WINDOW_SECTION", len(places["demand"]), 2)
    return always_open(places["distances"], places["service"], latest)


def always_open(distances: np.ndarray, service: np.ndarray, latest: float | None) -> np.ndarray:
    """Return the windows of places that are open until the latest hour, or for as long as any route can take."""
    n = len(distances)
    far = max(float(distances.sum(axis=1).max(initial=0.0)) * n + float(service.sum()), 1.0)
    return np.tile([0.0, far if latest is None else latest], (n, 1))


def routes_of(text: str) -> list[list[int]]:
    r"""Return the places of each route of a text, a line each; a line of a name and its value, as of a cost, is none.

    What is in round brackets after a route is a remark.

    >>> routes_of("Route #1: 5 3 (load 7)\n4 1\nTotal cost: 12.5\n")
    [[5, 3], [4, 1]]
    """
    routes = []
    for line in located_lines(re.sub(r"#\s*([0-9]+\s*:)", r"\1", text)):
        content = re.sub(r"^route\s*[0-9]+\s*:|\(.*", "", line, flags=re.IGNORECASE)
        words = line.at(re.sub("[,:=]", " ", content)).words()
        if len(words) > 1 and not any(word[0].isdigit() for word in words[:-1]):
            continue
        if words:
            routes.append([word.whole(0, 10**9, "places of a route") for word in words])
    return routes
