"""Answers after some seconds of the processor from a cost in plain Python, and from others with the same cost.

    python experiments/cheap_differences.py [--time 10] [--seeds 3] [--problems tour bandwidth] [--records FILE.csv]

The others: the cost under njit; an annealing in plain Python; those of simanneal and alns, where they are installed
(``pip install simanneal alns``), given the plain cost and changes of a whole sequence; and for tours and quadratic
assignments, "by hand", an annealing in machine code by differences that were written for them.

Each line of the records is a run: problem, what searched, seed, the cost, and evaluations a second. Those that are
there already are not made again.
"""

import argparse
import csv
import importlib.util
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


def tour_by_hand(n):
    """Return the change of a tour's length by a part in reverse order, or by one place that is put elsewhere."""
    places = np.random.default_rng(n).integers(0, 10_000, (n, 2))
    apart = np.rint(np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))).astype(np.int64)

    @numba.njit
    def gain(order, kind, a, b):
        before, first, last, after = order[a - 1], order[a], order[b], order[(b + 1) % n]
        if before == last:
            return 0
        if kind == 0:
            return apart[before, last] + apart[first, after] - apart[before, first] - apart[last, after]
        second = order[a + 1]
        joined = apart[before, second] + apart[last, first] + apart[first, after]
        return joined - apart[before, first] - apart[first, second] - apart[last, after]

    return gain, (0, 1)


def assigned_by_hand(n):
    """Return the change of a quadratic assignment by an exchange of two places (Taillard, 1991)."""
    flow, apart = np.random.default_rng(n).integers(0, 100, (2, n, n))

    @numba.njit
    def gain(place, kind, a, b):
        p, q = place[a], place[b]
        found = (flow[a, a] - flow[b, b]) * (apart[q, q] - apart[p, p])
        found += (flow[a, b] - flow[b, a]) * (apart[q, p] - apart[p, q])
        for k in range(n):
            if k not in (a, b):
                r = place[k]
                found += (flow[k, a] - flow[k, b]) * (apart[r, q] - apart[r, p])
                found += (flow[a, k] - flow[b, k]) * (apart[q, r] - apart[p, r])
        return found

    return gain, (2,)


@numba.njit
def change_in_place(order, kind, a, b):
    """Reverse a part, put its first place behind its last, or exchange the two."""
    if kind == 0:
        while a < b:
            order[a], order[b] = order[b], order[a]
            a, b = a + 1, b - 1
    elif kind == 1:
        first = order[a]
        for k in range(a, b):
            order[k] = order[k + 1]
        order[b] = first
    else:
        order[a], order[b] = order[b], order[a]


@numba.njit
def anneal_by_hand(gain, kinds, order, best, found, temperature, changes, seed):
    """Try so many changes at a temperature; ``found`` has the cost of the order, and that of the best one."""
    np.random.seed(seed)
    for _ in range(changes):
        a, b, kind = np.random.randint(len(order)), np.random.randint(len(order)), kinds[np.random.randint(len(kinds))]
        if a == b:
            continue
        a, b = min(a, b), max(a, b)
        more = gain(order, kind, a, b)
        if more <= 0 or np.random.random() < np.exp(-more / temperature):
            change_in_place(order, kind, a, b)
            found[0] += more
            if found[0] < found[1]:
                found[1] = found[0]
                best[:] = order


AGENTS = 10
ORDER, CHOICES, SUBSET = "order", "choices", "subset"
PROBLEMS = {
    "tour 400": (tour, 400, ORDER),
    "tour 1000": (tour, 1000, ORDER),
    "tour 5000": (tour, 5000, ORDER),
    **{f"quadratic assignment {n}": (assigned, n, ORDER) for n in (20, 30, 50, 100)},
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


def begun(n, kind, chance):
    """Return a drawn sequence."""
    order = [*range(n)] if kind == ORDER else [int(k < n // 5) for k in range(n)]
    chance.shuffle(order)
    return order


def changed(order, kind, chance):
    """Return a sequence after an exchange, an insertion or a reversal; of choices, after another choice."""
    a, b = sorted(chance.sample(range(len(order)), 2))
    change = chance.randrange(3) if kind == ORDER else 0
    if kind == CHOICES:
        return [*order[:a], chance.randrange(AGENTS), *order[a + 1 :]]
    if change == 0:
        return [*order[:a], order[b], *order[a + 1 : b], order[a], *order[b + 1 :]]
    if change == 1:
        return [*order[:a], *order[a + 1 : b + 1], order[a], *order[b + 1 :]]
    return [*order[:a], *reversed(order[a : b + 1]), *order[b + 1 :]]


def mean_change(cost, order, kind, chance):
    """Return by how much a change changes the cost on average: the hottest temperature of all annealings."""
    now = cost(order)
    return fmean(abs(cost(changed(order, kind, chance)) - now) for _ in range(20)) or 1.0


def annealed(cost, n, kind, seed, seconds):
    """Anneal in plain Python; return the best cost, and how many were asked for a second."""
    chance = random.Random(seed)
    order = begun(n, kind, chance)
    now = best = cost(order)
    hottest = mean_change(cost, order, kind, chance)
    started, made, part = time.process_time(), 0, 0.0
    while part < 1:
        if made % 10 == 0:
            part = (time.process_time() - started) / seconds
        other = changed(order, kind, chance)
        found = cost(other)
        made += 1
        if found <= now or chance.random() < math.exp((now - found) / (hottest * COOLED**part)):
            order, now = other, found
            best = min(best, now)
    return best, made / seconds


def annealed_by_simanneal(cost, n, kind, seed, seconds):
    """Anneal by simanneal, of so many steps as the time has room for."""
    import simanneal

    chance = random.Random(seed)
    random.seed(seed)  # simanneal draws by the module itself

    class Annealer(simanneal.Annealer):
        copy_strategy, updates, made = "slice", 0, 0

        def move(self):
            self.state = changed(self.state, kind, chance)

        def energy(self):
            self.made += 1
            self.user_exit = self.made % 10 == 0 and time.process_time() > self.end
            return cost(self.state)

    search = Annealer(begun(n, kind, chance))
    search.Tmax = mean_change(cost, search.state, kind, chance)
    search.Tmin = search.Tmax * COOLED
    started = time.process_time()
    search.end = started + seconds
    for _ in range(100):
        search.energy()
        changed(search.state, kind, chance)
    search.steps = max(int(100 * seconds / (time.process_time() - started)), 1)
    return search.anneal()[1], search.made / seconds


def searched_by_alns(cost, n, kind, seed, seconds):
    """Search by the package alns: up to a tenth of the places, at most ten, are drawn anew, or as the best of five."""
    import alns
    from alns.accept import SimulatedAnnealing
    from alns.select import RouletteWheel

    chance, made = random.Random(seed), [0]

    class State:
        def __init__(self, order, places=()):
            self.order, self.places, self.found = order, places, None

        def objective(self):
            if self.found is None:
                self.found = cost(self.order)
                made[0] += 1
            return self.found

    def few_left_out(state, rng):
        return State(state.order, chance.sample(range(n), chance.randint(2, max(2, min(10, n // 10)))))

    def part_left_out(state, rng):
        begin, size = chance.randrange(n), max(2, min(10, n // 10))
        return State(state.order, [(begin + k) % n for k in range(size)])

    def put_back(state, rng):
        order, values = [*state.order], [state.order[at] for at in state.places]
        if kind == ORDER:
            values = [chance.randrange(n - len(values) + k + 1) for k in range(len(values))], values
            order = [each for at, each in enumerate(order) if at not in {*state.places}]
            for at, each in zip(*values, strict=True):
                order.insert(at, each)
            return State(order)
        drawn = [chance.randrange(AGENTS) for _ in values] if kind == CHOICES else chance.sample(values, len(values))
        for at, each in zip(state.places, drawn, strict=True):
            order[at] = each
        return State(order)

    def put_back_well(state, rng):
        return min((put_back(state, rng) for _ in range(5)), key=State.objective)

    search = alns.ALNS(np.random.default_rng(seed))
    search.add_destroy_operator(few_left_out)
    search.add_destroy_operator(part_left_out)
    search.add_repair_operator(put_back)
    search.add_repair_operator(put_back_well)
    first = State(begun(n, kind, chance))
    hottest = mean_change(cost, first.order, kind, chance)
    started = time.process_time()
    for _ in range(50):
        put_back(few_left_out(first, None), None).objective()
    steps = max(int(25 * seconds / (time.process_time() - started)), 1)
    accept = SimulatedAnnealing(hottest, hottest * COOLED, COOLED ** (1 / steps), method="exponential")
    select = RouletteWheel([25, 5, 1, 0], 0.8, 2, 2)
    end = started + seconds
    found = search.iterate(first, select, accept, lambda rng, best, current: time.process_time() > end)
    return found.best_state.objective(), made[0] / seconds


def searched_by_hand(changes, cost, n, kind, seed, seconds):
    """Anneal in machine code by differences; compilation does not count."""
    (gain, kinds), chance = changes, random.Random(seed)
    order = np.array(begun(n, kind, chance))
    found, best = np.full(2, cost(order.tolist())), order.copy()
    hottest = mean_change(cost, order.tolist(), kind, chance)
    anneal_by_hand(gain, kinds, order.copy(), best.copy(), found.copy(), hottest, 1, seed)
    started, made, part = time.process_time(), 0, 0.0
    while part < 1:
        anneal_by_hand(gain, kinds, order, best, found, hottest * COOLED_BY_HAND**part, 1000, seed * 1_000_003 + made)
        made += 1000
        part = (time.process_time() - started) / seconds
    assert cost(best.tolist()) == found[1]
    return int(found[1]), made / seconds


# By how much temperatures fall; changes of machine code are so many that they begin to be taken later.
COOLED, COOLED_BY_HAND = 0.001, 0.0002
SEARCHES = {
    "plain": None,
    "njit": None,
    "annealing": annealed,
    "simanneal": annealed_by_simanneal,
    "alns": searched_by_alns,
    "by hand": None,
}
BY_HAND = {tour: tour_by_hand, assigned: assigned_by_hand}


def can_run(problem, search):
    """Return whether a search is installed, and is for a problem."""
    if search in ("simanneal", "alns"):
        return importlib.util.find_spec(search) is not None
    return search != "by hand" or PROBLEMS[problem][0] in BY_HAND


def run(problem, search, seed, seconds):
    """Return the best cost of a run, and its evaluations a second."""
    make, n, kind = PROBLEMS[problem]
    cost, jitted = make(n)
    if search == "by hand":
        return searched_by_hand(BY_HAND[make](n), cost, n, kind, seed, seconds)
    if SEARCHES[search] is not None:
        return SEARCHES[search](cost, n, kind, seed, seconds)
    given = posed(n, cost if search == "plain" else numba.njit(jitted), kind)
    result = nrpa.solve(given, seed=seed, time=seconds, clock="processor")
    return result.cost, result.playouts / result.seconds


def main():
    """Make the runs that are missing, and print the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--records", type=Path, default=Path(__file__).parent / "results" / "cheap-differences.csv")
    parser.add_argument("--problems", nargs="*", default=[""], help="parts of the names of those to solve")
    given = parser.parse_args()
    problems = [each for each in PROBLEMS if any(part in each for part in given.problems)]
    lines = [*csv.DictReader(given.records.open())] if given.records.exists() else []
    known = {(each["problem"], each["search"], int(each["seed"])) for each in lines}
    with given.records.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not lines:
            writer.writeheader()
        for seed, problem, search in itertools.product(range(1, given.seeds + 1), problems, SEARCHES):
            if (problem, search, seed) in known or not can_run(problem, search):
                continue
            cost, rate = run(problem, search, seed, given.time)
            writer.writerow(dict(zip(FIELDS, (problem, search, seed, cost, round(rate)), strict=True)))
            file.flush()
    found = [*csv.DictReader(given.records.open())]
    for problem, search in itertools.product(PROBLEMS, SEARCHES):
        those = [each for each in found if (each["problem"], each["search"]) == (problem, search)]
        if not those:
            continue
        costs, rates = ([float(each[name]) for each in those] for name in ("cost", "evaluations"))
        print(f"{problem:28}{search:12}{fmean(costs):14,.1f}{fmean(rates):14,.0f}/s")


if __name__ == "__main__":
    main()
