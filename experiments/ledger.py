"""The ledger of answers: what the default solver finds on instances of all kinds and sizes, beside the record.

    python experiments/ledger.py
    python experiments/ledger.py tsptw "coloring DSJC125.5" --record

Without names, all rows; a problem means all of its rows. A row is an instance and a number of playouts, so that every
machine finds the same. Games are matches: the share of games that MCPS wins against UCT. ``--record`` writes what is
found into results/ledger.csv, a line for each seed.

A row is *same* where each seed has its score of before; *better* or *worse* where the interval of 95 % of the
differences, seed by seed, leaves out zero; else *level*. The exit status is 1 where a row is worse. A change that makes
one worse says why.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import t as student

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "strangers"), str(HERE.parent / "examples")]

from tables import read_rows, run  # noqa: E402

import nrpa  # noqa: E402
from nrpa.base.errors import InputError  # noqa: E402
from nrpa.base.values import aligned  # noqa: E402
from nrpa.io.csv_lines import lines_of  # noqa: E402
from nrpa.io.files import write_text  # noqa: E402

FILE = HERE / "results" / "ledger.csv"
COLUMNS = ("row", "playouts", "seed", "score", "value", "valid")
SEEDS = (1, 2, 3, 4)
GAMES = 10


def drawn_tour(cities: int) -> nrpa.TSPTW:
    """Return cities in a square, with windows around the times of a random tour."""
    random = np.random.default_rng(cities)
    places = random.uniform(0, 100, (cities, 2))
    distances = np.hypot(*(places[:, None] - places).T)
    tour = [0, *random.permutation(np.arange(1, cities))]
    times = np.cumsum([0.0, *distances[tour[:-1], tour[1:]]])
    windows = np.zeros((cities, 2))
    windows[tour] = np.stack([times - random.uniform(0, 200, cities), times + random.uniform(0, 200, cities)], axis=1)
    windows[0] = 0, times[-1] + 1000
    return nrpa.TSPTW(distances, np.maximum(windows, 0))


def late_tour(cities: int) -> nrpa.TSPTW:
    """Return whole distances and windows of which not all can be met."""
    random = np.random.default_rng(cities)
    opens = random.integers(0, 10 * cities, cities)
    windows = np.stack([opens, opens + random.integers(0, 60, cities)], axis=1)
    windows[0] = 0, 10**6
    return nrpa.TSPTW(random.integers(1, 40, (cities, cities)), windows)


def drawn_bins(items: int) -> nrpa.BinPacking:
    """Return whole sizes from 50 to 700 for bins of 1,000."""
    return nrpa.BinPacking(1000, np.random.default_rng(items).integers(50, 701, items).tolist())


def drawn_graph(nodes: int) -> nrpa.Coloring:
    """Return a graph in which each edge is there with probability 0.1."""
    ends = np.triu(np.random.default_rng(nodes).random((nodes, nodes)) < 0.1, 1)
    return nrpa.Coloring(nodes, np.argwhere(ends))


def drawn_board(side: int) -> nrpa.SameGame:
    """Return a board of five colours."""
    return nrpa.SameGame(np.random.default_rng(side).integers(0, 5, (side, side)))


def stranger(name: str, instance: str) -> Any:
    """Return a problem of the folder ``strangers``."""
    table = importlib.import_module("table")
    return table.problem_of(importlib.import_module(name), instance)


def example(module: str, kind: str, instance: str) -> Any:
    """Return a problem of the folder ``examples``."""
    return getattr(importlib.import_module(module), kind).load(instance)


def bundled(kind: str, instance: str, **options: Any) -> Callable[[], Any]:
    """Return what loads a bundled instance."""
    return lambda: getattr(nrpa, kind).load(instance, **options)


ROWS: dict[str, tuple[Callable[[], Any], int]] = {
    "tsptw rc201.1": (bundled("TSPTW", "rc201.1"), 1_000),
    "samegame samegame-01": (bundled("SameGame", "samegame-01"), 1_000_000),
    "binpacking Hard28_BPP40": (bundled("BinPacking", "Hard28_BPP40"), 3),
    "coloring DSJC125.5": (bundled("Coloring", "DSJC125.5"), 1_000),
    "vrptw c101": (bundled("VRPTW", "c101"), 20),
    "morpion 4D": (bundled("Morpion", "4D"), 500_000),
    "tsptw rc204.1": (bundled("TSPTW", "rc204.1"), 1_000),
    "rna eterna-v1-66": (bundled("InverseFolding", "eterna-v1-66"), 60),
    "snake 7": (bundled("Snake", "7"), 500_000),
    "schur 7": (bundled("WeakSchur", "7"), 50_000),
    "fold trna-phe pseudoknots": (bundled("Folding", "trna-phe", pseudoknots=True), 50_000),
    "tsptw n100w120.002": (bundled("TSPTW", "n100w120.002"), 60),
    "samegame samegame-08": (bundled("SameGame", "samegame-08"), 500_000),
    "binpacking HARD0": (bundled("BinPacking", "HARD0"), 4),
    "coloring le450_15c": (bundled("Coloring", "le450_15c"), 100),
    "vrptw r104": (bundled("VRPTW", "r104"), 100),
    "morpion 5D": (bundled("Morpion", "5D"), 1_000_000),
    "tsptw n200w120.002": (bundled("TSPTW", "n200w120.002"), 60),
    "snake coil-7": (bundled("Snake", "coil-7"), 500_000),
    "schur 9": (bundled("WeakSchur", "9"), 15_000),
    "tsptw rbg152": (bundled("TSPTW", "rbg152"), 20),
    "samegame drawn 30": (lambda: drawn_board(30), 10_000),
    "binpacking HARD2": (bundled("BinPacking", "HARD2"), 2),
    "coloring flat300_28_0": (bundled("Coloring", "flat300_28_0"), 100),
    "vrptw rc106": (bundled("VRPTW", "rc106"), 100),
    "morpion 5T": (bundled("Morpion", "5T"), 1_000_000),
    "tsptw drawn 200": (lambda: drawn_tour(200), 300),
    "snake 8": (bundled("Snake", "8"), 500_000),
    "tsptw late 40": (lambda: late_tour(40), 10_000),
    "binpacking drawn 300": (lambda: drawn_bins(300), 1),
    "coloring drawn 500": (lambda: drawn_graph(500), 4),
    "vrptw r109 distance": (bundled("VRPTW", "r109", first="distance"), 100),
    "tsptw rc203.1 makespan": (bundled("TSPTW", "rc203.1", minimize="makespan"), 1_000),
    "stranger tardiness": (lambda: stranger("tardiness", "wt40-11"), 20_000),
    "stranger flowshop": (lambda: stranger("flowshop", "ta051"), 1_000_000),
    "stranger bandwidth": (lambda: stranger("bandwidth", "6"), 40_000),
    "stranger maxsat": (lambda: stranger("maxsat", "80"), 100_000),
    "stranger jobshop": (lambda: stranger("jobshop", "ft10"), 40_000),
    "stranger machines": (lambda: stranger("machines", "40"), 500_000),
    "stranger elevator": (lambda: stranger("elevator", "30"), 20_000),
    "stranger multiknapsack": (lambda: stranger("multiknapsack", "mknapcb1-1"), 1_000_000),
    "stranger setcover": (lambda: stranger("setcover", "100"), 50_000),
    "stranger line": (lambda: stranger("line", "30"), 50_000),
    "packing 20x20/16/1": (lambda: example("packing", "Packing", "20x20/16/1"), 3_000),
    "hex 5": (lambda: nrpa.Hex(size=5), 200),
    "nogo 5": (lambda: nrpa.Nogo(size=5), 200),
    "breakthrough 5": (lambda: nrpa.Breakthrough(size=5), 100),
}


class Found(NamedTuple):
    """What a search has found."""

    score: float
    value: float
    valid: bool


def find(row: str, seed: int) -> Found:
    """Return the answer of a row for a seed."""
    make, playouts = ROWS[row]
    problem = make()
    if problem.players > 1:
        result = nrpa.match(problem, nrpa.MCPS(), nrpa.UCT(), playouts=playouts, games=GAMES, seed=seed)
        share = float(np.mean([game.rewards[game.seats.index(0)] for game in result.games]))
        return Found(share, share, True)
    found = nrpa.solve(problem, seed=seed, playouts=playouts)
    return Found(float(found.score), float(found.value), not found.faults)


def find_all(row: str) -> list[Found]:
    """Return the answers of a row, one for each seed."""
    return [find(row, seed) for seed in SEEDS]


def rows_named(names: Sequence[str]) -> list[str]:
    """Return the rows with some names, or of some problems; all without names. Raises InputError if there is none."""
    if not names:
        return list(ROWS)
    for name in names:
        if not any(name in (row, row.partition(" ")[0]) for row in ROWS):
            raise InputError(f"{name}: no such row; expected a problem or some of {', '.join(ROWS)}")
    return [row for row in ROWS if not {row, row.partition(" ")[0]}.isdisjoint(names)]


def recorded() -> dict[str, list[Found]]:
    """Return the answers on record by row, for rows whose playouts have not changed since."""
    kept: dict[str, list[Found]] = {}
    for line in read_rows(FILE, COLUMNS):
        if line["row"] in ROWS and int(line["playouts"]) == ROWS[line["row"]][1]:
            found = Found(float(line["score"]), float(line["value"]), line["valid"] == "yes")
            kept.setdefault(line["row"], []).append(found)
    return kept


def record(answers: dict[str, list[Found]]) -> None:
    """Write the answers of all rows, in the order of the rows."""
    lines = [
        (row, ROWS[row][1], seed, repr(found.score), repr(found.value), "yes" if found.valid else "no")
        for row in ROWS
        for seed, found in zip(SEEDS, answers.get(row, []), strict=False)
    ]
    write_text(FILE, lines_of([COLUMNS, *lines]))


def verdict(before: Sequence[Found], now: Sequence[Found]) -> str:
    """Return what has become of a row: new, same, better, worse, or level."""
    if len(before) != len(now):
        return "new"
    differences = np.array([after.score - earlier.score for earlier, after in zip(before, now, strict=True)])
    if not differences.any():
        return "same"
    half = student.ppf(0.975, len(now) - 1) * differences.std(ddof=1) / np.sqrt(len(now))
    if abs(differences.mean()) <= half:
        return "level"
    return "better" if differences.mean() > 0 else "worse"


def shown(answers: Sequence[Found]) -> str:
    """Return the mean value, and how many are not valid."""
    if not answers:
        return "-"
    faulty = sum(not found.valid for found in answers)
    return f"{np.mean([found.value for found in answers]):,.2f}" + (f" ({faulty} not valid)" if faulty else "")


def main() -> None:
    """Find the answers, print each row as it is done, and what is better, level and worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help="rows, or problems; all without")
    parser.add_argument("--record", action="store_true", help="write what is found")
    parser.add_argument("--processes", type=int, default=2, help="2")
    options = parser.parse_args()
    names, known = rows_named(options.rows), recorded()
    answers: dict[str, list[Found]] = {}
    lines = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for name, found in zip(names, pool.map(find_all, names), strict=True):
            answers[name] = found
            before = known.get(name, [])
            lines[name] = [name, f"{ROWS[name][1]:,}", shown(before), shown(found), verdict(before, found)]
            print(*lines[name], sep="  ", flush=True)
            if options.record:
                record({**known, **answers})
    print("\n" + aligned([["row", "playouts", "before", "now", ""], *lines.values()], left=(0, 4)))
    counted = Counter(line[-1] for line in lines.values())
    print("\n" + ", ".join(f"{number} {word}" for word, number in sorted(counted.items())))
    sys.exit(counted["worse"] > 0)


if __name__ == "__main__":
    run(main)
