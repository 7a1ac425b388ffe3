"""Measure how time, memory and quality grow with the size: tables, and a picture beside the record.

    python experiments/growth/measure.py
    python experiments/growth/measure.py --problems tsptw,vrptw --sizes 1000 --seconds 60
    python experiments/growth/measure.py --beyond

Each problem is drawn in rising sizes (draw.py). A search of each, by the default, begins in a process of its own, with
the clock of the processor; beside it are programs and rules made for the problem, with as many seconds (peers.py).
Answers are checked by the problem and by the drawn file alone (values.py). What is refused, has no answer in time or
needs more than the memory is a row that says so. Then some problems are searched by several workers, in threads,
processes and over Dask, for the same time on the wall.

A row is written when it is known; the same command goes on where it was stopped. `python experiments/pages.py` writes
the tables of experiments/growth.md from experiments/results/growth.csv.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from draw import DRAWN, draw  # noqa: E402
from growing import COLUMNS, DONE, KEYS, NRPA, SHOWN, drawn_curves  # noqa: E402
from one import DASK, Task  # noqa: E402
from peers import PEERS  # noqa: E402
from tables import append_row, read_rows, run  # noqa: E402

from nrpa.base.errors import InputError  # noqa: E402
from nrpa.search.curve import PROCESSOR, WALL  # noqa: E402

RECORD = HERE.parent / "results" / "growth.csv"
SMALL = {
    "tsptw": 20,
    "vrptw": 20,
    "binpacking": 40,
    "coloring": 40,
    "dense": 40,
    "rna": 60,
    "fold": 60,
    "samegame": 6,
    "snake": 5,
    "permutation": 10,
    "wide": 25,
    "long": 10,
    "morpion": 4,
    "eterna": 1,
}
SIZES = {
    "tsptw": (250, 500, 1000, 2000, 5000),
    "vrptw": (250, 500, 1000, 2000, 5000),
    "binpacking": (1000, 4000, 20_000, 100_000),
    "coloring": (1000, 4000, 20_000, 100_000),
    "dense": (500, 1000, 2000, 4000),
    "rna": (125, 250, 500, 1000),
    "fold": (375, 750, 1500, 3000),
    "samegame": (25, 50, 100, 200),
    "snake": (9, 10, 11, 12),
    "permutation": (1250, 2500, 5000, 10_000),
    "wide": (1250, 2500, 5000, 10_000),
    "long": (12_500, 25_000, 50_000, 100_000),
}
BEYOND = {"samegame": 632, "snake": 15}  # else ten times the largest
SHARED = {"morpion": 5, "tsptw": 1000, "eterna": 99}
BUNDLED = {"morpion": ("morpion", "{}T"), "eterna": ("rna", "eterna-v1-{}")}
MOST_MB = 8000.0
COMPILING = 600.0


def instance_of(problem: str, size: int, folder: Path) -> tuple[str, str, dict[str, str]]:
    """Return a problem, a bundled instance or the file that is drawn, and options."""
    if problem in BUNDLED:
        of, name = BUNDLED[problem]
        return of, name.format(size), {}
    of, path, options = draw(problem, size, folder)
    return of, str(path), options


def sizes_of(problem: str, options: argparse.Namespace) -> tuple[int, ...]:
    """Return the sizes at which a problem is measured."""
    if options.sizes:
        return tuple(int(text) for text in options.sizes.split(","))
    if options.short:
        return SMALL[problem], 2 * SMALL[problem]
    if options.beyond:
        return (BEYOND.get(problem, 10 * SIZES[problem][-1]),)
    return SIZES[problem]


def alone(problems: Iterable[str], options: argparse.Namespace, seconds: float) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of the rows of one worker, and of the peers."""
    for problem in problems:
        for size in sizes_of(problem, options):
            yield problem, size, NRPA, seconds, PROCESSOR, 1
            if problem in PEERS and not options.beyond:
                yield problem, size, PEERS[problem].name, seconds, PROCESSOR, 1


def together(problems: Iterable[str], workers: Iterable[int], seconds: float) -> Iterator[tuple[Any, ...]]:
    """Yield the keys of the rows of several workers, and of one beside them."""
    counts = sorted({*workers})
    for problem, size in SHARED.items():
        if counts and (problem in problems or problem in BUNDLED):
            yield from ((problem, size, NRPA, seconds, WALL, count) for count in (1, *counts))
            yield problem, size, DASK, seconds, WALL, counts[-1]


def measured(key: tuple[Any, ...], folder: Path, patience: float | None) -> dict[str, Any]:
    """Return the row of a key, from a process of its own, that is ended after so many seconds."""
    problem, size, by, seconds, clock, workers = key
    instances = instance_of(problem, size, folder), instance_of(problem, SMALL[problem], folder)
    task = Task(problem, *instances, by, seconds, clock, workers, MOST_MB)
    command = [sys.executable, str(HERE / "one.py"), json.dumps(task)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=patience, check=False)
        outcome, printed = fault_of(done), done.stdout
    except subprocess.TimeoutExpired as late:
        outcome, printed = f"no answer in {patience:g} s", late.stdout or b""
    found = {**dict(zip(KEYS, key, strict=True)), "outcome": outcome}
    for line in printed.splitlines():
        found.update(json.loads(line))
    return {name: text_of(found.get(name)) for name in COLUMNS}


def compile_for(problem: str, largest: int, folder: Path) -> None:
    """Search a small instance and the largest, so that no row counts the time and memory of the compiler."""
    for size in (SMALL[problem], largest):
        measured((problem, size, NRPA, 0.5, PROCESSOR, 1), folder, COMPILING)


def fault_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return how a process has ended: done, or the last line of what it says."""
    if done.returncode == 0:
        return DONE
    if done.returncode < 0:
        return f"killed by signal {-done.returncode}"
    return f"fault: {(done.stderr.decode().splitlines() or ['?'])[-1]}"


def text_of(value: Any) -> str:
    """Return a value as the record has it, empty where there is none."""
    return "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)


def main() -> None:
    """Measure what is missing, print the tables, and draw the picture."""
    cores = os.cpu_count() or 1
    doubled = [2**k for k in range(1, cores.bit_length()) if 2**k < cores]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default=",".join(DRAWN), help="with commas between; all")
    parser.add_argument("--sizes", default="", help="with commas between, in place of those of each problem")
    parser.add_argument("--seconds", type=float, help="10")
    parser.add_argument("--workers", type=int, nargs="*", help="2, 4 … up to the cores; none with other sizes")
    parser.add_argument("--short", action="store_true", help="small sizes and 0.2 s: a trial")
    parser.add_argument("--beyond", action="store_true", help="ten times the largest sizes, to see where it ends")
    parser.add_argument("--out", type=Path, default=RECORD, help="the record")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds beyond --seconds for an answer; 60")
    parser.add_argument("--folder", type=Path, default=Path("build/growth"), help="of what is drawn; build/growth")
    options = parser.parse_args()
    problems = options.problems.split(",")
    for name in problems:
        if name not in DRAWN:
            raise InputError(f"--problems: expected some of {', '.join(DRAWN)}, found {name!r}")
    seconds = options.seconds or (0.2 if options.short else 10.0)
    usual = not (options.sizes or options.short or options.beyond)
    asked = options.workers if options.workers is not None else [*doubled, cores] if usual else []
    workers = [count for count in asked if count > 1]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    done = {tuple(row[name] for name in KEYS) for row in read_rows(options.out, COLUMNS)}
    keys = dict.fromkeys([*alone(problems, options, seconds), *together(problems, workers, seconds)])
    missing = [key for key in keys if tuple(map(text_of, key)) not in done]
    for problem, group in groupby(missing, key=lambda key: key[0]):
        of_problem = [*group]
        compile_for(problem, max(key[1] for key in of_problem), options.folder)
        for key in of_problem:
            append_row(options.out, measured(key, options.folder, options.patience + seconds))
    rows = read_rows(options.out, COLUMNS)
    print("", *(table(rows, f"{seconds:g}") for table in SHOWN.values()), sep="\n")
    drawn_curves(rows, options.out.with_suffix(".svg"), f"{seconds:g}")


if __name__ == "__main__":
    run(main)
