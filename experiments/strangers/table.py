"""Problems that nrpa has not seen before, each beside its textbook baseline at equal processor time: one table.

    python experiments/strangers/table.py --out records
    python experiments/strangers/table.py --out records --problems tour,line --variants "auto,nrpa --level 2,baseline"
    python experiments/strangers/table.py --out records --variants "auto,compiled: auto,jitted: auto,jitted: simanneal"

Each file beside this one holds a problem as somebody new to nrpa would write it, a baseline in the same language (plain
Python, or numba where the problem is compiled) and the best known values. A variant is a solver, with options as `nrpa
solve` has them, or `baseline`; or one on another form of the problem, which not all have (forms.py): as a `function` of
a sequence, the same `jitted`, or the class `compiled`. Functions are also for the rivals `simanneal` and `alns`. A run
is a line of strangers.csv; the same command goes on where it was stopped.

A cell is the mean with 2σ/√n, and the ratio of the means, turned such that less than 1 is better than the baseline. The
last line is the geometric mean of the ratios, each problem counting once. With --show gaps a cell is the gap of the
mean to the best known value, less being better, over its absolute value, and the last line is the mean for those
instances that all variants have; an instance that the first variant lacks is left out. With --show games a cell is how
many times as many playouts as those of the first variant.
"""

from __future__ import annotations

import argparse
import importlib
import math
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from forms import FORMS, FUNCTION, JITTED, Function, formed  # noqa: E402
from tables import append_row, read_rows, run  # noqa: E402

import nrpa  # noqa: E402
from nrpa.base.errors import InputError  # noqa: E402
from nrpa.base.values import aligned  # noqa: E402
from nrpa.bench.experiment import Variant  # noqa: E402
from nrpa.bench.statistics import cell  # noqa: E402

SPLITS = {
    "training": ["tour", "jobshop", "tardiness", "maxcut", "multiknapsack", "line", "flowshop"],
    "reporting": ["ordering", "setcover", "bandwidth", "maxsat", "machines", "solitaire", "elevator"],
    "desk": ["boxes", "yard", "roster", "alignment", "pancakes", "prizes", "relocation"],
}
NAMES = [name for split in SPLITS.values() for name in split]
BASELINE = "baseline"
RIVALS = ("simanneal", "alns")
COLUMNS = ("problem", "instance", "variant", "seconds", "seed", "value", "playouts")
WARM_UP = 0.001

Rows = Sequence[Mapping[str, str]]
Values = dict[tuple[str, str, str, float], list[float]]
"""The values of the seeds by problem, instance, variant and seconds."""


def main() -> None:
    """Run what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default="training", help=f"names with commas between; also {', '.join(SPLITS)}")
    parser.add_argument("--variants", default="auto,gnrpa,tempering,nmcs,baseline", help="with commas between")
    parser.add_argument("--time", type=float, action="append", help="seconds of the processor, or several times; 1")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--show", choices=SHOWN, default="ratios")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the records")
    options = parser.parse_args()
    problems = [name for given in options.problems.split(",") for name in SPLITS.get(given, [given])]
    for name in problems:
        if name not in NAMES:
            raise InputError(f"--problems: expected some of {', '.join([*SPLITS, *NAMES])}, found {name!r}")
    variants, times = options.variants.split(","), options.time or [1.0]
    for variant in variants:
        check_variant(variant)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "strangers.csv"
    run_what_is_missing(path, problems, variants, times, options.seeds)
    rows = [row for row in read_rows(path, COLUMNS) if int(row["seed"]) <= options.seeds]
    print("\n\n".join(SHOWN[options.show](rows, problems, variants, seconds) for seconds in times))


def check_variant(variant: str) -> None:
    """Raise InputError where a form is none, or a rival has none that is a function."""
    form, _, solver = variant.rpartition(": ")
    if form and form not in FORMS:
        raise InputError(f"--variants: expected one of {', '.join(FORMS)} before the colon, found {variant!r}")
    if solver in RIVALS and form not in (FUNCTION, JITTED):
        raise InputError(f"--variants: {solver} needs a function; write '{FUNCTION}: {solver}' or '{JITTED}: {solver}'")


def run_what_is_missing(
    path: Path, problems: Sequence[str], variants: Sequence[str], times: Sequence[float], seeds: int
) -> None:
    """Run each variant with each seed where the records lack it, the variants in turn."""
    done = {tuple(row[name] for name in COLUMNS[:5]) for row in read_rows(path, COLUMNS)}
    for name in problems:
        module = importlib.import_module(name)
        for instance in module.BEST:
            problem = problem_of(module, instance)
            subject = cache(partial(formed, module, problem))
            for seed in range(1, seeds + 1):
                for variant in variants:
                    keys = {time: (name, instance, variant, f"{time:g}", str(seed)) for time in sorted(times)}
                    missing = [time for time, key in keys.items() if key not in done]
                    form, _, solver = variant.rpartition(": ")
                    if not missing or subject(form) is None:
                        continue
                    for time, found in run_one(module, subject(form), solver, missing, seed):
                        append_row(path, dict(zip(COLUMNS, (*keys[time], *found), strict=True)))


def values_of(rows: Iterable[Mapping[str, str]], column: str = "value") -> Values:
    """Return the values that the rows of a record have, or the numbers of another column."""
    values: Values = {}
    for row in rows:
        key = row["problem"], row["instance"], row["variant"], float(row["seconds"])
        values.setdefault(key, []).append(float(row[column]))
    return values


def class_of(module: Any) -> Any:
    """Return the problem that a module is about."""
    kinds = (kind for kind in vars(module).values() if isinstance(kind, type))
    return next(kind for kind in kinds if issubclass(kind, nrpa.BaseProblem))


def problem_of(module: Any, instance: str) -> Any:
    """Return an instance of the problem of a module: a file, or one that is drawn, of so many elements."""
    kind = class_of(module)
    return kind.load(instance) if "load" in vars(kind) else kind(int(instance))


def run_one(
    module: Any, subject: Any, solver: str, times: Sequence[float], seed: int
) -> Iterator[tuple[float, tuple[float, int]]]:
    """Yield, for rising times, the value that a run has reached and its playouts, after a short run for machine code.

    A baseline and a rival, whose temperatures depend on the time, are run for each. A baseline has no playouts.
    """
    if solver == BASELINE:
        module.baseline(subject, WARM_UP, seed)
        for time in times:
            yield time, (module.baseline(subject, time, seed)[0], 0)
    elif solver in RIVALS:
        from rivals import rival  # its packages need not be installed

        yield from ((time, rival(solver, subject, time, seed)) for time in times)
    else:
        problem = subject.problem if isinstance(subject, Function) else subject
        options, last = solver_of(solver, type(problem)), 0.0
        nrpa.solve(problem, options, seed=seed, time=WARM_UP, clock="processor")
        run = nrpa.start(problem, options, seed=seed, clock="processor")
        for time in times:
            run.advance(time=time - last)
            last = time
            result = run.result()
            yield time, (result.value, result.playouts)


def solver_of(variant: str, problem: type) -> Any:
    """Return the solver that words of the command line describe, as in ``nrpa --level 2``. Raises InputError."""
    solver, *words = shlex.split(variant)
    options: dict[str, Any] = {"solver": solver}
    for word, following in zip(words, [*words[1:], "--"], strict=False):
        if word.startswith("--no-"):
            options[word[5:].replace("-", "_")] = "no"
        elif word.startswith("--"):
            options[word[2:].replace("-", "_")] = "yes" if following.startswith("--") else following
    return Variant.from_options(variant, options).make(problem)[0]


def ratios(rows: Rows, problems: Sequence[str], variants: Sequence[str], seconds: float) -> str:
    """Return the table of means and of their ratios to the baseline, for one time."""
    values = values_of(rows)
    lines = [["problem", *variants, "best known"]]
    of_problems: dict[str, list[list[float]]] = {}
    for name in problems:
        module = importlib.import_module(name)
        sign = class_of(module).objective.sign
        for instance, best in module.BEST.items():
            base = values.get((name, instance, BASELINE, seconds), [])
            texts, found = [], []
            for variant in variants:
                mine = values.get((name, instance, variant, seconds), [])
                found.append(ratio(mine, base, sign))
                texts.append(cell_text(mine, found[-1]))
            of_problems.setdefault(name, []).append(found)
            lines.append([f"{name} {instance}", *texts, f"{best:,}"])
    means = np.exp([np.mean(np.log(found), axis=0) for found in of_problems.values()]).prod(axis=0) ** (
        1 / len(of_problems)
    )
    lines.append(["ratio to the baseline", *(f"{mean:.3f}" for mean in means), ""])
    return f"{seconds:g} s of the processor a run\n{aligned(lines)}"


def ratio(mine: Sequence[float], base: Sequence[float], sign: int) -> float:
    """Return the ratio of the means, less than 1 where mine are better; nan where some are missing or not positive."""
    if not mine or not base or min(np.mean(mine), np.mean(base)) <= 0:
        return float("nan")
    return float((np.mean(mine) / np.mean(base)) ** -sign)


def gaps(rows: Rows, problems: Sequence[str], variants: Sequence[str], seconds: float) -> str:
    """Return the table of the gaps to the best known values, for one time."""
    values = values_of(rows)
    lines, shared = [["gap to the best known", *variants]], []
    for key, (best, sign) in known(problems).items():
        found = [gap(values.get((*key, variant, seconds), []), best, sign) for variant in variants]
        if not math.isnan(found[0]):
            lines.append([" ".join(key), *map(gap_text, found)])
        if not any(map(math.isnan, found)):
            shared.append(found)
    means = np.mean(shared, axis=0) if shared else [math.nan] * len(variants)
    lines.append([f"mean of the {len(shared)} that all have", *map(gap_text, means)])
    return f"{seconds:g} s of the processor a run\n{aligned(lines)}"


def gap(mine: Sequence[float], best: float, sign: int) -> float:
    """Return the gap of the mean to the best value, over its absolute value; nan where there are none."""
    return sign * (best - float(np.mean(mine))) / abs(best) if mine else math.nan


def gap_text(gap: float) -> str:
    """Return a gap as the table shows it."""
    return "-" if math.isnan(gap) else f"{gap + 0.0:.4f}"  # + 0.0 makes -0.0 0


def games(rows: Rows, problems: Sequence[str], variants: Sequence[str], seconds: float) -> str:
    """Return the table of how many times as many playouts as the first variant others make, for one time."""
    values = values_of(rows, "playouts")
    lines = [["playouts", *variants]]
    for key in known(problems):
        first, *others = (values.get((*key, variant, seconds)) for variant in variants)
        if first and any(others):
            texts = (f"{np.mean(each) / np.mean(first):.1f}" if each else "-" for each in others)
            lines.append([" ".join(key), f"{np.mean(first):,.0f}", *texts])
    return f"{seconds:g} s of the processor a run\n{aligned(lines)}"


def known(problems: Sequence[str]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return the best known value of each instance, and the sign of its objective."""
    modules = {name: importlib.import_module(name) for name in problems}
    return {
        (name, instance): (best, class_of(module).objective.sign)
        for name, module in modules.items()
        for instance, best in module.BEST.items()
    }


def cell_text(mine: Sequence[float], to_baseline: float) -> str:
    """Return a cell of the table."""
    if not mine:
        return "-"
    found = cell(mine)
    text = f"{found.mean:,.1f} ({found.half_width:,.1f})" if found.runs > 1 else f"{found.mean:,.1f}"
    return text if np.isnan(to_baseline) else f"{text} {to_baseline:.3f}"


SHOWN: dict[str, Callable[..., str]] = {"ratios": ratios, "gaps": gaps, "games": games}


if __name__ == "__main__":
    run(main)
