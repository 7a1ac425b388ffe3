"""Measure rules of one's own: beside the bundled problems, PyVRP, and OR-Tools with callbacks in Python.

``python experiments/own_rules.py [--time 10]`` writes ``results/own-rules.csv``, and goes on where it was stopped. It
needs the packages pyvrp and ortools. With ``--all FILE ...``, it is Solomon's 29 instances and these files of ``cvrp``
beside the bundled problems, in ``results/own-rules-all.csv``. Seconds are of one core's processor; ``calls`` are
visits, or callbacks, a second.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from by_pyvrp import routes, scaled
from ortools.constraint_solver import pywrapcp, routing_enums_pb2
from tables import append_row, read_rows, run

import nrpa
from nrpa.engine.kernels import improve

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples"))

from routing_rules import RushHours, SoftWindows, SquaredLateness, Windows, arrays_of  # noqa: E402

COLUMNS = "rules", "instance", "by", "seconds", "cost", "vehicles", "valid", "calls"
VEHICLE, SCALE, SEED = 10_000.0, 100, 1
PACE = (1.0, 0.8, 1.0, 0.7)  # minutes a mile in each hour; these windows leave no time for slower ones
KINDS = {"soft windows": SoftWindows, "squared lateness": SquaredLateness, "rush hours": RushHours}
# From so many minutes too late, each more costs so much more: chords of the square of lateness, and the straight line.
HINGES = {"soft windows": {0: 2}, "squared lateness": {0: 1, 10: 2, 20: 3, 40: 6, 80: 12}}
ROWS = (
    ("windows, vehicles first", "vrptw", ("r104", "rc106"), ("own rules", "vrptw")),
    ("capacity", "cvrp", ("X-n101-k25", "X-n214-k11", "X-n351-k40"), ("own rules", "cvrp")),
    ("windows", "vrptw", ("r104", "rc106"), ("own rules", "PyVRP")),
    ("soft windows", "vrptw", ("r104", "rc106"), ("own rules", "OR-Tools")),
    ("squared lateness", "vrptw", ("r104", "rc106"), ("own rules", "OR-Tools")),
    ("rush hours", "vrptw", ("r104", "rc106"), ("own rules",)),
)
SOLOMON = [f"{kind}{number}" for kind, most in (("c", 9), ("r", 12), ("rc", 8)) for number in range(101, 101 + most)]


def problem_of(rules: str, places: Any) -> Any:
    """Return the problem by rules of one's own."""
    cost = VEHICLE if rules == "windows, vehicles first" else 0.0
    own = KINDS.get(rules, Windows)(**arrays_of(places), pace=np.array(PACE))
    return nrpa.Routing(len(places.demand) - 1, own, vehicle_cost=cost)


def by_nrpa(problem: Any, seconds: float) -> Any:
    """Return the solution of the default."""
    return nrpa.solve(problem, seed=SEED, time=seconds, clock="processor").solution


def visits_a_second(problem: Any) -> float:
    """Return how many visits a second a search makes: those of one call of ``improve``, which plain Python counts."""
    calls, rates = Counter[str](), []
    kind, begun = type(problem.rules), [[customer] for customer in range(1, problem.customers + 1)]

    class Counted(kind):  # type: ignore[misc, valid-type]
        def visit(self, state: Any, customer: int) -> Any:
            calls["visit"] += 1
            return super().visit(state, customer)  # which keeps it in plain Python

    counted = nrpa.Routing(problem.customers, Counted(**vars(problem.rules)))
    for each in (problem, counted):
        sequence, moves, state = np.full(each.max_steps, -1), each.moves_of(begun), each.new_state()
        instance = each.model.instance
        instance = instance._replace(rules=instance.rules._replace(allowance=300_000))
        entry = nrpa.jit(called)
        for _ in range(2):  # the first compiles
            sequence[:], sequence[: len(moves)] = -1, moves
            calls.clear()
            begin = time.process_time()
            entry(instance, state, sequence, len(moves))
            rates.append(time.process_time() - begin)
    return calls["visit"] / rates[1]


def called(instance: Any, state: Any, sequence: Any, steps: int) -> Any:
    """Improve a game by the kernel of its problem."""
    return improve(instance, state, sequence, steps)


def scaled_of(places: Any) -> dict[str, Any]:
    """Return the arrays as whole numbers, in hundredths."""
    given = {**arrays_of(places), "capacity": 0.0}
    return {name: np.round(SCALE * np.asarray(value)).astype(int) for name, value in given.items()}


def by_ortools(places: Any, hinges: dict[int, int], seconds: float) -> tuple[list[list[int]], float]:
    """Return the routes that OR-Tools finds by functions in Python, and how many calls of these a second it makes.

    A dimension has one soft bound for each place, so there is one of time for each of the hinges.
    """
    scaled = scaled_of(places)
    n, calls = len(places.demand), Counter[str]()
    manager = pywrapcp.RoutingIndexManager(n, n - 1, 0)
    model = pywrapcp.RoutingModel(manager)
    place = manager.IndexToNode

    def way(one: int, other: int) -> int:
        calls["all"] += 1
        return int(scaled["distances"][place(one), place(other)])

    def lasts(one: int, other: int) -> int:
        return int(scaled["service"][place(one)]) + way(one, other)

    def load(one: int) -> int:
        calls["all"] += 1
        return int(places.demand[place(one)])

    horizon = 100 * int(scaled["closes"][0])
    model.SetArcCostEvaluatorOfAllVehicles(model.RegisterTransitCallback(way))
    time_of = model.RegisterTransitCallback(lasts)
    loads = [int(places.capacity)] * (n - 1)
    model.AddDimensionWithVehicleCapacity(model.RegisterUnaryTransitCallback(load), 0, loads, True, "load")
    for late, more in hinges.items():
        model.AddDimension(time_of, horizon, horizon, False, f"time {late}")
        times, closes = model.GetDimensionOrDie(f"time {late}"), scaled["closes"] + SCALE * late
        for customer in range(1, n):
            times.CumulVar(manager.NodeToIndex(customer)).SetMin(int(scaled["opens"][customer]))
            times.SetCumulVarSoftUpperBound(manager.NodeToIndex(customer), int(closes[customer]), more)
        for vehicle in range(n - 1):
            times.SetCumulVarSoftUpperBound(model.End(vehicle), int(closes[0]), more)
            times.CumulVar(model.Start(vehicle)).SetValue(int(scaled["opens"][0]))
    options = pywrapcp.DefaultRoutingSearchParameters()
    options.first_solution_strategy = routing_enums_pb2.FirstSolutionStrategy.PARALLEL_CHEAPEST_INSERTION
    options.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    options.time_limit.seconds = int(100 * seconds)
    begun = time.process_time()
    model.AddSearchMonitor(model.solver().CustomLimit(lambda: time.process_time() - begun >= seconds))
    found = model.SolveWithParameters(options)
    rate, driven = calls["all"] / (time.process_time() - begun), []
    for vehicle in range(n - 1):
        index, route = found.Value(model.NextVar(model.Start(vehicle))), list[int]()
        while not model.IsEnd(index):
            route.append(place(index))
            index = found.Value(model.NextVar(index))
        driven.append(route)
    return [route for route in driven if route], rate


def measured(rules: str, places: Any, by: str, seconds: float) -> dict[str, Any]:
    """Return what was found, as the rules' own class in plain Python says it."""
    problem, calls = problem_of(rules, places), ""
    if by == "own rules":
        solution = by_nrpa(problem, seconds)
        calls = f"{visits_a_second(problem):.0f}" if rules in KINDS else ""
    elif by == "PyVRP":
        solution = routes(places.coordinates, places.demand, places.capacity, seconds, *scaled(places))
    elif by == "OR-Tools":
        solution, rate = by_ortools(places, HINGES[rules], seconds)
        calls = f"{rate:.0f}"
    else:
        solution = by_nrpa(places, seconds)
    verdict = problem.check(solution)
    figures = verdict.figures
    return {"cost": round(figures["cost"], 2), "vehicles": figures["vehicles"], "valid": verdict.valid, "calls": calls}


def main() -> None:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0, help="seconds of one core's processor")
    parser.add_argument("--all", metavar="FILE", nargs="*", help="Solomon's 29 instances, and files of cvrp")
    options = parser.parse_args()
    rows, record = ROWS, HERE / "results" / "own-rules.csv"
    if options.all is not None:
        rows, record = (
            (
                ("windows, vehicles first", "vrptw", (*SOLOMON,), ("own rules", "vrptw")),
                ("capacity", "cvrp", (*options.all,), ("own rules", "cvrp")),
            ),
            record.with_stem("own-rules-all"),
        )
    done = {(row["rules"], row["instance"], row["by"]) for row in read_rows(record, COLUMNS)}
    for rules, name, instances, ways in rows:
        for instance in instances:
            for by in ways:
                key = {"rules": rules, "instance": Path(instance).stem, "by": by}
                if tuple(key.values()) not in done:
                    places = {"vrptw": nrpa.VRPTW, "cvrp": nrpa.CVRP}[name].load(instance)
                    found = {"seconds": f"{options.time:g}", **measured(rules, places, by, options.time)}
                    append_row(record, {**key, **found})


if __name__ == "__main__":
    run(main)
