"""Bins of Berkey and Wang: 60 rectangles of class 1 and 100 of class 7 (Martello and Vigo), the first of ten each."""

import time

from cp_sat import solved
from ortools.sat.python import cp_model
from strip import as_ordered, baseline, hint, keep_apart, lies, place

INSTANCES = ("cl_01_060_01", "cl_07_100_01")
PEER = "CP-SAT of OR-Tools"
BASELINE = "the widest that fits into the lowest gap, bin after bin"
__all__ = ["BASELINE", "INSTANCES", "PEER", "answer", "baseline"]


def answer(problem, seconds):
    """Return the best packing of CP-SAT, which begins with that of the rule; bins lie side by side."""
    begin, start = time.process_time(), baseline(problem)
    most, width = max(row[0] for row in start), problem.width
    model = cp_model.CpModel()
    last = model.new_int_var(problem.bound(), most, "")
    placed = [
        (model.new_int_var(1, most, ""), *place(model, problem, problem.height, way)) for way in problem.rectangles
    ]
    beside = [model.new_int_var(0, (most + 1) * width, "") for _ in placed]
    for (number, x, y, ways), at in zip(placed, beside, strict=True):
        model.add(number <= last)
        model.add(at == number * width + x)
        for (w, h), chosen in ways.items():
            model.add(x + w <= width).only_enforce_if(chosen)
            model.add(y + h <= problem.height).only_enforce_if(chosen)
    keep_apart(model, [(at, y, ways) for (_, _, y, ways), at in zip(placed, beside, strict=True)])
    for (number, x, y, ways), row in zip(placed, as_ordered(problem, start), strict=True):
        hint(model, ways, row[3:], {number: row[0], x: row[1], y: row[2]})
    model.minimize(last)
    value = solved(model, seconds - (time.process_time() - begin))
    if value is None:
        return None
    numbers = {number: place for place, number in enumerate(sorted({value(row[0]) for row in placed}), 1)}
    return [[numbers[value(number)], value(x), value(y), *lies(ways, value)] for number, x, y, ways in placed]
