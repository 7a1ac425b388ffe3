"""MO-TSPTW, tours with windows and two costs: the solver pareto and Pareto-NRPA as published, at equal playouts.

python experiments/two_costs.py --instances rc201.3 rc204.1

The record of several-goals.md. The second cost is as in the authors' notebook create_secondarycost.ipynb
(github.com/noual/pareto-nrpa): twice the distance between places drawn evenly of 0, ..., 29 by 0, ..., 29. Their places
are not text, so here they are drawn anew. 10^6 for each window missed is added to both costs. The reference point of
the hypervolume is theirs (nadirs.json in github.com/pareto-nrpa/pareto-nrpa).
"""

from __future__ import annotations

import argparse
from collections import defaultdict, namedtuple
from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from pareto_nrpa import pareto_nrpa
from tables import append_row, markdown, read_rows, run

import nrpa
from nrpa.problems.tsptw import kernels

RECORD = Path(__file__).resolve().parent / "results" / "two-costs.csv"
COLUMNS = "instance", "variant", "seed", "front"
LEVEL, ITERATIONS = 4, 18  # as published
PLAYOUTS, SEEDS, SIDE = ITERATIONS**LEVEL, 10, 30
NADIRS = {
    "rc201.3": (1688.8758199242368, 1189.9412201720345),
    "rc202.3": (2068.2970586171987, 1256.2860147413783),
    "rc204.1": (3023.625196497188, 1915.38316028428),
    "rc205.3": (2493.5682617898697, 1513.7851508878116),
    "rc206.2": (1850.4653733991115, 1842.3682786571421),
    "rc207.3": (1662.3571773068013, 1531.653510747338),
}
PUBLISHED = "Pareto-NRPA"
# Level, iterations, options of the problem.
OURS: dict[str, tuple[int, int, dict[str, str]]] = {
    "`pareto`, level 4": (LEVEL, ITERATIONS, {}),
    "level 3": (3, 47, {}),
    "level 3, moves and bias of `auto`": (3, 47, {"moves": "lookahead", "bias_rule": "neighbours"}),
}

Instance = namedtuple("Instance", (*kernels.Instance._fields, "second"))
PLAY, MISSED = nrpa.jit(kernels.play), kernels.missed


def reset(instance, state):
    """Stand at the depot."""
    RESET(instance, state)
    state.second[0] = 0.0


RESET = nrpa.jit(kernels.reset)


def play(instance, state, move):
    """Travel to the city ``move``, at the second cost, too."""
    state.second[0] += instance.second[state.counts[kernels.CITY], move]
    PLAY(instance, state, move)


def goal(instance, state, place):
    """Return minus a cost of the tour closed at the depot, with its penalties."""
    if place == 0:
        return -(kernels.cost(instance, state) + instance.penalty * MISSED(instance, state))
    home = instance.second[state.counts[kernels.CITY], 0]
    return -(state.second[0] + home + instance.penalty * MISSED(instance, state))


State = namedtuple("State", (*kernels.State._fields, "second"))
nrpa.kernels(reset, kernels.legal_moves, play, kernels.score, goal)(State)


class TwoCosts(nrpa.TSPTW):
    """A tour whose second cost is twice the distance between other places of the cities."""

    goals = nrpa.Objective("first", -1, digits=2), nrpa.Objective("second", -1, digits=2)

    def __init__(self, given: nrpa.TSPTW, second: np.ndarray) -> None:
        self.__dict__.update(given.__dict__, second=second)
        self.instance = Instance(*given.instance, second)

    @classmethod
    def drawn(cls, name: str, **options: Any) -> TwoCosts:
        """Return a bundled instance with other places; the draw is that of the instance's name."""
        given = nrpa.TSPTW.load(name, **options)
        places = np.random.default_rng([*name.encode()]).integers(0, SIDE, (given.cities, 2))
        return cls(given, 2.0 * np.linalg.norm(places[:, None] - places, axis=2))

    def new_state(self) -> Any:
        """Return a state with room for the second cost."""
        return State(*super().new_state(), np.zeros(1))

    def check(self, solution: Any) -> nrpa.Verdict:
        """Return both costs with their penalties, too."""
        found = super().check(solution)
        second = sum(float(self.second[one, other]) for one, other in pairwise([0, *solution, 0]))
        second += self.instance.penalty * found.figures["violations"]
        figures = {"first": -found.score, "second": second, **found.figures}
        return nrpa.Verdict(figures, found.faults, found.score, faults_counted=True)


def main() -> None:
    """Make the runs that the record does not hold yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RECORD)
    parser.add_argument("--instances", nargs="+", default=[*NADIRS])
    parser.add_argument("--variants", nargs="+", default=[PUBLISHED, *OURS])
    parser.add_argument("--seeds", type=int, default=SEEDS)
    chosen = parser.parse_args()
    done = {tuple(row[name] for name in COLUMNS[:3]) for row in read_rows(chosen.out, COLUMNS)}
    for seed, *key in product(range(1, chosen.seeds + 1), chosen.instances, chosen.variants):
        if (*key, str(seed)) not in done:
            append_row(chosen.out, dict(zip(COLUMNS, (*key, seed, front_text(*key, seed)), strict=True)))


def front_text(instance: str, variant: str, seed: int) -> str:
    """Return the costs of the front that one run finds, as the record has them."""
    if variant == PUBLISHED:
        problem = TwoCosts.drawn(instance)
        found = pareto_nrpa(problem.distances, problem.second, problem.windows, LEVEL, ITERATIONS, seed)
    else:
        level, iterations, options = OURS[variant]
        problem, solver = TwoCosts.drawn(instance, **options), nrpa.ParetoNRPA(level=level, iterations=iterations)
        result = nrpa.solve(problem, solver, seed=seed, playouts=PLAYOUTS)
        found = [tuple(each["figures"].values()) for each in result.front or []]
    return "; ".join(f"{first:.8g} {second:.8g}" for first, second in sorted(found))


def two_costs(path: str = "results/two-costs.csv") -> str:
    """Return a table of the hypervolumes of a record, in thousands: the mean, the least and the most, how many runs."""
    rows = read_rows(Path(__file__).resolve().parent / path, COLUMNS)
    variants, found = [PUBLISHED, *OURS], defaultdict(list)
    for row in rows:
        front = [tuple(map(float, point.split())) for point in row["front"].split("; ")]
        found[row["instance"], row["variant"]].append(hypervolume(front, NADIRS[row["instance"]]) / 1000)
    lines = [["", *variants]]
    for instance in dict.fromkeys(row["instance"] for row in rows):
        cells = [found[instance, name] for name in variants]
        texts = [f"{fmean(of):,.1f} [{min(of):,.1f}, {max(of):,.1f}] ({len(of)})" if of else "" for of in cells]
        lines.append([instance, *texts])
    return markdown(lines)


def hypervolume(front: Iterable[Sequence[float]], reference: Sequence[float]) -> float:
    """Return the area that a front of two costs has before a reference point."""
    area, low = 0.0, reference[1]
    for first, second in sorted(map(tuple, front)):
        area += max(reference[0] - first, 0.0) * max(low - second, 0.0)
        low = min(low, second)
    return area


if __name__ == "__main__":
    run(main)
