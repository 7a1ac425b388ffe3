#!/usr/bin/env bash
# One would guess that elkai, which hands tours to LKH, minimises the distances that it is given, since its signature takes lists of `float` and its text says "float/int weights".
# It rounds each to a whole number without a word, so that in the unit square, where drawn tours of papers lie, every way is 0 or 1 and the tour may be a fifth too long: whoever compares with LKH by it must multiply by a thousand or more first.
#
# Seen with elkai 2.0.1, Python 3.11, x86-64: nine places of the unit square, best tour 3.295 (all 40,320 orders); 3.883
# by `DistanceMatrix` and by `Coordinates2D`, 3.295 by both where all is multiplied by 1,000.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q elkai==2.0.1
"$work/venv/bin/python" - <<'PROGRAM'
from importlib.metadata import version
from itertools import pairwise, permutations
from math import dist
from random import Random

from elkai import Coordinates2D, DistanceMatrix

drawn = Random(1)
places = [(drawn.random(), drawn.random()) for _ in range(9)]


def length(tour):
    return sum(dist(places[int(a)], places[int(b)]) for a, b in pairwise(tour))


def by_elkai(scale):
    larger = [(scale * x, scale * y) for x, y in places]
    matrix = DistanceMatrix([[dist(a, b) for b in larger] for a in larger])
    named = Coordinates2D({str(k): place for k, place in enumerate(larger)})
    return [length(each.solve_tsp(runs=10)) for each in (matrix, named)]


best = min(length((0, *order, 0)) for order in permutations(range(1, 9)))
decimals, thousands = by_elkai(1), by_elkai(1000)
print(f"elkai {version('elkai')}: the best {best:.3f}, decimals {decimals}, times 1,000 {thousands}")
assert all(each > 1.1 * best for each in decimals), "decimals are used now"
assert all(abs(each - best) < 1e-9 for each in thousands), "whole numbers are not solved"
PROGRAM
