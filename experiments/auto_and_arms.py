"""How far `auto` is behind the best of its own arms in hindsight, on problems that nrpa has not seen.

    python experiments/auto_and_arms.py --problems bandwidth,relocation,nurses --time 10 --seeds 10
    python experiments/auto_and_arms.py --problems pancakes --instances 32,40 --form plain

`auto` and each of its arms alone search a problem of `strangers/` with the same seeds, for seconds of the processor;
machine code is made before. Classes in plain Python are compiled where they can be (`--form`). A run is a line of the
record; the same command goes on where it was stopped.

A line of the table has the mean of `auto`, that of the arm with the best mean, and the regret: how much worse `auto`
is, in per cent of what the arm has, with the interval of 95 % of pairs of seeds. As the arm is chosen by the runs that
it is compared with, the regret is a little more than it would be with others.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "strangers"), str(HERE)]

from forms import COMPILED, formed  # noqa: E402
from table import WARM_UP, class_of, problem_of  # noqa: E402
from tables import append_row, read_rows, run  # noqa: E402

import nrpa  # noqa: E402
from nrpa.base.values import aligned  # noqa: E402
from nrpa.bench.statistics import mean_difference  # noqa: E402

PLAIN, AUTO = "plain", "auto"
COLUMNS = "problem", "instance", "form", "search", "seconds", "seed", "value", "playouts"

Values = dict[str, dict[int, float]]
"""The values by search, then by seed."""


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default="bandwidth,relocation,nurses", help="with commas between")
    parser.add_argument("--instances", default="", help="with commas between; by default those with a best value")
    parser.add_argument("--form", choices=(PLAIN, COMPILED), default=COMPILED)
    parser.add_argument("--time", type=float, default=10.0, help="seconds of the processor")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--out", type=Path, default=HERE / "results" / "auto-and-arms.csv", help="the record")
    options = parser.parse_args()
    rows, lines, regrets = read_rows(options.out, COLUMNS), [], []
    for name in options.problems.split(","):
        module = importlib.import_module(name)
        sign = class_of(module).objective.sign
        for instance in options.instances.split(",") if options.instances else module.BEST:
            whole = problem_of(module, instance)
            problem = (formed(module, whole, COMPILED) or whole) if options.form == COMPILED else whole
            key = dict(zip(COLUMNS, (name, instance, options.form), strict=False))
            values: Values = {}
            for seed in range(1, options.seeds + 1):
                for search, solver, subject in searches(problem):
                    row = {**key, "search": search, "seconds": f"{options.time:g}", "seed": str(seed)}
                    found = next((each for each in rows if row.items() <= each.items()), None)
                    if found is None:
                        value, playouts = run_one(solver, subject, options.time, seed)
                        found = {**row, "value": f"{value:.10g}", "playouts": str(playouts)}
                        append_row(options.out, found)
                    values.setdefault(search, {})[seed] = float(found["value"])
            line, regret = compared(values, sign)
            lines.append([f"{name} {instance}", *line])
            regrets.append(regret)
    head = ["problem", AUTO, "the best arm", "", "regret, %", "95 %"]
    print(f"{options.time:g} s of the processor a run, {options.seeds} seeds, {options.form}")
    print(aligned([head, *lines]))
    print(f"mean regret {np.mean(regrets):.2f} %, the largest {max(regrets):.2f} %")


def searches(problem: nrpa.BaseProblem) -> Iterator[tuple[str, Any, nrpa.BaseProblem]]:
    """Yield `auto` and its arms: the name, the solver, and the problem that it searches."""
    yield AUTO, nrpa.Auto(), problem
    for arm in nrpa.Auto().arms_of(problem):
        yield arm.label, arm.solver, arm.problem


def run_one(solver: Any, problem: nrpa.BaseProblem, seconds: float, seed: int) -> tuple[float, int]:
    """Return the value that a run reaches, and its playouts."""
    nrpa.solve(problem, solver, seed=seed, time=WARM_UP, clock="processor")
    result = nrpa.solve(problem, solver, seed=seed, time=seconds, clock="processor")
    return float(result.value), result.playouts


def compared(values: Values, sign: int) -> tuple[list[str], float]:
    """Return the cells of a line, and the regret in per cent."""
    means = {search: float(np.mean([*found.values()])) for search, found in values.items()}
    best = max((search for search in means if search != AUTO), key=lambda search: sign * means[search])
    per_cent = 100 * sign / (abs(means[best]) or 1.0)
    regret = (means[best] - means[AUTO]) * per_cent
    interval = ""
    if len(values[AUTO]) > 1:
        found = mean_difference(values[best], values[AUTO], paired=True)
        interval = f"{min(found.low * per_cent, found.high * per_cent):.1f} to "
        interval += f"{max(found.low * per_cent, found.high * per_cent):.1f}"
    return [f"{means[AUTO]:,.1f}", f"{means[best]:,.1f}", best, f"{regret:.2f}", interval], regret


if __name__ == "__main__":
    run(main)
