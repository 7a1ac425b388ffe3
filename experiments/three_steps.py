"""What each step brings from plain Python to compiled kernels to a bias: the knapsack of the examples, 80 items.

    python experiments/three_steps.py --page docs/your-problem.md

Each row has the same second of processor time, in turns with the others: its playouts, and the best value (2σ/√n over
the seeds); and the best value of a thousand playouts, which no speed touches. The bias is given by the caller: to take
an item, its value per weight beside that of the median item.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from python_speed import example
from rows import run
from which_solver import read_page, replaced

import nrpa
from nrpa.bench.table import cell
from nrpa.io.files import write_text

HERE = Path(__file__).resolve().parent
INSTANCE = HERE / "which-solver" / "knapsack.txt"
SLICE, FEW = 100, 1000
STRENGTH = 20.0


class Step(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    title : str
        What stands in the row.
    problem : BaseProblem
        What is searched.
    solver : Solver
        The solver.
    bias : ndarray of float64 or None
        The bias of each code.
    """

    title: str
    problem: Any
    solver: Any
    bias: np.ndarray | None = None


def steps() -> list[Step]:
    """Return the rows."""
    in_python: Any = example("knapsack.py:Knapsack")
    compiled: Any = example("knapsack_compiled.py:CompiledKnapsack")
    plain, fast = in_python.load(str(INSTANCE)), compiled.load(str(INSTANCE))
    worth = np.array(plain.values) / np.array(plain.weights)
    bias = np.zeros(2 * len(worth))
    bias[1::2] = STRENGTH * (worth - np.median(worth))
    return [
        Step("plain Python, random sampling", plain, nrpa.RandomSampling()),
        Step("plain Python, NRPA", plain, nrpa.NRPA(level=None)),
        Step("compiled, random sampling", fast, nrpa.RandomSampling()),
        Step("compiled, NRPA", fast, nrpa.NRPA(level=None)),
        Step("compiled, GNRPA with a bias", fast, nrpa.GNRPA(level=None), bias),
    ]


def searched(step: Step, seed: int, seconds: float) -> tuple[int, float]:
    """Return the playouts of so much processor time, and the best value."""
    found = nrpa.start(step.problem, step.solver, seed=seed, bias=step.bias)
    playouts, slice_size, begun = 0, SLICE, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        found.advance(playouts=slice_size)
        playouts += slice_size
        if spent < seconds / 20:
            slice_size = max(SLICE, playouts // 10)
    return playouts, float(found.result().score)


def of_few(step: Step, seed: int) -> float:
    """Return the best value of a thousand playouts."""
    return float(nrpa.solve(step.problem, step.solver, seed=seed, bias=step.bias, playouts=FEW).score)


def value_text(values: list[float]) -> str:
    """Return a mean with its interval."""
    found = cell(values)
    return f"{found.mean:,.1f} ({found.half_width:.1f})"


def main() -> None:
    """Print the table, and write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time of each run")
    parser.add_argument("--page", type=Path, help="a page whose table is replaced")
    options = parser.parse_args()
    if options.page:
        replaced(read_page(options.page), {"steps": ""})
    rows = steps()
    for step in rows:
        searched(step, 1, 0.01)  # compiles
    seeds = range(1, options.runs + 1)
    found = [[searched(step, seed, options.seconds) for step in rows] for seed in seeds]
    heading = f"| | playouts in {options.seconds:g} s | best value | best of {FEW:,} playouts |"
    text = [heading, f"| --- |{' ---: |' * 3}"]
    for step, runs in zip(rows, zip(*found, strict=True), strict=True):
        rate = statistics.median(playouts for playouts, _ in runs)
        few = value_text([of_few(step, seed) for seed in seeds])
        text.append(f"| {step.title} | {rate:,.0f} | {value_text([score for _, score in runs])} | {few} |")
    print("\n".join(text))
    if options.page:
        write_text(options.page, replaced(read_page(options.page), {"steps": "\n".join(text)}))


if __name__ == "__main__":
    run(main)
