"""Capacitated routing by PyVRP: the four bundled of the set X, of 100 to 350 customers; routes are short or long."""

from __future__ import annotations

from typing import Any

import numpy as np
from by_pyvrp import routes

INSTANCES = ("X-n101-k25", "X-n120-k6", "X-n214-k11", "X-n351-k40")
PEER = "PyVRP"
BASELINE = "savings of Clarke and Wright"


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the routes that PyVRP finds; distances are whole numbers."""
    return routes(problem.coordinates, problem.demand, problem.capacity, seconds, problem.distances)


def baseline(problem: Any) -> list[list[int]]:
    """Join the ends of routes where that saves most, while loads allow it (Clarke and Wright 1964)."""
    far, demand = problem.distances, problem.demand
    savings = far[:, [0]] + far[[0], :] - far
    route_of = {k: [k] for k in range(1, len(demand))}
    for one, other in zip(*np.unravel_index(np.argsort(-savings, axis=None, kind="stable"), far.shape), strict=True):
        if 0 < one < other:
            first, second = route_of[one], route_of[other]
            is_end = one in (first[0], first[-1]) and other in (second[0], second[-1])
            if first is not second and is_end and demand[first + second].sum() <= problem.capacity:
                joined = (first if first[-1] == one else first[::-1]) + (second if second[0] == other else second[::-1])
                route_of.update(dict.fromkeys(joined, joined))
    return [[int(k) for k in route] for route in {id(route): route for route in route_of.values()}.values()]
