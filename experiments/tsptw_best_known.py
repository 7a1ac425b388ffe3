"""How many playouts it takes to the best known value of TSPTW instances, a row each; resumable.

    python experiments/tsptw_best_known.py --csv experiments/tsptw-best-known.csv
    python experiments/tsptw_best_known.py --csv plain.csv --seeds 2 --playouts 100000 --no-improve rc204.1 rc208.3
    python experiments/tsptw_best_known.py --csv large.csv --values best_known.csv folder/*.txt

Searches by the solver auto until the best known value is found, at most so many playouts. Instances are the 30 of
Solomon, Potvin and Bengio if none are named; files need ``--values``, a table with the columns instance and
travel_cost.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from rows import append_row, read_rows, run

import nrpa
from nrpa.io.source import bundled

FIELDS = ("instance", "improve", "seed", "best_known", "cost", "violations", "playouts")
ROUNDED = 0.006


def main() -> None:
    """Run what the file lacks, and print it; say how often the best known value was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instance", nargs="*")
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--values", type=Path, help="best known values of files")
    parser.add_argument("--seeds", type=int, default=1, help="seeds 1 to so many")
    parser.add_argument("--playouts", type=int, default=1_000_000)
    parser.add_argument("--no-improve", action="store_true")
    options = parser.parse_args()
    instances = options.instance or [name for name in bundled("tsptw") if name.startswith("rc2")]
    values = read_values(options.values) if options.values else {}
    solver = nrpa.Auto(improve=not options.no_improve)
    for seed in range(1, options.seeds + 1):
        for instance in instances:
            if (Path(instance).stem if values else instance, str(solver.improve), str(seed)) not in done(options.csv):
                append_row(options.csv, search(instance, values, solver, seed, options.playouts))
    rows = read_rows(options.csv, FIELDS)
    found = sum(float(row["cost"]) <= float(row["best_known"]) + ROUNDED and row["violations"] == "0" for row in rows)
    print(f"{found} of {len(rows)} at the best known value")


def read_values(path: Path) -> dict[str, float]:
    """Return the values of a table by instance, without their files' endings."""
    with path.open(newline="", encoding="utf-8") as file:
        lines = (line for line in file if not line.startswith("#"))
        return {Path(row["instance"]).stem: float(row["travel_cost"]) for row in csv.DictReader(lines)}


def done(path: Path) -> set[tuple[str, str, str]]:
    """Return which runs the file has."""
    return {(row["instance"], row["improve"], row["seed"]) for row in read_rows(path, FIELDS)}


def search(instance: str, values: dict[str, float], solver: nrpa.Auto, seed: int, playouts: int) -> dict[str, object]:
    """Search until the best known value; return the row."""
    problem = nrpa.TSPTW.load(instance)
    name = Path(instance).stem if values else instance
    best = values[name] if values else bundled("tsptw")[instance].best_known.value
    found = nrpa.solve(problem, solver, seed=seed, playouts=playouts, target=best + ROUNDED)
    row = (name, solver.improve, seed, best, f"{found.cost:.2f}", found.violations, found.playouts)
    return dict(zip(FIELDS, row, strict=True))


if __name__ == "__main__":
    run(main)
