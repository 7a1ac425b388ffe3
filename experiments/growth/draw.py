"""Draw an instance of any size, as a file of the problem's own form.

    python experiments/growth/draw.py tsptw 1000 2000 --folder build/growth
    nrpa solve tsptw build/growth/tsptw-1000

It prints what to give `nrpa solve`. The same problem, size and seed give the same file. A size is what the problem is
named by: cities, customers, items, nodes, letters, the side of a board, dimensions, things in order, moves a step,
steps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tables import run  # noqa: E402

from nrpa.base.errors import InputError  # noqa: E402
from nrpa.io.files import write_text  # noqa: E402

SIDE = 1000
OPEN = 40  # about so many cities are open at a time
NEIGHBOURS = 20
OWN = HERE.relative_to(HERE.parent.parent) / "problems.py"
Random = np.random.Generator


def lines(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows of values as text."""
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def square(random: Random, count: int) -> np.ndarray:
    """Return points with whole coordinates in a square, the first in its middle."""
    found = random.integers(0, SIDE + 1, (count, 2))
    found[0] = SIDE // 2
    return found


def tsptw(random: Random, cities: int) -> str:
    """Return cities with windows around the times of a random tour, so wide that far better tours meet them."""
    where = square(random, cities)
    tour = np.concatenate([[0], 1 + random.permutation(cities - 1)])
    times = np.concatenate([[0.0], np.hypot(*np.diff(where[tour], axis=0).T).cumsum()])
    opens, closes = np.zeros((2, cities), int)
    wide = OPEN * SIDE // 2
    opens[tour] = np.maximum(0, times - random.uniform(0, wide, cities))
    closes[tour] = np.ceil(times + random.uniform(0, wide, cities))
    opens[0], closes[0] = 0, times[-1] + wide
    return lines((k, *where[k], 0, opens[k], closes[k], 0) for k in range(cities))


def vrptw(random: Random, customers: int) -> str:
    """Return a file of Solomon's form: windows of 100 to 1,000, and demands of which about ten fill a vehicle."""
    service, last = 10, 4 * SIDE
    where = square(random, customers + 1)
    away = np.ceil(np.hypot(*(where - where[0]).T)).astype(int)
    opens = random.integers(0, last - 2 * away - service - 100)
    closes = np.clip(opens + random.integers(100, 1001, len(where)), away, last - away - service)
    opens[0], closes[0] = 0, last
    demands = random.integers(1, 40, len(where))
    rows = [(k, *where[k], demands[k], opens[k], closes[k], service) for k in range(len(where))]
    rows[0] = (0, *where[0], 0, 0, last, 0)
    head = f"drawn\n\nVEHICLE\nNUMBER CAPACITY\n{max(1, customers // 4)} 200\n\nCUSTOMER\n"
    return head + "CUST NO. XCOORD. YCOORD. DEMAND READY TIME DUE DATE SERVICE TIME\n" + lines(rows)


def binpacking(random: Random, items: int) -> str:
    """Return sizes of 50 to 700 for bins of 1,000."""
    return lines([[items], [1000], *([size] for size in random.integers(50, 701, items))])


def coloring(random: Random, nodes: int) -> str:
    """Return a graph in which a node has about 20 neighbours."""
    return graph(random, nodes, min(1.0, NEIGHBOURS / (nodes - 1)))


def dense(random: Random, nodes: int) -> str:
    """Return a graph in which each edge is there with probability 0.1."""
    return graph(random, nodes, 0.1)


def graph(random: Random, nodes: int, probability: float) -> str:
    """Return a graph of independent edges as DIMACS."""
    count, found = random.binomial(nodes * (nodes - 1) // 2, probability), np.zeros(0, int)
    while len(found) < count:
        ends = np.sort(random.integers(0, nodes, (2 * (count - len(found)) + 9, 2)))
        ends = ends[ends[:, 0] < ends[:, 1]]
        found = np.unique(np.concatenate([found, ends @ [nodes, 1]]))
    edges = np.sort(random.permutation(found)[:count])
    return f"p edge {nodes} {count}\n" + lines(("e", 1 + edge // nodes, 1 + edge % nodes) for edge in edges.tolist())


def rna(random: Random, letters: int) -> str:
    """Return a structure that is a row of stems."""
    row = ""
    while len(row) + 30 <= letters:
        stem, loop, gap = random.integers((5, 4, 1), (10, 8, 4))
        row += "(" * stem + "." * loop + ")" * stem + "." * gap
    return row.ljust(letters, ".") + "\n"


def fold(random: Random, letters: int) -> str:
    """Return random letters."""
    word = "".join(random.choice(list("ACGU"), letters))
    return lines([word[k : k + 60]] for k in range(0, letters, 60))


def samegame(random: Random, side: int) -> str:
    """Return a board of five colours."""
    return lines(random.integers(0, 5, (side, side)))


def size_alone(_random: Random, size: int) -> str:
    """Return the size."""
    return f"{size}\n"


def begin(random: Random, dimensions: int) -> str:
    """Return a snake of fewer dimensions, as digits: a random walk until it can go no further."""
    few, path, edges = min(dimensions - 1, 7), [0], ""
    while free := [d for d in range(few) if all((path[-1] ^ 1 << d ^ old).bit_count() > 1 for old in path[:-1])]:
        edges += str(min(int(random.choice(free)), max(map(int, edges), default=-1) + 1))
        path.append(path[-1] ^ 1 << int(edges[-1]))
    return edges


DRAWN: dict[str, tuple[str, Callable[[Random, int], str]]] = {
    "tsptw": ("tsptw", tsptw),
    "vrptw": ("vrptw", vrptw),
    "binpacking": ("binpacking", binpacking),
    "coloring": ("coloring", coloring),
    "dense": ("coloring", dense),
    "rna": ("rna", rna),
    "fold": ("fold", fold),
    "samegame": ("samegame", samegame),
    "snake": ("snake", size_alone),
    "permutation": (f"{OWN}:order", size_alone),
    "wide": (f"{OWN}:Wide", size_alone),
    "long": (f"{OWN}:Long", size_alone),
}


def draw(name: str, size: int, folder: Path, seed: int = 1) -> tuple[str, Path, dict[str, str]]:
    """Write an instance; return its problem, as `nrpa solve` takes it, its file, and its options."""
    if name not in DRAWN:
        raise InputError(f"{name}: expected one of {', '.join(DRAWN)}")
    problem, text = DRAWN[name]
    random = np.random.default_rng([seed, size])
    path = folder / f"{name}-{size}"
    folder.mkdir(parents=True, exist_ok=True)
    write_text(path, text(random, size))
    return problem, path, {"begin": begin(random, size)} if name == "snake" else {}


def main() -> None:
    """Write an instance of each size, and print what to give `nrpa solve`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", help=", ".join(DRAWN))
    parser.add_argument("sizes", type=int, nargs="+", metavar="SIZE")
    parser.add_argument("--seed", type=int, default=1, help="1")
    parser.add_argument("--folder", type=Path, default=Path("build/growth"), help="build/growth")
    options = parser.parse_args()
    for size in options.sizes:
        problem, path, further = draw(options.problem, size, options.folder, options.seed)
        print(problem, path, *(f"--{name} {value}" for name, value in further.items()))


if __name__ == "__main__":
    run(main)
