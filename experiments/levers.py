"""What other levers of NRPA bring at equal playouts: those of levers_search.py, on the instances of worth.toml.

    python experiments/levers.py --csv levers.csv --problem samegame --variant plain: --variant P4:playouts=4
    python experiments/levers.py --csv levers.csv --problem tsptw --variant plain: --figures --seeds 1

Runs what the file lacks and prints, for each number of playouts that is a power of two from 1,024, the mean place as
worth.py has it (here 0 is what random sampling finds in 8,192 playouts) with its difference from the first variant:
95 % t intervals over pairs of the same instance and seed. A variant is a name with levers and options of GNRPA; the
problem has the options that ``auto`` gives it (of several arms the first), and level 3. With ``--figures`` it prints
how level 1 settles instead.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from levers_search import BINS, BRANCHING, ENTROPY, IMPROVING, REPEATED, SAMPLES, STEPS, Choice, LeversSearch
from rows import append_row, read_rows, run
from worth import HERE, Yardstick, place_of, read_toml

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.compare import difference
from nrpa.bench.table import cell
from nrpa.registry import problem_class
from nrpa.solvers.nrpa import GNRPA

COLUMNS = ("problem", "instance", "variant", "seed", "playouts", "score")
FIRST_MARK = 1024
RANDOM, RANDOM_PLAYOUTS = "random", 8192
NUMBERS = {"level": 3, "iterations": 100, "repetitions": 0, "alpha": 1.0, "tau": 1.0, "gamma": 1.0}


def parsed(text: str) -> tuple[str, GNRPA, Choice]:
    """Return name, solver and levers of a variant."""
    name, _, given = text.partition(":")
    options: dict[str, Any] = {"level": 3}
    levers: dict[str, Any] = {}
    for item in filter(None, given.split(",")):
        key, _, value = item.partition("=")
        if key == "seen":
            levers[key] = value
        elif key in Choice._fields:
            levers[key] = number(name, key, value)
        elif key in NUMBERS:
            options[key] = number(name, key, value)
        else:
            known = ", ".join([*Choice._fields, *NUMBERS])
            raise InputError(f"variant {name}: unknown option {key!r}; expected one of {known}")
    return name, GNRPA(**options), Choice(**levers)


def number(variant: str, key: str, value: str) -> int | float:
    """Return the number of an option, a whole one where its default is."""
    default = Choice._field_defaults.get(key, NUMBERS.get(key))
    try:
        return type(default)(value)
    except ValueError:
        raise InputError(f"variant {variant}: {key}: expected a number like {default}, found {value!r}") from None


def problem_of(problem: str, instance: str) -> Any:
    """Return an instance as ``auto`` has it; of several arms the first."""
    return problem_class(problem).load(instance).arms()[0]


def searched(problem: Any, solver: GNRPA, choice: Choice, seed: int, playouts: int) -> list[tuple[int, float]]:
    """Return the best score at each mark."""
    search = LeversSearch(problem, solver, choice, seed)
    found, mark = [], FIRST_MARK
    while mark <= playouts:
        search.advance(mark - search.playouts)
        found.append((mark, search.score))
        mark *= 2
    return found


def main() -> None:
    """Run what is missing; print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--toml", type=Path, default=HERE / "worth.toml")
    parser.add_argument("--csv", type=Path, required=True)
    parser.add_argument("--problem", action="append", required=True)
    parser.add_argument("--split", choices=("training", "reporting"), default="training")
    parser.add_argument("--variant", action="append", required=True, metavar="NAME:LEVER=VALUE,...")
    parser.add_argument("--seeds", type=int, default=8, help="seeds 1 to so many")
    parser.add_argument("--playouts", type=int, default=8192)
    parser.add_argument("--figures", action="store_true", help="how level 1 settles, of the first variant")
    parser.add_argument("--only-print", action="store_true")
    options = parser.parse_args()
    variants = [parsed(text) for text in options.variant]
    content = read_toml(options.toml)
    out = options.csv.resolve()
    os.chdir(options.toml.resolve().parent)  # where the paths of instances begin
    for name in options.problem:
        if name not in content["problems"]:
            raise InputError(f"--problem: expected some of {', '.join(content['problems'])}, found {name!r}")
        yardstick = Yardstick.of(name, content["problems"][name], options.split)
        if options.figures:
            print(figures(yardstick, variants[0], options.playouts, options.seeds))
            continue
        if not options.only_print:
            fill(out, yardstick, variants, range(1, options.seeds + 1), options.playouts)
        print(table(read(out), yardstick, [variant for variant, _, _ in variants], options.seeds, options.playouts))


def read(path: Path) -> dict[tuple[str, str, str, int, int], float]:
    """Return the scores of the file."""
    return {
        (row["problem"], row["instance"], row["variant"], int(row["seed"]), int(row["playouts"])): float(row["score"])
        for row in read_rows(path, COLUMNS)
    }


def fill(path: Path, yardstick: Yardstick, variants: list[Any], seeds: range, playouts: int) -> None:
    """Run what the file lacks: all variants of a seed, then the next seed."""
    known = read(path)
    problems = {instance: problem_of(yardstick.problem, instance) for instance in yardstick.best}

    def add(instance: str, variant: str, seed: int, mark: int, score: float) -> None:
        append_row(path, dict(zip(COLUMNS, (yardstick.problem, instance, variant, seed, mark, score), strict=True)))

    for instance, problem in problems.items():
        if (yardstick.problem, instance, RANDOM, 1, RANDOM_PLAYOUTS) not in known:
            sampled = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=RANDOM_PLAYOUTS)
            add(instance, RANDOM, 1, RANDOM_PLAYOUTS, sampled.score)
    for seed in seeds:
        for instance, problem in problems.items():
            for variant, solver, choice in variants:
                if (yardstick.problem, instance, variant, seed, playouts) in known:
                    continue
                for mark, score in searched(problem, solver, choice, seed, playouts):
                    if (yardstick.problem, instance, variant, seed, mark) not in known:
                        add(instance, variant, seed, mark, score)


def places(known: dict[Any, float], yardstick: Yardstick, variant: str, seeds: int, mark: int) -> dict[int, float]:
    """Return the places by number of instance and seed."""
    objective = problem_class(yardstick.problem).objective
    found = {}
    for number, (instance, best) in enumerate(yardstick.best.items()):
        zero = scaled(yardstick, known[yardstick.problem, instance, RANDOM, 1, RANDOM_PLAYOUTS], best)
        for seed in range(1, seeds + 1):
            score = known.get((yardstick.problem, instance, variant, seed, mark))
            if score is not None:
                place = place_of(scaled(yardstick, score, best), zero, objective.score(best), objective)
                found[number + len(yardstick.best) * seed] = place
    return found


def scaled(yardstick: Yardstick, score: float, best: float) -> float:
    """Return a score; a missed window counts as in worth.py."""
    if not yardstick.missed:
        return score
    windows, cost = divmod(-score, 1e6)
    return -(cost + windows * yardstick.missed * best)


def table(known: dict[Any, float], yardstick: Yardstick, variants: list[str], seeds: int, playouts: int) -> str:
    """Return a line for each variant."""
    marks = [FIRST_MARK * 2**k for k in range(20) if FIRST_MARK * 2**k <= playouts]
    marks = [mark for mark in marks if mark in {1024, 8192, 65536, playouts}]
    width = max(map(len, variants))
    lines = [f"{yardstick.problem}: {len(yardstick.best)} instances, seeds 1 to {seeds}; {', '.join(map(str, marks))}"]
    for variant in variants:
        texts = []
        for mark in marks:
            first = places(known, yardstick, variants[0], seeds, mark)
            mine = places(known, yardstick, variant, seeds, mark)
            mine = {key: place for key, place in mine.items() if key in first}
            text = f"{cell(list(mine.values())).mean:.4f}" if mine else "-"
            if variant != variants[0] and len(mine.keys() & first.keys()) > 1:
                gap = difference(mine, first, paired=True)
                sure = "*" if gap.low > 0 or gap.high < 0 else " "
                text += f" {gap.mean:+.4f} [{gap.low:+.4f}, {gap.high:+.4f}]{sure} {len(mine)}"
            texts.append(f"{text:40}")
        lines.append(f"{variant:{width}}  {'  '.join(texts)}".rstrip())
    return "\n".join(lines)


def figures(yardstick: Yardstick, variant: tuple[str, GNRPA, Choice], playouts: int, seeds: int) -> str:
    """Return how level 1 settles, by tenths of its iterations."""
    total = np.zeros((6, BINS))
    begun = time.process_time()
    for instance in yardstick.best:
        for seed in range(1, seeds + 1):
            search = LeversSearch(problem_of(yardstick.problem, instance), *variant[1:], seed, measures=True)
            search.advance(playouts)
            total += search.levers.figures
    samples = total[SAMPLES]
    rows = {
        "repeated %": 100 * total[REPEATED] / samples,
        "improving %": 100 * total[IMPROVING] / samples,
        "entropy a playout": total[ENTROPY] / samples,
        "legal moves a step": total[BRANCHING] / total[STEPS],
        "moves a step": np.exp(total[ENTROPY] / total[STEPS]),
    }
    lines = [f"{yardstick.problem}: {len(yardstick.best)} instances, seeds 1 to {seeds}, {playouts} playouts, "]
    lines[0] += f"{variant[0]}; {time.process_time() - begun:.0f} s of processor time"
    return "\n".join(lines + [f"{name:20}" + " ".join(f"{x:7.2f}" for x in values) for name, values in rows.items()])


if __name__ == "__main__":
    run(main)
