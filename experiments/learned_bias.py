"""β of TSPTW as a weighted sum of features, the weights learned from tours of training instances.

    python experiments/learned_bias.py learned-bias.csv

GNRPA with it, with each of the problem's own rules, and without β, at equal playouts on other instances.
"""

import sys
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from rows import complete, read_rows
from scipy.optimize import minimize

import nrpa
from nrpa.engine.game import Game

TRAINING = [f"rc20{k}.{part}" for k in (1, 2, 3, 4) for part in (1, 2, 3)]
OTHERS = ["rc205.2", "rc205.4", "rc206.1", "rc206.3", "rc207.1", "rc207.3", "rc208.1", "rc208.3"]
WAYS = ["range", "neighbours", "none", "learned"]
SEEDS, PLAYOUTS, ITERATIONS = range(1, 21), 10_000, 100
MISSED = 1_000_000
PENALTIES = 0.005, 0.0005, 0.00005
COLUMNS = "instance", "bias", "seed", "cost"


def features(problem):
    """Return what a move from i to j is described by, float64[n, n, 6]."""
    distances, (opens, closes) = problem.distances, problem.windows.T
    horizon = float(closes[1:].max())
    spread = distances.max() - distances[~np.eye(len(distances), dtype=bool)].min()
    arrival = opens[:, None] + distances
    columns = [
        distances / spread,
        np.broadcast_to(closes / horizon, distances.shape),
        np.broadcast_to(opens / horizon, distances.shape),
        np.maximum(0, opens - arrival) / horizon,  # waiting
        np.maximum(0, opens[None, :] - closes[:, None]) / horizon,  # a gap between both windows
        arrival > closes,  # always too late
    ]
    return np.stack(columns, axis=-1).astype(float)


def decisions(problem, tour):
    """Return the features of the legal moves of each step of a tour, the one made first."""
    seen, game, found = features(problem), Game(problem.model), []
    game.reset()
    for city, move in pairwise([0, *tour]):
        legal = game.legal_moves()
        if move in legal and len(legal) > 1:
            found.append(seen[city, [move, *(other for other in legal if other != move)]])
        game.play(move)
    return found


def learned(rows, penalty):
    """Return the weights of least cross-entropy and penalty."""

    def loss(weights):
        total, slope = penalty * weights @ weights * len(rows), 2 * penalty * weights * len(rows)
        for row in rows:
            beta = row @ weights
            share = np.exp(beta - beta.max())
            share /= share.sum()
            total -= np.log(share[0])
            slope = slope + share @ row - row[0]
        return total, slope

    return minimize(loss, np.zeros(rows[0].shape[1]), jac=True, method="L-BFGS-B").x


def cost(name, way, seed, weights):
    """Return what GNRPA comes to, with a million for each window missed."""
    problem = nrpa.TSPTW.load(name, bias_rule=way) if way in WAYS[:2] else nrpa.TSPTW.load(name)
    bias = (features(problem) @ weights).ravel() if way == "learned" else None
    solver = nrpa.GNRPA(level=2, iterations=ITERATIONS, bias=way != "none")
    return -nrpa.solve(problem, solver, seed=seed, playouts=PLAYOUTS, bias=bias).score


def main(path):
    """Learn, run what is not in the file, and print costs and gains."""
    rows = []
    for name in TRAINING:
        problem = nrpa.TSPTW.load(name)
        result = nrpa.solve(problem, seed=1, playouts=20_000)
        rows += decisions(problem, result.solution)
    each = [learned(rows, penalty) for penalty in PENALTIES]
    costs = [
        [[cost(name, "learned", seed, weights) for name in TRAINING] for seed in (101, 102, 103)] for weights in each
    ]
    ranks = np.argsort(np.argsort(costs, axis=0), axis=0).mean(axis=(1, 2))
    weights = each[int(np.argmin(ranks))]
    print(f"{len(rows)} decisions; ranks {ranks}, weights", np.round(weights, 2))
    complete(path, COLUMNS, product(OTHERS, WAYS, SEEDS), lambda *key: [f"{cost(*key, weights):.2f}"])
    done = {tuple(row[key] for key in COLUMNS[:3]): float(row["cost"]) for row in read_rows(path, COLUMNS)}
    for name in OTHERS:
        costs = {way: np.array([done[name, way, str(seed)] for seed in SEEDS]) for way in WAYS}
        shown = []
        for way, found in costs.items():
            kept = found[found < MISSED]
            better = int((costs["learned"] < found).sum()), int((costs["learned"] > found).sum())
            mean = f"{kept.mean():.1f}" if len(kept) else "-"
            shown.append(
                f"{way}: {len(kept)} keep all windows, cost {mean}, learned better {better[0]}, worse {better[1]}"
            )
        print(f"{name}:", "; ".join(shown), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
