"""nrpa beside solvers made for the problem, at the same time limit on one thread each: where it should not be used.

    pip install -r experiments/requirements-others.txt 'nrpa[rna]'
    python experiments/beside_others.py --time 5 --runs 2 --page docs/when-not.md

Routes by PyVRP, tours without windows by LKH (elkai has it), bins, colours and job shops by OR-Tools' CP-SAT (which
begins with first-fit decreasing and DSatur), folding by ViennaRNA's dynamic programming, each beside `nrpa.Auto()`, in
turns. Every answer is checked by nrpa's own check. A row a run goes into the table --csv; the same command goes on
where it was stopped. Where an answer is proved best, the run ends before its time; LKH ends after ten runs. --page
replaces the table of a page, as which_solver.py does.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from job_shop import BEST, JobShop
from rows import complete, read_rows, run
from which_solver import read_page, replaced

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.io.files import write_text
from nrpa.io.source import bundled

cp_model = lazy("ortools.sat.python.cp_model")
HERE = Path(__file__).resolve().parent
COLUMNS = ("problem", "instance", "solver", "seed", "limit", "seconds", "processor", "value", "proved")
SCALE = 1000
PENALTY = 1_000_000
BASES = (100, 200, 400)


class Answer(NamedTuple):
    """What was found in the problem's own terms, None for nothing, and whether it is proved that none is better."""

    value: float | None
    proved: bool = False


Other = Callable[[Any, float, int], Answer]
"""Solve a problem within so many seconds, with a seed."""


class Pair(NamedTuple):
    """A problem as the rows call it, the other solver and how it answers, and the best known value."""

    problem: str
    instance: str
    load: Callable[[], Any]
    other: str
    solve: Other
    best: float | None


def pyvrp_answer(problem: Any, limit: float, seed: int) -> Answer:
    """Return the answer of PyVRP to a TSPTW (one vehicle) or a VRPTW; times and distances in thousandths."""
    from pyvrp import Model
    from pyvrp.stop import MaxRuntime

    alone = isinstance(problem, nrpa.TSPTW)
    n = len(problem.distances)
    whole = np.rint(np.asarray(problem.distances) * SCALE).astype(int)
    opens, closes = np.rint(np.asarray(problem.windows) * SCALE).astype(int).T
    service = np.zeros(n, int) if alone else np.rint(problem.service * SCALE).astype(int)
    model = Model()
    places = [model.add_location(0, 0) for _ in range(n)]
    depot = model.add_depot(places[0], tw_early=opens[0], tw_late=closes[0])
    for k in range(1, n):
        demand = 1 if alone else int(problem.demand[k])
        model.add_client(places[k], delivery=demand, service_duration=service[k], tw_early=opens[k], tw_late=closes[k])
    by_vehicles = not alone and problem.first == "vehicles"
    model.add_vehicle_type(
        1 if alone else n - 1,
        capacity=n if alone else int(problem.capacity),
        start_depot=depot,
        end_depot=depot,
        fixed_cost=10_000 * SCALE if by_vehicles else 0,
    )
    for a in range(n):
        for b in range(n):
            if a != b:
                model.add_edge(places[a], places[b], distance=whole[a, b], duration=whole[a, b])
    found = model.solve(MaxRuntime(limit), seed=seed, display=False)
    if not found.is_feasible():
        return Answer(None)
    routes = [[activity.idx + 1 for activity in route if activity.is_client()] for route in found.best.routes()]
    return Answer(checked(problem, routes[0] if alone else routes))


def lkh_answer(problem: Any, _limit: float, seed: int) -> Answer:
    """Return the tour of ten runs of LKH, which has no limit of time, on whole thousandths of the distances."""
    import elkai

    matrix = np.rint(np.asarray(problem.distances) * SCALE).astype(int)
    order = np.random.default_rng(seed).permutation(len(matrix))
    tour = elkai.DistanceMatrix(matrix[np.ix_(order, order)].tolist()).solve_tsp(runs=10)[:-1]
    cities = [int(order[k]) for k in tour]
    first = cities.index(0)
    return Answer(checked(problem, cities[first + 1 :] + cities[:first]))


def without_windows(instance: str) -> nrpa.TSPTW:
    """Return an instance whose windows are always open: a plain TSP."""
    problem = nrpa.TSPTW.load(instance)
    distances = np.asarray(problem.distances)
    return nrpa.TSPTW(distances, [(0, distances.sum())] * len(distances))


def bins_answer(problem: Any, limit: float, seed: int) -> Answer:
    """Return CP-SAT's answer to bin packing: how many items of each size go into each bin, used bins first."""
    sizes, counts = np.unique(problem.whole_sizes, return_counts=True)
    most, least = problem.bounds.ffd, max(problem.bounds.l1, problem.bounds.l2)
    model = cp_model.CpModel()
    used = [model.new_bool_var(f"used {b}") for b in range(most)]
    held = [[model.new_int_var(0, int(c), f"{b} {s}") for s, c in zip(sizes, counts, strict=True)] for b in range(most)]
    for b in range(most):
        model.add(sum(int(s) * x for s, x in zip(sizes, held[b], strict=True)) <= int(problem.capacity) * used[b])
        if b:
            model.add_implication(used[b], used[b - 1])
    for k, count in enumerate(counts):
        model.add(sum(held[b][k] for b in range(most)) == int(count))
    model.add(sum(used) >= least)
    model.minimize(sum(used))
    for b, row in enumerate(first_fit_decreasing(problem)):
        model.add_hint(used[b], True)
        for size, x in zip(sizes, held[b], strict=True):
            model.add_hint(x, row.count(int(size)))

    def bins(solver: Any) -> list[list[int]]:
        found = [[int(s) for s, x in zip(sizes, row, strict=True) for _ in range(solver.value(x))] for row in held]
        return [each for each in found if each]

    return solved(model, limit, seed, problem, bins)


def first_fit_decreasing(problem: Any) -> list[list[int]]:
    """Return the bins that CP-SAT begins with."""
    bins: list[list[int]] = []
    for size in sorted(map(int, problem.whole_sizes), reverse=True):
        room = next((each for each in bins if sum(each) + size <= problem.capacity), None)
        if room is None:
            bins.append(room := [])
        room.append(size)
    return bins


def colours_answer(problem: Any, limit: float, seed: int) -> Answer:
    """Return CP-SAT's answer to graph colouring: a node has one colour, a clique is coloured beforehand."""
    edges, nodes, start = problem.edges, problem.nodes, greedy_colours(problem)
    most = 1 + max(start)
    model = cp_model.CpModel()
    used = [model.new_bool_var(f"used {c}") for c in range(most)]
    has = [[model.new_bool_var(f"{v} {c}") for c in range(most)] for v in range(nodes)]
    for v in range(nodes):
        model.add_exactly_one(has[v])
    for a, b in edges:
        for c in range(most):
            model.add_bool_or(has[int(a)][c].negated(), has[int(b)][c].negated())
    for v in range(nodes):
        for c in range(most):
            model.add_implication(has[v][c], used[c])
    for c in range(1, most):
        model.add_implication(used[c], used[c - 1])
    for c, v in enumerate(problem.clique):
        model.add(has[int(v)][c] == 1)
    model.minimize(sum(used))
    for c in range(most):
        model.add_hint(used[c], True)
        for v in range(nodes):
            model.add_hint(has[v][c], start[v] == c)

    def colours(solver: Any) -> list[int]:
        return [next(c + 1 for c in range(most) if solver.value(has[v][c])) for v in range(nodes)]

    return solved(model, limit, seed, problem, colours)


def greedy_colours(problem: Any) -> list[int]:
    """Return the colours of DSatur, the clique's first: CP-SAT begins with them."""
    neighbours: list[set[int]] = [set() for _ in range(problem.nodes)]
    for a, b in problem.edges:
        neighbours[int(a)].add(int(b))
        neighbours[int(b)].add(int(a))
    colour = {int(v): c for c, v in enumerate(problem.clique)}
    while len(colour) < problem.nodes:
        left = (v for v in range(problem.nodes) if v not in colour)
        v = max(left, key=lambda v: (len({colour[u] for u in neighbours[v] if u in colour}), len(neighbours[v])))
        taken = {colour[u] for u in neighbours[v] if u in colour}
        colour[v] = next(c for c in range(problem.nodes) if c not in taken)
    return [colour[v] for v in range(problem.nodes)]


def shop_answer(problem: JobShop, limit: float, seed: int) -> Answer:
    """Return CP-SAT's answer to a job shop: an interval for each operation, none at once on a machine."""
    model = cp_model.CpModel()
    most = sum(duration for job in problem.jobs for _, duration in job)
    end = model.new_int_var(0, most, "end")
    on: dict[int, list[Any]] = {}
    starts: list[tuple[Any, int]] = []
    for j, job in enumerate(problem.jobs):
        before = None
        for k, (machine, duration) in enumerate(job):
            start = model.new_int_var(0, most, f"{j} {k}")
            on.setdefault(machine, []).append(model.new_fixed_size_interval_var(start, duration, f"interval {j} {k}"))
            if before is not None:
                model.add(start >= before)
            before = start + duration
            starts.append((start, j))
        model.add(end >= before)
    for intervals in on.values():
        model.add_no_overlap(intervals)
    model.minimize(end)
    return solved(model, limit, seed, problem, lambda solver: in_order(solver, starts))


def in_order(solver: Any, starts: Sequence[tuple[Any, int]]) -> list[int]:
    """Return the jobs in the order in which their operations begin; those of a job keep their order."""
    times = [(solver.value(start), number) for number, (start, _) in enumerate(starts)]
    return [starts[number][1] for _, number in sorted(times)]


def solved(model: Any, limit: float, seed: int, problem: Any, solution: Callable[[Any], Any]) -> Answer:
    """Return the answer of CP-SAT; ``solution`` reads it from the solver."""
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Answer(None)
    return Answer(checked(problem, solution(solver)), status == cp_model.OPTIMAL)


def fold_answer(problem: Any, _limit: float, _seed: int) -> Answer:
    """Return ViennaRNA's energy, which is the least, by dynamic programming."""
    import RNA

    _, energy = RNA.fold(problem.sequence)
    return Answer(energy, True)


def checked(problem: Any, solution: Any) -> float:
    """Return the value of a solution by the problem's own check, or by playing it again where it has none."""
    if isinstance(problem, JobShop):
        return float(-problem.score(problem.final_state(solution)))
    verdict = problem.check(solution)
    if not verdict.valid:
        raise AssertionError(f"{problem.label}: {verdict.faults[0]}")
    return float(problem.objective.value(verdict.score))


def pairs() -> list[Pair]:
    """Return what is compared."""
    found = []
    for name, cls, other, solve, instances in (
        ("tsptw", nrpa.TSPTW, "PyVRP", pyvrp_answer, ("rc204.1", "rc207.2", "n100w120.002", "n200w120.002")),
        ("vrptw", nrpa.VRPTW, "PyVRP", pyvrp_answer, ("c101", "r103", "r112", "rc108")),
        ("binpacking", nrpa.BinPacking, "CP-SAT", bins_answer, ("u120_00", "t60_00", "t120_00", "Hard28_BPP40")),
        ("coloring", nrpa.Coloring, "CP-SAT", colours_answer, ("queen8_8", "school1", "DSJC125.5", "le450_15c")),
    ):
        known = bundled(name)
        for instance in instances:
            best = known[instance].best_known
            found.append(Pair(name, instance, partial(cls.load, instance), other, solve, best.value if best else None))
    for instance in ("rc204.1", "n100w120.002", "n200w120.002"):
        found.append(Pair("tsp", instance, partial(without_windows, instance), "LKH", lkh_answer, None))
    for instance, value in BEST.items():
        found.append(Pair("job shop", instance, partial(JobShop.load, instance), "CP-SAT", shop_answer, value))
    for bases in BASES:
        sequence = "".join(random.Random(bases).choices("ACGU", k=bases))
        load = partial(nrpa.Folding, sequence)
        found.append(Pair("fold", f"{bases} random bases", load, "ViennaRNA", fold_answer, None))
    return found


def main() -> None:
    """Run what the table lacks, print the comparison, and write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=5.0, help="seconds a run")
    parser.add_argument("--runs", type=int, default=2, help="seeds")
    parser.add_argument("--only", action="append", help="a problem; all without it")
    parser.add_argument("--csv", type=Path, default=HERE / "results" / "beside-others.csv")
    parser.add_argument("--page", type=Path, help="a page whose table is replaced")
    options = parser.parse_args()
    chosen = [pair for pair in pairs() if not options.only or pair.problem in options.only]
    if not chosen:
        raise InputError(f"--only: expected some of {', '.join(dict.fromkeys(p.problem for p in pairs()))}")
    if options.page:
        replaced(read_page(options.page), {"others": ""})
    limit = f"{options.time:g}"
    known = {(pair.problem, pair.instance): pair for pair in chosen}
    seeds = range(1, options.runs + 1)
    keys = [(*key, who, seed, limit) for seed in seeds for key, pair in known.items() for who in ("nrpa", pair.other)]
    complete(options.csv, COLUMNS, keys, lambda problem, instance, *run: measured(known[problem, instance], *run))
    text = comparison(chosen, [row for row in read_rows(options.csv, COLUMNS) if row["limit"] == limit], options.runs)
    text += f"\n\nThe limit is {limit} s a run, {options.runs} seeds; values are means."
    print(text)
    if options.page:
        write_text(options.page, replaced(read_page(options.page), {"others": text}))


def measured(pair: Pair, solver: str, seed: int, text: str) -> tuple[str, ...]:
    """Return what one run takes and finds."""
    problem, limit = pair.load(), float(text)
    if solver == "nrpa":
        nrpa.solve(problem, nrpa.Auto(), seed=seed, playouts=10)  # compiles; no run has it in its time
    begun, processor = time.monotonic(), time.process_time()
    if solver == "nrpa":
        result = nrpa.solve(problem, nrpa.Auto(), seed=seed, time=limit)
        answer = Answer(problem.objective.value(result.score), result.status == "optimal")
    else:
        answer = pair.solve(problem, limit, seed)
    seconds = [f"{time.monotonic() - begun:.2f}", f"{time.process_time() - processor:.2f}"]
    return *seconds, "" if answer.value is None else f"{answer.value:.2f}", "yes" if answer.proved else "no"


def comparison(chosen: Sequence[Pair], rows: Sequence[dict[str, str]], runs: int) -> str:
    """Return the table in Markdown; the better mean of the first runs is bold."""
    lines = ["| problem | instance | best known | nrpa | other | |", "| --- | --- | ---: | ---: | ---: | --- |"]
    for pair in chosen:
        mine = [row for row in rows if (row["problem"], row["instance"]) == (pair.problem, pair.instance)]
        mine = [row for row in mine if int(row["seed"]) <= runs]
        both = [[row for row in mine if row["solver"] == solver] for solver in ("nrpa", pair.other)]
        means = [float(np.mean([float(row["value"] or "inf") for row in found])) for found in both]
        texts = [value_text(pair, found, mean, min(means)) for found, mean in zip(both, means, strict=True)]
        known = "" if pair.best is None else f"{pair.best:,g}" if pair.best < 1e5 else f"{pair.best:,.2f}"
        lines.append(f"| {pair.problem} | {pair.instance} | {known} | {texts[0]} | {texts[1]} | {pair.other} |")
    return "\n".join(lines)


def value_text(pair: Pair, rows: Sequence[dict[str, str]], mean: float, best: float) -> str:
    """Return a mean, bold where it is the best, with the seconds where each answer was proved best."""
    found = [float(row["value"]) for row in rows if row["value"]]
    if not found:
        return "none"
    if pair.problem == "tsptw" and PENALTY <= mean < np.inf:
        return f"{mean // PENALTY:.0f} missed"
    text = f"{np.mean(found):,.2f}".rstrip("0").rstrip(".")
    if len(found) < len(rows):
        return f"{text} ({len(rows) - len(found)} of {len(rows)} none)"
    if all(row["proved"] == "yes" for row in rows):
        text += f" (proved, {np.mean([float(row['seconds']) for row in rows]):.2f} s)"
    return f"**{text}**" if mean == best else text


if __name__ == "__main__":
    run(main)
