"""Fronts by the solver pareto and by weighted sums, at equal playouts: the record of several-goals.md.

python experiments/several_goals.py
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict, namedtuple
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from rows import complete, markdown, run

import nrpa
from nrpa.bench.continued import read_lines
from nrpa.bench.table import cell, difference
from nrpa.search.front import dominates

RECORD = Path(__file__).resolve().parent / "results" / "several-goals.csv"
COLUMNS = "instance", "variant", "seed", "front"
PLAYOUTS, SEEDS, CUSTOMERS, ROOM = 20_000, 10, 50, 4_096
TOURS = {"rc205.3": 1.0, "n60w40.002": 2.0, "rc202.3": 1.0, "rc206.2": 1.0}  # the factor of the bias
ROUTES = "r104", "r108", "rc104", "rc101"
PARETO = "`pareto`"
# How many weights, and whether a search begins with the best by its weights of those before.
SUMS = {
    "sum, 5 weights": (5, False),
    "sum, 20 weights": (20, False),
    "20 weights, each from the best so far": (20, True),
}
PLAIN = [*SUMS][1:]

Front = list[tuple[float, ...]]


def main() -> None:
    """Make the runs that the record does not hold yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RECORD)
    out = parser.parse_args().out
    keys = [(*key, seed) for seed in range(1, SEEDS + 1) for key in product((*TOURS, *ROUTES), (*SUMS, PARETO))]
    complete(out, COLUMNS, keys, lambda *key: [front_text(*key)])


def front_text(instance: str, variant: str, seed: int) -> str:
    """Return the front that one run finds, as the record has it."""
    given = problem(instance)
    found = pareto(given, seed) if variant == PARETO else sums(given, seed, *SUMS[variant])
    return "; ".join(" ".join(f"{goal:.10g}" for goal in goals) for goals in found)


def problem(name: str) -> Any:
    """Return a tour with all moves, or the first customers of a routing instance."""
    if name in TOURS:
        return nrpa.TSPTW.load(name, moves="all", bias_scale=TOURS[name])
    whole, n = nrpa.VRPTW.load(name), CUSTOMERS + 1
    arrays = whole.distances[:n, :n], whole.windows[:n], whole.demand[:n], whole.capacity
    return nrpa.VRPTW(*arrays, service=whole.service[:n], returns="free")


def pareto(given: Any, seed: int) -> Front:
    """Return the front that the solver finds, by the goals' values."""
    found = nrpa.solve(given, nrpa.ParetoNRPA(level=3, iterations=27), seed=seed, playouts=PLAYOUTS)
    return [tuple(each["figures"].values()) for each in found.front or []]


def sums(given: Any, seed: int, number: int, warm: bool) -> Front:
    """Return the front of all playouts of GNRPA with weights from one goal alone to the other."""
    seen: set[tuple[float, ...]] = set()
    solutions: list[tuple[np.ndarray, Any]] = []
    for turn, share in enumerate(np.linspace(1.0, 0.0, number)[[0, -1, *range(1, number - 1)]]):
        span = np.ptp([*seen], axis=0) if turn > 1 else np.ones(2)
        weights = np.array([share, 1.0 - share]) / np.maximum(span, 1e-9)
        best = max(solutions, key=lambda one: weights @ one[0])[1] if warm and solutions else None
        weighed = weighing(type(given), type(given.new_state()))(given, weights)
        solver, budget = nrpa.GNRPA(level=2, iterations=32), PLAYOUTS // number
        found = nrpa.solve(weighed, solver, seed=1_000 * seed + turn, playouts=budget, warm_start=best)
        solutions.append((weighed.goals_of(found.solution), found.solution))
        seen |= {tuple(point) for state in weighed.states for point in state.seen[: state.held[0]].tolist()}
        seen = {one for one in seen if not any(dominates(other, one) for other in seen)}
    return sorted(tuple(goal.sign * value for goal, value in zip(given.goals, one, strict=True)) for one in seen)


@cache
def weighing(of: Any, state: Any) -> Any:
    """Return a class of problems whose score weighs two goals; its states keep what no other playout beats."""
    kernels = sys.modules[state.__module__]
    goal = nrpa.jit(kernels.goal)

    def score(instance, state):
        first, second = goal(instance, state, 0), goal(instance, state, 1)
        keep(state.seen, state.held, first, second)
        return instance.weights[0] * first + instance.weights[1] * second

    instance_class = namedtuple("Instance", (*kernels.Instance._fields, "weights"))
    state_class = namedtuple("State", (*state._fields, "seen", "held"))
    nrpa.kernels(kernels.reset, kernels.legal_moves, kernels.play, score)(state_class)

    class Weighing(of):
        objective = nrpa.Objective("sum", 1)

        def __init__(self, given: Any, weights: np.ndarray) -> None:
            self.__dict__.update(given.__dict__, weights=weights, states=[])
            self.instance = instance_class(*given.instance, weights)

        def new_state(self) -> Any:
            self.states.append(state_class(*super().new_state(), np.zeros((ROOM, 2)), np.zeros(1, np.int64)))
            return self.states[-1]

        def goals_of(self, solution: Any) -> np.ndarray:
            figures = super().check(solution).figures
            return np.array([goal.sign * figures[goal.name] for goal in self.goals])

        def check(self, solution: Any) -> nrpa.Verdict:
            found = super().check(solution)
            return nrpa.Verdict(found.figures, [], self.weights @ self.goals_of(solution))

    return Weighing


@nrpa.jit
def keep(seen, held, first, second):
    """Keep a playout's goals unless another is as good by both, in place of those that it beats."""
    for k in range(held[0]):
        if seen[k, 0] >= first and seen[k, 1] >= second:
            return
    left = 0
    for k in range(held[0]):
        if seen[k, 0] > first or seen[k, 1] > second:
            seen[left, 0], seen[left, 1] = seen[k, 0], seen[k, 1]
            left += 1
    seen[left, 0], seen[left, 1] = first, second
    held[0] = left + 1


def hypervolumes() -> str:
    """Return a table of the hypervolumes of the record, and how much more the solver has, paired by seed."""
    titles = [*SUMS, PARETO]
    lines = [["", *titles, *(f"{PARETO} over {name}" for name in PLAIN)]]
    rows = [fields for _, fields in read_lines(RECORD, COLUMNS, writer=Path(__file__).name).fields]
    for instance in (*TOURS, *ROUTES):
        found = shares([row for row in rows if row["instance"] == instance])
        cells = [cell([*found[name].values()]) for name in titles]
        gains = [difference(found[PARETO], found[name], paired=True) for name in PLAIN]
        texts = [f"{gain.mean:+.3f} [{gain.interval('{:.3f}'.format)}]" for gain in gains]
        marked = [f"**{text}**" if gain.is_proven else text for text, gain in zip(texts, gains, strict=True)]
        lines.append([instance, *(f"{each.mean:.3f} ({each.half_width:.3f})" for each in cells), *marked])
    return markdown(lines)


def shares(rows: Sequence[dict[str, str]]) -> dict[str, dict[int, float]]:
    """Return for each variant, by seed, which share its front has of the hypervolume of all fronts of an instance."""
    fronts = [[tuple(map(float, point.split())) for point in row["front"].split("; ")] for row in rows]
    points = np.array([point for front in fronts for point in front])
    span = np.ptp(points, axis=0)
    reference = points.max(axis=0) + np.where(span > 0, span / 10, 1.0)
    whole = hypervolume(points, reference)
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for row, front in zip(rows, fronts, strict=True):
        found[row["variant"]][int(row["seed"])] = hypervolume(front, reference) / whole
    return found


def hypervolume(front: Iterable[Sequence[float]], reference: Sequence[float]) -> float:
    """Return the area that a front of two goals, both the less the better, has before a reference point."""
    area, low = 0.0, reference[1]
    for first, second in sorted(map(tuple, front)):
        area += max(reference[0] - first, 0.0) * max(low - second, 0.0)
        low = min(low, second)
    return area


if __name__ == "__main__":
    run(main)
