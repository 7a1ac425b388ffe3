"""What an answer to a drawn file is worth, from the file alone; ValueError says what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from nrpa.problems.routing.limits import vehicle_cost

NEARLY = 1e-6


def required(holds: bool, otherwise: str) -> None:
    """Raise ValueError unless something holds."""
    if not holds:
        raise ValueError(otherwise)


def numbers_of(path: Path, skipped: int = 0) -> np.ndarray:
    """Return the numbers of a file whose rows are of one length, without its first lines."""
    return np.loadtxt(path, skiprows=skipped, ndmin=2)


def travelled(rows: np.ndarray, route: Sequence[int]) -> float:
    """Return the length of a route from the depot and back, in rows of Solomon's form. Each window is met."""
    time, length = 0.0, 0.0
    for here, place in pairwise([0, *route, 0]):
        leg = float(np.hypot(*(rows[place, 1:3] - rows[here, 1:3])))
        length += leg
        time = max(time + rows[here, 6] + leg, rows[place, 4])
        required(time <= rows[place, 5] + NEARLY, f"place {place} is reached at {time}")
    return length


def require_all(found: Iterable[Any], wanted: Iterable[Any]) -> None:
    """Raise ValueError unless the same things are in both."""
    required(Counter(found) == Counter(wanted), "something is missing, or is there twice")


def of_tour(path: Path, tour: Sequence[int]) -> float:
    """Return the length of a tour."""
    rows = numbers_of(path)
    require_all(tour, range(1, len(rows)))
    return travelled(rows, tour)


def vehicle(rows: np.ndarray) -> float:
    """Return what a vehicle counts, a power of ten that is more than any way it saves."""
    return vehicle_cost(np.hypot(*(rows[:, None, 1:3] - rows[:, 1:3]).T))


def of_routes(path: Path, routes: Sequence[Sequence[int]]) -> float:
    """Return the cost of vehicles and distance."""
    rows = numbers_of(path, 8)
    vehicles, capacity = map(int, path.read_text(encoding="utf-8").splitlines()[4].split())
    require_all((place for route in routes for place in route), range(1, len(rows)))
    required(len(routes) <= vehicles, f"{len(routes)} vehicles")
    required(all(rows[list(route), 3].sum() <= capacity for route in routes), "a vehicle is too full")
    return vehicle(rows) * len(routes) + sum(travelled(rows, route) for route in routes)


def of_packing(path: Path, bins: Sequence[Sequence[float]]) -> float:
    """Return the number of bins."""
    _, capacity, *sizes = numbers_of(path)[:, 0].tolist()
    require_all((float(size) for content in bins for size in content), sizes)
    required(max(map(sum, bins)) <= capacity, "a bin is too full")
    return len(bins)


def edges_of(path: Path) -> np.ndarray:
    """Return the edges of a graph, its nodes from 0."""
    rows = path.read_text(encoding="utf-8").partition("\n")[2].replace("e", "")
    return np.fromstring(rows, int, sep=" ").reshape(-1, 2) - 1


def of_colouring(path: Path, colours: Sequence[int]) -> float:
    """Return the number of colours."""
    required(len(colours) == nodes_of(path), "colours of other nodes")
    found = np.array(colours)[edges_of(path)]
    required(bool((found[:, 0] != found[:, 1]).all()), "two neighbours of one colour")
    return len(set(colours))


def nodes_of(path: Path) -> int:
    """Return how many nodes a graph has."""
    with path.open(encoding="utf-8") as file:
        return int(next(file).split()[2])


def letters_of(path: Path) -> str:
    """Return a sequence that stands on several lines."""
    return path.read_text(encoding="utf-8").replace("\n", "")


def of_structure(path: Path, structure: str) -> float:
    """Return the energy of a structure by ViennaRNA."""
    import RNA

    return float(RNA.fold_compound(letters_of(path)).eval_structure(structure))


def of_sequence(path: Path, sequence: str) -> float:
    """Return NEMO's fitness of a sequence by ViennaRNA."""
    import RNA

    target = letters_of(path)
    required(len(sequence) == len(target), "a sequence of another length")
    compound = RNA.fold_compound(sequence)
    structure, least = compound.mfe()
    if structure == target:
        return 1.0
    near = 1 - RNA.bp_distance(structure, target) / (2 * target.count("("))
    far = 1.01 + compound.eval_structure(target) - least
    return near / far if near > 0 else near * far


VALUES: dict[str, Callable[[Path, Any], float]] = {
    "tsptw": of_tour,
    "vrptw": of_routes,
    "binpacking": of_packing,
    "coloring": of_colouring,
    "dense": of_colouring,
    "rna": of_sequence,
    "fold": of_structure,
}
