"""A noisy simulator: what breakdowns drawn anew, kept scenarios and a second look at the best bring, for equal work.

    python experiments/line_noise.py --runs 10 --page docs/simulator.md

Each search simulates the same number of lines: many playouts of one scenario each, or fewer of more. What it promises
is the cost that it has seen; what is true is the mean over a thousand scenarios that it has not. Rescored: of the last
ten improvements, the one that is best over a hundred other scenarios. Cells are means over seeds (2σ/√n).
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from rows import run
from which_solver import read_page, replaced

import nrpa
from nrpa.bench.table import cell
from nrpa.io.files import write_text
from nrpa.registry import problem_class

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ProductionLine: Any = problem_class(f"{EXAMPLES}/production_line.py:ProductionLine")
SCENARIOS = (1, 5, 20, 50)
SOLVER = nrpa.GNRPA(level=2, iterations=50)


def drawn(seed: int, scenarios: int, orders: int) -> list[list[float]]:
    """Return breakdowns as the example draws them."""
    module: Any = __import__(ProductionLine.__module__)
    found: list[list[float]] = module.breakdowns(random.Random(seed), scenarios, orders)
    return found


class Anew(ProductionLine):
    """The line whose breakdowns are drawn anew for each sequence: the same one has the same, as nrpa asks for."""

    def initial_state(self) -> Any:
        """Remember the sequence, too."""
        return (*super().initial_state(), [])

    def copy(self, state: Any) -> Any:
        """Return a copy with the sequence."""
        return (*super().copy(state[:2]), state[2][:])

    def play(self, state: Any, move: int) -> Any:
        """Add to the sequence; no scenario is simulated yet but the first, for the bias."""
        state[2].append(move)
        return super().play(state, move)

    def score(self, state: Any) -> float:
        """Simulate the sequence with its own luck."""
        kept, own = self.breakdowns, drawn(hash((self.seed, *state[2])), 1, len(self.orders))
        self.breakdowns = own
        final = ProductionLine.initial_state(self)
        for move in state[2]:
            final = ProductionLine.play(self, final, move)
        self.breakdowns = kept
        return float(super().score(final))


def line(scenarios: int, seed: int) -> Any:
    """Return the example's instance 1 with so many scenarios of its own; 0: drawn anew."""
    found = (ProductionLine if scenarios else Anew).load("1", 1)
    found.breakdowns = drawn(seed, scenarios or 1, len(found.orders))
    found.seed = seed
    return found


def cost(sequence: list[int], seed: int, scenarios: int) -> float:
    """Return the mean cost of a sequence over scenarios."""
    problem = line(scenarios, seed)
    return -float(problem.score(problem.final_state(sequence)))


def search(scenarios: int, lines: int, seed: int) -> tuple[float, float, float]:
    """Return what a search promises, what is true, and what is true of the best after rescoring."""
    problem = line(scenarios, seed)
    found: list[list[int]] = []
    result = nrpa.solve(
        problem,
        SOLVER,
        seed=seed,
        playouts=lines // max(scenarios, 1),
        on_improvement=lambda run: found.append(run.solution),
    )
    best = min(found[-10:], key=lambda sequence: cost(sequence, 10_000 + seed, 100))
    return -result.score, cost(result.solution, 20_000, 1000), cost(best, 20_000, 1000)


def main() -> None:
    """Print the table, and write it into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--lines", type=int, default=10_000, help="lines that each search simulates")
    parser.add_argument("--page", type=Path, help="a page whose table is replaced")
    options = parser.parse_args()
    if options.page:
        replaced(read_page(options.page), {"noise": ""})
    text = [
        f"| {options.lines:,} lines | playouts | promised | true | rescored |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for scenarios in (0, *SCENARIOS):
        runs = [search(scenarios, options.lines, seed) for seed in range(1, options.runs + 1)]
        cells = [cell(values) for values in zip(*runs, strict=True)]
        name = f"{scenarios} kept" if scenarios else "drawn anew"
        texts = [f"{each.mean:,.0f} ({each.half_width:.0f})" for each in cells]
        text.append(f"| {name} | {options.lines // max(scenarios, 1):,} | {' | '.join(texts)} |")
        print(text[-1], flush=True)
    if options.page:
        write_text(options.page, replaced(read_page(options.page), {"noise": "\n".join(text)}))


if __name__ == "__main__":
    run(main)
