"""Count what a playout costs the processor, beside plain C++, by valgrind's model of one: no load disturbs it.

    python experiments/physical_limit.py --program 'samegame=./samegame board.txt 3 30 1 1 1 1' [--playouts 1000]

A program must print "playouts N" and be compiled for a processor without AVX-512, which valgrind does not know
(g++ -O3 -march=haswell); it counts with its start. Of nrpa the machine code counts, with its calls into libm and libc.
Each line of the record: steps and legal moves of nrpa's playouts; instructions, memory reads and writes, misses of the
first cache, mispredicted jumps and calls of exp, all playouts together; and the fewest instructions that the same work
could take, by ``FEWEST``.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import click
import numpy as np
from tables import append_row, read_rows, run
from yardstick_speed import PROBLEMS

import nrpa
from nrpa.base.errors import InputError

RECORD = Path(__file__).parent / "results" / "physical-limit.csv"
EVENTS = ("Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc", "Bcm", "Bi", "Bim")
COUNTED = {
    "instructions": ("Ir",),
    "reads": ("Dr",),
    "writes": ("Dw",),
    "misses": ("D1mr", "D1mw"),
    "mispredicted": ("Bcm", "Bim"),
}
COLUMNS = ("problem", "program", "playouts", "steps", "moves", *COUNTED, "exps", "fewest")
# Instructions for each step and for each legal move; experiments/speed.md says what for.
FEWEST = {"tsptw": (110, 18), "morpion": (70, 20), "samegame": (105, 31), "binpacking": (40, 19)}
# A function that takes less than this share of what the largest takes is none of the search: a jump to libffi, say.
LEAST_SHARE = 0.005
SWITCH = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; }
void end(void) { CALLGRIND_STOP_INSTRUMENTATION; }
"""
SEARCH = """
import ctypes, nrpa
problem, solver = {what}
nrpa.start(problem, solver, seed=0).advance(playouts=10)
search = nrpa.start(problem, solver, seed=1)
search.advance(playouts=1)
switch = ctypes.CDLL({library!r})
switch.begin()
search._search.advance({playouts})
switch.end()
"""
WITHOUT_AVX512 = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}


def counted(command: list[str], file: Path, *options: str) -> str:
    """Run a command under callgrind, which writes ``file``; return what the command prints."""
    callgrind = "valgrind --tool=callgrind --cache-sim=yes --branch-sim=yes --trace-children=yes"
    done = subprocess.run(
        [*callgrind.split(), *options, f"--callgrind-out-file={file}", *command],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **WITHOUT_AVX512},
    )
    if done.returncode:
        raise InputError(f"{shlex.join(command)[:40]} failed: {done.stderr.strip()[-200:]}")
    return done.stdout


def read_profile(text: str) -> tuple[dict[tuple[str, str], Counter[str]], Counter[tuple[str, str]]]:
    """Return the events of each function (object, name), with those of its calls into libm and libc; and its calls."""
    events: dict[tuple[str, str], Counter[str]] = {}
    calls: Counter[tuple[str, str]] = Counter()
    names: dict[str, dict[str, str]] = {"ob": {}, "fn": {}}
    place = {"ob": "", "fn": ""}
    called = {}
    in_call = False
    for line in text.splitlines():
        if found := re.match(r"(c?)(ob|fn)=\((\d+)\)(?: (.*))?", line):
            is_called, kind, number, name = found.groups()
            name = names[kind].setdefault(number, name or "")
            (called if is_called else place)[kind] = name
        elif found := re.match(r"calls=(\d+)", line):
            target = {"ob": place["ob"], **called}
            calls[target["ob"], target["fn"]] += int(found[1])
            in_call = True
        elif re.match(r"[+\-*\d]", line):
            if not in_call or re.search(r"lib[mc][.-]", target["ob"]):
                here = events.setdefault((place["ob"], place["fn"]), Counter())
                here.update(dict(zip(EVENTS, map(int, line.split()[1:]), strict=False)))
            in_call, called = False, {}
    return events, calls


def of_search(problem: str, playouts: int, folder: Path) -> dict[str, int]:
    """Return what the machine code of a search costs."""
    library = folder / "switch.so"
    source = folder / "switch.c"
    source.write_text(SWITCH, encoding="utf-8")
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, source], check=True)
    code = SEARCH.format(what=PROBLEMS[problem], library=str(library), playouts=playouts)
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, env={**os.environ, **WITHOUT_AVX512})  # so that it is compiled
    counted(command, folder / "search", "--instr-atstart=no")
    events, calls = read_profile((folder / "search").read_text(encoding="utf-8"))
    inside = {name: each for (thing, name), each in events.items() if thing == "???"}
    most = max(each["Ir"] for each in inside.values())
    total = sum((each for each in inside.values() if each["Ir"] > LEAST_SHARE * most), Counter[str]())
    return {**sums(total), "exps": calls_of_exp(calls)}


def of_program(command: str, folder: Path) -> dict[str, int]:
    """Return what a program costs, and its playouts."""
    printed = counted(["bash", "-c", f"exec {command}"], folder / "program")
    found = re.search(r"playouts (\d+)", printed)
    if found is None:
        raise InputError(f"--program: the command printed no number of playouts: {printed[:80]}")
    text = (folder / "program").read_text(encoding="utf-8")
    totals = re.findall(r"^totals: (.*)", text, re.MULTILINE)[-1]
    total = Counter(dict(zip(EVENTS, map(int, totals.split()), strict=False)))
    return {"playouts": int(found[1]), **sums(total), "exps": calls_of_exp(read_profile(text)[1])}


def sums(events: Counter[str]) -> dict[str, int]:
    """Return the figures of the record."""
    return {name: sum(events[each] for each in parts) for name, parts in COUNTED.items()}


def calls_of_exp(calls: Counter[tuple[str, str]]) -> int:
    """Return the calls of exp."""
    return sum(number for (_, name), number in calls.items() if name == "exp" or name.startswith("exp@@"))


def steps_and_moves(problem: str, playouts: int) -> tuple[int, int]:
    """Return the steps of the first playouts of a search, and the legal moves met, all playouts together.

    The last playout of a search of level 1 is forgotten, and taken for an average one.
    """
    search = nrpa.start(*eval(PROBLEMS[problem], {"nrpa": nrpa}), seed=1)
    found = []
    for _ in range(playouts):
        search.advance(playouts=1)
        memory = search._search.memory
        sequences, score = memory.sequences, memory.tally.last_score[0]
        for slot in [slot for slot in memory.levels.slot[:2] if sequences.score[slot] == score][:1]:
            steps = sequences.length[slot]
            found.append((steps, sequences.offset[slot, steps]))
    steps, moves = (round(mean * playouts) for mean in np.mean(found, axis=0))
    return steps, moves


@click.command()
@click.option("--program", "programs", multiple=True, required=True, metavar="PROBLEM=COMMAND")
@click.option("--playouts", default=1000, show_default=True)
def main(programs: tuple[str, ...], playouts: int) -> None:
    """Add two lines a problem to the record, of nrpa and of the program."""
    read_rows(RECORD, COLUMNS)
    for problem, _, command in (program.partition("=") for program in programs):
        if problem not in FEWEST or not command:
            raise InputError(f"--program: expected one of {', '.join(FEWEST)}, = and a command, not {problem}")
        steps, moves = steps_and_moves(problem, playouts)
        fewest = steps * FEWEST[problem][0] + moves * FEWEST[problem][1]
        with tempfile.TemporaryDirectory() as name:
            ours = {"playouts": playouts, "steps": steps, "moves": moves, **of_search(problem, playouts, Path(name))}
            theirs = {"steps": "", "moves": "", "fewest": "", **of_program(command, Path(name))}
        for program, figures in (("nrpa", {**ours, "fewest": fewest}), ("C++", theirs)):
            row = {"problem": problem, "program": program, **figures}
            append_row(RECORD, {column: row[column] for column in COLUMNS})


if __name__ == "__main__":
    run(main)
