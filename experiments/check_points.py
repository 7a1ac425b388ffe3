"""Check point sets of records.md by code that shares nothing with the search or the package.

python experiments/check_points.py experiments/results/points/*.json

A square is two pairs of points with the same middle and the same length, at a right angle; a right isosceles triangle
is a point from which two others are equally far, at a right angle.
"""

import json
import sys
from itertools import combinations


def triangles(points):
    """Return how many right isosceles triangles there are."""
    found = 0
    for a, b in points:
        seen = [(c - a, d - b) for c, d in points if (c, d) != (a, b)]
        found += sum(x * x + y * y == u * u + v * v and x * u + y * v == 0 for (x, y), (u, v) in combinations(seen, 2))
    return found


def squares(points):
    """Return how many squares there are."""
    diagonals = {}
    for (a, b), (c, d) in combinations(points, 2):
        diagonals.setdefault((a + c, b + d, (a - c) ** 2 + (b - d) ** 2), []).append((a - c, b - d))
    pairs = [pair for same in diagonals.values() for pair in combinations(same, 2)]
    return sum(x * u + y * v == 0 for (x, y), (u, v) in pairs)


def main():
    """Print what each file holds; exit with status 1 if one holds a pattern or names another number of points."""
    failed = False
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            claim = json.load(file)
        pattern, n = claim["instance"].split("/")[:2]
        points = [tuple(point) for point in claim["solution"]]
        inside = all(0 <= row < int(n) and 0 <= column < int(n) for row, column in points)
        count = (triangles if pattern == "triangle" else squares)(points)
        good = inside and len({*points}) == len(points) == claim["figures"]["points"] and count == 0
        print(f"{pattern}/{n}: {len(points)} points, {count} of the pattern, {'good' if good else 'WRONG'}")
        failed |= not good
    sys.exit(failed)


if __name__ == "__main__":
    main()
