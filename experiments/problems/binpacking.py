"""Bin packing by CP-SAT: how many items of each size go into each bin, begun with first-fit decreasing."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = "u120_00", "t60_00", "t120_00", "Hard28_BPP40"
PEER = "CP-SAT of OR-Tools"
BASELINE = "first-fit decreasing"


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the bins that CP-SAT finds, used ones first."""
    sizes, counts = np.unique(problem.whole_sizes, return_counts=True)
    begun, model = baseline(problem), cp_model.CpModel()
    used = [model.new_bool_var("") for _ in begun]
    held = [[model.new_int_var(0, int(count), "") for count in counts] for _ in begun]
    for row, is_used, items in zip(held, used, begun, strict=True):
        model.add(sum(int(size) * each for size, each in zip(sizes, row, strict=True)) <= problem.capacity * is_used)
        model.add_hint(is_used, True)
        for size, each in zip(sizes, row, strict=True):
            model.add_hint(each, items.count(int(size)))
    for before, after in itertools.pairwise(used):
        model.add_implication(after, before)
    for column, count in zip(zip(*held, strict=True), counts, strict=True):
        model.add(sum(column) == int(count))
    model.add(sum(used) >= max(problem.bounds.l1, problem.bounds.l2))
    model.minimize(sum(used))
    value = solved(model, seconds)
    if not value:
        return None
    bins = [[int(size) for size, each in zip(sizes, row, strict=True) for _ in range(value(each))] for row in held]
    return [items for items in bins if items]


def baseline(problem: Any) -> list[list[int]]:
    """Put the largest item that is left into the first bin that has room for it."""
    bins: list[list[int]] = []
    for size in sorted(map(int, problem.whole_sizes), reverse=True):
        room = next((items for items in bins if sum(items) + size <= problem.capacity), None)
        if room is None:
            bins.append(room := [])
        room.append(size)
    return bins
