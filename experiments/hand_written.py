"""Problems in plain Python beside loops written by hand: playouts a second of processor time, in pairs.

    python experiments/hand_written.py --pairs 5

A job shop (8 jobs of 4 operations), the knapsack of the documentation, and a tour through 25 cities. The loops call the
same methods of the same problems; random sampling asks for no codes and no biases, and GNRPA, whose bias only the
job shop has, keeps the codes and biases of a sequence for Adapt.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from python_speed import example

import nrpa

LEVEL, ITERATIONS = 2, 100


class JobShop(nrpa.Problem):
    """Eight jobs of four operations, one after the other, each on a machine of its own; the makespan counts."""

    def __init__(self, jobs: int = 8, machines: int = 4, seed: int = 1) -> None:
        draw = random.Random(seed)
        self.order = [draw.sample(range(machines), machines) for _ in range(jobs)]
        self.length = [[draw.randint(1, 20) for _ in range(machines)] for _ in range(jobs)]
        self.machines = machines

    def initial_state(self):
        """Nothing has begun: the next operation of each job, when each job and each machine is free."""
        return (0,) * len(self.order), (0,) * len(self.order), (0,) * self.machines

    def legal_moves(self, state):
        """Return the jobs that are not finished."""
        return [job for job, done in enumerate(state[0]) if done < self.machines]

    def play(self, state, move):
        """Begin the next operation of a job as early as can be."""
        done, free, idle = map(list, state)
        machine = self.order[move][done[move]]
        end = max(free[move], idle[machine]) + self.length[move][done[move]]
        free[move] = idle[machine] = end
        done[move] += 1
        return tuple(done), tuple(free), tuple(idle)

    def score(self, state):
        """Return -makespan."""
        return -max(state[1])

    def code(self, state, move):
        """Job, operation, and whether the machine has to wait for the job."""
        operation = state[0][move]
        return move, operation, state[1][move] > state[2][self.order[move][operation]]

    def bias(self, state, move):
        """Prefer what can begin early."""
        operation = state[0][move]
        return -0.1 * max(state[1][move], state[2][self.order[move][operation]])


class Tour(nrpa.Problem):
    """Twenty-five cities, from the first and back."""

    def __init__(self, cities: int = 25, seed: int = 1) -> None:
        draw = random.Random(seed)
        places = [(draw.random(), draw.random()) for _ in range(cities)]
        self.distance = [[math.dist(a, b) for b in places] for a in places]

    def initial_state(self):
        """At city 0."""
        return 0, frozenset(range(1, len(self.distance))), 0.0

    def legal_moves(self, state):
        """Return the cities that are left."""
        return sorted(state[1])

    def play(self, state, move):
        """Go there."""
        return move, state[1] - {move}, state[2] + self.distance[state[0]][move]

    def score(self, state):
        """Return the length of the tour, negative."""
        return -(state[2] + self.distance[state[0]][0])

    def code(self, state, move):
        """From where to where."""
        return state[0], move


def sample_by_hand(problem: nrpa.Problem, draw: random.Random) -> float:
    """Return the score of one random playout."""
    state = problem.initial_state()
    while moves := problem.legal_moves(state):
        state = problem.play(state, moves[draw.randrange(len(moves))])
    return float(problem.score(state))


class ByHand:
    """NRPA as one writes it for a problem of one's own: a dict of weights, the sequence's codes kept for Adapt."""

    def __init__(self, problem: nrpa.Problem, draw: random.Random) -> None:
        self.problem, self.draw = problem, draw
        self.has_bias = type(problem).bias is not nrpa.Problem.bias

    def search(self, level: int, policy: dict[Any, float]) -> tuple[float, list[Any]]:
        """Algorithm 3 of the GNRPA paper."""
        if level == 0:
            return self.playout(policy)
        policy, best = dict(policy), (-math.inf, [])
        for _ in range(ITERATIONS):
            found = self.search(level - 1, policy)
            if found[0] >= best[0]:
                best = found
            self.adapt(policy, best[1])
        return best

    def playout(self, policy: dict[Any, float]) -> tuple[float, list[Any]]:
        """Algorithm 4."""
        problem, exp, state, sequence = self.problem, math.exp, self.problem.initial_state(), []
        while moves := problem.legal_moves(state):
            codes = [problem.code(state, move) for move in moves]
            if self.has_bias:
                biases = [problem.bias(state, move) for move in moves]
                weights = [exp(policy.get(code, 0.0) + bias) for code, bias in zip(codes, biases, strict=True)]
            else:
                weights = [exp(policy.get(code, 0.0)) for code in codes]
            chosen = self.draw.choices(range(len(moves)), weights)[0]
            sequence.append((codes, chosen, weights if not self.has_bias else [exp(bias) for bias in biases]))
            state = problem.play(state, moves[chosen])
        return problem.score(state), sequence

    def adapt(self, policy: dict[Any, float], sequence: list[Any]) -> None:
        """Algorithm 5."""
        exp, before = math.exp, {code: policy.get(code, 0.0) for codes, _, _ in sequence for code in codes}
        for codes, chosen, exp_bias in sequence:
            if self.has_bias:
                weights = [exp(before[code]) * e for code, e in zip(codes, exp_bias, strict=True)]
            else:
                weights = [exp(before[code]) for code in codes]
            total = sum(weights)
            for code, weight in zip(codes, weights, strict=True):
                policy[code] = policy.get(code, 0.0) - weight / total
            policy[codes[chosen]] += 1.0


def problems() -> dict[str, nrpa.Problem]:
    """Return the three problems by name."""
    draw = random.Random(1)
    weights, values = zip(*[(draw.randint(5, 50), draw.randint(5, 50)) for _ in range(30)], strict=True)
    return {
        "job shop": JobShop(),
        "knapsack": example("knapsack.py:Knapsack")(weights, values, 300),  # type: ignore[dict-item]
        "tour": Tour(),
    }


def rate(work: Callable[[], Any], playouts: int) -> float:
    """Return the playouts a second of processor time."""
    begin = time.process_time()
    work()
    return playouts / (time.process_time() - begin)


def ratios(problem: nrpa.Problem, pairs: int) -> dict[str, list[tuple[float, float]]]:
    """Return the rates of nrpa and of the loop by hand for each solver, pair after pair."""
    found: dict[str, list[tuple[float, float]]] = {"random": [], "gnrpa": []}
    playouts = ITERATIONS**LEVEL
    for seed in range(pairs):
        draw = random.Random(seed)
        run = nrpa.start(problem, nrpa.RandomSampling(), seed=seed)
        ours = rate(lambda run=run: run.advance(playouts=playouts), playouts)
        by_hand = rate(lambda draw=draw: [sample_by_hand(problem, draw) for _ in range(playouts)], playouts)
        found["random"].append((ours, by_hand))
        run = nrpa.start(problem, nrpa.GNRPA(level=LEVEL, iterations=ITERATIONS), seed=seed)
        ours = rate(lambda run=run: run.advance(playouts=playouts), playouts)
        by_hand = rate(lambda draw=draw: ByHand(problem, draw).search(LEVEL, {}), playouts)
        found["gnrpa"].append((ours, by_hand))
    return found


def main() -> None:
    """Print a line for each problem and solver: the median rates, and the median, least and largest ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    options = parser.parse_args()
    for name, problem in problems().items():
        for solver, pairs in ratios(problem, options.pairs).items():
            ours, by_hand = np.array(pairs).T
            times = ours / by_hand
            print(
                f"{name:9} {solver:7} {np.median(ours):8,.0f} playouts/s, by hand {np.median(by_hand):8,.0f}: "
                f"{np.median(times):.2f} times ({times.min():.2f} to {times.max():.2f})",
                flush=True,
            )


if __name__ == "__main__":
    main()
