#!/usr/bin/env bash
# One would guess that OR-Tools' routing takes travel times that depend on the hour from Python, since its model has `RegisterCumulDependentTransitCallback` and `AddDimensionWithCumulDependentVehicleTransitAndCapacity` there.
# The first takes no function of Python (a TypeError), and nothing in the module makes what it takes; other callbacks see two places and no hour, so that rush hours cannot be modelled: whoever plans with them needs C++ or another program.
#
# Seen with OR-Tools 9.15.6755, Python 3.11, x86-64: both methods are there; TypeError for a function of one argument, of
# two, and for the index of another callback; no class with "Piecewise" or "RangeIntToInt" in the module.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q ortools==9.15.6755
"$work/venv/bin/python" - <<'PROGRAM'
from ortools.constraint_solver import pywrapcp

manager = pywrapcp.RoutingIndexManager(3, 1, 0)
model = pywrapcp.RoutingModel(manager)
plain = model.RegisterTransitCallback(lambda here, there: 1)
for name in ("RegisterCumulDependentTransitCallback", "AddDimensionWithCumulDependentVehicleTransitAndCapacity"):
    assert hasattr(model, name), f"{name} is not there"
for given in (lambda hour: 1, lambda here, there: 1, plain):
    try:
        model.RegisterCumulDependentTransitCallback(given)
    except TypeError as error:
        print(type(error).__name__, str(error).split(",")[0])
    else:
        raise SystemExit("a travel time by the hour is taken")
made = [name for name in dir(pywrapcp) if "Piecewise" in name or "RangeIntToInt" in name]
assert not made, f"{made} may make what is taken"
print("as it was seen")
PROGRAM
