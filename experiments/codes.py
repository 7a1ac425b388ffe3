"""Table 7 of the permutation paper beside ours: how long random games are, and how often codes appear in them.

    python experiments/codes.py --games 10000 --csv experiments/results/codes.csv

For each game the number of moves of the first position, the mean length of random games and the mean share of them in
which the code of one of these moves appears, each with 2σ/√n and the published figure. Published figures are means over
10,000 games without intervals; a star marks a difference larger than both intervals together, sqrt(2) times ours at as
many games.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
from pathlib import Path
from typing import Any, NamedTuple

from rows import run

import nrpa
from nrpa.bench import CodeShares, code_shares
from nrpa.io.files import require_writable, write_text

PUBLISHED_GAMES = 10_000
COLUMNS = [
    "game", "size", "codes", "games", "moves", "length", "length_interval", "share", "share_interval",
    "published_moves", "published_length", "published_share",
]  # fmt: skip


class Row(NamedTuple):
    """A row of Table 7: the name of the problem's class, its options, and what is published."""

    game: str
    options: dict[str, Any]
    moves: int
    length: float
    shares: dict[str, float]


ROWS = [
    Row("Atarigo", {"size": 6}, 36, 24.165, {"exact": 0.343}),
    Row("Breakthrough", {"size": 8}, 22, 64.100, {"exact": 0.423}),
    Row("Gomoku", {"size": 9}, 81, 53.426, {"exact": 0.333}),
    Row("Hex", {"size": 7}, 48, 41.300, {"exact": 0.435}),
    Row("Knightthrough", {"size": 8}, 40, 33.624, {"exact": 0.210}),
    Row("Nogo", {"size": 5}, 25, 22.023, {"exact": 0.450}),
    Row("Wargame", {"units": 10}, 10, 54.448, {"exact": 0.116, "abstract": 0.297}),
    Row("Wargame", {"units": 20}, 20, 110.525, {"exact": 0.059, "abstract": 0.157}),
    Row("VideoGame", {"size": 5}, 17, 55.353, {"exact": 0.060, "abstract": 0.256, "specific": 0.131}),
    Row("Investment", {"members": 11}, 11, 46.212, {"exact": 0.372, "receiver": 0.901}),
    Row("Investment", {"members": 21}, 21, 87.559, {"exact": 0.353, "receiver": 0.890}),
    Row("Nogo", {"size": 5, "players": 3}, 25, 20.844, {"exact": 0.292}),
    Row("Wargame", {"units": 10, "players": 3}, 20, 84.520, {"exact": 0.058, "abstract": 0.159}),
    Row("Investment", {"members": 10, "players": 3}, 10, 52.254, {"exact": 0.295, "receiver": 0.847}),
]


def compared(ours: float, interval: float, published: float, games: int, digits: int, rounding: float) -> str:
    """Return our figure with its interval and the published one, with a star where they differ by more than both."""
    theirs = interval * math.sqrt(games / PUBLISHED_GAMES)
    differs = abs(ours - published) > math.hypot(interval, theirs) + rounding
    return f"{ours:.{digits}f} ± {interval:.{digits}f} ({published:.3f}){'*' if differs else ' '}"


def line(row: Row, codes: str, found: CodeShares) -> str:
    """Return a line of the table."""
    length = compared(found.length, found.length_interval, row.length, found.games, 3, 0.0005)
    share = compared(found.share, found.share_interval, row.shares[codes], found.games, 4, 0.0005)
    return f"{row.game:13} {found.instance:9} {codes:8}  {found.moves:3} ({row.moves:3})  {length:28}  {share}"


def main() -> None:
    """Play the games of each row, print the table, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=PUBLISHED_GAMES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--csv", type=Path)
    options = parser.parse_args()
    if options.csv is not None:
        require_writable(options.csv)
    rows: list[list[Any]] = [COLUMNS]
    print("game          size      codes     moves      length                        share")
    for row in ROWS:
        for codes in row.shares:
            problem = getattr(nrpa, row.game)(**row.options, codes=codes)
            found = code_shares(problem, games=options.games, seed=options.seed)
            print(line(row, codes, found), flush=True)
            ours = [found.games, found.moves, found.length, found.length_interval, found.share, found.share_interval]
            rounded = [round(value, 5) for value in ours]
            rows.append([problem.name, problem.label, codes, *rounded, row.moves, row.length, row.shares[codes]])
    if options.csv is not None:
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows(rows)
        write_text(options.csv, table.getvalue())


if __name__ == "__main__":
    run(main)
