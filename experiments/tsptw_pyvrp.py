"""Processor time of PyVRP to the best known value of TSPTW instances, a row each, beside that of nrpa; resumable.

    pip install -r experiments/requirements-others.txt
    python experiments/tsptw_best_known.py --csv experiments/tsptw-best-known-seconds.csv --time 20.48
    python experiments/tsptw_pyvrp.py --beside experiments/tsptw-best-known-seconds.csv

PyVRP stops at the best known value, or after --time seconds of the processor. Its instances are those of --beside, the
table of tsptw_best_known.py with --time, whose rows of the same seed it is compared with; files are found in --folder.
Neither time has the reading of the instance, nor what nrpa compiles.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from beside_others import SCALE, checked, pyvrp_model, visits
from rows import append_row, read_rows, run
from tsptw_best_known import ROUNDED, TIMED_FIELDS

import nrpa
from nrpa.base.errors import InputError

HERE = Path(__file__).resolve().parent
FIELDS = ("instance", "seed", "best_known", "cost", "time", "seconds")
LEAST_SECONDS = 0.005
"""Half of what the tables' two digits tell apart; what is said to take no time takes this in a ratio."""


class Until:
    """Stop PyVRP at a cost, or after so many seconds of processor time."""

    def __init__(self, cost: float, seconds: float) -> None:
        self.cost, self.end = cost, time.process_time() + seconds

    def __call__(self, best_cost: float) -> bool:
        """Return whether the search is to stop."""
        return best_cost <= self.cost or time.process_time() >= self.end


def main() -> None:
    """Run what the table lacks, and print both times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, default=HERE / "tsptw-pyvrp.csv")
    parser.add_argument("--beside", type=Path, required=True, help="a table of tsptw_best_known.py with seconds")
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path(),
        help="where the files NAME.txt and NAME.tw of instances are that are not bundled",
    )
    parser.add_argument("--time", type=float, default=20.48, help="seconds of processor time")
    options = parser.parse_args()
    ours = read_rows(options.beside, TIMED_FIELDS)
    if not ours:
        raise InputError(f"{options.beside}: has no rows")
    done = {(row["instance"], row["seed"]) for row in read_rows(options.csv, FIELDS)}
    for row in ours:
        if (row["instance"], row["seed"]) not in done:
            append_row(options.csv, search(row, options.folder, options.time))
    theirs = {(row["instance"], row["seed"]): row for row in read_rows(options.csv, FIELDS)}
    print(comparison([(row, theirs[row["instance"], row["seed"]]) for row in ours]))


def search(row: dict[str, str], folder: Path, limit: float) -> dict[str, Any]:
    """Search by PyVRP; return the row."""
    name = row["instance"]
    file = next((path for ending in ("txt", "tw") if (path := folder / f"{name}.{ending}").exists()), name)
    problem = nrpa.TSPTW.load(file)
    best = float(row["best_known"])
    model = pyvrp_model(problem)
    begun = time.process_time()
    found = model.solve(Until((best + ROUNDED) * SCALE, limit), seed=int(row["seed"]), display=False)
    seconds = time.process_time() - begun
    cost = checked(problem, visits(found.best.routes()[0])) if found.is_feasible() else float("inf")
    values = (name, row["seed"], row["best_known"], f"{cost:.2f}", f"{limit:g}", f"{seconds:.2f}")
    return dict(zip(FIELDS, values, strict=True))


def comparison(pairs: list[tuple[dict[str, str], dict[str, str]]]) -> str:
    """Return a table in Markdown, and the median ratio of times where both found the best known value."""
    lines = [
        "| instance | best known | nrpa | seconds | PyVRP | seconds |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    ratios, found = [], [0, 0]
    for mine, other in pairs:
        cells = [mine["instance"], mine["best_known"], mine["cost"], mine["seconds"], other["cost"], other["seconds"]]
        lines.append(f"| {' | '.join(cells)} |")
        reached = [float(row["cost"]) <= float(mine["best_known"]) + ROUNDED for row in (mine, other)]
        found = [count + each for count, each in zip(found, reached, strict=True)]
        if all(reached):
            seconds = [max(float(row["seconds"]), LEAST_SECONDS) for row in (mine, other)]
            ratios.append(seconds[1] / seconds[0])
    text = f"Best known: nrpa {found[0]}, PyVRP {found[1]} of {len(pairs)}."
    if ratios:
        quartiles = ", ".join(f"{each:.2f}" for each in np.percentile(ratios, (25, 50, 75)))
        longer = sum(ratio > 1 for ratio in ratios)
        text += f" Where both: PyVRP's time divided by nrpa's, quartiles {quartiles}; above 1 on {longer}."
    return "\n".join(lines) + "\n\n" + text


if __name__ == "__main__":
    run(main)
