"""How many Eterna100 targets are solved: a row a target, resumable.

    python experiments/eterna.py --list v1 --time 20 --clock processor --out eterna-v1.csv
    python experiments/eterna.py --list v1 --time 60 --clock processor --missed eterna-v1.csv --out eterna-v1-60.csv

The shortest targets come first; with --missed, those that another such table has and that were not solved there.

List v1 is searched under Turner 1999 (dangles 1), v2 under Turner 2004 (dangles 2). Targets that are in the output
already are skipped; each row is written when its search ends. `vienna` is the share of the time inside ViennaRNA's
folds, both by the wall's clock.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import perf_counter

from rows import append_row, read_rows, run

from nrpa import GNRPA, Auto, start
from nrpa.io.source import bundled
from nrpa.problems.rna import InverseFolding
from nrpa.search.clock import CLOCKS, WALL

COLUMNS = ["target", "length", "status", "seconds", "playouts", "folds", "vienna", "fitness", "distance", "sequence"]
SOLVERS = {"gnrpa": GNRPA, "auto": Auto}
PARAMETERS = {"v1": "turner1999", "v2": "turner2004"}


def solve_target(name: str, options: argparse.Namespace) -> dict[str, object]:
    """Return the row of one target."""
    problem = InverseFolding.load(name, parameters=PARAMETERS[options.list])
    search = start(problem, SOLVERS[options.solver](), seed=options.seed, clock=options.clock)
    begun = perf_counter()
    search.advance(time=options.time)
    elapsed = perf_counter() - begun
    result = search.result()
    fitness = problem.fitness
    return {
        "target": name,
        "length": len(problem.target),
        "status": result.status,
        "seconds": round(result.seconds, 2),
        "playouts": result.playouts,
        "folds": fitness.folds,
        "vienna": round(fitness.seconds / max(elapsed, 1e-9), 3),
        "fitness": round(result.score, 4),
        "distance": result.distance,
        "sequence": result.sequence,
    }


def targets(options: argparse.Namespace) -> list[str]:
    """Return the names of the targets to search, the shortest first."""
    rows = [row for row in bundled("rna").values() if row.name.startswith(f"eterna-{options.list}-")]
    names = [row.name for row in sorted(rows, key=lambda row: row.size)]
    if options.missed is None:
        return names
    missed = {row["target"] for row in read_rows(options.missed, COLUMNS) if row["status"] != "target"}
    return [name for name in names if name in missed]


def main() -> None:
    """Run the targets that are left, then print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=PARAMETERS, default="v1")
    parser.add_argument("--solver", choices=SOLVERS, default="auto")
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--clock", choices=list(CLOCKS), default=WALL, help="what --time counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=100, help="how many targets to run in this call")
    parser.add_argument("--missed", type=Path, help="search only what this table has as not solved")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    done = {row["target"] for row in read_rows(options.out, COLUMNS)}
    for name in [name for name in targets(options) if name not in done][: options.most]:
        append_row(options.out, solve_target(name, options))
    print_summary(read_rows(options.out, COLUMNS))


def print_summary(rows: list[dict[str, str]]) -> None:
    """Print how many targets are solved, and the share of the time inside ViennaRNA."""
    seconds = sum(float(row["seconds"]) for row in rows)
    inside = sum(float(row["seconds"]) * float(row["vienna"]) for row in rows)
    solved = sum(row["status"] == "target" for row in rows)
    share = f"; {inside / seconds:.1%} of the time inside ViennaRNA" if seconds > 0 else ""
    print(f"{solved} of {len(rows)} solved in {seconds:.0f} s{share}")


if __name__ == "__main__":
    run(main)
