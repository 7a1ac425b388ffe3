"""Templates of weak Schur partitions, found by a constraint solver (OR-Tools) from their definition.

    python experiments/schur_templates.py PARTS WIDTH FIRST [--strict]

prints the part of each number up to the end of the first row, which begins with the number FIRST; the last digit where
a number stays free. ``3 42 24``, ``3 33 7 --strict`` (a second each) and ``4 111 44 --strict`` (33 s of two cores) gave
``problems/schur/templates.py``, but for ties.
"""

import argparse

from ortools.sat.python import cp_model


def forbidden(width, first, strict):
    """Return the sets of numbers that no part may hold that repeats, and those that may not all stay free."""
    last = first - 1 + width

    def folded(number):
        return number if number <= last else first + (number - first) % width

    repeated, free = set(), set()
    for small in range(1, last + width + 1):
        for large in range(small + (not strict), last + 2 * width + 1):
            repeated.add(frozenset(map(folded, (small, large, small + large))))
    for small in range(first, last + 1):
        for large in range(small, last + 1):
            for total in (small + large, small + large - 2 * width):
                if first <= total <= last:
                    free.add(frozenset((small, large, total)))
    return repeated, free


def found(parts, width, first, strict):
    """Return a template, None where there is none."""
    model, numbers = cp_model.CpModel(), range(1, first + width)
    inside = {number: [model.new_bool_var("") for _ in range(parts + 1)] for number in numbers}
    for number in numbers:
        model.add_exactly_one(inside[number])
        if number <= first:
            model.add(inside[number][parts] == (number == first))
    for sets, held in zip(forbidden(width, first, strict), (range(parts), [parts]), strict=True):
        for each in sets:
            for part in held:
                model.add_bool_or([~inside[number][part] for number in each])
    solver = cp_model.CpSolver()
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    names = {}
    rows = [next(part for part in range(parts + 1) if solver.value(inside[number][part])) for number in numbers]
    return "".join(str(part if part == parts else names.setdefault(part, len(names))) for part in rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", type=int)
    parser.add_argument("width", type=int)
    parser.add_argument("first", type=int)
    parser.add_argument("--strict", action="store_true", help="no number may be twice another either")
    given = parser.parse_args()
    print(found(given.parts, given.width, given.first, given.strict))
