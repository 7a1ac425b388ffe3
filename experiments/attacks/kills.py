"""Stop commands at random moments: none hangs, and what goes on after it ends as what was left in peace.

    python experiments/attacks/kills.py --seed 1 --count 20

Kinds take turns. "start": SIGTERM or SIGINT while a search starts its workers; it ends, with status 0 or 130. "match"
and "tune": stopped two to four times, by SIGKILL as well, and continued; no game or run on disk is lost or done again,
and the end is that of a command that was not stopped. Exit status 1 if a try failed.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

import attack

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
KNAPSACK = [f"{EXAMPLES / 'knapsack.py'}:Knapsack", str(EXAMPLES / "knapsack.txt"), "--workers", "2", "-q"]
HEX = ["hex", "--size", "3", "--game-first", "none", "--first", "mcps:ref=5", "--second", "grave:ref=5"]
COMMANDS = {
    "start": ["solve", *KNAPSACK, "--time", "600"],
    "match": ["match", *HEX, "--playouts", "1000", "--games", "300", "--workers", "2", "--out", "out", "-q"],
    "tune": ["tune", *KNAPSACK, "--playouts", "2000", "--trials", "5", "--runs", "4", "--out", "out"],
}
SIGNALS = signal.SIGTERM, signal.SIGINT, signal.SIGKILL
Rows = set[tuple[object, ...]]


def begun(kind: str, folder: Path) -> subprocess.Popen[str]:
    """Return a command that has ended or started a process: what still imports modules cannot mind signals."""
    command = [sys.executable, "-m", "nrpa", *COMMANDS[kind]]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        with suppress(OSError):
            if any((each / "children").read_text() for each in Path(f"/proc/{process.pid}/task").iterdir()):
                break
        time.sleep(0.01)
    return process


def wrong_when_stopped(process: subprocess.Popen[str], number: signal.Signals) -> str:
    """Send a signal; return what is wrong with how the command ends."""
    process.send_signal(number)
    try:
        _, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        return f"hangs after {number.name}"
    fine = process.returncode in (0, 130, -signal.SIGKILL) and not ("Traceback" in err or "leaked" in err)
    return "" if fine else f"{number.name}: status {process.returncode}, {err}"


def rows(kind: str, folder: Path) -> Rows:
    """Return what is on disk: the games of a match with their times, the runs of a tuning with their keys."""
    path = folder / "out"
    with suppress(OSError, sqlite3.Error):
        if kind == "match":
            return {(line,) for line in path.read_text().rpartition("\n")[0].split("\n")}
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
            return set(base.execute("SELECT * FROM trial_intermediate_values").fetchall())
    return set()


def end_of(kind: str, folder: Path) -> object:
    """Let a command end; return what must not depend on interruptions: games without their times, a report."""
    out, _ = begun(kind, folder).communicate()
    if kind == "tune":
        return out
    fields = [line.split(",") for line in (folder / "out").read_text().splitlines()]
    return sorted((*line[:5], line[-1]) for line in fields)


def wrong(kind: str, rng: random.Random, folder: Path, whole: object, seconds: float) -> str:
    """Try once; return what is wrong."""
    kept: Rows = set()
    for _ in range(1 if kind == "start" else rng.randint(2, 4)):
        process = begun(kind, folder)
        time.sleep(rng.uniform(0, seconds))
        if found := wrong_when_stopped(process, rng.choice(SIGNALS[: 2 if kind == "start" else 3])):
            return found
        before, kept = kept, rows(kind, folder)
        if not before <= kept:
            return f"lost or done again: {before - kept}"
    same = kind == "start" or end_of(kind, folder) == whole
    return "" if same and kept <= rows(kind, folder) else f"another end, after {len(kept)} rows"


def main() -> None:
    """Try so many times."""
    parser = attack.parser(__doc__, 20)
    parser.add_argument("--only", choices=list(COMMANDS), help="one kind alone")
    given = parser.parse_args()
    kinds, outcomes = [given.only] if given.only else list(COMMANDS), attack.Outcomes("fine")
    wholes: dict[str, tuple[object, float]] = {"start": (None, 4.0)}
    for number in range(given.count):
        kind, rng = kinds[number % len(kinds)], random.Random(given.seed * 1_000_000 + number)
        if kind not in wholes:
            with tempfile.TemporaryDirectory() as name:
                since = time.monotonic()
                wholes[kind] = end_of(kind, Path(name)), time.monotonic() - since
        with tempfile.TemporaryDirectory() as name:
            found = wrong(kind, rng, Path(name), *wholes[kind])
        outcomes.note("failed" if found else "fine", f"{kind}, try {number}: {found}")
    outcomes.end(given.seed)


if __name__ == "__main__":
    main()
