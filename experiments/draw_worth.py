"""Draw the bin packing and folding instances on which `worth.py` tunes.

    python experiments/draw_worth.py experiments/worth

Writes --each instances of each class, drawn with other seeds than the published ones, and five random sequences of 50
to 90 bases. Prints the best value of each: the lower bound L1, which triplets reach by construction; ViennaRNA's
optimum.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from rows import run

from nrpa.problems.binpacking.bounds import first_fit_decreasing, l1
from nrpa.problems.fold.problem import Folding

SEQUENCES = 5
Training = tuple[int, list[int]]


def main() -> None:
    """Write the files and print a line of TOML for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", type=int, default=2, help="instances of each class")
    options = parser.parse_args()
    folder = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    for family, draw in CLASSES.items():
        for k in range(1, options.each + 1):
            capacity, sizes = draw(random.Random(f"worth {family} {k}"))
            text = "\n".join(map(str, [len(sizes), capacity, *sorted(sizes, reverse=True)]))
            write(folder / f"{family}-{k}.txt", text, l1(capacity, sizes))
    for k in range(1, SEQUENCES + 1):
        generator = random.Random(f"worth fold {k}")
        sequence = "".join(generator.choice("ACGU") for _ in range(generator.randint(50, 90)))
        write(folder / f"fold-{k}.txt", sequence, Folding(sequence).optimum)


def write(path: Path, text: str, best: float) -> None:
    """Write an instance and print its best value."""
    path.write_text(text + "\n", encoding="utf-8")
    print(f'"worth/{path.name}" = {best:g}')


def triplets(rng: random.Random, bins: int) -> Training:
    """Return items that fill ``bins`` bins exactly, three to each, drawn as Falkenauer's triplets."""
    sizes = []
    for _ in range(bins):
        first = rng.randint(380, 490)
        second = rng.randint(250, (1000 - first) // 2)
        sizes += [first, second, 1000 - first - second]
    return 1000, sizes


def uniform(rng: random.Random) -> Training:
    """Return 250 items of 20 to 100 as Falkenauer's, of those that first-fit decreasing fails on with little slack."""
    while True:
        sizes = [rng.randint(20, 100) for _ in range(250)]
        if is_hard(150, sizes, slack=40):
            return 150, sizes


def hard(rng: random.Random) -> Training:
    """Return 140 to 180 items of 1 to 700 that first-fit decreasing fails on with little slack, as Hard28's."""
    while True:
        sizes = [rng.randint(1, 700) for _ in range(rng.choice((140, 160, 180)))]
        if is_hard(1000, sizes, slack=300):
            return 1000, sizes


def is_hard(capacity: int, sizes: list[int], slack: int) -> bool:
    """Return whether first-fit decreasing needs more bins than L1, which leaves less than ``slack`` unused."""
    bound = l1(capacity, sizes)
    return bound * capacity - sum(sizes) < slack and first_fit_decreasing(capacity, sizes) > bound


CLASSES: dict[str, Callable[[random.Random], Training]] = {
    "t60": lambda rng: triplets(rng, 20),
    "t120": lambda rng: triplets(rng, 40),
    "u250": uniform,
    "hard": hard,
}

if __name__ == "__main__":
    run(main)
