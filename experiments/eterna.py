"""How many Eterna100 targets are solved: a row a target, resumable.

    python experiments/eterna.py --list v1 --time 20 --out eterna-v1.csv

List v1 is searched under Turner 1999 (dangles 1), v2 under Turner 2004 (dangles 2). Targets that are in the output
already are skipped; each row is written when its search ends. `vienna` is the share of the time inside ViennaRNA.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rows import append_row, read_rows, run

from nrpa import GNRPA, solve
from nrpa.problems.rna import InverseFolding

COLUMNS = ["target", "length", "status", "seconds", "playouts", "folds", "vienna", "fitness", "distance", "sequence"]
PARAMETERS = {"v1": "turner1999", "v2": "turner2004"}


def solve_target(name: str, parameters: str, time: float, seed: int) -> dict[str, object]:
    """Return the row of one target."""
    problem = InverseFolding.load(name, parameters=parameters)
    result = solve(problem, GNRPA(), seed=seed, time=time)
    fitness = problem.fitness
    return {
        "target": name,
        "length": len(problem.target),
        "status": result.status,
        "seconds": round(result.seconds, 2),
        "playouts": result.playouts,
        "folds": fitness.folds,
        "vienna": round(fitness.seconds / result.seconds, 3),
        "fitness": round(result.score, 4),
        "distance": result.distance,
        "sequence": result.sequence,
    }


def main() -> None:
    """Run the targets that are left, then print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", choices=PARAMETERS, default="v1")
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=100, help="how many targets to run in this call")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    done = {row["target"] for row in read_rows(options.out, COLUMNS)}
    names = [f"eterna-{options.list}-{k}" for k in range(1, 101)]
    for name in [name for name in names if name not in done][: options.most]:
        append_row(options.out, solve_target(name, PARAMETERS[options.list], options.time, options.seed))
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
