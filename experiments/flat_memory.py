"""Search for minutes with checkpoints, and say how much memory the process holds as time goes by.

    python experiments/flat_memory.py --minutes 60 --csv memory.csv

A row of the table is a moment of one search: the problem, the seconds since it began, its playouts, the checkpoints
written, and the resident memory of the process in MB. Each problem is searched in a process of its own, a compiled one
and one in plain Python (--only names others), half of the time each. Exit status 1 where a search ends with over
--most MB more than it held after a tenth of its time.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.registry import problem_class, read_problem
from nrpa.search.autosave import CheckpointAutosave, ResultAutosave

COLUMNS = ("problem", "seconds", "playouts", "checkpoints", "megabytes")
KNAPSACK = Path(__file__).parent.parent / "examples" / "knapsack.py"
PROBLEMS = {
    "tsptw": ("tsptw", "rc204.1"),
    "samegame": ("samegame", "samegame-01"),
    "knapsack": (f"{KNAPSACK}:Knapsack", str(KNAPSACK.with_suffix(".txt"))),
}
DEFAULT = ("tsptw", "knapsack")
ROWS = 60
SEARCH = "--search"


def megabytes() -> float:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def search(name: str, seconds: float, csv: Path) -> None:
    """Search and add rows to the table."""
    problem, instance = PROBLEMS[name]
    made = read_problem(problem_class(problem), instance, {})
    with tempfile.TemporaryDirectory() as folder:
        kept = Counted(Path(folder) / "run.npz"), ResultAutosave(Path(folder) / "result.json")
        due = [0.0]

        def on_slice(now: nrpa.Run) -> None:
            for each in kept:
                each.slice(now)
            if now.progress.seconds >= due[0]:
                due[0] += seconds / ROWS
                values: tuple[Any, ...] = (name, f"{now.progress.seconds:.1f}", now.progress.playouts)
                row = (*values, kept[0].written, f"{megabytes():.1f}")
                append_row(csv, dict(zip(COLUMNS, row, strict=True)))

        nrpa.solve(made, nrpa.GNRPA(level=3), seed=1, time=seconds, on_slice=on_slice)


class Counted(CheckpointAutosave):
    """A checkpoint that counts how often it was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written = 0
        write = self._file._write

        def counted(now: nrpa.Run) -> None:
            write(now)
            self.written += 1

        self._file._write = counted


def main() -> None:
    """Search each problem and compare its memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="of all searches together")
    parser.add_argument("--most", type=float, default=20.0, help="MB that a search may gain")
    parser.add_argument("--csv", type=Path, required=True, help="the table; it must not be there yet")
    parser.add_argument("--only", action="append", choices=list(PROBLEMS), help="a problem; again for another")
    given = parser.parse_args()
    names = given.only or list(DEFAULT)
    if given.csv.exists():
        raise InputError(f"{given.csv}: is there already; a search of an hour is measured in one go")
    grown = False
    for name in names:
        seconds = 60 * given.minutes / len(names)
        subprocess.run([sys.executable, __file__, SEARCH, name, str(seconds), str(given.csv)], check=True)
        rows = [row for row in read_rows(given.csv, COLUMNS) if row["problem"] == name]
        early = next(float(row["megabytes"]) for row in rows if float(row["seconds"]) >= seconds / 10)
        late = float(rows[-1]["megabytes"])
        print(f"{name}: {early:.1f} MB after a tenth of the time, {late:.1f} MB at the end")
        grown |= late - early > given.most
    sys.exit(grown)


if __name__ == "__main__":
    if sys.argv[1:2] == [SEARCH]:
        search(sys.argv[2], float(sys.argv[3]), Path(sys.argv[4]))
    else:
        run(main)
