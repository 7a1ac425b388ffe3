"""Playouts a second beside another program for the same search: pairs in turns, processor time, one core.

    python experiments/yardstick_speed.py --program 'tsptw=CPU=1 ./tsptw rc204.1 3 {seconds} {seed}' [--pairs 5]

The command of a program is run by the shell, with {seconds} and {seed} filled in; it must print "N playouts/s" or
"playouts/s N", of processor time. Each line is the median ratio (this / the program) of a problem, with the least and
the largest of the pairs, and the median playouts a second of both.
"""

import re
import subprocess
import sys
import time
from statistics import median

import click
from rows import run

import nrpa
from nrpa.base.errors import InputError

PROBLEMS = {
    "tsptw": lambda: (nrpa.TSPTW.load("rc204.1", moves="selective"), nrpa.GNRPA(level=3, tau=1.4)),
    "morpion": lambda: (nrpa.Morpion.load("5D"), nrpa.NRPA(level=3)),
    "samegame": lambda: (nrpa.SameGame.load("samegame-01"), nrpa.GNRPA(level=3)),
    "binpacking": lambda: (nrpa.BinPacking.load("t60_00", moves="all", codes="room"), nrpa.GNRPA(level=3)),
}


def our_rate(problem: str, seconds: float, seed: int) -> float:
    """Return the playouts a second of processor time of this installation, in a process of its own."""
    code = f"import yardstick_speed; yardstick_speed.measure({problem!r}, {seconds}, {seed})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=sys.path[0])
    return float(done.stdout)


def measure(problem: str, seconds: float, seed: int) -> None:
    """Search for so many seconds of processor time and print the playouts a second; compiling does not count."""
    model, solver = PROBLEMS[problem]()
    nrpa.start(model, solver, seed=0).advance(playouts=100)
    search = nrpa.start(model, solver, seed=seed)
    before, playouts = time.process_time(), 0
    while time.process_time() - before < seconds:
        search.advance(playouts=2000)
        playouts += 2000
    print(playouts / (time.process_time() - before))


def their_rate(command: str, seconds: float, seed: int) -> float:
    """Return the playouts a second that a program prints."""
    line = command.replace("{seconds}", str(seconds)).replace("{seed}", str(seed))
    done = subprocess.run(line, shell=True, check=False, capture_output=True, text=True)
    found = re.search(r"playouts/s\s+([\d.]+)", done.stdout) or re.search(r"([\d.]+)\s+playouts/s", done.stdout)
    if found is None:
        raise InputError(f"--program: the command printed no playouts/s: {(done.stdout + done.stderr).strip()[:80]}")
    return float(found[1])


@click.command()
@click.option("--program", "programs", multiple=True, required=True, metavar="PROBLEM=COMMAND")
@click.option("--pairs", default=5, show_default=True)
@click.option("--seconds", default=5.0, show_default=True, help="Processor seconds of each search.")
def main(programs: tuple[str, ...], pairs: int, seconds: float) -> None:
    """Print the ratios."""
    for name, _, command in (program.partition("=") for program in programs):
        if name not in PROBLEMS or not command:
            raise InputError(f"--program: expected one of {', '.join(PROBLEMS)}, = and a command, not {name}")
        seeds = range(1, pairs + 1)
        rates = [(our_rate(name, seconds, seed), their_rate(command, seconds, seed)) for seed in seeds]
        ratios = [ours / theirs for ours, theirs in rates]
        ours, theirs = (f"{median(side):,.0f}" for side in zip(*rates, strict=True))
        span = f"({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{name:12} {median(ratios):.2f}  {span}  {ours} beside {theirs} playouts/s", flush=True)


if __name__ == "__main__":
    run(main)
