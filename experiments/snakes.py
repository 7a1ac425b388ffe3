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
SEEDS = {8: range(11, 21), 9: range(11, 15), 7: range(11, 21)}
LEFT_OUT = 5  # edges at the end of the smaller snake


def main() -> None:
    """Make the runs that the record does not hold yet."""
    done = {tuple(row[name] for name in COLUMNS[:4]) for row in read_rows(RECORD, COLUMNS)}
    for dimensions, seeds in SEEDS.items():
        for seed in seeds:
            for coil in (False, True):
                for variant in ("plain", "symmetric", "begin"):
                    key = dimensions, coil, variant, seed
                    if tuple(map(str, key)) not in done:
                        begin = smaller(dimensions, seed) if variant == "begin" else ""
                        given = nrpa.Snake(dimensions, coil, symmetric=variant == "symmetric", begin=begin)
                        path = found(given, seed, PLAYOUTS // 2 if begin else PLAYOUTS)
                        edges = round(given.check(path).score)
                        row = dict(zip(COLUMNS, (*key, edges, given.draw(path).replace("\n", "")), strict=True))
                        append_row(RECORD, row)


def smaller(dimensions: int, seed: int) -> str:
    """Return most of a snake of one dimension less, after half the playouts, shared by all that are smaller."""
    begin = ""
    for less, share in ((dimensions - 2, 8), (dimensions - 1, 8 / 3)):
        snake = nrpa.Snake(less, begin=begin)
        begin = snake.draw(found(snake, seed, round(PLAYOUTS / share))).replace("\n", "")[:-LEFT_OUT]
    return begin


def found(given: nrpa.Snake, seed: int, playouts: int) -> list[int]:
    """Return the longest path that a search comes upon."""
    path: list[int] = nrpa.solve(given, seed=seed, playouts=playouts).solution
    return path


if __name__ == "__main__":
    run(main)
