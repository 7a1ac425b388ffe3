"""What it costs to give a problem's own rule of β as a function: ``python experiments/bias_speed.py``.

Playouts a second of the processor by GNRPA, level 3; machine code is made before.
"""

from itertools import product
from pathlib import Path

import numpy as np
from tables import append_row, read_rows, run

import nrpa

FILE = Path(__file__).parent / "results" / "bias-speed.csv"
COLUMNS = "problem", "way", "seed", "rate"
PROBLEMS = {"TSPTW rc204.1": nrpa.TSPTW.load("rc204.1"), "SameGame 1": nrpa.SameGame.load("samegame-01")}
WAYS = "by the problem", "`bias=`", "`with_prior`"
SECONDS, SEEDS = 2.0, (1, 2, 3)


tsptw, samegame = PROBLEMS.values()
values, cities = tsptw.bias_by_code(), tsptw.cities


def of_tsptw(_instance, state, move, _code):
    """Return β of a city, by where the tour stands."""
    return values[cities * state.counts[0] + move]


def of_samegame(_instance, state, move, _code):
    """Return β of a group, by its root."""
    return np.log(state.exp_bias[move])


RULES = dict(zip(PROBLEMS, (of_tsptw, of_samegame), strict=True))


def searched(name, way):
    """Return the problem and the bias with which it is searched."""
    problem, rule = PROBLEMS[name], RULES[name]

    def prior(states, moves):
        return [[rule(None, state, move, None) for move in legal] for state, legal in zip(states, moves, strict=True)]

    return (nrpa.with_prior(problem, prior), None) if way == WAYS[2] else (problem, rule if way == WAYS[1] else None)


def main():
    """Run what is missing in the record."""
    done = {(row["problem"], row["way"], row["seed"]) for row in read_rows(FILE, COLUMNS)}
    solver = nrpa.GNRPA(level=3)
    for name, way in product(RULES, WAYS):
        problem, bias = searched(name, way)
        for seed in SEEDS:
            if (name, way, str(seed)) not in done:
                limits = {"seed": seed, "clock": "processor", "bias": bias}
                nrpa.solve(problem, solver, time=0.01, **limits)
                rate = nrpa.solve(problem, solver, time=SECONDS, **limits).playouts / SECONDS
                append_row(FILE, dict(zip(COLUMNS, (name, way, seed, f"{rate:.1f}"), strict=True)))


if __name__ == "__main__":
    run(main)
