"""Compare models of bin packing on training instances: how many reach the lower bound, and in what time."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence

import nrpa
from nrpa.problems.binpacking.bounds import first_fit_decreasing, l1

MODELS = (("all", "room"), ("all", "opener"), ("tight", "room"), ("tight", "opener"))
Training = tuple[int, list[int]]


def main() -> None:
    """Print a row for each class and model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time", type=float, default=4.0, help="for each instance")
    parser.add_argument("--count", type=int, default=6, help="instances of each class")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'class':8} {'moves':6} {'codes':7} {'solved':>8} {'seconds':>8}")
    for family, draw in CLASSES.items():
        instances = [draw(random.Random(f"{family} {k}")) for k in range(options.count)]
        for moves, codes in MODELS:
            print_row(family, instances, moves, codes, options)


def print_row(family: str, instances: Sequence[Training], moves: str, codes: str, options: argparse.Namespace) -> None:
    """Search all instances of a class with one model and print what came of it."""
    results = [
        nrpa.solve(nrpa.BinPacking(capacity, sizes, moves=moves, codes=codes), seed=options.seed, time=options.time)
        for capacity, sizes in instances
    ]
    solved = sum(result.status == "optimal" for result in results)
    seconds = sum(result.seconds for result in results)
    print(f"{family:8} {moves:6} {codes:7} {solved:4}/{len(results):<3} {seconds:8.1f}", flush=True)


def triplets(rng: random.Random, bins: int) -> Training:
    """Return items that fill ``bins`` bins exactly, three to each, drawn as Falkenauer's triplets."""
    sizes = []
    for _ in range(bins):
        first = rng.randint(380, 490)
        second = rng.randint(250, (1000 - first) // 2)
        sizes += [first, second, 1000 - first - second]
    return 1000, sizes


def uniform(rng: random.Random) -> Training:
    """Return 250 items of 20 to 100 as Falkenauer's, of those that first-fit decreasing fails on with little slack."""
    while True:
        sizes = [rng.randint(20, 100) for _ in range(250)]
        if is_hard(150, sizes, slack=40):
            return 150, sizes


def hard(rng: random.Random) -> Training:
    """Return 140 to 180 items of 1 to 700 that first-fit decreasing fails on with little slack, as Hard28's."""
    while True:
        sizes = [rng.randint(1, 700) for _ in range(rng.choice((140, 160, 180)))]
        if is_hard(1000, sizes, slack=300):
            return 1000, sizes


def is_hard(capacity: int, sizes: list[int], slack: int) -> bool:
    """Return whether first-fit decreasing needs more bins than L1, which leaves less than ``slack`` unused."""
    bound = l1(capacity, sizes)
    return bound * capacity - sum(sizes) < slack and first_fit_decreasing(capacity, sizes) > bound


CLASSES: dict[str, Callable[[random.Random], Training]] = {
    "t60": lambda rng: triplets(rng, 20),
    "t120": lambda rng: triplets(rng, 40),
    "u250": uniform,
    "hard": hard,
}

if __name__ == "__main__":
    main()
