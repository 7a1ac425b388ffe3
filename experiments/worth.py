"""The worth of a playout: training instances of all problems, three budgets of playouts, one table and one figure.

    python experiments/worth.py --out records
    python experiments/worth.py --out records --split reporting --variant R10:repetitions=10,level=4 --only tsptw

Reads worth.toml beside it. The place of a score is 0 at the mean that random sampling reaches with the largest budget,
and 1 at the best known value. A cell is the mean place over the instances, with 2σ/√n over the seeds; a difference is
from the first variant, with its 95 % t interval over paired seeds. Runs are recorded as by `nrpa bench`: the same
command goes on where it was stopped, and adds what is missing. A variant has options of its solver, and after
`PROBLEM.` those of one problem: --variant "ahead:level=4,tsptw.moves=lookahead".
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rows import run
from variants import of_problem, read_toml, require_keys

from nrpa.base.errors import InputError
from nrpa.bench.compare import difference
from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import Record, playouts_path, read_records
from nrpa.bench.run import run_experiment
from nrpa.bench.table import cell
from nrpa.io.source import bundled
from nrpa.modelling.objective import Objective
from nrpa.plots.style import line_style
from nrpa.registry import problem_class

HERE = Path(__file__).resolve().parent
MISSED_WINDOW = 1e6
SPLITS = ("training", "reporting")
SIZES = ("small", "medium", "large")
ALL = "all"
RANDOM = "random sampling"

Places = dict[tuple[str, str, int], dict[int, float]]
"""For each problem, variant and number of a budget the mean place over the instances by seed."""


class Yardstick(NamedTuple):
    """What is measured on one problem.

    - ``problem``: The problem, as at the command line.
    - ``budgets``: Three numbers of playouts, ascending, all powers of two.
    - ``best``: The best known value of each instance.
    - ``random``: The problem's options for random sampling.
    - ``missed``: What a missed window counts, in best known costs.
    """

    problem: str
    budgets: list[int]
    best: dict[str, float]
    random: dict[str, Any]
    missed: float

    @classmethod
    def of(cls, problem: str, content: Mapping[str, Any], split: str) -> Yardstick:
        """Return what the table ``[problems.NAME]`` describes. Raises InputError where it cannot be used."""
        budgets, instances = content["budgets"], content[split]
        if len(budgets) != len(SIZES) or sorted(budgets) != budgets or any(n & (n - 1) for n in budgets):
            raise InputError(f"budgets of {problem}: expected three powers of two, ascending, found {budgets}")
        if not isinstance(instances, Mapping):
            known = bundled(problem)
            for name in instances:
                if name not in known:
                    raise InputError(f"{problem}: no bundled instance is called {name!r}; give others with their value")
            instances = {name: known[name].best_known.value for name in instances}
        return cls(problem, budgets, dict(instances), content.get("random", {}), content.get("missed", 0.0))

    def places(self, rows: list[Record]) -> Places:
        """Return the places of the rows; random sampling itself is left out."""
        objective = problem_class(self.problem).objective
        last = self.budgets[-1]
        found: dict[tuple[str, str, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for instance, best in self.best.items():
            mine = [row for row in rows if row.instance == instance]
            zero = np.mean([self.scaled(row, best) for row in mine if row.variant == RANDOM and row.mark == last])
            one = objective.score(best)
            for row in mine:
                if row.variant != RANDOM and row.mark in self.budgets:
                    place = place_of(self.scaled(row, best), float(zero), one, objective)
                    found[self.problem, row.variant, self.budgets.index(int(row.mark))][row.seed].append(place)
        return {
            key: {seed: float(np.mean(values)) for seed, values in seeds.items() if len(values) == len(self.best)}
            for key, seeds in found.items()
        }

    def scaled(self, row: Record, best: float) -> float:
        """Return the score of a row; a missed window counts ``missed`` best known costs in place of its penalty."""
        if not self.missed:
            return row.score
        windows, cost = divmod(-row.score, MISSED_WINDOW)
        return -(cost + windows * self.missed * best)


def place_of(score: float, zero: float, one: float, objective: Objective) -> float:
    """Return where a score lies between that of random sampling, 0, and the best known one, 1."""
    if zero >= one:
        return 1.0
    place = (score - zero) / (one - zero)
    return min(place, 1.0) if objective.tie_break else place


def main() -> None:
    """Run what is missing; print the table, draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toml", type=Path, default=HERE / "worth.toml")
    parser.add_argument("--split", choices=SPLITS, default="training")
    parser.add_argument("--variant", action="append", default=[], help="one more, as for nrpa bench")
    parser.add_argument("--only", action="append", help="a problem; all of the file without it")
    parser.add_argument("--runs", type=int)
    parser.add_argument("--out", type=Path, required=True, help="the folder of records, table and figure")
    options = parser.parse_args()
    content = read_problems(options.toml)
    variants = {**content["variants"], **dict(map(parsed, options.variant))}
    chosen = options.only or list(content["problems"])
    for problem in chosen:
        if problem not in content["problems"]:
            raise InputError(f"--only: expected some of {', '.join(content['problems'])}, found {problem!r}")
    out = options.out.resolve()
    os.chdir(options.toml.resolve().parent)  # where the paths of instances begin
    places: Places = {}
    for problem in chosen:
        yardstick = Yardstick.of(problem, content["problems"][problem], options.split)
        runs, seed = options.runs or content["runs"], content["seed"]
        rows = records(yardstick, variants, runs, seed, out / f"{problem}-{options.split}.csv")
        places.update(yardstick.places([row for row in rows if row.seed < seed + runs]))
    places.update(over_all(places, chosen, list(variants)))
    text = table(places, [*chosen, ALL], list(variants))
    (out / f"worth-{options.split}.txt").write_text(text + "\n", encoding="utf-8")
    draw(places, [*chosen, ALL], list(variants), out / f"worth-{options.split}.png")
    print(text)


def read_problems(path: Path) -> dict[str, Any]:
    """Return the content of the file. Raises InputError where it cannot be read or lacks something."""
    content = read_toml(path, ("runs", "seed", "variants", "problems"))
    for problem, given in content["problems"].items():
        require_keys(f"{path}: problems.{problem}", given, ("budgets", *SPLITS))
    return content


def parsed(text: str) -> tuple[str, dict[str, Any]]:
    """Return name and options of a variant of the command line."""
    variant = Variant.parse(text)
    return variant.name, {"solver": variant.solver, **variant.options}


def records(
    yardstick: Yardstick, variants: Mapping[str, Mapping[str, Any]], runs: int, seed: int, out: Path
) -> list[Record]:
    """Run what the file lacks and return its records by playouts."""
    baseline = Variant.from_options(RANDOM, {"solver": "random", **yardstick.random})
    made = [of_problem(name, given, yardstick.problem) for name, given in variants.items()]
    experiment = Experiment(
        yardstick.problem,
        tuple(yardstick.best),
        (baseline, *made),
        runs=runs,
        playouts=yardstick.budgets[-1],
        seed=seed,
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    run_experiment(experiment, out, workers=1)
    return read_records(playouts_path(out)).rows


def over_all(places: Places, problems: list[str], variants: list[str]) -> Places:
    """Return the means over the problems, each counting once, for each seed."""
    found: Places = {}
    for variant in variants:
        for k in range(len(SIZES)):
            each = [places.get((problem, variant, k), {}) for problem in problems]
            seeds = set.intersection(*map(set, each))
            found[ALL, variant, k] = {seed: float(np.mean([one[seed] for one in each])) for seed in sorted(seeds)}
    return found


def table(places: Places, problems: list[str], variants: list[str]) -> str:
    """Return the table: the places, and where there are several variants the differences from the first."""
    width = max(map(len, ["variant", *variants]))
    lines = [f"{'problem':10}  {'variant':{width}}  " + "  ".join(f"{size:>44}" for size in SIZES)]
    for problem in problems:
        for variant in variants:
            texts = [cell_text(places, problem, variant, variants[0], k) for k in range(len(SIZES))]
            lines.append(f"{problem:10}  {variant:{width}}  " + "  ".join(f"{text:>44}" for text in texts))
    return "\n".join(line.rstrip() for line in lines)


def cell_text(places: Places, problem: str, variant: str, first: str, k: int) -> str:
    """Return a cell of the table."""
    mine = places.get((problem, variant, k), {})
    if not mine:
        return "-"
    found = cell(list(mine.values()))
    text = f"{found.mean:.4f} ({found.half_width:.4f})"
    others = places.get((problem, first, k), {})
    if variant == first or len(mine.keys() & others.keys()) < 2:
        return text
    gap = difference(mine, others, paired=True)
    mark = "*" if gap.low > 0 or gap.high < 0 else " "
    return f"{text} {gap.mean:+.4f} [{gap.low:+.4f}, {gap.high:+.4f}]{mark}"


def draw(places: Places, problems: list[str], variants: list[str], path: Path) -> None:
    """Draw a panel for each problem: the places against the budgets, with their intervals."""
    from matplotlib.figure import Figure

    columns = min(4, len(problems))
    rows = -(-len(problems) // columns)
    figure = Figure(figsize=(3.2 * columns, 2.8 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for problem, axes in zip(problems, panels, strict=False):
        for number, variant in enumerate(variants):
            found = [cell(list(places[problem, variant, k].values())) for k in range(len(SIZES))]
            means, halves = [each.mean for each in found], np.nan_to_num([each.half_width for each in found])
            axes.errorbar(range(len(SIZES)), means, halves, label=variant, capsize=2, **line_style(number))
        axes.set_title(problem, fontsize="medium")
        axes.set_xticks(range(len(SIZES)), SIZES)
        axes.grid(alpha=0.3)
    for axes in panels:
        axes.set_axis_off()
    figure.axes[0].set_ylabel("place: 0 random, 1 best known")
    figure.axes[0].legend(fontsize="small")
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    run(main)
