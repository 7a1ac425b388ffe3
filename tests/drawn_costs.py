"""Costs of sequences drawn at random, as text: sums, folds, counts and maxima, as people write them."""

import random

HEAD = """
import math

import numpy as np

N = 9
RNG = np.random.default_rng({seed})
NUMBERS = {numbers}
D = RNG.integers(-20, 100, (N, N)).tolist() if NUMBERS else (RNG.random((N, N)) * 100).tolist()
S = np.array(D) + np.array(D).T
W = [row[0] for row in D]
KIND = [k % 3 for k in range(N)]
NEAR = {{k: k * k % 5 for k in range(N)}}
PAIRS = [(k, (k * 4 + 1) % N) for k in range(N)]
EDGES = [[k, (k * 5 + 2) % N, 7 * k - 9] for k in range(N - 2)]
MIXED = [(k, (k * 2) % N, k / 4) for k in range(N)]
RAGGED = [[(k * j + 1) % N for j in range(k % 3 + 1)] for k in range(N)]
FLAGS = [[(k + j) % 3 == 0 for j in range(N)] for k in range(N)]
CUBE = RNG.integers(0, 50, (N, 3, 2)).tolist()
M = 4


def helper(a, b):
    if a > b:
        return W[a] - b
    return W[b] + a


def made(scale):
    def cost(x):
        {begin}
        route = [4] + [N - 1 - a for a in x] + [0]
{lines}
        return {result}

    return cost


cost = made(3)
"""
LOOPS = [
    ("for i in range(1, N):", ["x[i]", "x[i - 1]"], ["i"]),
    ("for i in range(N):", ["x[i]", "x[i - 1]", "x[(i + 1) % N]"], ["i"]),
    ("for i in range(len(x) - 2):", ["x[i]", "x[i + 2]"], ["i"]),
    ("for a in x:", ["a"], []),
    ("for i, a in enumerate(x):", ["a"], ["i"]),
    ("for i, a in enumerate(x, 1):", ["a"], ["i"]),
    ("for a, b in zip(x, x[1:]):", ["a", "b"], []),
    ("for a, b in zip(x[:-1], x[1:]):", ["a", "b"], []),
    ("for a, b in zip(x, x[1:] + x[:1]):", ["a", "b"], []),
    ("for a, b in zip([x[-1]] + x, x):", ["a", "b"], []),
    ("for i, (a, b) in enumerate(zip(x, x[2:])):", ["a", "b"], ["i"]),
    ("for u, v in PAIRS:", ["x[u]", "x[v]"], ["u"]),
    ("for a in reversed(x):", ["a"], []),
    ("for u, v, w in EDGES:", ["x[u]", "x[v]"], ["w"]),
    ("for u, v, w in MIXED:", ["x[u]", "x[v]"], ["u"]),
    ("for i, row in enumerate(RAGGED):", ["x[row[-1]]", "x[i]"], ["i"]),
    ("for (u, v), a in zip(PAIRS, x):", ["a", "x[v]"], ["u"]),
    ("for a, row in zip(x, D):", ["a", "x[-1]"], []),
    ("for i in range(N - 1, -1, -1):", ["x[i]", "x[i - 2]"], ["i"]),
    ("for a in x[2:-1]:", ["a"], []),
    ("for a, b in zip(route, route[1:]):", ["a", "b"], []),
    ("for i, (a, b) in enumerate(zip([3, *x], route)):", ["a", "b"], ["i"]),
    ("for i in range(1, len(route) - 2):", ["route[i]", "x[i]", "route[i + 1]"], ["i"]),
]
DOUBLE = ["for j in range(N):", "for j in range(i + 1, N):", "for j in range(i):"]
FOLDS = [
    ["s = 0", "for a in x:", "    s += W[a]", "    total += max(0, s - D[a][1])"],
    ["s, last = 5, x[-1]", "for a in x:", "    s = max(s, W[a]) + D[last][a]", "    last = a", "total += s"],
    ["s = 0", "for a in x:", "    if s > 50:", "        s = 0", "    s += abs(W[a])", "    other += s * 2"],
    ["load = [0] * 3", "for i, a in enumerate(x):", "    load[KIND[a]] += W[i]", "total += max(load) - min(load)"],
    ["count = np.bincount(np.array(x), minlength=N)", "total += int((count * count).sum())"],
    [
        "at = [0] * N",
        "for i, a in enumerate(x):",
        "    at[a] = i",
        "for u, v in PAIRS:",
        "    total += abs(at[u] - at[v])",
    ],
    [
        "ready, late = [0] * M, 0",
        "for a in x:",
        "    now = 0",
        "    for k in range(M):",
        "        now = max(now, ready[k]) + a * k + 3",
        "        ready[k] = now",
        "    late += max(0, now - 9 * a)",
        "total += ready[-1] + late + max(ready)",
    ],
    ["load = [0 for _ in range(3)]", "for a in x:", "    load[KIND[a]] -= 2", "other += min(load) * sum(load)"],
    ["load = [0.0] * N", "for i, a in enumerate(x):", "    load[a] += i / 2", "total += max(load) - load[x[0]]"],
    ["seen = [0] * (N + 1)", "for a in x:", "    seen[a + 1] = seen[a] + 1", "total += sum(v * v for v in seen)"],
    ["k = 0", "while k < N and x[k] != 3:", "    total += W[k]", "    k += 1", "other += k"],
    ["s = 1", "for a in x:", "    s = s * 977 + a", "total += s % 1009"],
    ["s = 0", "for a in x:", "    if a == 4:", "        break", "    s += D[a][s % N] > 30", "other += s"],
    ["s = 0", "for a in x:", "    s = x[(s + a) % N]", "    total += D[s][a]"],
    ["for i in range(N):", "    total += max(abs(x[i] - x[j]) for j in range(N) if j != i)"],
    ["for a in x:", "    total += sum(CUBE[a][k][k % 2] for k in range(3)) - CUBE[a][-1][0]"],
    ["rows = [*zip(*D)]", "total += sum(rows[a][0] for a in x)"],
    ["row = D[x[0]]", "total += sum(row[a] for a in x[1:]) + len(row)"],
    ["u, v = PAIRS[x[1]]", "other += (x[u] - v) * (x[v] in (u, 2))"],
    ["best = -1000", "for i in range(N):", "    best = max(best, W[x[i]] * i)", "other += best"],
]
SUMS = [
    "sum(W[a] for a in x if a % 2)",
    "sum(D[a][b] for a, b in zip(x, x[1:]) if KIND[a] != KIND[b])",
    "sum(D[x[i]][x[j]] for i in range(N) for j in range(i + 1, N))",
    "max(W[a] * i for i, a in enumerate(x))",
    "min([abs(x[i] - i) for i in range(N)])",
    "sum(x[i] != x[i - 1] for i in range(1, N))",
    "scale * any(a == i for i, a in enumerate(x))",
    "len(set(x)) * scale",
    "sorted(x)[N // 2]",
    "S[x[0]][x[-1]]",
    "sum(NEAR[a] for a in x)",
    "x.index(max(x))",
    "max(abs(x[u] - x[v]) for u, v in PAIRS)",
    "min(W[u] + w for u, v, w in EDGES if x[u] != x[v] + 1)",
    "max(sum(D[a][k] for k in range(3)) for a in x)",
    "sum(x[u] * w for u, v, w in MIXED)",
    "sum(FLAGS[a][b] for a, b in zip(x, x[1:]))",
    "sum(max(row) for row in RAGGED if x[row[0]] > 2)",
    "sum(D[a][-1] - D[-2][b] for a, b in zip(x, reversed(x)))",
    "sum(sum(D[a][1:4]) for a in x)",
    "(x[0], x[1]) in PAIRS",
    "sum(a in RAGGED[b] for a, b in zip(x, x[3:]))",
    "sum(W[a] for a in x) // max(1, max(x[i] - x[i - 1] for i in range(1, N)))",
    "abs(sum(x[i] * i for i in range(N)) - sum(a * a for a in x))",
    "D[x[0]] == D[x[1]]",
]


class DrawnCost:
    """Draws the lines of a cost."""

    def __init__(self, chance):
        self.chance = chance

    def number(self, items, places, depth=0):
        """Return an expression of a number."""
        one, other = self.chance.choice(items), self.chance.choice(items)
        leaves = [f"D[{one}][{other}]", f"W[{one}]", f"helper({one}, {other})", f"abs({one} - {other})", f"NEAR[{one}]"]
        leaves += [str(self.chance.randint(1, 50)), "scale", f"S[{one}, {other}]"]
        leaves += [f"({one} - {place}) * {self.chance.randint(1, 3)}" for place in places]
        if depth > 1 or self.chance.random() < 0.5:
            return self.chance.choice(leaves)
        left, right = self.number(items, places, depth + 1), self.number(items, places, depth + 1)
        return self.chance.choice(
            [
                f"({left} {self.chance.choice('+-*')} {right})",
                f"max({left}, {right})",
                f"({left} if {self.condition(items, places)} else {right})",
                f"{left} // {self.chance.randint(2, 9)}",
                f"{left} % {self.chance.choice([-7, 5, 9])}",
                f"({left}) ** 2",
                f"{left} / {self.chance.randint(2, 9)}",
            ]
        )

    def condition(self, items, places):
        """Return an expression of a truth."""
        one, other = self.chance.choice(items), self.chance.choice([*items, *places])
        return self.chance.choice([f"{one} > {other}", f"{one} % 3", f"KIND[{one}] != 1", f"{one} in (1, 2)"])

    def body(self, items, places):
        """Return the lines of a loop."""
        name, number = self.chance.choice(["total", "other"]), self.number(items, places)
        adds = f"    {name} {self.chance.choice(['+=', '+=', '-='])} {number}"
        return self.chance.choice(
            [
                [adds],
                [adds],
                [f"    if {self.condition(items, places)}:", "        continue", adds],
                [f"    if {self.condition(items, places)}:", f"    {adds}", "    else:", "        other += 1"],
                [f"    t = {number}", f"    {name} += t * scale"],
            ]
        )

    def part(self):
        """Return a loop, a fold or a sum."""
        kind = self.chance.randrange(5)
        if kind == 0:
            return self.chance.choice(FOLDS)
        if kind == 1:
            return [f"{self.chance.choice(['total', 'other'])} += {self.chance.choice(SUMS)}"]
        if kind == 2:
            inner = self.body(["x[i]", "x[j]"], self.chance.choice([[], ["i", "j"]]))
            return ["for i in range(N):", f"    {self.chance.choice(DOUBLE)}", *(f"    {line}" for line in inner)]
        head, items, places = self.chance.choice(LOOPS)
        return [head, *self.body(items, self.chance.choice([[], places]))]


def drawn_cost(seed):
    """Return the text of a module with a function ``cost`` of ``N`` numbers."""
    chance = random.Random(seed)
    draw = DrawnCost(chance)
    lines = [line for _ in range(chance.randint(1, 3)) for line in draw.part()]
    results = ["total + other", "total - other", "max(total, other)", "total + other + D[x[-1]][x[0]]"]
    results += ["(total - other) / 7", "total * scale - 2.5 * other", "(total + other) // 3"]
    indented = "\n".join(f"        {line}" for line in lines)
    begin = chance.choice(["total, other = 0, 0", "total = other = 0", "other = 0; total = D[x[-1]][x[0]] - W[x[1]]"])
    result, numbers = chance.choice(results), chance.random() < 0.7
    return HEAD.format(seed=seed, numbers=numbers, begin=begin, lines=indented, result=result)
