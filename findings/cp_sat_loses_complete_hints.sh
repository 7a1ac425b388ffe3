#!/usr/bin/env bash
# One would guess that CP-SAT's first solution is the hint of its model, where that hint is complete and feasible, as its log says.
# Where its presolve breaks symmetries, the log calls the same hint "complete, but infeasible" a moment later, and the search may end with the status UNKNOWN and no solution, unless `keep_symmetry_in_presolve` is set (or `symmetry_level` is 0): whoever begins CP-SAT with an answer of nrpa or of a rule, or compares with it so, loses what was given.
#
# Seen with OR-Tools 9.15.6755, Python 3.11, x86-64: 100 items in bins, begun with first-fit decreasing: UNKNOWN; FEASIBLE
# with either parameter.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q ortools==9.15.6755
"$work/venv/bin/python" - <<'PROGRAM'
from itertools import pairwise
from random import Random

from ortools.sat.python import cp_model

CAPACITY = 150
drawn = Random(100)
sizes = sorted((drawn.randint(20, 100) for _ in range(100)), reverse=True)
bins = []
for size in sizes:
    room = next((items for items in bins if sum(items) + size <= CAPACITY), None)
    if room is None:
        bins.append(room := [])
    room.append(size)

kinds = sorted(set(sizes))
model = cp_model.CpModel()
used = [model.new_bool_var("") for _ in bins]
held = [[model.new_int_var(0, sizes.count(kind), "") for kind in kinds] for _ in bins]
for row, is_used, items in zip(held, used, bins, strict=True):
    model.add(sum(kind * each for kind, each in zip(kinds, row, strict=True)) <= CAPACITY * is_used)
    model.add_hint(is_used, True)
    for kind, each in zip(kinds, row, strict=True):
        model.add_hint(each, items.count(kind))
for kind, column in zip(kinds, zip(*held, strict=True), strict=True):
    model.add(sum(column) == sizes.count(kind))
for before, after in pairwise(used):
    model.add_implication(after, before)
model.add(sum(used) >= -(-sum(sizes) // CAPACITY))
model.minimize(sum(used))


def solved(**parameters):
    solver, said = cp_model.CpSolver(), []
    solver.log_callback = said.append
    solver.parameters.log_search_progress, solver.parameters.log_to_stdout = True, False
    solver.parameters.num_workers, solver.parameters.max_deterministic_time = 1, 0.6
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    status = solver.status_name(solver.solve(model))
    return status, [line for line in "\n".join(said).splitlines() if "hint is complete" in line]


lost, kept, off = solved(), solved(keep_symmetry_in_presolve=True), solved(symmetry_level=0)
for status, lines in (lost, kept, off):
    print(status, *lines, sep="\n    ")
assert lost[0] == "UNKNOWN" and "feasible. " in lost[1][0] and "infeasible" in lost[1][1], "the hint is kept now"
assert kept[0] == off[0] == "FEASIBLE", "the parameters do not help"
PROGRAM
