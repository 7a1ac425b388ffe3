"""How often folding by search finds the optimum: 20 random sequences of 50 to 100 bases.

    python experiments/folding.py --time 10

The sequences are drawn with `random.Random(1)`. The search stops at ViennaRNA's optimum.
"""

from __future__ import annotations

import argparse
import random

from nrpa import GNRPA, solve
from nrpa.problems.fold import Folding


def main() -> None:
    """Fold the sequences and print a row each, then the count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sequences", type=int, default=20)
    options = parser.parse_args()
    generator = random.Random(1)
    reached = 0
    print("length,helices,status,seconds,playouts,energy,optimum")
    for _ in range(options.sequences):
        sequence = "".join(generator.choice("ACGU") for _ in range(generator.randint(50, 100)))
        problem = Folding(sequence)
        result = solve(problem, GNRPA(), seed=options.seed, time=options.time)
        if result.energy < result.optimum:
            raise SystemExit(f"{sequence}: {result.energy} is below the optimum {result.optimum}")
        reached += result.energy == result.optimum
        figures = (result.status, f"{result.seconds:.2f}", result.playouts, result.energy, result.optimum)
        print(len(sequence), len(problem.helices), *figures, sep=",", flush=True)
    print(f"optimum reached on {reached} of {options.sequences}")


if __name__ == "__main__":
    main()
