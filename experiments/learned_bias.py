"""β of TSPTW learned from tours (``examples/tour_bias.py``) against the rules by hand, on other instances.

    python experiments/learned_bias.py

GNRPA at level 2 with each bias, after so many playouts and after so much processor time; what is in
results/learned-bias.csv is not run again. A cost counts a million for each window missed.
"""

import sys
from itertools import product
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "examples"), str(HERE)]

import tour_bias  # noqa: E402
from tables import append_row, markdown, read_rows  # noqa: E402

import nrpa  # noqa: E402
from nrpa.bench.statistics import mean_difference  # noqa: E402

FILE = HERE / "results" / "learned-bias.csv"
TRAINING = [f"rc20{k}.{part}" for k in (1, 2, 3, 4) for part in (1, 3)]
OTHERS = ["rc205.2", "rc205.4", "rc206.1", "rc206.3", "rc207.1", "rc207.3", "rc208.1", "rc208.3"]
WAYS = ["range", "neighbours", "learned"]
LIMITS = {"10,000 playouts": {"playouts": 10_000}, "0.25 s": {"time": 0.25, "clock": "processor"}}
COLUMNS = "instance", "bias", "limit", "seed", "cost"
SEEDS, MISSED = range(1, 11), 1_000_000


def cost(name, way, limit, seed, learned):
    """Return what GNRPA comes to."""
    by_hand = {} if way == "learned" else {"bias_rule": way}
    problem, bias = nrpa.TSPTW.load(name, **by_hand), None if by_hand else learned
    return -nrpa.solve(problem, nrpa.GNRPA(level=2), seed=seed, bias=bias, **LIMITS[limit]).score


def run_all():
    """Return the costs by instance, bias, limit and seed; run what is not in the file."""
    done = {tuple(row[key] for key in COLUMNS[:4]): float(row["cost"]) for row in read_rows(FILE, COLUMNS)}
    left = [key for key in product(OTHERS, WAYS, LIMITS, map(str, SEEDS)) if key not in done]
    learned = tour_bias.learned(TRAINING) if left else None
    for name, way, limit, seed in left:
        done[name, way, limit, seed] = found = cost(name, way, limit, int(seed), learned)
        append_row(FILE, dict(zip(COLUMNS, (name, way, limit, seed, f"{found:.2f}"), strict=True)))
    return done


def table(done):
    """Return what each way misses more than the learned one, and its cost where both miss none, as means of pairs."""
    lines = [["", "windows missed", "learned", "more than learned", "cost above learned [%]"]]
    for limit, way in product(LIMITS, WAYS[:2]):
        pairs = [[done[name, each, limit, str(seed)] for each in (way, "learned")] for name in OTHERS for seed in SEEDS]
        missed = np.array(pairs) // MISSED
        costs = [100.0 * (one / other - 1.0) for (one, other), (a, b) in zip(pairs, missed, strict=True) if a + b == 0]
        more = mean_difference(*(dict(enumerate(column)) for column in missed.T), paired=True)
        dearer = mean_difference(dict(enumerate(costs)), dict.fromkeys(range(len(costs)), 0.0), paired=True)
        texts = [f"{each.mean:+.2f} [{each.interval('{:.2f}'.format)}]" for each in (more, dearer)]
        lines.append([f"{limit}: `{way}`", *(f"{mean:.2f}" for mean in missed.mean(axis=0)), *texts])
    return markdown(lines)


def main():
    """Run what is missing, and print the table."""
    print(table(run_all()))


if __name__ == "__main__":
    main()
