"""Answers after some seconds of the processor from a cost in plain Python, the same one under njit, and an annealing.

    python experiments/cheap_differences.py [--time 10] [--seeds 3] [--records FILE.csv]

Each line of the records is a run: problem, what searched, seed, the cost, and evaluations a second. Those that are
there already are not made again.
"""

import argparse
import csv
import itertools
import math
import random
import time
from pathlib import Path
from statistics import fmean

import numba
import numpy as np

import nrpa

FIELDS = "problem", "search", "seed", "cost", "evaluations"


def tour(n):
    """Return the length of a tour through random places of a square, in plain Python and for numba."""
    places = np.random.default_rng(n).integers(0, 10_000, (n, 2))
    apart = np.rint(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))).astype(np.int64)
    rows = apart.tolist()

    def cost(order):
        return sum(rows[a][b] for a, b in zip(order, order[1:])) + rows[order[-1]][order[0]]  # noqa: B905, RUF007

    def jitted(order):
        total = 0
        for k in range(len(order)):
            total += apart[order[k - 1], order[k]]
        return total

    return cost, jitted


def assigned(n):
    """Return the cost of a quadratic assignment."""
    flow, apart = np.random.default_rng(n).integers(0, 100, (2, n, n))
    flows, rows = flow.tolist(), apart.tolist()

    def cost(place):
        total = 0
        for i in range(n):
            for j in range(n):
                total += flows[i][j] * rows[place[i]][place[j]]
        return total

    def jitted(place):
        total = 0
        for i in range(n):
            for j in range(n):
                total += flow[i, j] * apart[place[i], place[j]]
        return total

    return cost, jitted


def ordered(n):
    """Return minus the sum above the diagonal of a matrix whose rows and columns are ordered."""
    gain = np.random.default_rng(n).integers(0, 100, (n, n))
    rows = gain.tolist()

    def cost(order):
        return -sum(rows[order[i]][order[j]] for i in range(n) for j in range(i + 1, n))

    def jitted(order):
        total = 0
        for i in range(n):
            for j in range(i + 1, n):
                total += gain[order[i], order[j]]
        return -total

    return cost, jitted


def late(n):
    """Return the weighted tardiness of jobs with set-ups between them."""
    chance = np.random.default_rng(n)
    takes, weight = chance.integers(1, 100, n), chance.integers(1, 11, n)
    due, between = chance.integers(0, 40 * n, n), chance.integers(0, 50, (n, n))
    taken, heavy, wanted, setup = takes.tolist(), weight.tolist(), due.tolist(), between.tolist()

    def cost(order):
        now, total, last = 0, 0, order[0]
        for job in order:
            now += setup[last][job] + taken[job]
            total += heavy[job] * max(0, now - wanted[job])
            last = job
        return total

    def jitted(order):
        now, total, last = 0, 0, order[0]
        for job in order:
            now += between[last, job] + takes[job]
            total += weight[job] * max(0, now - due[job])
            last = job
        return total

    return cost, jitted


def flow(n):
    """Return when the last of n jobs leaves the last of 20 machines."""
    takes = np.random.default_rng(n).integers(1, 100, (n, 20))
    rows = takes.tolist()

    def cost(order):
        ready = [0] * 20
        for job in order:
            now = 0
            for k in range(20):
                now = max(now, ready[k]) + rows[job][k]
                ready[k] = now
        return ready[-1]

    def jitted(order):
        ready = np.zeros(20, np.int64)
        for job in order:
            now = 0
            for k in range(20):
                now = max(now, ready[k]) + takes[job, k]
                ready[k] = now
        return ready[-1]

    return cost, jitted


def far(n):
    """Return minus the sum of distances within a subset."""
    apart = np.random.default_rng(n).integers(0, 1000, (n, n))
    rows = apart.tolist()

    def cost(taken):
        return -sum(rows[i][j] * taken[i] * taken[j] for i in range(n) for j in range(i + 1, n))

    def jitted(taken):
        total = 0
        for i in range(n):
            for j in range(i + 1, n):
                total += apart[i, j] * taken[i] * taken[j]
        return -total

    return cost, jitted


def banded(n):
    """Return the bandwidth of a numbering of a drawn graph, and a thousandth of the sum of its edges' lengths."""
    edges = np.random.default_rng(n).integers(0, n, (2 * n, 2))
    pairs = edges.tolist()

    def cost(place):
        longest, total = 0, 0
        for a, b in pairs:
            length = abs(place[a] - place[b])
            longest, total = max(longest, length), total + length
        return 1000 * longest + total // n

    def jitted(place):
        longest, total = 0, 0
        for k in range(len(edges)):
            length = abs(place[edges[k, 0]] - place[edges[k, 1]])
            longest, total = max(longest, length), total + length
        return 1000 * longest + total // n

    return cost, jitted


def assigned_to_agents(n):
    """Return the cost of n tasks at ten agents, each of whom has so much time; 1,000 for each hour more."""
    chance = np.random.default_rng(n)
    price, takes = chance.integers(10, 50, (n, AGENTS)), chance.integers(5, 25, (n, AGENTS))
    room = int(0.8 * takes.mean() * n / AGENTS)
    prices, hours = price.tolist(), takes.tolist()

    def cost(agents):
        load, total = [0] * AGENTS, 0
        for task, agent in enumerate(agents):
            load[agent] += hours[task][agent]
            total += prices[task][agent]
        return total + 1000 * sum(max(0, each - room) for each in load)

    def jitted(agents):
        load, total = np.zeros(AGENTS, np.int64), 0
        for task in range(n):
            load[agents[task]] += takes[task, agents[task]]
            total += price[task, agents[task]]
        for agent in range(AGENTS):
            total += 1000 * max(0, load[agent] - room)
        return total

    return cost, jitted


AGENTS = 10
ORDER, CHOICES, SUBSET = "order", "choices", "subset"
PROBLEMS = {
    "tour 400": (tour, 400, ORDER),
    "tour 1000": (tour, 1000, ORDER),
    "tour 5000": (tour, 5000, ORDER),
    "quadratic assignment 50": (assigned, 50, ORDER),
    "linear ordering 50": (ordered, 50, ORDER),
    "tardiness with set-ups 60": (late, 60, ORDER),
    "flow shop 50 x 20": (flow, 50, ORDER),
    "bandwidth 100": (banded, 100, ORDER),
    "diversity 100, 20 taken": (far, 100, SUBSET),
    "generalized assignment 100 x 10": (assigned_to_agents, 100, CHOICES),
}


def posed(n, cost, kind):
    """Return the problem of a cost."""
    if kind == CHOICES:
        return nrpa.assignment([AGENTS] * n, cost)
    return nrpa.permutation(n, cost) if kind == ORDER else nrpa.subset(n, cost, size=n // 5)


def annealed(n, cost, kind, seed, seconds):
    """Anneal in plain Python: orders by exchanges, insertions and reversals; return the best cost, and how many."""
    chance, order = random.Random(seed), [*range(n)] if kind == ORDER else [int(k < n // 5) for k in range(n)]
    chance.shuffle(order)

    def changed(order):
        a, b = sorted(chance.sample(range(n), 2))
        change = chance.randrange(3) if kind == ORDER else 0
        if kind == CHOICES:
            return [*order[:a], chance.randrange(AGENTS), *order[a + 1 :]]
        if change == 0:
            return [*order[:a], order[b], *order[a + 1 : b], order[a], *order[b + 1 :]]
        if change == 1:
            return [*order[:a], *order[a + 1 : b + 1], order[a], *order[b + 1 :]]
        return [*order[:a], *reversed(order[a : b + 1]), *order[b + 1 :]]

    now = best = cost(order)
    hottest = fmean(abs(cost(changed(order)) - now) for _ in range(20))
    begun, made, part = time.process_time(), 0, 0.0
    while part < 1:
        if made % 10 == 0:
            part = (time.process_time() - begun) / seconds
        other = changed(order)
        found = cost(other)
        made += 1
        if found <= now or chance.random() < math.exp((now - found) / (hottest * 0.001**part)):
            order, now = other, found
            best = min(best, now)
    return best, made / seconds


def run(problem, search, seed, seconds):
    """Return the best cost of a run, and its evaluations a second."""
    make, n, kind = PROBLEMS[problem]
    cost, jitted = make(n)
    if search == "annealing":
        return annealed(n, cost, kind, seed, seconds)
    given = posed(n, cost if search == "plain" else numba.njit(jitted), kind)
    result = nrpa.solve(given, seed=seed, time=seconds, clock="processor")
    return result.cost, result.playouts / result.seconds


def main():
    """Make the runs that are missing, and print the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--records", type=Path, default=Path(__file__).parent / "results" / "cheap-differences.csv")
    given = parser.parse_args()
    lines = [*csv.DictReader(given.records.open())] if given.records.exists() else []
    known = {(each["problem"], each["search"], int(each["seed"])) for each in lines}
    with given.records.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not lines:
            writer.writeheader()
        for seed, problem, search in itertools.product(
            range(1, given.seeds + 1), PROBLEMS, ("plain", "njit", "annealing")
        ):
            if (problem, search, seed) in known:
                continue
            cost, rate = run(problem, search, seed, given.time)
            writer.writerow(dict(zip(FIELDS, (problem, search, seed, cost, round(rate)), strict=True)))
            file.flush()
    found = [*csv.DictReader(given.records.open())]
    for problem, search in itertools.product(PROBLEMS, ("plain", "njit", "annealing")):
        those = [each for each in found if (each["problem"], each["search"]) == (problem, search)]
        costs, rates = ([float(each[name]) for each in those] for name in ("cost", "evaluations"))
        print(f"{problem:28}{search:12}{fmean(costs):14,.1f}{fmean(rates):14,.0f}/s")


if __name__ == "__main__":
    main()
