"""Playouts a second beside another program or installation, in pairs by turns, by processor time, on one core.

    python experiments/yardstick_speed.py --program 'tsptw=CPU=1 ./tsptw rc204.1 3 {seconds} {seed}' [--pairs 5]
    python experiments/yardstick_speed.py --python OTHER_PYTHON [--problem tsptw]

The command of a program is run by the shell, with {seconds} and {seed} filled in; it must print "N playouts/s" or
"playouts/s N", of processor time. OTHER_PYTHON is the interpreter of an environment in which another version of nrpa is
installed. Each line is the median ratio (this / the other) of a problem, with the least and the largest of the pairs,
and the median playouts a second of both.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from statistics import median

import click
from tables import run

from nrpa.base.errors import InputError

PROBLEMS = {
    "tsptw": "nrpa.TSPTW.load('rc204.1', moves='selective'), nrpa.GNRPA(level=3, tau=1.4)",
    "morpion": "nrpa.Morpion.load('5D'), nrpa.NRPA(level=3)",
    "samegame": "nrpa.SameGame.load('samegame-01'), nrpa.GNRPA(level=3)",
    "samegame-nmcs": "nrpa.SameGame.load('samegame-01'), nrpa.NMCS(level=2)",
    "binpacking": "nrpa.BinPacking.load('t60_00', moves='all', codes='room'), nrpa.GNRPA(level=3)",
}
MEASURE = """
import time, nrpa
problem, solver = {what}
nrpa.start(problem, solver, seed=0).advance(playouts=1000)
search = nrpa.start(problem, solver, seed={{seed}})
before, playouts = time.process_time(), 0
while time.process_time() - before < {{seconds}}:
    search.advance(playouts=2000)
    playouts += 2000
print(playouts / (time.process_time() - before), "playouts/s")
"""


def measuring(python: str, problem: str) -> str:
    """Return the command that measures an installation; compiling does not count."""
    found = os.path.abspath(shutil.which(python) or python)
    return f"cd / && {shlex.quote(found)} -c {shlex.quote(MEASURE.format(what=PROBLEMS[problem]))}"


def rate(command: str, seconds: float, seed: int) -> float:
    """Return the playouts a second that a command prints."""
    line = command.replace("{seconds}", str(seconds)).replace("{seed}", str(seed))
    done = subprocess.run(line, shell=True, check=False, capture_output=True, text=True)
    found = re.search(r"playouts/s\s+([\d.]+)", done.stdout) or re.search(r"([\d.]+)\s+playouts/s", done.stdout)
    if found is None:
        raise InputError(f"--program: the command printed no playouts/s: {(done.stdout + done.stderr).strip()[:80]}")
    return float(found[1])


@click.command()
@click.option("--program", "programs", multiple=True, metavar="PROBLEM=COMMAND")
@click.option("--python", "other", help="Another installation.")
@click.option("--problem", "problems", multiple=True, type=click.Choice(list(PROBLEMS)), help="Some, with --python.")
@click.option("--pairs", default=5, show_default=True)
@click.option("--seconds", default=5.0, show_default=True, help="Processor seconds of each search.")
def main(programs: tuple[str, ...], other: str | None, problems: tuple[str, ...], pairs: int, seconds: float) -> None:
    """Print the ratios."""
    commands = [(name, command) for name, _, command in (program.partition("=") for program in programs)]
    if other:
        commands += [(name, measuring(other, name)) for name in problems or PROBLEMS]
    for name, command in commands:
        if name not in PROBLEMS or not command:
            raise InputError(f"--program: expected one of {', '.join(PROBLEMS)}, = and a command, not {name}")
        here = measuring(sys.executable, name)
        rates = [(rate(here, seconds, seed), rate(command, seconds, seed)) for seed in range(1, pairs + 1)]
        ratios = [ours / theirs for ours, theirs in rates]
        ours, theirs = (f"{median(side):,.0f}" for side in zip(*rates, strict=True))
        span = f"({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{name:14} {median(ratios):.2f}  {span}  {ours} beside {theirs} playouts/s", flush=True)


if __name__ == "__main__":
    run(main)
