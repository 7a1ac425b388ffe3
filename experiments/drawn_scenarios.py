"""Scenarios drawn anew by each search of level 1, against some that are kept, at equal simulated sequences.

    python experiments/drawn_scenarios.py drawn.csv

A row is written when it is there; those in the file are not run again. What was found is judged on 1,000 other
scenarios.
"""

import random
import sys
from itertools import product
from pathlib import Path
from statistics import mean, stdev

from rows import complete, read_rows

import nrpa

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from production_line import ProductionLine, breakdowns

SIMULATED, SEARCHED, COMPARED, ITERATIONS, UNSEEN = 10_000, 5, 50, 50, 1_000
KEPT = {"5 kept": 5, "20 kept": 20, "50 kept": 50}
SEEDS = range(1, 21)
COLUMNS = "problem", "instance", "seed", "way", "promised", "true"


class Knapsack(nrpa.Problem):
    """Thirty items are packed or left; their sizes are known later, and what is too much costs five for each unit."""

    objective = nrpa.Objective("profit", sign=1, digits=1)

    def __init__(self, name, number):
        draw = random.Random(f"knapsack {name}")
        self.gains = [draw.randint(5, 25) for _ in range(30)]
        means = [gain * draw.uniform(0.5, 1.5) for gain in self.gains]
        self.room = sum(means) / 3
        luck = random.Random(f"knapsack {name}, {number}")
        self.sizes = [luck.expovariate(1 / size) for size in means]

    def initial_state(self):
        """Return items decided, gain and size."""
        return 0, 0, 0.0

    def legal_moves(self, state):
        """Return whether the next item can be packed: always."""
        return [0, 1] if state[0] < len(self.gains) else []

    def play(self, state, move):
        """Pack the next item, or leave it."""
        item, gain, size = state
        return item + 1, gain + move * self.gains[item], size + move * self.sizes[item]

    def score(self, state):
        """Return the profit."""
        return state[1] - 5 * max(0.0, state[2] - self.room)

    def code(self, state, move):
        """Return the item, and whether it is packed."""
        return state[0], move


def drawing(kind, name):
    """Return the function that gives the scenario of a number."""
    if kind == "knapsack":
        return lambda number: Knapsack(name, number)
    line = ProductionLine.load(name)
    return lambda number: ProductionLine(
        line.orders, line.setup, breakdowns(random.Random(f"{name}, {number}"), 1, len(line.orders))
    )


def found(kind, name, seed, way):
    """Return what a search finds in one of four ways: the score it saw, and the mean on scenarios that it did not."""
    draw = drawing(kind, name)
    if way == "drawn":
        problem = nrpa.averaged(draw, searched=SEARCHED, compared=COMPARED)
        # The first playout is compared, and the result of each search of level 1.
        playouts = (SIMULATED - COMPARED) // (SEARCHED * ITERATIONS + COMPARED) * ITERATIONS
    else:
        problem = nrpa.averaged(map(draw, range(seed * 1000, seed * 1000 + KEPT[way])))
        playouts = SIMULATED // KEPT[way]
    result = nrpa.solve(problem, nrpa.GNRPA(level=2, iterations=ITERATIONS), seed=seed, playouts=playouts)
    unseen = nrpa.averaged(map(draw, range(-UNSEEN, 0)))
    return round(result.score, 3), round(unseen.score(unseen.final_state(result.solution)), 3)


def main(path):
    """Run what is not in the file, and print the gains."""
    instances = [*product(["line"], map(str, range(21, 26))), *product(["knapsack"], "123")]
    keys = [(*instance, *run) for instance, *run in product(instances, SEEDS, [*KEPT, "drawn"])]
    complete(path, COLUMNS, keys, found)
    done = {tuple(row[key] for key in COLUMNS[:4]): float(row["true"]) for row in read_rows(path, COLUMNS)}
    for kind, name in instances:
        true = {way: [done[kind, name, str(seed), way] for seed in SEEDS] for way in [*KEPT, "drawn"]}
        shown = [f"{way} {shown_mean(each)}" for way, each in true.items()]
        for way in KEPT:
            gains = [new - old for new, old in zip(true["drawn"], true[way], strict=True)]
            shown.append(f"gain over {way} {shown_mean(gains)}")
        print(f"{kind} {name}:", ", ".join(shown))


def shown_mean(values):
    """Return a mean with its interval, 2 sigma / sqrt(n)."""
    return f"{mean(values):.1f} ({2 * stdev(values) / len(values) ** 0.5:.1f})"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
