"""Processor time of PyVRP to the best known value of TSPTW instances, a row each, beside that of nrpa; resumable.

    pip install -r experiments/requirements-others.txt
    nrpa bench tsptw 'rc20*' --runs 1 --time 20.48 --clock processor --target best-known --variant auto:solver=auto \
        --out seconds.csv
    python experiments/tsptw_pyvrp.py --beside seconds.runs.csv

PyVRP stops at the best known value, or after --time seconds of the processor. Its instances and seeds are those of
--beside. Neither time has the reading of the instance, nor what nrpa compiles.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from beside_others import SCALE, checked, pyvrp_model, visits
from rows import append_row, read_rows, run

import nrpa
from nrpa.bench.ends import BEST_KNOWN, End, EndsFile, target_on

HERE = Path(__file__).resolve().parent
FIELDS = ("instance", "seed", "best_known", "cost", "time", "seconds")
ROUNDED = 0.006
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
    parser.add_argument("--csv", type=Path, default=HERE / "results" / "tsptw-pyvrp.csv")
    parser.add_argument("--beside", type=Path, required=True, help="how nrpa's runs ended, NAME.runs.csv")
    parser.add_argument("--time", type=float, default=20.48, help="seconds of processor time")
    options = parser.parse_args()
    ours = EndsFile(options.beside).read()
    done = {(row["instance"], row["seed"]) for row in read_rows(options.csv, FIELDS)}
    for end in ours:
        if (end.instance, str(end.seed)) not in done:
            append_row(options.csv, search(end, options.time))
    theirs = {(row["instance"], row["seed"]): row for row in read_rows(options.csv, FIELDS)}
    print(comparison([(end, theirs[end.instance, str(end.seed)]) for end in ours]))


def search(end: End, limit: float) -> dict[str, Any]:
    """Search by PyVRP; return the row."""
    problem = nrpa.TSPTW.load(end.instance)
    model, target = pyvrp_model(problem), target_on(problem, BEST_KNOWN)
    assert target is not None
    assert problem.best_known is not None
    begun = time.process_time()
    found = model.solve(Until(target * SCALE, limit), seed=end.seed, display=False)
    seconds = time.process_time() - begun
    cost = checked(problem, visits(found.best.routes()[0])) if found.is_feasible() else float("inf")
    values = (end.instance, end.seed, problem.best_known.value, f"{cost:.2f}", f"{limit:g}", f"{seconds:.2f}")
    return dict(zip(FIELDS, values, strict=True))


def comparison(pairs: list[tuple[End, dict[str, str]]]) -> str:
    """Return a table in Markdown, and the quartiles of the ratio of times where both found the best known value."""
    lines = [
        "| instance | best known | nrpa | seconds | PyVRP | seconds |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    ratios, found = [], [0, 0]
    for mine, other in pairs:
        ours = [f"{mine.value:.2f}", f"{mine.seconds:.2f}"]
        lines.append(f"| {' | '.join([mine.instance, other['best_known'], *ours, other['cost'], other['seconds']])} |")
        most = float(other["best_known"]) + ROUNDED
        reached = [mine.value <= most, float(other["cost"]) <= most]
        found = [count + each for count, each in zip(found, reached, strict=True)]
        if all(reached):
            seconds = [max(each, LEAST_SECONDS) for each in (mine.seconds, float(other["seconds"]))]
            ratios.append(seconds[1] / seconds[0])
    text = f"Best known: nrpa {found[0]}, PyVRP {found[1]} of {len(pairs)}."
    if ratios:
        quartiles = ", ".join(f"{each:.2f}" for each in np.percentile(ratios, (25, 50, 75)))
        longer = sum(ratio > 1 for ratio in ratios)
        text += f" Where both: PyVRP's time divided by nrpa's, quartiles {quartiles}; above 1 on {longer}."
    return "\n".join(lines) + "\n\n" + text


if __name__ == "__main__":
    run(main)
