"""Strips of Hopper and Turton: the first of their classes 3 and 5, which have 28 and 73 rectangles."""

import time

from cp_sat import solved
from ortools.sat.python import cp_model

INSTANCES = ("C3P1", "C5P1")
PEER = "CP-SAT of OR-Tools"
BASELINE = "the widest that fits into the lowest gap (Burke, Kendall and Whitwell)"


def baseline(problem):
    """Return the packing of the best-fit rule: of the widest rectangles the highest."""
    plain, state, moves = problem.plain, problem.plain.initial_state(), []
    while legal := plain.legal_moves(state):
        moves.append(max(legal))
        state = plain.play(state, moves[-1])
    return plain.solution_of(moves)


def answer(problem, seconds):
    """Return the best packing of CP-SAT, which begins with that of the rule."""
    begin, start = time.process_time(), baseline(problem)
    most = max(y + h for _, y, _, h in start)
    model = cp_model.CpModel()
    height = model.new_int_var(problem.bound(), most, "")
    placed = [place(model, problem, most, way) for way in problem.rectangles]
    for x, y, ways in placed:
        for (w, h), chosen in ways.items():
            model.add(x + w <= problem.width).only_enforce_if(chosen)
            model.add(y + h <= height).only_enforce_if(chosen)
    keep_apart(model, [(x, y, ways) for x, y, ways in placed])
    for (x, y, ways), row in zip(placed, as_ordered(problem, start), strict=True):
        hint(model, ways, row[2:], {x: row[0], y: row[1]})
    model.minimize(height)
    value = solved(model, seconds - (time.process_time() - begin))
    return value and [[value(x), value(y), *lies(ways, value)] for x, y, ways in placed]


def place(model, problem, most, rectangle):
    """Return the corner of a rectangle, and the literal of each way that it may lie, one of which is true."""
    ways = {rectangle} | ({rectangle[::-1]} if problem.turn else set())
    chosen = {way: model.new_bool_var("") for way in sorted(ways)}
    model.add_exactly_one(chosen.values())
    return model.new_int_var(0, problem.width, ""), model.new_int_var(0, most, ""), chosen


def keep_apart(model, placed):
    """Let no two rectangles overlap."""
    across, up = [], []
    for x, y, ways in placed:
        for (w, h), chosen in ways.items():
            across.append(model.new_optional_fixed_size_interval_var(x, w, chosen, ""))
            up.append(model.new_optional_fixed_size_interval_var(y, h, chosen, ""))
    model.add_no_overlap_2d(across, up)


def as_ordered(problem, rows):
    """Return the rows of a packing in the order in which the problem has the rectangles."""
    left = [*rows]
    for rectangle in problem.rectangles:
        row = next(row for row in left if problem.kind_of(row[-2:]) == problem.kind_of(rectangle))
        left.remove(row)
        yield row


def hint(model, ways, sides, values):
    """Tell where a rectangle lies, and which way, in the packing to begin with."""
    for way, chosen in ways.items():
        model.add_hint(chosen, way == tuple(sides))
    for variable, value in values.items():
        model.add_hint(variable, value)


def lies(ways, value):
    """Return width and height of a rectangle as it lies."""
    return next([*way] for way, chosen in ways.items() if value(chosen))
