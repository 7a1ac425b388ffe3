"""Expert iteration on perfect rectangle packing: a network of NumPy learns a prior from the search's own games.

    python examples/packing_prior.py --instances 16 --test 12 --time 1

Nested search with a learned policy on this problem is due to Doux, Negrevergne and Cazenave (2022).
"""

import argparse

import numpy as np
from packing import Packing

import nrpa

FEATURES, HIDDEN = 18, 24
ROUNDS = "30x30/20", "30x30/24", "30x30/28", "30x30/32"


class Looks:
    """What a rectangle would do at the lowest place of a state: float64[moves, FEATURES].

    Its width against that of the place, its height against the walls beside it and the room above: equal or not, is a
    rest left into which nothing fits, the difference; its own size; how much is left, and how high the place is.
    """

    def __init__(self, problem):
        self.problem = problem
        self.scale = 1.0 / np.array([problem.width, problem.height, problem.height, problem.height])

    def __call__(self, state, moves):
        problem, (skyline, counts) = self.problem, state
        k, top = problem.gap(skyline), problem.height
        _, y, width = skyline[k]
        left = (skyline[k - 1][1] if k else top) - y
        right = (skyline[k + 1][1] if k + 1 < len(skyline) else top) - y
        remaining = [size for size, count in zip(problem.sizes, counts, strict=True) if count]
        narrowest, lowest = remaining[-1][0], min(h for _, h in remaining)
        size = np.array([(w, h, h, h) for w, h in moves], np.float64)
        rest = (width, left, right, top - y) - size
        rows = np.empty((len(moves), FEATURES))
        rows[:, 0:4] = rest == 0
        rows[:, 4:8] = (rest > 0) & (rest < (narrowest, lowest, lowest, lowest))
        rows[:, 8:12] = rest * self.scale
        rows[:, 12:14] = size[:, :2] * self.scale[:2]
        rows[:, 14:16] = rest[:, 1:3] < 0
        rows[:, 16] = len(remaining) / len(counts)
        rows[:, 17] = y / top
        return rows


class Network:
    """β of a move from its features, by one hidden layer; it learns by Adam from the moves of good games."""

    def __init__(self, seed=0):
        draw = np.random.default_rng(seed).normal
        self.weights = [
            draw(0, FEATURES**-0.5, (FEATURES, HIDDEN)),
            np.zeros(HIDDEN),
            draw(0, 0.1 * HIDDEN**-0.5, HIDDEN),
        ]
        self.means, self.squares = ([np.zeros_like(weight) for weight in self.weights] for _ in range(2))
        self.steps = 0

    def __call__(self, rows):
        first, shift, last = self.weights
        return np.maximum(rows @ first + shift, 0.0) @ last

    def learn(self, decisions, rate=0.01):
        """One step down the cross-entropy of decisions: features of the legal moves, and which was made."""
        rows = np.concatenate([row for row, _ in decisions])
        starts = np.cumsum([0, *(len(row) for row, _ in decisions[:-1])])
        which = np.repeat(np.arange(len(decisions)), [len(row) for row, _ in decisions])
        first, shift, last = self.weights
        hidden = np.maximum(rows @ first + shift, 0.0)
        beta = hidden @ last
        p = np.exp(beta - np.maximum.reduceat(beta, starts)[which])
        p /= np.add.reduceat(p, starts)[which]
        p[starts + np.array([made for _, made in decisions])] -= 1.0
        slope = p / len(decisions)
        back = slope[:, None] * last * (hidden > 0)
        self.steps += 1
        for k, gradient in enumerate((rows.T @ back, back.sum(0), hidden.T @ slope)):
            self.means[k] += 0.1 * (gradient - self.means[k])
            self.squares[k] += 0.001 * (gradient**2 - self.squares[k])
            size = np.sqrt(self.squares[k] / (1 - 0.999**self.steps)) + 1e-8
            self.weights[k] -= rate * self.means[k] / (1 - 0.9**self.steps) / size


def with_network(problem, network):
    """The problem with the network as its prior."""
    looks = Looks(problem)

    def prior(states, moves):
        rows = [looks(state, legal) for state, legal in zip(states, moves, strict=True)]
        beta = network(np.concatenate(rows))
        return np.split(beta, np.cumsum([len(row) for row in rows[:-1]]))

    return nrpa.with_prior(problem, prior)


def decisions_of(problem, solution):
    """What a game decided: the features of the legal moves of each step, and which was made."""
    state, looks, found = problem.initial_state(), Looks(problem), []
    for move in problem.own_moves(solution):
        legal = problem.legal_moves(state)
        found.append((looks(state, legal), legal.index(move)))
        state = problem.play(state, move)
    return found


def train(instances, steps=300, seed=0):
    """Search some instances of each round, the first without a network; learn from all games that filled the box."""
    network, games, generator = Network(seed), [], np.random.default_rng(seed)
    for number, kind in enumerate(ROUNDS):
        filled = 0
        for k in range(instances):
            problem = Packing.load(f"{kind}/{1000 * (number + 1) + k}")
            guided = with_network(problem, network) if games else problem
            playouts = 2_000 if games else 20_000
            result = nrpa.solve(guided, nrpa.NMCS(level=2, bias=bool(games)), seed=seed, playouts=playouts)
            if result.uncovered == 0:
                filled += 1
                games += decisions_of(problem, result.solution)
        print(f"{kind}: filled {filled} of {instances}, learning from {len(games):,} moves", flush=True)
        for _ in range(steps if games else 0):
            network.learn([games[k] for k in generator.integers(0, len(games), 128)])
    return network


SOLVERS = {
    "nmcs": (nrpa.NMCS(level=2), nrpa.NMCS(level=2, bias=True)),
    "puct": (nrpa.PUCT(), nrpa.PUCT(policy="bias")),
    "gnrpa": (nrpa.GNRPA(level=2), nrpa.GNRPA(level=2)),
}


def compare(network, names, seconds):
    """Search instances that were not trained on, with and without the network, for equal processor time."""
    for name, (plain, guided) in SOLVERS.items():
        for solver, prior in ((plain, None), (guided, network)):
            left = []
            for instance in names:
                problem = Packing.load(instance)
                problem = with_network(problem, prior) if prior else problem
                left.append(nrpa.solve(problem, solver, seed=1, time=seconds, clock="processor").uncovered)
            interval = 2 * np.std(left, ddof=1) / len(left) ** 0.5
            found = f"{np.mean(left):6.1f} ({interval:.1f}) uncovered, filled {left.count(0)} of {len(left)}"
            print(f"{name:8}{'with' if prior else 'without':8}{found}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--instances", type=int, default=16, help="instances of a round")
    parser.add_argument("--test", type=int, default=12, help="instances to compare on")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each")
    parser.add_argument("--kind", default="30x30/32", help="what to compare on")
    asked = parser.parse_args()
    compare(train(asked.instances), [f"{asked.kind}/{k}" for k in range(asked.test)], asked.time)
