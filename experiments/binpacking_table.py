"""Bins found on bundled bin packing instances, each in up to so many seconds on one core, as a CSV table.

`--solver cp-sat` is the model of `beside_others.py` (experiments/requirements-others.txt). Its limit is the
wall's time, and its seconds those of the processor on one thread.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from beside_others import bins_answer
from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.source import bundled
from nrpa.search.clock import CLOCKS, WALL

SOLVERS = {"gnrpa": nrpa.GNRPA(), "auto": nrpa.Auto(), "auto-no-improve": nrpa.Auto(improve=False)}
CP_SAT = "cp-sat"
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
    parser.add_argument("--solver", choices=(*SOLVERS, CP_SAT), default="gnrpa")
    parser.add_argument("--clock", choices=list(CLOCKS), default=WALL, help="what seconds are")
    return parser.parse_args()


def search(name: str, family: str, options: argparse.Namespace) -> dict[str, object]:
    """Search one instance until its published optimum or the time limit; return its row."""
    problem = nrpa.BinPacking.load(name, moves=options.moves, codes=options.codes)
    assert problem.best_known is not None
    optimum = int(problem.best_known.value)
    return {
        "class": family,
        "instance": name,
        "items": problem.items,
        "optimum": optimum,
        "lower_bound": problem.bounds.lower,
        "ffd": problem.bounds.ffd,
        **(by_cp_sat(problem, options) if options.solver == CP_SAT else by_nrpa(problem, optimum, options)),
    }


def by_nrpa(problem: nrpa.BinPacking, optimum: int, options: argparse.Namespace) -> dict[str, object]:
    """Return what a search of this package finds."""
    limit = {"time": options.time, "clock": options.clock}
    result = nrpa.solve(problem, SOLVERS[options.solver], seed=options.seed, target=optimum, **limit)
    return {
        "bins": result.bins,
        "status": result.status,
        "seconds": f"{result.seconds:.2f}",
        "playouts": result.playouts,
    }


def by_cp_sat(problem: nrpa.BinPacking, options: argparse.Namespace) -> dict[str, object]:
    """Return what CP-SAT finds; no bins where it finds no packing."""
    begun = time.process_time()
    answer = bins_answer(problem, options.time, options.seed)
    return {
        "bins": "" if answer.value is None else int(answer.value),
        "status": "optimal" if answer.proved else "time",
        "seconds": f"{time.process_time() - begun:.2f}",
        "playouts": "",
    }


def print_summary(rows: list[dict[str, str]]) -> None:
    """Print for each class how many instances reached the optimum, and in what time."""
    by_class = defaultdict(list)
    for row in rows:
        by_class[row["class"]].append(row)
    for family, members in by_class.items():
        reached = sum(row["bins"] == row["optimum"] for row in members)
        one_above = sum(row["bins"] == str(int(row["optimum"]) + 1) for row in members)
        seconds = sorted(float(row["seconds"]) for row in members)
        print(
            f"{family}: {reached} of {len(members)} optimal, {one_above} one bin above; "
            f"median {seconds[len(seconds) // 2]:.2f} s, longest {seconds[-1]:.2f} s"
        )


if __name__ == "__main__":
    run(main)
