"""TSPTW in plain Python, its legal moves by the rule as it is written, O(n²) a step."""

import math
from itertools import pairwise, permutations, product

import numpy as np

from nrpa.problems.routing.lengths import short_ways


class NaiveTSPTW:
    """States are (city, time, cost, missed, visited, given up)."""

    def __init__(self, distances, windows, moves="selective", use_bias=True, minimize="travel"):
        self.d = distances
        self.windows = windows
        self.n = len(distances)
        self.moves = moves
        self.shortest = shortest_ways(distances)
        if moves == "lookahead":
            self.narrow = tightened(distances, windows)
            slack = 1e-9 * max(*map(max, distances), *map(max, windows))
            self.deadline = [closes + slack for _, closes in self.narrow]
            self.first = precedences(self.shortest, self.narrow, slack)
        off = [distances[i][j] for i in range(self.n) for j in range(self.n) if i != j]
        self.low, self.high = min(off), max(off)
        self.use_bias = use_bias
        self.minimize = minimize

    def initial(self):
        return (0, self.windows[0][0], 0.0, 0, frozenset([0]), frozenset())

    def legal(self, state):
        city, time, _, _, visited, _ = state
        left = [j for j in range(self.n) if j not in visited]
        if self.moves == "all":
            return left
        if self.moves == "lookahead":
            return self.look_ahead(state)[0]
        late = [j for j in left if time + self.shortest[city][j] > self.windows[j][1]]
        if late:
            return late
        harmless = []
        for j in left:
            start = max(time + self.d[city][j], self.windows[j][0])
            if all(start <= self.windows[k][1] for k in left):
                harmless.append(j)
        return harmless or [j for j in left if time + self.d[city][j] > self.windows[j][1]]

    def look_ahead(self, state):
        """Return the legal moves and the cities that are given up."""
        city, time, _, _, visited, given_up = state
        given_up = set(given_up)
        left = [j for j in range(self.n) if j not in visited]

        def harmless(hopeful):
            """Return the cities that are given up and make no other late."""
            begin = {j: max(time + self.d[city][j], self.windows[j][0]) for j in given_up & set(left)}
            return [
                j
                for j in sorted(begin)
                if all((k, j) not in self.first and begin[j] <= self.deadline[k] - self.shortest[j][k] for k in hopeful)
            ]

        while hopeful := [j for j in left if j not in given_up]:
            start = {j: max(time + self.d[city][j], self.windows[j][0]) for j in hopeful}
            safe = [
                j
                for j in hopeful
                if start[j] <= self.deadline[j]
                and all(
                    (k, j) not in self.first and start[j] <= self.deadline[k] - self.shortest[j][k]
                    for k in hopeful
                    if k != j
                )
            ]
            if safe:
                return safe + harmless(hopeful), frozenset(given_up)
            late = [j for j in hopeful if time + self.shortest[city][j] > self.deadline[j]]
            if late:
                given_up.update(late)
                continue
            most_urgent = min(hopeful, key=lambda j: self.deadline[j])
            early = [j for j in hopeful if start[j] <= self.deadline[most_urgent]]
            if early:
                return early + harmless(hopeful), frozenset(given_up)
            given_up.add(most_urgent)
        return left, frozenset(given_up)

    def play(self, state, move):
        city, time, cost, missed, visited, given_up = state
        if self.moves == "lookahead":
            given_up = self.look_ahead(state)[1]
        start = max(time + self.d[city][move], self.windows[move][0])
        missed += start > self.windows[move][1]
        return (move, start, cost + self.d[city][move], missed, visited | {move}, given_up)

    def score(self, state):
        _, time, cost, missed, _, _ = self.play(state, 0)
        return -((cost if self.minimize == "travel" else time) + 1e6 * missed)

    def code(self, state, move):
        return (state[0], move)

    def bias(self, state, move):
        if not self.use_bias:
            return 0.0
        return -10 * (self.d[state[0]][move] - self.low) / (self.high - self.low)


class NaiveManyCities:
    """The rules of many cities: neighbours come, or else any cities, where service can start first."""

    def __init__(self, distances, windows, moves, neighbours):
        self.d, self.windows, self.moves, self.k = distances, windows, moves, neighbours
        self.ways = short_ways(np.array(distances)).tolist()
        home = windows[0][1]
        self.deadline = [min(window[1], home - way[0]) for window, way in zip(windows, self.ways, strict=True)]

    def neighbours(self, i):
        """Return the cities that may best come after i."""
        opens, last = self.windows[i], self.windows[i][i > 0]
        slack = 1e-9 * max(*map(max, self.d), *map(max, self.windows))
        far = {}
        for j, (ready, due) in enumerate(self.windows):
            way = self.d[i][j]
            if j not in (0, i) and opens[0] + way <= due + slack:
                far[j] = way + 0.2 * max(0.0, ready - way - last)
        return sorted(far, key=lambda j: (far[j], j))[: self.k]

    def legal(self, tour):
        """Return the legal moves after some, each with its code."""
        time, here = self.windows[0][0], 0
        for city in tour:
            time, here = max(time + self.d[here][city], self.windows[city][0]), city
        left = sorted(set(range(1, len(self.d))) - set(tour), key=lambda j: (self.deadline[j], j))
        start = {j: max(time + self.d[here][j], self.windows[j][0]) for j in left}
        late = [j for j in left if time + self.ways[here][j] > self.deadline[j]]
        in_time = [j for j in left if j not in late]

        def is_harmless(i):
            others = [j for j in in_time if j != i]
            return (i in late or start[i] <= self.deadline[i]) and all(
                start[i] + self.ways[i][j] <= self.deadline[j] for j in others
            )

        if self.moves == "all":
            allowed = left
        elif self.moves == "lookahead":
            allowed = [j for j in left if is_harmless(j)] or in_time[:1] or left
        else:
            first = [j for j in left if start[j] <= self.deadline[left[0]]]
            allowed = late or first or [j for j in left if time + self.d[here][j] > self.deadline[j]]
        near = self.neighbours(here)
        if found := [(j, here * self.k + near.index(j)) for j in near if j in allowed]:
            return found
        return [(j, self.k * len(self.d) + j) for j in sorted(allowed, key=start.get)[: self.k]]


def shortest_ways(distances):
    """Return the lengths of the shortest ways through any cities but the depot, relaxed until nothing changes."""
    n = len(distances)
    shortest = [list(row) for row in distances]
    changed = True
    while changed:
        changed = False
        for i, j, k in product(range(n), range(n), range(1, n)):
            if shortest[i][k] + shortest[k][j] < shortest[i][j] - 1e-6:
                shortest[i][j] = shortest[i][k] + shortest[k][j]
                changed = True
    return shortest


def precedences(shortest, windows, slack):
    """Return the pairs of cities of which the first must come first."""
    cities = range(1, len(windows))
    return {
        (i, j) for i, j in product(cities, cities) if i != j and windows[j][0] + shortest[j][i] > windows[i][1] + slack
    }


def tightened(distances, windows):
    """Return narrower windows, a city and a reason at a time, until nothing changes."""
    n = len(distances)
    shortest = shortest_ways(distances)
    home = windows[0][1]
    slack = 1e-9 * max(*map(max, distances), *map(max, windows))
    opens, closes = [w[0] for w in windows], [windows[0][0]] + [w[1] for w in windows[1:]]
    changed = True
    while changed:
        changed = False
        first = precedences(shortest, list(zip(opens, closes, strict=True)), slack)

        def direct(i, j, first=first):
            between = any((i, k) in first and (k, j) in first for k in range(n))
            before = i == 0 and any(b == j for _, b in first)
            in_time = opens[i] + distances[i][j] <= closes[j] + slack
            return j not in (i, 0) and in_time and (j, i) not in first and not between and not before

        for j in range(1, n):
            sources = [i for i in range(n) if direct(i, j)]
            targets = [k for k in range(1, n) if direct(j, k)]
            lows = [min((opens[i] + distances[i][j] for i in sources), default=math.inf)]
            lows += [opens[i] + shortest[i][j] for i in range(n) if (i, j) in first]
            after = [closes[k] - distances[j][k] for k in targets]
            if not any(a == j for a, _ in first):
                after.append(home - distances[j][0])
            highs = [max(after, default=-math.inf)]
            highs += [closes[k] - shortest[j][k] for k in range(n) if (j, k) in first]
            low = max(opens[j], *lows)
            highs.append(max([low, *(closes[i] + distances[i][j] for i in sources)]))
            high = min(closes[j], *highs)
            changed = changed or low > opens[j] + slack or high < closes[j] - slack
            opens[j], closes[j] = low, high
            if low > high + slack:
                return windows
    return [windows[0], *map(list, zip(opens[1:], closes[1:], strict=True))]


def bias_by_neighbours(distances, windows):
    """Return β of each way as a list of lists, by distance and deadline, city by city."""
    n = len(distances)
    narrow = tightened(distances, windows)
    slack = 1e-9 * max(*map(max, distances), *map(max, windows))
    opens, closes = [w[0] for w in narrow], [w[1] for w in narrow]
    first = precedences(shortest_ways(distances), narrow, slack)
    width = sum(w[1] - w[0] for w in windows[1:]) / (n - 1)
    after = [
        [j for j in range(1, n) if j != i and (j, i) not in first and opens[i] + distances[i][j] <= closes[j] + slack]
        for i in range(n)
    ]
    nearest = [min((distances[i][j] for j in after[i]), default=None) for i in range(n)]
    reaches = [
        sorted(distances[i][j] for j in after[i])[5] - nearest[i] for i in range(n) if len(after[i]) >= min(6, n)
    ]
    reach = sum(reaches) / len(reaches) if reaches else 0.0
    beta = [[0.0] * n for _ in range(n)]
    for i, j in product(range(n), range(n)):
        if after[i]:
            beta[i][j] -= 2 * (distances[i][j] - nearest[i]) / reach if reach > 0 else 0.0
            beta[i][j] -= (closes[j] - min(closes[k] for k in after[i])) / width if width > 0 else 0.0
        beta[i][j] = min(0.0, max(-80.0, beta[i][j]))
    return beta


def best_tour(distances, windows, minimize="travel"):
    """Return the best tour that keeps all windows, by trying all orders; None where there is none."""
    best = (math.inf, None)
    for tour in permutations(range(1, len(distances))):
        cost, time, here = 0, windows[0][0], 0
        for city in (*tour, 0):
            cost += distances[here][city]
            time = max(time + distances[here][city], windows[city][0])
            here = city
            if time > windows[city][1]:
                break
        else:
            time = least_duration(distances, windows, tour) if minimize == "duration" else time
            best = min(best, (cost if minimize == "travel" else time, tour))
    return best[1]


def home_at(distances, windows, tour, time):
    """Return when a tour is home that leaves the depot at a time; infinity where it misses a window."""
    for here, city in pairwise((0, *tour, 0)):
        time = max(time + distances[here][city], windows[city][0])
        if time > windows[city][1] + 1e-9:
            return math.inf
    return time


def least_duration(distances, windows, tour):
    """Return how long a tour is away at least; the later it leaves, the shorter."""
    early, late = windows[0]
    for _ in range(60):
        middle = (early + late) / 2
        early, late = (middle, late) if home_at(distances, windows, tour, middle) < math.inf else (early, middle)
    return home_at(distances, windows, tour, early) - early


def random_matrix(cities, seed):
    """Return whole distances that break the triangle inequality, and windows that some tour may keep.

    The depot opens at 0, before or after.
    """
    rng = np.random.default_rng(seed)
    distances = rng.integers(1, 21, (cities, cities)).astype(float)
    np.fill_diagonal(distances, 0)
    opens = rng.integers(0, 40, cities).astype(float)
    windows = np.stack([opens, opens + rng.integers(1, 40, cities)], axis=1)
    windows[0] = 0, rng.integers(30, 120)
    return distances, windows + (0, 480, -30)[seed % 3]


def random_instance(cities, seed):
    """Return distances (float[n, n]) and windows (float[n, 2]) that some tour can nearly keep."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(0, 100, (cities, 2))
    distances = np.hypot(*(place[:, None] - place).transpose(2, 0, 1))
    tour = [0, *rng.permutation(np.arange(1, cities))]
    arrival = np.cumsum([distances[a, b] for a, b in pairwise(tour)])
    windows = np.zeros((cities, 2))
    windows[tour[1:], 0] = np.maximum(0, arrival - rng.uniform(0, 60, cities - 1))
    windows[tour[1:], 1] = arrival + rng.uniform(0, 60, cities - 1)
    windows[0] = 0, arrival[-1] + 300
    return distances, windows


class NaiveExchanges:
    """Tours as lists, judged by walking them whole."""

    def __init__(self, distances, windows, minimize="travel"):
        self.distances, self.windows, self.minimize = distances, windows, minimize

    def judged(self, tour):
        """Return how many windows are missed, and the travel cost or, without any, what is minimised."""
        cost = here = missed = 0
        time = self.windows[0][0]
        for city in [*tour, 0]:
            cost += self.distances[here][city]
            time = max(time + self.distances[here][city], self.windows[city][0])
            missed += time > self.windows[city][1]
            here = city
        if self.minimize == "duration" and missed == 0:
            return 0, least_duration(self.distances, self.windows, tour)
        return missed, time if self.minimize == "makespan" and missed == 0 else cost

    def is_better(self, changed, tour):
        """Return whether a changed tour misses fewer windows, or as many and is shorter, or home earlier."""
        (missed, cost), (before, cost_before) = self.judged(changed), self.judged(tour)
        return missed < before or (missed == before and cost < cost_before - 1e-7)

    def improved(self, tour):
        """Return the tour after first improvements, parts swapped first, then turned, until nothing is better."""
        while True:
            before = list(tour)
            n = len(tour)
            for a in range(n - 1):
                for b in range(a + 1, n):
                    for c in range(b + 1, n + 1):
                        if min(b - a, c - b) > 3:
                            continue
                        changed = tour[:a] + tour[b:c] + tour[a:b] + tour[c:]
                        tour = changed if self.is_better(changed, tour) else tour
            for a in range(n - 1):
                for c in range(a + 2, n + 1):
                    changed = tour[:a] + tour[a:c][::-1] + tour[c:]
                    tour = changed if self.is_better(changed, tour) else tour
            if tour == before:
                return tour
