"""What SameGame's tabu colours bring as arms: single searches of each colour, and turns put together from them.

    python experiments/arms.py --csv experiments/samegame-arms.csv --boards odd
    python experiments/arms.py --csv experiments/samegame-arms.csv --boards even --seeds 1

Runs what the file lacks: one search (GNRPA, level auto) for each board, colour and seed, whose improvements it keeps.
As arms do not know of each other, a search by turns is made of these curves, for every choice of seeds. The table has
the sums over the boards: of the single colours, and by turns as ``nrpa.solvers.arms_search`` gives them.
"""

from __future__ import annotations

import argparse
import csv
from bisect import bisect_right
from itertools import product
from pathlib import Path
from statistics import mean

from rows import read_rows, run

import nrpa

BOARDS = {"odd": range(1, 21, 2), "even": range(2, 21, 2), "all": range(1, 21)}
COLOURS = (1, 2, 3)
BUDGETS = (65_536, 100_000, 200_000, 400_000)
FIRST_TURNS = (2_000, 5_000, 10_000, 20_000, 40_000)
FIELDS = ("board", "tabu", "seed", "playouts", "points", "cleared")

Curve = list[tuple[int, float]]


def main() -> None:
    """Run what is missing; print the sums."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", type=Path, required=True, help="the file of curves")
    parser.add_argument("--boards", choices=BOARDS, default="all")
    parser.add_argument("--seeds", type=int, default=1, help="seeds 1 to so many")
    parser.add_argument("--playouts", type=int, default=BUDGETS[-1])
    parser.add_argument("--only-print", action="store_true")
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    curves = read(options.csv)
    for seed, tabu, board in product(seeds, COLOURS, BOARDS[options.boards]):
        if (board, tabu, seed) not in curves and not options.only_print:
            curves[board, tabu, seed] = search(options.csv, board, tabu, seed, options.playouts)
    print(table(curves, list(BOARDS[options.boards]), [n for n in BUDGETS if n <= options.playouts]))


def read(path: Path) -> dict[tuple[int, int, int], Curve]:
    """Return the curves of the file; none where there is no file."""
    curves: dict[tuple[int, int, int], Curve] = {}
    for row in read_rows(path, FIELDS):
        key = int(row["board"]), int(row["tabu"]), int(row["seed"])
        curves.setdefault(key, []).append((int(row["playouts"]), float(row["points"])))
    return curves


def search(path: Path, board: int, tabu: int, seed: int, playouts: int) -> Curve:
    """Search a board with a tabu colour; add the improvements to the file and return them."""
    going_on = nrpa.start(nrpa.SameGame.load(f"samegame-{board:02}", tabu=tabu), nrpa.GNRPA(level=None), seed=seed)
    going_on.advance(playouts=playouts)
    curve = [(point.playouts, point.score) for point in going_on.recorder.improvements]
    cleared = going_on.result().figures["cells_left"] == 0
    is_new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(FIELDS)
        writer.writerows([board, tabu, seed, done, int(points), int(cleared)] for done, points in curve)
    return curve


def best(curve: Curve, playouts: int) -> float:
    """Return the points after so many playouts."""
    found = bisect_right(curve, (playouts, float("inf")))
    return curve[found - 1][1] if found else 0.0


def by_turns(curves: list[Curve], first: int, playouts: int) -> float:
    """Return the points of a search by turns: ``first`` playouts an arm, twice as many in each round after it."""
    left, done, total, turn = list(range(len(curves))), [0] * len(curves), 0, first
    while total < playouts:
        for arm in left:
            more = min(turn, playouts - total)
            done[arm] += more
            total += more
        left = sorted(sorted(left, key=lambda arm: -best(curves[arm], done[arm]))[: (len(left) + 1) // 2])
        turn *= 2
    return max(best(curve, count) for curve, count in zip(curves, done, strict=True))


def table(curves: dict[tuple[int, int, int], Curve], boards: list[int], budgets: list[int]) -> str:
    """Return the sums over the boards, means over the seeds."""
    seeds = {key: [seed for *known, seed in curves if known == list(key)] for key in product(boards, COLOURS)}
    boards = [board for board in boards if all(seeds[board, tabu] for tabu in COLOURS)]

    def total(points) -> str:
        return f"{sum(map(points, boards)):>9,.0f}"

    lines = [f"{len(boards)} boards  " + " ".join(f"{n:>9,}" for n in budgets)]
    for tabu in COLOURS:
        sums = [
            total(lambda board, n=n, tabu=tabu: mean(best(curves[board, tabu, s], n) for s in seeds[board, tabu]))
            for n in budgets
        ]
        lines.append(f"tabu {tabu}     " + " ".join(sums))
    for first in FIRST_TURNS:
        sums = [
            total(
                lambda board, n=n, first=first: mean(
                    by_turns([curves[board, tabu, seed] for tabu, seed in zip(COLOURS, chosen, strict=True)], first, n)
                    for chosen in product(*(seeds[board, tabu] for tabu in COLOURS))
                )
            )
            for n in budgets
        ]
        lines.append(f"turns {first:<6,}".ljust(11) + " ".join(sums))
    return "\n".join(lines)


if __name__ == "__main__":
    run(main)
