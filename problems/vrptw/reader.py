"""Reading vehicle routing files: Solomon's and VRPLIB's, by the library vrplib."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened

vrplib = lazy("vrplib.parse")

LARGEST = 1e9
MOST_PLACES = 3000
FORMS = "expected Solomon's form, or VRPLIB's with CAPACITY, NODE_COORD_SECTION and DEMAND_SECTION"


class ParsedVRPTW(NamedTuple):
    """An instance as a file has it, in arrays of float64, place 0 the depot; coordinates are None if there are none."""

    capacity: float
    demand: np.ndarray
    service: np.ndarray
    windows: np.ndarray
    distances: np.ndarray
    coordinates: np.ndarray | None


def parse_vrptw(text: str, label: str) -> ParsedVRPTW:
    """Parse an instance of either form. Distances are not rounded; an instance without windows is always open."""
    if len(text.splitlines()) > MOST_PLACES + 1000:
        raise InputError(f"{label}: has {len(text.splitlines()):,} lines; expected at most {MOST_PLACES:,} places")
    parse = vrplib.parse_vrplib if ":" in text or "_SECTION" in text else vrplib.parse_solomon
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = parse(text)
            return _instance(found)
    except InputError as error:
        raise InputError(f"{label}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, Warning) as error:
        reason = shortened(" ".join(str(error).split()) or type(error).__name__)
        raise InputError(f"{label}: is no vehicle routing file ({reason}); {FORMS}") from None


def _instance(found: dict[str, Any]) -> ParsedVRPTW:
    distances = np.asarray(found["edge_weight"], np.float64)
    n = len(distances)
    if distances.shape != (n, n) or n < 2:
        raise InputError(f"expected the places of a depot and at least one customer; {FORMS}")
    if not np.all(np.asarray(found.get("depot", [0])) == 0):
        raise InputError("expected the depot to be the first place")
    coordinates = found.get("node_coord")
    longest = float(distances.sum(axis=1).max())
    windows = found.get("time_window", np.tile([0.0, max(longest * n, 1.0)], (n, 1)))
    service = found.get("service_time", np.zeros(n))
    return ParsedVRPTW(
        float(found["capacity"]),
        _column("demand", found["demand"], (n,)),
        _column("service time", np.broadcast_to(service, (n,)), (n,)),
        _column("time window", windows, (n, 2)),
        distances,
        None if coordinates is None else _column("coordinate", coordinates, (n, 2)),
    )


def _column(what: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    array = np.array(values, np.float64)
    if array.shape != shape:
        raise InputError(f"expected a {what} of each of the {shape[0]} places")
    if not np.all(np.abs(array) <= LARGEST):
        raise InputError(f"expected every {what} to be at most {LARGEST:g}")
    return array
