"""Programs and textbook rules made for one problem: each takes a drawn file and seconds, and returns an answer."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from values import edges_of, letters_of, nodes_of, numbers_of, vehicle

SCALE = 1000


class Peer(NamedTuple):
    """What is beside nrpa: its name, and what finds an answer."""

    name: str
    find: Callable[[Path, float], Any]


def one_vehicle(path: Path, seconds: float) -> list[int] | None:
    """Return PyVRP's tour."""
    rows = numbers_of(path)
    rows[:, 3] = 0
    routes = vehicles(rows, 1, 1, 0, seconds)
    return None if routes is None else routes[0]


def many_vehicles(path: Path, seconds: float) -> list[list[int]] | None:
    """Return PyVRP's routes, of which each vehicle costs what it costs in vrptw."""
    number, capacity = map(int, path.read_text(encoding="utf-8").splitlines()[4].split())
    rows = numbers_of(path, 8)
    return vehicles(rows, number, capacity, round(vehicle(rows)), seconds)


def vehicles(rows: np.ndarray, number: int, capacity: int, fixed: int, seconds: float) -> list[list[int]] | None:
    """Return PyVRP's routes for rows of Solomon's form; durations are rounded up, so that no window is missed."""
    from by_pyvrp import routes

    apart = SCALE * np.hypot(*(rows[:, None, 1:3] - rows[None, :, 1:3]).transpose(2, 0, 1))
    demand, times = SCALE * rows[:, 3], (SCALE * rows[:, [6, 4, 5]]).astype(int)
    fleet = {"num_available": number, "fixed_cost": SCALE * fixed}
    return routes(rows[:, 1:3], demand, SCALE * capacity, seconds, np.rint(apart), times, np.ceil(apart), **fleet)


def first_fit_decreasing(path: Path, _seconds: float) -> list[list[float]]:
    """Return the packing of first fit decreasing: each size, in descending order, into the first bin with room."""
    _, capacity, *sizes = numbers_of(path)[:, 0].tolist()
    leaves = 1
    while leaves < len(sizes):
        leaves *= 2
    room = np.full(2 * leaves, capacity)  # a tree: the most room of the bins below a node
    bins = [[] for _ in sizes]
    for size in sorted(sizes, reverse=True):
        node = 1
        while node < leaves:
            node = 2 * node + (room[2 * node] < size)
        bins[node - leaves].append(size)
        room[node] -= size
        while node > 1:
            node //= 2
            room[node] = max(room[2 * node], room[2 * node + 1])
    return [content for content in bins if content]


def dsatur(path: Path, _seconds: float) -> list[int]:
    """Return the colouring of DSATUR: next is the node with most colours beside it, then most neighbours."""
    near: list[list[int]] = [[] for _ in range(nodes_of(path))]
    for a, b in edges_of(path).tolist():
        near[a].append(b)
        near[b].append(a)
    beside: list[set[int]] = [set() for _ in near]
    colours = [0] * len(near)
    queue = [(0, -len(near[node]), node) for node in range(len(near))]
    heapq.heapify(queue)
    while queue:
        *_, node = heapq.heappop(queue)
        if colours[node]:
            continue
        colours[node] = next(colour for colour in range(1, len(near) + 1) if colour not in beside[node])
        for other in near[node]:
            if not colours[other] and colours[node] not in beside[other]:
                beside[other].add(colours[node])
                heapq.heappush(queue, (-len(beside[other]), -len(near[other]), other))
    return colours


def least_energy(path: Path, _seconds: float) -> str:
    """Return ViennaRNA's structure of least energy."""
    import RNA

    return str(RNA.fold(letters_of(path))[0])


PEERS = {
    "tsptw": Peer("PyVRP", one_vehicle),
    "vrptw": Peer("PyVRP", many_vehicles),
    "binpacking": Peer("first fit decreasing", first_fit_decreasing),
    "coloring": Peer("DSATUR", dsatur),
    "dense": Peer("DSATUR", dsatur),
    "fold": Peer("ViennaRNA", least_energy),
}
