"""What records, clock and limits cost: the same searches with and without them, in processor time.

    python experiments/recording.py

Each pair does the same playouts with the same seed: once by the bare search, once by `nrpa.start(...).advance(...)`,
which looks at the clock every 10 ms and keeps the anytime curves.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import nrpa


def main() -> None:
    """Print the overhead of each pair, their median, and the time of a bare search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--playouts", type=int, default=500_000)
    parser.add_argument("--pairs", type=int, default=15)
    options = parser.parse_args()
    problem, solver = nrpa.TSPTW.load("rc204.1"), nrpa.GNRPA(tau=1.4)
    ratios = []
    for seed in range(options.pairs):
        pair = {bare: 0.0, recorded: 0.0}
        for function in sorted(pair, key=lambda f: (f is bare) == (seed % 2 == 0)):
            pair[function] = function(problem, solver, seed, options.playouts)
        ratios.append(pair[recorded] / pair[bare] - 1)
        print(f"seed {seed}: {pair[bare]:.2f} s bare, {ratios[-1]:+.2%} recorded", flush=True)
    low, middle, high = np.percentile(ratios, (25, 50, 75))
    print(f"median {middle:+.2%}, quartiles {low:+.2%} and {high:+.2%}")


def bare(problem: nrpa.BaseProblem, solver: nrpa.GNRPA, seed: int, playouts: int) -> float:
    """Return the processor time of the search alone."""
    search = solver.start(problem, seed)
    begin = time.process_time()
    while search.playouts < playouts:
        search.advance(playouts - search.playouts)
    return time.process_time() - begin


def recorded(problem: nrpa.BaseProblem, solver: nrpa.GNRPA, seed: int, playouts: int) -> float:
    """Return the processor time of the search with its records."""
    run = nrpa.start(problem, solver, seed=seed)
    begin = time.process_time()
    run.advance(playouts=playouts)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
