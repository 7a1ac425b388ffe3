"""The scores of whole searches, as the tables of nested search count them: a row for each search, resumable.

    python experiments/searches.py samegame --variant NMCS.2:solver=nmcs,level=2,pairs_from=999 --csv nmcs.csv
    python experiments/searches.py morpion 5D --variant NMCS.2:solver=nmcs,level=2 --runs 20 --csv nmcs.csv

A variant is written as for `nrpa bench`. Without instances, all bundled ones are searched. Rows that the file has
already are not searched again.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from nrpa.problems import problem_class
from rows import append_row, read_rows

import nrpa
from nrpa.bench.experiment import Variant
from nrpa.source import bundled


def main() -> None:
    """Run the searches that the table lacks, then print mean and sum for each variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem")
    parser.add_argument("instances", nargs="*")
    parser.add_argument("--variant", action="append", type=Variant.parse, required=True)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    instances = options.instances or list(bundled(options.problem))
    done = {(row["variant"], row["instance"], int(row["seed"])) for row in read_rows(options.csv)}
    for seed in range(options.seed, options.seed + options.runs):
        for instance in instances:
            for variant in options.variant:
                if (variant.name, instance, seed) not in done:
                    append_row(options.csv, search(options.problem, instance, variant, seed))
    print_summary(read_rows(options.csv))


def search(problem: str, instance: str, variant: Variant, seed: int) -> dict[str, object]:
    """Return the row of one search."""
    solver, of_problem = variant.make(problem_class(problem))
    result = nrpa.solve(problem_class(problem).load(instance, **of_problem), solver, seed=seed, searches=1)
    return {
        "variant": variant.name,
        "instance": instance,
        "seed": seed,
        "score": result.score,
        "playouts": result.playouts,
        "seconds": f"{result.seconds:.2f}",
    }


def print_summary(rows: list[dict[str, str]]) -> None:
    """Print for each variant the searches, the mean score with 2σ/√n over the seeds, and the sum over the instances."""
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        scores[row["variant"]][row["instance"]].append(float(row["score"]))
    for variant, by_instance in scores.items():
        means = [np.mean(found) for found in by_instance.values()]
        spreads = [np.var(found, ddof=1) / len(found) for found in by_instance.values() if len(found) > 1]
        interval = f" ({2 * np.sqrt(np.sum(spreads)) / len(means):.2f})" if len(spreads) == len(means) else ""
        seconds = sum(float(row["seconds"]) for row in rows if row["variant"] == variant)
        print(
            f"{variant}: {sum(map(len, by_instance.values()))} searches of {len(means)} instances in {seconds:.0f} s, "
            f"mean {np.mean(means):.2f}{interval}, sum of the instances {np.sum(means):.0f}"
        )


if __name__ == "__main__":
    main()
