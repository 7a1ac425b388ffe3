"""Tables 1 to 6 of Monte Carlo Permutation Search: MCPS against GRAVE (ref 50, bias 1e-5); resumable.

    python experiments/mcps_tables.py --cells "1-hex*" --games 800 --workers 2
    python experiments/mcps_tables.py --list
    python experiments/mcps_tables.py --only-print

A cell is a match, with records of its own: seeds 0 to 799, seats in turn. With fewer --games it has a wider interval,
and can be gone on with. In Table 5 one MCPS meets two GRAVE. Which codes its Investment Pair Game has is not printed;
abstract ones are taken here.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Any

from matches import Meeting, Published, parser, rows_of, table
from rows import run

import nrpa
from nrpa.base.errors import InputError

GRAVE = nrpa.GRAVE(ref=50, amaf_bias=1e-5)
REFS, PLAYOUTS = (50, 100, 200, 400), (1000, 5000, 10000)
Figures = tuple[tuple[float, float], ...]
TITLES = {
    "1": "six games, ref = 50, 100, 200, 400",
    "2": "Wargame, abstract codes",
    "3": "Investment Pair Game",
    "4": "Video Game, abstract codes (rules of our own)",
    "5": "three players, one MCPS and two GRAVE",
    "6": "MCPS with abstract codes against GRAVE with exact ones",
}
TABLE_1: dict[str, tuple[nrpa.BaseProblem, Figures, Figures]] = {
    "atarigo-6x6": (
        nrpa.Atarigo(size=6),
        ((56.5, 3.44), (55.62, 3.44), (58.5, 3.41), (59.5, 3.4)),
        ((60.25, 3.39), (59.38, 3.4), (60.25, 3.39), (65.25, 3.3)),
    ),
    "breakthrough-8x8": (
        nrpa.Breakthrough(size=8),
        ((54.75, 3.45), (54.75, 3.45), (56.12, 3.44), (53.12, 3.46)),
        ((57.0, 3.43), (58.25, 3.42), (57.25, 3.43), (57.38, 3.43)),
    ),
    "gomoku-9x9": (
        nrpa.Gomoku(size=9),
        ((53.31, 3.46), (50.25, 3.46), (52.94, 3.46), (52.75, 3.46)),
        ((61.19, 3.38), (60.5, 3.39), (58.88, 3.41), (56.69, 3.43)),
    ),
    "hex-7x7": (
        nrpa.Hex(size=7),
        ((65.88, 3.29), (68.5, 3.22), (71.75, 3.12), (70.38, 3.16)),
        ((74.12, 3.03), (75.38, 2.99), (77.12, 2.91), (77.5, 2.89)),
    ),
    "knightthrough-8x8": (
        nrpa.Knightthrough(size=8),
        ((52.62, 3.46), (53.5, 3.46), (52.75, 3.46), (47.88, 3.46)),
        ((56.38, 3.44), (53.87, 3.45), (56.0, 3.44), (55.0, 3.45)),
    ),
    "nogo-5x5": (
        nrpa.Nogo(size=5),
        ((59.62, 3.4), (59.38, 3.4), (58.38, 3.42), (55.62, 3.44)),
        ((63.25, 3.34), (64.62, 3.31), (61.75, 3.37), (57.12, 3.43)),
    ),
}
# By table and game: the class, its options, the codes of MCPS and of GRAVE, and what was published by playouts.
EXACT, ABSTRACT, MIXED = ("exact", "exact"), ("abstract", "abstract"), ("abstract", "exact")
OTHERS: dict[str, tuple[Any, dict[str, Any], tuple[str, str], Figures]] = {
    "2-wargame-10": (nrpa.Wargame, {"units": 10}, ABSTRACT, ((52.5, 3.46), (55.88, 3.44), (58.5, 3.41))),
    "2-wargame-20": (nrpa.Wargame, {"units": 20}, ABSTRACT, ((49.0, 3.46), (55.0, 3.45), (54.5, 3.45))),
    "3-investment-11-exact": (nrpa.Investment, {"members": 11}, EXACT, ((56.38, 3.44), (60.12, 3.39))),
    "3-investment-21-exact": (nrpa.Investment, {"members": 21}, EXACT, ((56.12, 3.44), (58.63, 3.41))),
    "3-investment-11-abstract": (nrpa.Investment, {"members": 11}, ABSTRACT, ((55.12, 3.45), (58.25, 3.42))),
    "3-investment-21-abstract": (nrpa.Investment, {"members": 21}, ABSTRACT, ((56.38, 3.44), (65.25, 3.3))),
    "4-videogame": (nrpa.VideoGame, {}, ABSTRACT, ((49.38, 3.46), (54.25, 3.45))),
    "5-nogo-5x5": (nrpa.Nogo, {"size": 5, "players": 3}, EXACT, ((35.75, 2.71), (34.83, 2.7))),
    "5-wargame-10": (nrpa.Wargame, {"units": 10, "players": 3}, ABSTRACT, ((33.5, 3.27), (32.88, 3.26))),
    "5-investment-10": (nrpa.Investment, {"members": 10, "players": 3}, ABSTRACT, ((35.08, 2.7), (33.12, 2.86))),
    "6-wargame-10": (nrpa.Wargame, {"units": 10}, MIXED, ((65.75, 3.29), (72.12, 3.11))),
    "6-wargame-20": (nrpa.Wargame, {"units": 20}, MIXED, ((57.0, 3.43), (72.5, 3.09))),
    "6-videogame-abstract": (nrpa.VideoGame, {}, MIXED, ((49.5, 3.46), (63.38, 3.34))),
    "6-videogame-specific": (nrpa.VideoGame, {}, ("specific", "exact"), ((72.75, 3.09), (84.5, 2.51))),
}


def main() -> None:
    """Play what is left of the cells, and print each table."""
    own = parser(__doc__, games=800, folder="experiments/results/mcps")
    own.add_argument("--cells", action="append", metavar="PATTERN", help='names of cells, as "1-hex*"; all without it')
    own.add_argument("--list", action="store_true", help="print the names of the cells")
    options = own.parse_args()
    patterns = options.cells or ["*"]
    chosen = [cell for cell in cells() if any(fnmatch(cell.name, pattern) for pattern in patterns)]
    if not chosen:
        raise InputError(f"--cells: none is called {' or '.join(patterns)}; --list prints the names")
    if options.list:
        print("\n".join(cell.name for cell in chosen))
        return
    for number, title in TITLES.items():
        of_table = [cell for cell in chosen if cell.name.startswith(f"{number}-")]
        rows = rows_of(of_table, options)
        if rows:
            print(f"\nTable {number}: {title}\n\n{table(rows, 'MCPS')}", flush=True)


def cells() -> Iterator[Meeting]:
    """Yield the cells of the tables, a match each."""
    for name, (problem, *by_playouts) in TABLE_1.items():
        for playouts, by_ref in zip(PLAYOUTS, by_playouts, strict=False):
            for ref, published in zip(REFS, by_ref, strict=True):
                title = f"1-{name}-{playouts}-ref{ref}"
                yield Meeting(title, problem, (nrpa.MCPS(ref=ref), GRAVE), playouts, Published(*published))
    for name, (game, options, (ours, theirs), figures) in OTHERS.items():
        for playouts, published in zip(PLAYOUTS, figures, strict=False):
            mine = game(codes=ours, **options)
            other = mine if theirs == ours else game(codes=theirs, **options)
            players = ((nrpa.MCPS(ref=50), mine), *((GRAVE, other),) * (mine.players - 1))
            yield Meeting(f"{name}-{playouts}", mine, players, playouts, Published(*published))


if __name__ == "__main__":
    run(main)
