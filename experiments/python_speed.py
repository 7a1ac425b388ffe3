"""Playouts a second of problems in plain Python, and of a compiled twin, in processor time.

    python experiments/python_speed.py

The first problem has thirty steps of two moves and methods that do next to nothing: what is left is the engine and the
way to Python and back. The second is the knapsack of the documentation, in both forms, with the same seed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import nrpa
from nrpa.registry import problem_class
from nrpa.solvers.interface import Solver

STEPS = 30
EXAMPLES = Path(__file__).parent.parent / "examples"


class Walk(nrpa.Problem):
    """Thirty times one of two moves."""

    def initial_state(self):
        """Nothing was done."""
        return 0

    def legal_moves(self, state):
        """Two, until the end."""
        return (0, 1) if state < STEPS else ()

    def play(self, state, move):
        """One step more."""
        return state + 1

    def score(self, state):
        """Return 1."""
        return 1.0


def main() -> None:
    """Print the rates, and how much faster the compiled twin is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    solvers = {"random": nrpa.RandomSampling(), "nrpa": nrpa.NRPA(level=2), "nmcs": nrpa.NMCS(level=2)}
    for name, solver in solvers.items():
        show(f"walk, {name}", [rate(Walk(), solver, seed, 20_000) for seed in range(repeats)])
    generator = random.Random(1)
    items = [(generator.randint(5, 50), generator.randint(5, 50)) for _ in range(STEPS)]
    weights, values = zip(*items, strict=True)
    ratios = []
    for seed in range(repeats):
        in_python = rate(example("knapsack.py:Knapsack")(weights, values, 300), solvers["nrpa"], seed, 20_000)
        twin = example("knapsack_compiled.py:CompiledKnapsack")(weights, values, 300)
        compiled = rate(twin, solvers["nrpa"], seed, 1_000_000)
        ratios.append(compiled / in_python)
        print(
            f"knapsack, nrpa: {in_python:,.0f} playouts/s in Python, {compiled:,.0f} compiled, {ratios[-1]:.0f} times"
        )
    print(f"median {np.median(ratios):.0f} times")


def example(name: str) -> Callable[..., nrpa.BaseProblem]:
    """Return a class of the examples."""
    return problem_class(f"{EXAMPLES}/{name}")


def rate(problem: nrpa.BaseProblem, solver: Solver, seed: int, playouts: int) -> float:
    """Return the playouts a second of processor time."""
    run = nrpa.start(problem, solver, seed=seed)
    begin = time.process_time()
    run.advance(playouts=playouts)
    return playouts / (time.process_time() - begin)


def show(what: str, rates: list[float]) -> None:
    """Print median, least and most."""
    print(f"{what}: {np.median(rates):,.0f} playouts/s ({min(rates):,.0f} to {max(rates):,.0f})", flush=True)


if __name__ == "__main__":
    main()
