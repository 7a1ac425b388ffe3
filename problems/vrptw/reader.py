"""Reading vehicle routing files: Solomon's and VRPLIB's, by the library vrplib."""

import warnings
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened

vrplib = lazy("vrplib.parse")

MOST_PLACES = 3000
FORMS = "expected Solomon's form, or VRPLIB's with CAPACITY, NODE_COORD_SECTION and DEMAND_SECTION"


def parse_vrptw(text: str, label: str) -> dict[str, Any]:
    """Return the arguments of ``VRPTW`` that a file of either form has; one without windows is always open."""
    if len(text.splitlines()) > MOST_PLACES + 1000:
        raise InputError(f"{label}: has {len(text.splitlines()):,} lines; expected at most {MOST_PLACES:,} places")
    parse = vrplib.parse_vrplib if ":" in text or "_SECTION" in text else vrplib.parse_solomon
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return _arguments(parse(text))
    except InputError as error:
        raise InputError(f"{label}: {error}") from None
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, Warning) as error:
        reason = shortened(" ".join(str(error).split()) or type(error).__name__)
        raise InputError(f"{label}: is no vehicle routing file ({reason}); {FORMS}") from None


def _arguments(found: dict[str, Any]) -> dict[str, Any]:
    distances = np.asarray(found["edge_weight"], np.float64)
    n = len(distances)
    if distances.shape != (n, n) or n < 2:
        raise InputError(f"expected the places of a depot and at least one customer; {FORMS}")
    if not np.all(np.asarray(found.get("depot", [0])) == 0):
        raise InputError("expected the depot to be the first place")
    longest = float(distances.sum(axis=1).max())
    return {
        "distances": distances,
        "windows": found.get("time_window", np.tile([0.0, max(longest * n, 1.0)], (n, 1))),
        "demand": found["demand"],
        "capacity": float(found["capacity"]),
        "service": np.broadcast_to(found.get("service_time", 0.0), (n,)),
        "coordinates": found.get("node_coord"),
    }
