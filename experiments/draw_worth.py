"""Draw the bin packing and folding instances on which `worth.py` tunes.

    python experiments/draw_worth.py experiments/worth

Writes two instances of each class of `binpacking_models.py`, drawn with other seeds than the published ones, and five
random sequences of 50 to 90 bases. Prints the best value of each: the lower bound L1, which triplets reach by
construction; ViennaRNA's optimum.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from binpacking_models import CLASSES
from rows import run

from nrpa.problems.binpacking.bounds import l1
from nrpa.problems.fold import Folding

EACH, SEQUENCES = 2, 5


def main() -> None:
    """Write the files and print a line of TOML for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for family, draw in CLASSES.items():
        for k in range(1, EACH + 1):
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


if __name__ == "__main__":
    run(main)
