"""The scores of whole searches, as the tables of nested search count them: a row for each search, resumable.

    python experiments/searches.py samegame --variant NMCS.2:solver=nmcs,level=2,pairs_from=999 --csv nmcs.csv
    python experiments/searches.py morpion 5D --variant NMCS.2:solver=nmcs,level=2 --runs 20 --csv nmcs.csv

A variant is written as for `nrpa bench`. Without instances, all bundled ones are searched. Rows that the file has
already, of the same problem and of the same options under the same name, are not searched again.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np
from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.experiment import Variant
from nrpa.io.source import bundled
from nrpa.registry import problem_class

KEY = ("problem", "variant", "options", "instance", "seed")
COLUMNS = (*KEY, "score", "playouts", "seconds")


def main() -> None:
    """Run the searches that the table lacks, then print mean and sum for each variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem")
    parser.add_argument("instances", nargs="*")
    parser.add_argument("--variant", action="append", required=True)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first run")
    parser.add_argument("--csv", type=Path, required=True)
    options = parser.parse_args()
    problem = problem_class(options.problem)
    variants = [Variant.parse(text).typed(problem) for text in options.variant]
    instances = options.instances or list(bundled(options.problem))
    if not instances:
        raise InputError(f"{options.problem}: has no bundled instances; name those to search")
    done = {tuple(row[name] for name in KEY) for row in read_rows(options.csv, COLUMNS)}
    for seed in range(options.seed, options.seed + options.runs):
        for instance in instances:
            for variant in variants:
                if (options.problem, variant.name, options_text(variant), instance, str(seed)) not in done:
                    append_row(options.csv, search(options.problem, instance, variant, seed))
    print_summary(read_rows(options.csv, COLUMNS))


def search(problem: str, instance: str, variant: Variant, seed: int) -> dict[str, object]:
    """Return the row of one search."""
    solver, of_problem = variant.make(problem_class(problem))
    result = nrpa.solve(problem_class(problem).load(instance, **of_problem), solver, seed=seed, searches=1)
    return {
        "problem": problem,
        "variant": variant.name,
        "options": options_text(variant),
        "instance": instance,
        "seed": seed,
        "score": result.score,
        "playouts": result.playouts,
        "seconds": f"{result.seconds:.2f}",
    }


def options_text(variant: Variant) -> str:
    """Return the solver and the options of a variant, by name, without commas."""
    return " ".join(f"{key}={value}" for key, value in [("solver", variant.solver), *sorted(variant.options.items())])


def print_summary(rows: list[dict[str, str]]) -> None:
    """Print for each variant of each problem its searches, the mean score with 2σ/√n, and the sum over the instances.

    σ/√n is over the seeds.
    """
    scores: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    spent: dict[tuple[str, ...], float] = defaultdict(float)
    for row in rows:
        group = (row["problem"], row["variant"], row["options"])
        scores[group][row["instance"]].append(float(row["score"]))
        spent[group] += float(row["seconds"])
    for group, by_instance in scores.items():
        means = [np.mean(found) for found in by_instance.values()]
        spreads = [np.var(found, ddof=1) / len(found) for found in by_instance.values() if len(found) > 1]
        interval = f" ({2 * np.sqrt(np.sum(spreads)) / len(means):.2f})" if len(spreads) == len(means) else ""
        problem, variant, options = group
        print(
            f"{problem} {variant} ({options}): {sum(map(len, by_instance.values()))} searches of {len(means)} "
            f"instances in {spent[group]:.0f} s, mean {np.mean(means):.2f}{interval}, "
            f"sum of the instances {np.sum(means):.0f}"
        )


if __name__ == "__main__":
    run(main)
