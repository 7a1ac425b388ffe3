"""Graph colouring by CP-SAT: a node has one colour, those of a clique are given, begun with DSatur."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import Any

from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = "queen8_8", "school1", "DSJC125.5", "le450_15c"
PEER = "CP-SAT of OR-Tools"
BASELINE = "DSatur"


def answer(problem: Any, seconds: float) -> list[int] | None:
    """Return the colours that CP-SAT finds."""
    begun, model = baseline(problem), cp_model.CpModel()
    colours = range(max(begun))
    used = [model.new_bool_var("") for _ in colours]
    has = [[model.new_bool_var("") for _ in colours] for _ in begun]
    for row, colour in zip(has, begun, strict=True):
        model.add_exactly_one(row)
        for c in colours:
            model.add_implication(row[c], used[c])
            model.add_hint(row[c], colour == c + 1)
    for a, b in problem.edges.tolist():
        for c in colours:
            model.add_bool_or(~has[a][c], ~has[b][c])
    for before, after in itertools.pairwise(used):
        model.add_implication(after, before)
    for node in clique(problem):
        model.add(has[node][begun[node] - 1] == 1)
    model.minimize(sum(used))
    value = solved(model, seconds)
    return [next(c + 1 for c in colours if value(row[c])) for row in has] if value else None


def neighbours(problem: Any) -> dict[int, set[int]]:
    """Return the neighbours of each node."""
    found = defaultdict[int, set[int]](set)
    for a, b in problem.edges.tolist():
        found[a].add(b)
        found[b].add(a)
    return found


def clique(problem: Any) -> list[int]:
    """Return the nodes of a clique: that of the most neighbours, again and again."""
    near, found = neighbours(problem), list[int]()
    left = set(range(problem.nodes))
    while left:
        found.append(max(left, key=lambda node: (len(near[node] & left), -node)))
        left &= near[found[-1]]
    return found


def baseline(problem: Any) -> list[int]:
    """Colour a clique, then the node whose neighbours have the most colours, always in the first that is free."""
    near = neighbours(problem)
    colour = {node: c for c, node in enumerate(clique(problem), 1)}
    while len(colour) < problem.nodes:
        left = (node for node in range(problem.nodes) if node not in colour)
        node = max(left, key=lambda node: (len({colour.get(other, 0) for other in near[node]}), len(near[node])))
        taken = {colour.get(other) for other in near[node]}
        colour[node] = next(c for c in range(1, problem.nodes + 1) if c not in taken)
    return [colour[node] for node in range(problem.nodes)]
