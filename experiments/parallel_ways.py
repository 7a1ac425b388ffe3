"""What independent searches, one search that is spread, and one search alone find in equally many playouts.

    python experiments/parallel_ways.py --csv ways.csv [--workers 2] [--playouts 200000] [--runs 10]
        [--share samegame=0.8 --share rc=0.93] [--sample]

``searches`` shares the playouts out among the workers, ``speculate`` and ``alone`` are one search of that many, with
random numbers by node and by one stream. Nothing is timed: to compare at equal time, ``--share`` says which share of
the playouts of ``searches`` a spread search makes meanwhile, as ``workers_speed.py`` finds it, for the instances whose
names begin so. A row is added as each run ends, and the same command goes on with the table; ``--sample`` is one
instance, two runs and few playouts.
"""

from itertools import product
from pathlib import Path

import click
import numpy as np
from rows import append_row, read_rows, run
from scipy import stats

import nrpa
from nrpa.base.errors import InputError

COLUMNS = ("instance", "way", "workers", "playouts", "seed", "score")
INSTANCES = {
    **{f"samegame-0{k}": (nrpa.SameGame, nrpa.GNRPA(level=3)) for k in range(1, 7)},
    **{name: (nrpa.TSPTW, nrpa.GNRPA(level=3, tau=1.4)) for name in ("rc204.1", "rc208.1")},
}
WAYS = ("alone", "searches", "speculate")
SHORTER = "shorter speculate"

Run = tuple[str, str, int, int]


def score(instance: str, way: str, workers: int, playouts: int, seed: int) -> float:
    """Return the best score of a run. What is spread is found by one worker: the number changes nothing."""
    problem_class, solver = INSTANCES[instance]
    given = {"workers": workers} if way == "searches" else {"parallel": "searches" if way == "alone" else way}
    result = nrpa.solve(problem_class.load(instance), solver, seed=seed, playouts=playouts, **given)
    if result.status == "interrupted":
        raise KeyboardInterrupt
    return result.score


def interval(values: np.ndarray) -> str:
    """Return a mean with its 95 % interval."""
    half = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():12.2f} ± {half:8.2f}"


def report(scores: dict[tuple[str, str], np.ndarray], pairs: list[tuple[str, str]]) -> None:
    """Print the means, the differences of pairs of ways by seed, and how often each was the better one."""
    ways = sorted({way for _, way in scores})
    instances = sorted({instance for instance, _ in scores})
    print(f"{'':12}" + "".join(f"{way:>24}" for way in ways))
    for instance in instances:
        print(f"{instance:12}" + "".join(f" {interval(scores[instance, way])}" for way in ways))
    for one, other in pairs:
        gaps = [scores[instance, one] - scores[instance, other] for instance in instances]
        print(f"\n{one} - {other}")
        for instance, gap in zip(instances, gaps, strict=True):
            print(f"{instance:12} {interval(gap)}  {verdict(gap)}")
        print(f"{'all':12} {verdict(np.concatenate(gaps))}")


def verdict(gap: np.ndarray) -> str:
    """Return how many differences are above and below zero, with a sign test."""
    better, worse = int((gap > 0).sum()), int((gap < 0).sum())
    p = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    return f"better {better}, worse {worse}, equal {len(gap) - better - worse}; sign test p = {p:.4f}"


def share_of(shares: dict[str, float], instance: str) -> float:
    """Return the share of an instance. Raises InputError where it has none."""
    for prefix, share in shares.items():
        if instance.startswith(prefix):
            return share
    raise InputError(f"--share: none is given for {instance}")


def read_shares(_context: click.Context, _option: click.Parameter, texts: tuple[str, ...]) -> dict[str, float]:
    """Return shares by the beginning of an instance's name. Raises InputError."""
    shares = {}
    for text in texts:
        prefix, _, number = text.partition("=")
        try:
            shares[prefix] = float(number)
        except ValueError:
            shares[prefix] = 0.0
        if not 0 < shares[prefix] <= 1:
            raise InputError(f"--share: expected like samegame=0.8, with a number above 0 and up to 1, found {text!r}")
    return shares


@click.command()
@click.option("--csv", "path", required=True, type=click.Path(path_type=Path))
@click.option("--workers", default=2, show_default=True)
@click.option("--playouts", default=200_000, show_default=True)
@click.option("--runs", default=10, show_default=True)
@click.option("--share", "shares", multiple=True, callback=read_shares, help="NAME=SHARE: compare at equal time.")
@click.option("--sample", is_flag=True, help="A short run that shows that it works.")
def main(path: Path, workers: int, playouts: int, runs: int, shares: dict[str, float], sample: bool) -> None:
    """Run what the table lacks, and print the comparison."""
    instances = list(INSTANCES)
    if sample:
        instances, playouts, runs = ["rc208.1"], 2000, 2
    ways = {(instance, way): (way, playouts) for instance in instances for way in WAYS}
    pairs = [("searches", "alone"), ("speculate", "alone"), ("speculate", "searches")]
    if shares:
        ways |= {
            (instance, SHORTER): ("speculate", round(playouts * share_of(shares, instance))) for instance in instances
        }
        pairs.append((SHORTER, "searches"))
    done: dict[Run, float] = {}
    for row in read_rows(path, COLUMNS):
        if row["workers"] == str(workers):
            done[row["instance"], row["way"], int(row["playouts"]), int(row["seed"])] = float(row["score"])
    for seed, ((instance, _), (way, count)) in product(range(1, runs + 1), ways.items()):
        if (instance, way, count, seed) not in done:
            found = done[instance, way, count, seed] = score(instance, way, workers, count, seed)
            append_row(path, dict(zip(COLUMNS, (instance, way, workers, count, seed, found), strict=True)))
    seeds = range(1, runs + 1)
    scores = {
        (instance, name): np.array([done[instance, way, count, seed] for seed in seeds])
        for (instance, name), (way, count) in ways.items()
    }
    report(scores, pairs)


if __name__ == "__main__":
    run(lambda: main(standalone_mode=True))
