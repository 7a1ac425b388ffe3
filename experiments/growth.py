"""What a playout costs as instances grow: TSPTW with 50 to 2,000 cities, SameGame boards from 10 × 10 to 40 × 40.

    python experiments/growth.py growth.csv growth.png

Level 3 of GNRPA on random instances, in processor time: microseconds a playout and a move, without the loading of
machine code and without the first playouts, in which room is made. Writes the table and draws it.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import nrpa
from nrpa.modelling.base_problem import BaseProblem

CITIES = (50, 100, 200, 500, 1000, 2000)
SIDES = (10, 15, 20, 30, 40)
COLORS = 5
FIRST = 20
COLUMNS = ("problem", "size", "moves", "playouts", "microseconds a playout", "microseconds a move")


def tour(cities: int) -> nrpa.TSPTW:
    """Return cities in a square, with windows around the times of a random tour, so that all can be in time."""
    draw = np.random.default_rng(cities)
    places = draw.uniform(0, 100, (cities, 2))
    distances = np.linalg.norm(places[:, None] - places[None, :], axis=2)
    order = np.concatenate([[0], 1 + draw.permutation(cities - 1)])
    times = np.concatenate([[0.0], np.cumsum(distances[order[:-1], order[1:]])])
    windows = np.empty((cities, 2))
    windows[order, 0], windows[order, 1] = np.maximum(times - 100, 0), times + 100
    windows[0] = 0, 2 * times[-1] + 1000
    return nrpa.TSPTW(distances, windows)


def board(side: int) -> nrpa.SameGame:
    """Return a random board."""
    return nrpa.SameGame(np.random.default_rng(side).integers(1, COLORS + 1, (side, side)))


def measured(problem: BaseProblem, seconds: float) -> tuple[int, int, float]:
    """Return the moves of the best solution, the playouts done, and the processor time of one in microseconds."""
    run = nrpa.start(problem, nrpa.GNRPA(level=3), seed=1)
    run.advance(playouts=FIRST)
    done, chunk, begin = FIRST, FIRST, time.process_time()
    while time.process_time() < begin + seconds:
        done, chunk = done + chunk, 2 * chunk
        run.advance(playouts=done)
    spent = time.process_time() - begin
    solution = run.result().solution
    return len(solution), done - FIRST, 1e6 * spent / (done - FIRST)


def draw(rows: list[dict[str, str]], path: Path) -> None:
    """Draw the time of a playout and of a move by the size, both axes logarithmic."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for panel, problem, unit in zip(panels, ("tsptw", "samegame"), ("cities", "cells"), strict=True):
        own = [row for row in rows if row["problem"] == problem]
        sizes = [int(row["size"]) for row in own]
        for column, mark in (("microseconds a playout", "o-"), ("microseconds a move", "s--")):
            panel.loglog(sizes, [float(row[column]) for row in own], mark, label=column)
        panel.set(xlabel=unit, ylabel="µs", title=problem)
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
        panel.minorticks_off()
        panel.grid(visible=True, alpha=0.3)
        panel.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main() -> None:
    """Measure, print and write a row for each size, and draw them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("picture", type=Path)
    parser.add_argument("--seconds", type=float, default=3.0, help="processor time for each size")
    options = parser.parse_args()
    sizes = [("tsptw", cities, tour(cities)) for cities in CITIES]
    sizes += [("samegame", side * side, board(side)) for side in SIDES]  # type: ignore[misc]
    rows = []
    with options.table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for problem, size, instance in sizes:
            moves, playouts, spent = measured(instance, options.seconds)
            values = (problem, size, moves, playouts, f"{spent:.4g}", f"{spent / moves:.4g}")
            rows.append(dict(zip(COLUMNS, map(str, values), strict=True)))
            writer.writerow(rows[-1])
            print(*values, flush=True)
    draw(rows, options.picture)


if __name__ == "__main__":
    main()
