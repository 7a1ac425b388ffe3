"""UCT, RAVE, GRAVE and MCPS, each against each, on Hex 7 x 7, Nogo 5 x 5 and Atarigo 6 x 6; resumable.

    python experiments/round_robin.py --workers 2
    python experiments/round_robin.py --dir sample --sample
    python experiments/round_robin.py --only atarigo --pair rave-uct --pair grave-rave --playouts 10000 --games 100
    python experiments/round_robin.py --only-print

Published: RAVE over UCT 94 % and GRAVE over RAVE 88 % on Atarigo at 10,000 playouts (slides of Cazenave), MCPS over
GRAVE 65.88 % on Hex 7 x 7 and 59.62 % on Nogo 5 x 5 at 1,000 (Monte Carlo Permutation Search, Table 1, ref = 50).
"""

from __future__ import annotations

import argparse
from itertools import combinations

from matches import Meeting, Published, parser, rows_of, table
from rows import run

import nrpa
from nrpa.base.errors import InputError

GAMES = {"hex": nrpa.Hex(size=7), "nogo": nrpa.Nogo(size=5), "atarigo": nrpa.Atarigo(size=6)}
SOLVERS = {"mcps": nrpa.MCPS(ref=50), "grave": nrpa.GRAVE(ref=50), "rave": nrpa.RAVE(), "uct": nrpa.UCT()}
PUBLISHED = {
    ("atarigo", "rave", "uct"): Published(94),
    ("atarigo", "grave", "rave"): Published(88),
    ("atarigo", "mcps", "grave"): Published(56.5, 3.44),
    ("hex", "mcps", "grave"): Published(65.88, 3.29),
    ("nogo", "mcps", "grave"): Published(59.62, 3.4),
}


def main() -> None:
    """Play the matches that are left, and print the table of each game."""
    own = parser(__doc__, games=400, folder="experiments/results/round-robin")
    own.add_argument("--playouts", type=int, default=1000, help="tree walks for each move")
    own.add_argument("--only", action="append", metavar="GAME", help=f"some of {', '.join(GAMES)}")
    own.add_argument("--pair", action="append", metavar="FIRST-SECOND", help="some of the pairs, as rave-uct")
    options = own.parse_args()
    for name in options.only or ():
        if name not in GAMES:
            raise InputError(f"--only: expected some of {', '.join(GAMES)}, not {name}")
    pairs = {f"{first}-{second}": (first, second) for first, second in combinations(SOLVERS, 2)}
    for pair in options.pair or ():
        if pair not in pairs:
            raise InputError(f"--pair: expected some of {', '.join(pairs)}, not {pair}")
    options.pairs = [pairs[pair] for pair in options.pair or pairs]
    for name in options.only or GAMES:
        rows = rows_of(meetings(name, options), options)
        print(f"\n{GAMES[name].name} {GAMES[name].label}\n\n{table(rows, 'the first')}")


def meetings(name: str, options: argparse.Namespace) -> list[Meeting]:
    """Return the matches of a game."""
    return [
        Meeting(
            f"{name}-{first}-{second}-{options.playouts}",
            GAMES[name],
            (SOLVERS[first], SOLVERS[second]),
            options.playouts,
            PUBLISHED.get((name, first, second)),
        )
        for first, second in options.pairs
    ]


if __name__ == "__main__":
    run(main)
