"""What independent searches, one search that is spread, and one search alone find in equally many playouts.

    python experiments/parallel_ways.py --csv ways.csv [--workers 2] [--playouts 200000] [--runs 10] [--sample]

``searches`` shares the playouts out among the workers, ``speculate`` and ``alone`` are one search of that many, with
random numbers by node and by one stream. Nothing is timed. A row is added as each run ends, and the same command goes
on with the table; ``--sample`` is one instance, two runs and few playouts.
"""

from itertools import product
from pathlib import Path

import click
import numpy as np
from rows import append_row, read_rows, run
from scipy import stats

import nrpa

COLUMNS = ("instance", "way", "workers", "playouts", "seed", "score")
INSTANCES = {
    **{f"samegame-0{k}": (nrpa.SameGame, nrpa.GNRPA(level=3)) for k in range(1, 7)},
    **{name: (nrpa.TSPTW, nrpa.GNRPA(level=3, tau=1.4)) for name in ("rc204.1", "rc208.1")},
}
WAYS = ("alone", "searches", "speculate")


def score(instance: str, way: str, workers: int, playouts: int, seed: int) -> float:
    """Return the best score of a run. What is spread is found by one worker: the number changes nothing."""
    problem_class, solver = INSTANCES[instance]
    given = {"workers": workers} if way == "searches" else {"parallel": "searches" if way == "alone" else way}
    return nrpa.solve(problem_class.load(instance), solver, seed=seed, playouts=playouts, **given).score


def interval(values: np.ndarray) -> str:
    """Return a mean with its 95 % interval."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():12.2f} ± {half:8.2f}"


def report(scores: dict[tuple[str, str], np.ndarray]) -> None:
    """Print the means, the differences from ``alone`` by seed, and how often each was the better one."""
    print(f"{'':12}" + "".join(f"{way:>24}" for way in WAYS))
    instances = sorted({instance for instance, _ in scores})
    for instance in instances:
        print(f"{instance:12}" + "".join(f" {interval(scores[instance, way])}" for way in WAYS))
    for one, other in (("searches", "alone"), ("speculate", "alone"), ("speculate", "searches")):
        gaps = [scores[instance, one] - scores[instance, other] for instance in instances]
        print(f"\n{one} - {other}")
        for instance, gap in zip(instances, gaps, strict=True):
            print(f"{instance:12} {interval(gap)}")
        every = np.concatenate(gaps)
        better, worse = int((every > 0).sum()), int((every < 0).sum())
        p = stats.binomtest(better, max(better + worse, 1)).pvalue if better + worse else 1.0
        print(
            f"better in {better}, worse in {worse}, equal in {len(every) - better - worse} runs; sign test p = {p:.3f}"
        )


@click.command()
@click.option("--csv", "path", required=True, type=click.Path(path_type=Path))
@click.option("--workers", default=2, show_default=True)
@click.option("--playouts", default=200_000, show_default=True)
@click.option("--runs", default=10, show_default=True)
@click.option("--sample", is_flag=True, help="A short run that shows that it works.")
def main(path: Path, workers: int, playouts: int, runs: int, sample: bool) -> None:
    """Run what the table lacks, and print the comparison."""
    instances = list(INSTANCES)
    if sample:
        instances, playouts, runs = ["rc208.1"], 2000, 2
    key = str(workers), str(playouts)
    rows = [row for row in read_rows(path, COLUMNS) if (row["workers"], row["playouts"]) == key]
    done = {(row["instance"], row["way"], int(row["seed"])): float(row["score"]) for row in rows}
    for seed, instance, way in product(range(1, runs + 1), instances, WAYS):
        if (instance, way, seed) not in done:
            found = score(instance, way, workers, playouts, seed)
            done[instance, way, seed] = found
            append_row(path, dict(zip(COLUMNS, (instance, way, workers, playouts, seed, found), strict=True)))
    seeds = range(1, runs + 1)
    report(
        {
            (instance, way): np.array([done[instance, way, seed] for seed in seeds])
            for instance in instances
            for way in WAYS
        }
    )


if __name__ == "__main__":
    run(lambda: main(standalone_mode=True))
