"""Tree walks a second of UCT, GRAVE and MCPS beside playouts a second of `random`, each from an empty tree.

    python experiments/tree_speed.py --playouts 5000 --repeats 40

Every repeat searches a position from nothing, so that the tree is as large as it gets in a match of so many playouts a
move. The solvers take turns, so that what else the machine does meets all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import nrpa
from nrpa.engine.random import random_state
from nrpa.solvers import nmcs_search, tree_search
from nrpa.solvers.tree import GRAVE, MCPS, RAVE, UCT

SOLVERS = {"uct": UCT(), "rave": RAVE(), "grave": GRAVE(ref=50), "mcps": MCPS(ref=50)}
PROBLEMS: dict[str, Callable[[], Any]] = {
    "hex 7x7": lambda: nrpa.Hex(size=7),
    "nogo 7x7": lambda: nrpa.Nogo(size=7),
    "atarigo 7x7": lambda: nrpa.Atarigo(size=7),
    "samegame-01": lambda: nrpa.SameGame.load("samegame-01"),
}


def trees(problem: Any, solver: Any) -> Callable[[int, int], float]:
    """Return a function of playouts and seed that returns the seconds of one search from an empty tree."""
    search = tree_search.start(solver, problem, 0)

    def seconds(playouts: int, seed: int) -> float:
        search.begin_at([], seed)
        begun = perf_counter()
        search.advance(playouts)
        return perf_counter() - begun

    return seconds


def playouts_alone(problem: Any) -> Callable[[int, int], float]:
    """Return the same of independent playouts from the root."""
    search = nmcs_search.start(problem, 0, 0, "uniform")

    def seconds(playouts: int, seed: int) -> float:
        search.memory.random[:] = random_state(seed)
        begun = perf_counter()
        search.advance(playouts)
        return perf_counter() - begun

    return seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--playouts", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--problem", choices=PROBLEMS, action="append")
    given = parser.parse_args()
    print(f"{'problem':12} {'solver':8} {'a second':>10} {'of random':>10} {'of grave':>9}")
    for name in given.problem or PROBLEMS:
        problem = PROBLEMS[name]()
        run = {"random": playouts_alone(problem)} | {key: trees(problem, solver) for key, solver in SOLVERS.items()}
        taken: dict[str, list[float]] = {key: [] for key in run}
        for seed in range(given.repeats + 1):
            for key, seconds in run.items():
                taken[key].append(seconds(given.playouts, seed))
        # The first round makes the arrays as large as they get.
        rates = {key: given.playouts / median(times[1:]) for key, times in taken.items()}
        for key, rate in rates.items():
            of_random, of_grave = rate / rates["random"], rate / rates["grave"]
            print(f"{name:12} {key:8} {rate:10,.0f} {of_random:10.2f} {of_grave:9.2f}", flush=True)


if __name__ == "__main__":
    main()
