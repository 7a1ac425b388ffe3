"""How many playouts, or seconds, it takes to the best known value of TSPTW instances, a row each; resumable.

    python experiments/tsptw_best_known.py --csv experiments/tsptw-best-known.csv
    python experiments/tsptw_best_known.py --csv plain.csv --seeds 2 --playouts 100000 --no-improve rc204.1 rc208.3
    python experiments/tsptw_best_known.py --csv seconds.csv --time 20.48
    python experiments/tsptw_best_known.py --csv large.csv --values best_known.csv folder/*.txt

Searches by the solver auto until the best known value is found, at most so many playouts, or, with --time, so many
seconds of processor time, which the table then has as well. Instances are the 30 of
Solomon, Potvin and Bengio if none are named; files need ``--values``, a table with the columns instance and
travel_cost.
"""

from __future__ import annotations

import argparse
import csv
from itertools import product
from pathlib import Path
from typing import Any

from rows import append_row, read_rows, run

import nrpa
from nrpa.io.source import bundled

FIELDS = ("instance", "improve", "seed", "best_known", "cost", "violations", "playouts")
TIMED_FIELDS = (*FIELDS, "time", "seconds")
ROUNDED = 0.006


def main() -> None:
    """Run what the file lacks, and print it; say how often the best known value was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instance", nargs="*")
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--values", type=Path, help="best known values of files")
    parser.add_argument("--seeds", type=int, default=1, help="seeds 1 to so many")
    parser.add_argument("--playouts", type=int, default=1_000_000)
    parser.add_argument("--time", type=float, help="seconds of processor time, in place of --playouts")
    parser.add_argument("--no-improve", action="store_true")
    options = parser.parse_args()
    instances = options.instance or [name for name in bundled("tsptw") if name.startswith("rc2")]
    values = read_values(options.values) if options.values else {}
    solver = nrpa.Auto(improve=not options.no_improve)
    fields = TIMED_FIELDS if options.time else FIELDS
    limit = {"time": options.time} if options.time else {"playouts": options.playouts}
    for seed, instance in product(range(1, options.seeds + 1), instances):
        name = Path(instance).stem if values else instance
        if (name, str(solver.improve), str(seed)) not in done(options.csv, fields):
            row = search(instance, values, solver, seed, limit)
            append_row(options.csv, {field: row[field] for field in fields})
    rows = read_rows(options.csv, fields)
    found = sum(float(row["cost"]) <= float(row["best_known"]) + ROUNDED and row["violations"] == "0" for row in rows)
    print(f"{found} of {len(rows)} at the best known value")


def read_values(path: Path) -> dict[str, float]:
    """Return the values of a table by instance, without their files' endings."""
    with path.open(newline="", encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return {Path(row["instance"]).stem: float(row["travel_cost"]) for row in csv.DictReader(lines)}


def done(path: Path, fields: tuple[str, ...]) -> set[tuple[str, str, str]]:
    """Return which runs the file has."""
    return {(row["instance"], row["improve"], row["seed"]) for row in read_rows(path, fields)}


def search(
    instance: str, values: dict[str, float], solver: nrpa.Auto, seed: int, limit: dict[str, Any]
) -> dict[str, object]:
    """Search until the best known value; return the row."""
    problem = nrpa.TSPTW.load(instance)
    name = Path(instance).stem if values else instance
    best = values[name] if values else bundled("tsptw")[instance].best_known.value
    found = nrpa.solve(problem, solver, seed=seed, **limit, target=best + ROUNDED, clock="processor")
    row = (name, solver.improve, seed, best, f"{found.cost:.2f}", found.violations, found.playouts)
    return dict(zip(TIMED_FIELDS, (*row, limit.get("time"), f"{found.seconds:.2f}"), strict=True))


if __name__ == "__main__":
    run(main)
