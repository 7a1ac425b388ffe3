"""Snakes and coils that begin with snakes of fewer dimensions, at equal playouts: the record of docs/problems/snake.md.

python experiments/snakes.py
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from rows import complete, run

import nrpa

RECORD = Path(__file__).resolve().parent / "results" / "snakes.csv"
COLUMNS = "dimensions", "coil", "variant", "seed", "edges", "path"
PLAYOUTS = 2_000_000
SEEDS = {8: range(11, 21), 9: range(11, 15)}
LEFT_OUT = 5  # edges at the end of the smaller snake
FIRST = 7  # dimensions that begin with nothing


def main() -> None:
    """Make the runs that the record does not hold yet."""
    ways = [*product((False, True), ("plain", "symmetric", "begin"))]
    keys = [(dimensions, *way, seed) for dimensions, seeds in SEEDS.items() for seed in seeds for way in ways]
    complete(RECORD, COLUMNS, keys, edges_and_path)


def edges_and_path(dimensions: int, coil: bool, variant: str, seed: int) -> tuple[int, str]:
    """Return what one run finds."""
    given = nrpa.Snake(dimensions, coil, symmetric=variant == "symmetric")
    begins = variant == "begin"
    path = chained(dimensions, coil, seed, PLAYOUTS) if begins else found(given, seed, PLAYOUTS)
    return round(given.check(path).score), given.draw(path).replace("\n", "")


def chained(dimensions: int, coil: bool, seed: int, playouts: int) -> list[int]:
    """Return a path after so many playouts; a quarter of them for the snake that it begins with."""
    begin = ""
    if dimensions > FIRST:
        smaller = chained(dimensions - 1, False, seed, playouts // 4)
        begin = nrpa.Snake(dimensions - 1).draw(smaller).replace("\n", "")[:-LEFT_OUT]
    return found(nrpa.Snake(dimensions, coil, begin=begin), seed, playouts // 4 * 3 if begin else playouts)


def found(given: nrpa.Snake, seed: int, playouts: int) -> list[int]:
    """Return the longest path that a search comes upon."""
    path: list[int] = nrpa.solve(given, seed=seed, playouts=playouts).solution
    return path


if __name__ == "__main__":
    run(main)
