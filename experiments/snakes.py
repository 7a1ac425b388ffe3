"""Snakes and coils that begin with snakes of fewer dimensions, at equal playouts: the record of docs/problems/snake.md.

python experiments/snakes.py
"""

from __future__ import annotations

from pathlib import Path

from rows import append_row, read_rows, run

import nrpa

RECORD = Path(__file__).resolve().parent / "results" / "snakes.csv"
COLUMNS = "dimensions", "coil", "variant", "seed", "edges", "path"
PLAYOUTS = 2_000_000
SEEDS = {8: range(11, 21), 9: range(11, 15)}
LEFT_OUT = 5  # edges at the end of the smaller snake
FIRST = 7  # dimensions that begin with nothing


def main() -> None:
    """Make the runs that the record does not hold yet."""
    done = {tuple(row[name] for name in COLUMNS[:4]) for row in read_rows(RECORD, COLUMNS)}
    for dimensions, seeds in SEEDS.items():
        for seed in seeds:
            for coil in (False, True):
                for variant in ("plain", "symmetric", "begin"):
                    key = dimensions, coil, variant, seed
                    if tuple(map(str, key)) not in done:
                        given = nrpa.Snake(dimensions, coil, symmetric=variant == "symmetric")
                        if variant == "begin":
                            path = chained(dimensions, coil, seed, PLAYOUTS)
                        else:
                            path = found(given, seed, PLAYOUTS)
                        edges = round(given.check(path).score)
                        row = dict(zip(COLUMNS, (*key, edges, given.draw(path).replace("\n", "")), strict=True))
                        append_row(RECORD, row)


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
