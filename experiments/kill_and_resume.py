"""Kill searches at random moments with SIGKILL, resume each from its checkpoint, and compare with one never stopped.

    python experiments/kill_and_resume.py --kills 200 --csv kills.csv

A row of the table is a search that was killed once and resumed: whether a checkpoint was there, the playouts in it, and
whether the end is the same: score, solution, improvements by playouts, and the next random numbers. Problems and
solvers take turns. The same command goes on with a table that was not finished. Exit status 1 if a row is not "equal".
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from rows import append_row, read_rows, run

import nrpa
from nrpa.base.errors import InputError
from nrpa.registry import problem_class, read_problem, solver_class, solvers
from nrpa.search.autosave import CheckpointAutosave, ResultAutosave
from nrpa.search.checkpoint import read_checkpoint

COLUMNS = ("number", "problem", "instance", "solver", "killed_after", "checkpoint", "outcome")
EXAMPLES = Path(__file__).parent.parent / "examples"
PROBLEMS = {
    "tsptw": "rc204.1",
    "samegame": "samegame-01",
    "morpion": "5D",
    "binpacking": "Hard28_BPP13",
    "rna": "eterna-v1-66",
    "fold": "trna-phe",
    "coloring": "school1",
    "schur": "4",
    "snake": "7",
    "vrptw": "r106",
    f"{EXAMPLES / 'snake.py'}:Snake": "7",
}
OPTIONS: dict[str, dict[str, Any]] = {"gnrpa": {"level": 3}, "nrpa": {"level": 3}, "nmcs": {"level": 2}}
SEED = 7
EVERY = 0.05
FORK = multiprocessing.get_context("fork")


def search(
    problem: str, instance: str, solver: str, folder: Path, seconds: float, playouts: int, begun: Connection
) -> None:
    """Start the search, or go on with the one whose checkpoint is there; write how it ends to ``end.json``.

    ``seconds``: how long it is to take where ``playouts`` is 0. ``begun`` is told when it searches.
    """
    checkpoint = folder / "run.npz"
    made = read_problem(problem_class(problem), instance, {})
    algorithm: Any = solver_class(solver)
    if checkpoint.exists():
        going = nrpa.resume(checkpoint, made)
    else:
        going = nrpa.start(made, algorithm(**OPTIONS.get(solver, {})), seed=SEED)
    kept = CheckpointAutosave(checkpoint, EVERY), ResultAutosave(folder / "result.json")
    begun.send("searching")
    limit = nrpa.PlayoutLimit(playouts) if playouts else nrpa.TimeLimit(seconds)
    going.advance(stop=limit, on_slice=lambda now: [each.slice(now) for each in kept] if playouts else None)
    memory: Any = going._search
    end = {
        "playouts": going.progress.playouts,
        "score": going.progress.score,
        "solution": going.result().solution,
        "improvements": [point[1:] for point in going.recorder.improvements],
        "random": [each.random.tolist() for each in getattr(memory.memory, "arms", (memory.memory,))],
    }
    (folder / "end.json").write_text(json.dumps(end))


def child(case: tuple[str, str, str], folder: Path, seconds: float, playouts: int) -> ForkProcess:
    """Return a process that searches, when it has begun to. It is forked, as importing nrpa takes long."""
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=search, args=(*case, folder, seconds, playouts, theirs))
    process.start()
    theirs.close()
    with suppress(EOFError):
        ours.recv()
    return process


def end_of(case: tuple[str, str, str], folder: Path, seconds: float, playouts: int) -> dict[str, Any] | None:
    """Search to the end and return how it ended; None where it failed."""
    process = child(case, folder, seconds, playouts)
    process.join()
    if process.exitcode != 0:
        return None
    found: dict[str, Any] = json.loads((folder / "end.json").read_text())
    return found


def killed_and_resumed(case: tuple[str, str, str], whole: dict[str, Any], moment: float) -> tuple[str, str]:
    """Kill a search after ``moment`` seconds and resume it; return the playouts of its checkpoint, and the outcome."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = child(case, folder, 0, whole["playouts"])
        time.sleep(moment)
        process.kill()
        process.join()
        checkpoint = folder / "run.npz"
        try:
            kept = (
                str(int(read_checkpoint(checkpoint).arrays["memory/tally/playouts"][0])) if checkpoint.exists() else ""
            )
            if (folder / "result.json").exists():
                nrpa.Result.from_json((folder / "result.json").read_text())
        except InputError as error:
            return "", f"corrupt: {error}"
        (folder / "end.json").unlink(missing_ok=True)
        end = end_of(case, folder, 0, whole["playouts"])
        return kept, "lost" if end is None else "equal" if end == whole else "different"


def main() -> None:
    """Kill and resume until the table has as many rows as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200, help="rows of the table")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a search takes that is not stopped")
    parser.add_argument("--csv", type=Path, required=True, help="the table")
    parser.add_argument("--only", action="append", help="a problem of the list; again for another")
    parser.add_argument("--solver", action="append", choices=list(solvers.bundled), help="a solver; again for another")
    given = parser.parse_args()
    cases = [
        (problem, instance, solver)
        for solver in given.solver or solvers.bundled
        for problem, instance in PROBLEMS.items()
        if not given.only or Path(problem).name in given.only
    ]
    if not cases:
        raise InputError(f"--only: expected some of {', '.join(Path(problem).name for problem in PROBLEMS)}")
    done = read_rows(given.csv, COLUMNS)
    wholes: dict[tuple[str, str, str], dict[str, Any] | None] = {}
    for number in range(len(done), given.kills):
        case = cases[number % len(cases)]
        if case not in wholes:
            with tempfile.TemporaryDirectory() as name:
                wholes[case] = end_of(case, Path(name), given.seconds, 0)
        whole, moment = wholes[case], random.Random(number).uniform(0, given.seconds)
        kept, outcome = ("", "failed") if whole is None else killed_and_resumed(case, whole, moment)
        values = number, Path(case[0]).name, case[1], case[2], f"{moment:.3f}", kept, outcome
        append_row(given.csv, dict(zip(COLUMNS, values, strict=True)))
    outcomes = [row["outcome"] for row in read_rows(given.csv, COLUMNS)]
    equal = outcomes.count("equal")
    print(f"{len(outcomes)} kills, {equal} equal to the search that was not stopped")
    sys.exit(equal != len(outcomes))


if __name__ == "__main__":
    run(main)
