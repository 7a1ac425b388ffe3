"""Bins found on bundled bin packing instances, each in up to so many seconds on one core, as a CSV table."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.source import bundled

SOLVERS = {"gnrpa": nrpa.GNRPA(), "auto": nrpa.Auto(), "auto-no-improve": nrpa.Auto(improve=False)}
COLUMNS = ["class", "instance", "items", "optimum", "lower_bound", "ffd", "bins", "status", "seconds", "playouts"]


def main() -> None:
    """Search the instances that the table lacks, then print how many of each class reach the optimum."""
    options = parse_arguments()
    path = Path(options.csv)
    known = bundled("binpacking")
    names = [name for name, row in known.items() if {name, row.file} & set(options.instances)]
    if not names:
        raise InputError(f"no bundled class or instance is called {' or '.join(options.instances)}")
    done = {row["instance"] for row in read_rows(path, COLUMNS)}
    for name in names:
        if name not in done:
            append_row(path, search(name, known[name].file, options))
    print_summary([row for row in read_rows(path, COLUMNS) if row["instance"] in names])


def parse_arguments() -> argparse.Namespace:
    """Return the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("instances", nargs="+", help="classes (u120, t60, hard28 ...) or names of instances (t60_03)")
    parser.add_argument("--time", type=float, default=60.0, help="for each instance")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", required=True, help="the table; instances that are in it are not searched again")
    parser.add_argument("--moves", default="tight")
    parser.add_argument("--codes", default="opener")
    parser.add_argument("--solver", choices=SOLVERS, default="gnrpa")
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall", help="what seconds are")
    return parser.parse_args()


def search(name: str, family: str, options: argparse.Namespace) -> dict[str, object]:
    """Search one instance until its published optimum or the time limit; return its row."""
    problem = nrpa.BinPacking.load(name, moves=options.moves, codes=options.codes)
    assert problem.best_known is not None
    optimum = int(problem.best_known.value)
    solver = SOLVERS[options.solver]
    result = nrpa.solve(problem, solver, seed=options.seed, time=options.time, target=optimum, clock=options.clock)
    return {
        "class": family,
        "instance": name,
        "items": problem.items,
        "optimum": optimum,
        "lower_bound": result.lower_bound,
        "ffd": result.ffd,
        "bins": result.bins,
        "status": result.status,
        "seconds": f"{result.seconds:.2f}",
        "playouts": result.playouts,
    }


def print_summary(rows: list[dict[str, str]]) -> None:
    """Print for each class how many instances reached the optimum, and in what time."""
    by_class = defaultdict(list)
    for row in rows:
        by_class[row["class"]].append(row)
    for family, members in by_class.items():
        reached = sum(row["bins"] == row["optimum"] for row in members)
        one_above = sum(int(row["bins"]) == int(row["optimum"]) + 1 for row in members)
        seconds = sorted(float(row["seconds"]) for row in members)
        print(
            f"{family}: {reached} of {len(members)} optimal, {one_above} one bin above; "
            f"median {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s"
        )


if __name__ == "__main__":
    run(main)
