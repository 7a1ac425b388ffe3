"""What searches find on random small instances is the best of all solutions, tried one by one by the definition.

A search that finds less may have had too few playouts. Most distances break the triangle inequality.
"""

from functools import cache
from itertools import count, pairwise, permutations, product

import numpy as np
import pytest
from tries import SEED, tries

import nrpa
from nrpa.problems.rna.vienna import folder

SEARCH = nrpa.NRPA(level=3, iterations=12)
PLAYOUTS = 250
AUTO_PLAYOUTS = 2000
NEARLY = 1e-6


def wrong(make, best):
    """Return how a search and the best score, None where all have faults, disagree; nothing if they do not."""
    try:
        problem = make()
    except nrpa.InputError as error:
        return "" if best is None else f"refused ({error}), best {best}"
    result = nrpa.solve(problem, SEARCH, seed=1, playouts=PLAYOUTS)
    verdict = problem.check(result.solution)
    same = abs(verdict.score - result.score) < NEARLY
    agree = verdict.faults if best is None else not verdict.faults and abs(result.score - best) < NEARLY
    return "" if same and agree else f"{result.solution}: found {result.score}, best {best}, {verdict}"


def places(rng, most):
    """Return random distances and windows, in small and in large units."""
    n, unit = int(rng.integers(2, most)), rng.choice([1, 1e7])
    opens = rng.integers(0, 40, n)
    windows = np.stack([opens, opens + rng.integers(0, 70, n)], axis=1)
    windows[0] = 0, rng.integers(30, 160)
    return unit * rng.integers(0, 20, (n, n)), unit * windows


def tour(distances, windows, service, stops):
    """Return how many windows are missed from the depot through the stops and home, and the cost."""
    time, cost, missed, here = windows[0][0], 0, 0, 0
    for place in (*stops, 0):
        cost += distances[here][place]
        time = max(time + service[here] + distances[here][place], windows[place][0])
        missed += time > windows[place][1]
        here = place
    return missed, cost


def tsptw(rng):
    """Tours in time, by each rule for moves; late ones, the fewest windows missed, by the rule for all."""
    distances, windows = places(rng, 7)
    windows[0, 0] = windows[0, 1] // 8 * rng.integers(-1, 2)
    n = len(distances)
    missed, cost = min(tour(distances, windows, [0] * n, stops) for stops in permutations(range(1, n)))
    for rule in ("all", "selective", "lookahead"):
        if text := wrong(lambda rule=rule: nrpa.TSPTW(distances, windows, moves=rule), None if missed else -cost):
            return f"{rule}: {text}"
    figures = nrpa.solve(nrpa.TSPTW(distances, windows, moves="all"), SEARCH, seed=2, playouts=PLAYOUTS).figures
    return "" if figures == {"cost": cost, "violations": missed} else f"found {figures}, best {cost}, {missed} missed"


def vrptw(rng):
    """Routes in time, of least distance, with few vehicles, and routes that must be short."""
    distances, windows = places(rng, 6)
    windows[0, 0] = windows[0, 1] // 8
    n, unit = len(distances), distances.max() / 19
    demand, service = rng.integers(1, 4, n) * (np.arange(n) > 0), rng.integers(0, 6, n) * (np.arange(n) > 0)
    most, longest = int(rng.integers(1, 2 * n)), float(unit * rng.integers(20, 140)) + 1
    costs = {}
    for route in (route for k in range(1, n) for route in permutations(range(1, n), k)):
        missed, cost = tour(distances, windows, service, route)
        if not missed and cost <= longest and demand[[*route]].sum() <= 5:
            costs[frozenset(route)] = min(cost, costs.get(frozenset(route), np.inf))

    def cover(left, vehicles):
        if not (left and vehicles):
            return np.inf if left else 0.0
        routes = (route for route in costs if route <= left and min(left) in route)
        return min((costs[route] + cover(left - route, vehicles - 1) for route in routes), default=np.inf)

    best = cover(frozenset(range(1, n)), most)
    options = {"service": service, "first": "distance", "returns": "free", "vehicles": most, "longest": longest}
    return wrong(lambda: nrpa.VRPTW(distances, windows, demand, 5, **options), -best if best < np.inf else None)


def snake(rng):
    """Paths and cycles without chords in two to four dimensions."""
    dimensions, coil = int(rng.integers(2, 5)), bool(rng.integers(2))

    def longest(*path):
        ways = [0 if coil else len(path) - 1]
        for vertex in (path[-1] ^ 1 << k for k in range(dimensions)):
            near = [k for k, other in enumerate(path[:-1]) if (vertex ^ other).bit_count() <= 1]
            if not near:
                ways.append(longest(*path, vertex))
            elif near == [0] and coil and vertex != 0:
                ways.append(len(path) + 1)
        return max(ways)

    return wrong(lambda: nrpa.Snake(dimensions, coil), longest(0))


def schur(rng):
    """Up to three parts, none with the sum of two of its numbers."""
    parts, limit = int(rng.integers(1, 4)), int(rng.integers(1, 30))

    def most(placed, number):
        free = [part for part in placed if not any(number - k in part and number != 2 * k for k in part)]
        return max((most((placed - {part}) | {part | {number}}, number + 1) for part in free), default=number - 1)

    best = most(frozenset(frozenset([-99 * k]) for k in range(1, parts + 1)), 1)  # -99 … keep empty parts apart
    return wrong(lambda: nrpa.WeakSchur(parts, limit=limit), min(best, limit))


def morpion(rng):
    """Lines of five through 11 to 13 of 25 dots; lines of four can go on for ever."""
    variant, cells = str(rng.choice(["5D", "5T"])), [*product(range(5), repeat=2)]
    dots = frozenset(cells[k] for k in rng.choice(25, int(rng.integers(11, 14)), replace=False))

    @cache
    def most(full, used):
        ways = [0]
        for x, y, (dx, dy) in product(range(-5, 10), range(-5, 10), [(1, 0), (0, 1), (1, -1), (1, 1)]):
            line = [(x + i * dx, y + i * dy) for i in range(5)]
            if len(full.intersection(line)) == 4:
                parts = {(dx, dy, part) for part in (line if variant == "5D" else pairwise(line))}
                if not parts & used:
                    ways.append(1 + most(full.union(line), used | parts))
        return max(ways)

    return wrong(lambda: nrpa.Morpion(variant, dots=dots), most(dots, frozenset()))


def structures(sequence):
    """Yield all structures without pseudoknots."""
    if not sequence:
        yield ""
    for rest in structures(sequence[1:]) if sequence else ():
        yield f".{rest}"
    for k in range(4, len(sequence)):
        if sequence[0] + sequence[k] in ("GC", "CG", "AU", "UA", "GU", "UG"):
            yield from (f"({a}){b}" for a, b in product(structures(sequence[1:k]), [*structures(sequence[k + 1 :])]))


def fold(rng):
    """All structures of 10 to 15 bases, and the exact fold; energies are ViennaRNA's."""
    sequence = "".join(rng.choice([*"GGCCAU"], int(rng.integers(10, 16))))
    least = min(folder("turner2004").energy(sequence, each) for each in structures(sequence))
    exact = nrpa.Folding(sequence).optimum
    return wrong(lambda: nrpa.Folding(sequence), -least) if abs(exact - least) < NEARLY else f"{exact}, least {least}"


def rna(rng):
    """Whether any sequence that can pair as a short target does folds into it, by ViennaRNA's exact fold."""
    target = str(rng.choice(["(((...)))", "((....))", "((.....))", "(((....)))"]))
    loop, pairs = target.count("."), product(("GC", "CG", "AU", "UA", "GU", "UG"), repeat=target.count("("))
    ways = (
        ("".join(p[0] for p in a), "".join(b), "".join(p[1] for p in a[::-1]))
        for a, b in product(pairs, product("ACGU", repeat=loop))
    )
    best = any(folder("turner2004").mfe("".join(way))[0] == target for way in ways)
    problem = nrpa.InverseFolding(target)
    result = nrpa.solve(problem, SEARCH, seed=1, playouts=20 * PLAYOUTS)
    return "" if problem.check(result.solution).valid == best else f"{target}: {result.solution}, but {best}"


@pytest.mark.parametrize(
    "problem", [tsptw, vrptw, snake, schur, morpion, fold, rna], ids=lambda problem: problem.__name__
)
def test_searches_find_the_best_of_all_solutions(problem):
    """As plain Python, so that nothing is compiled."""
    if problem in (fold, rna):
        pytest.importorskip("RNA")
    with nrpa.debug():
        for number in tries(3):
            assert problem(np.random.default_rng([SEED, number])) == ""


def test_auto_misses_as_few_windows_as_any_tour():
    """Where no tour keeps all: the fewest, and then the least cost."""
    found = 0
    for number in count():
        distances, windows = places(np.random.default_rng([SEED, number]), 8)
        windows[1:, 1] = (3 * windows[1:, 0] + windows[1:, 1]) // 4
        n = len(distances)
        missed, cost = min(tour(distances, windows, [0] * n, stops) for stops in permutations(range(1, n)))
        if missed:
            figures = nrpa.solve(nrpa.TSPTW(distances, windows), seed=1, playouts=AUTO_PLAYOUTS).figures
            assert figures == {"cost": cost, "violations": missed}, (distances.tolist(), windows.tolist())
            found += 1
        if found == len(tries(20)):
            break
