"""How long the first playout takes with an empty folder of machine code, how large the folder gets, and playouts/s.

``python experiments/compiled_once.py [PYTHON ...]`` measures each interpreter, in which a version of nrpa is installed,
in turn: the one that runs it, and those that are named. Medians of three, seconds of the processor with Python and
imports. ``--rates`` measures playouts a second of the processor instead, after ten seconds of search.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import click

EXAMPLES = Path(__file__).parents[1] / "examples"
BEGIN = f"""
import sys, time
sys.path.insert(0, {str(EXAMPLES)!r})
import nrpa
def of_class(file, name):
    kind = getattr(__import__(file), name)
    return nrpa.compiled(kind).load(str({str(EXAMPLES)!r} + "/" + file + ".txt"))
"""
FIRST = "nrpa.start({problem}, {solver}, seed=1).advance(playouts=1); print(time.process_time())"
RATE = """
run = nrpa.start({problem}, {solver}, seed=1)
run.advance(time=10)
begin, before = time.process_time(), run.progress.playouts
run.advance(time=5)
print((run.progress.playouts - before) / (time.process_time() - begin))
"""
PRIZE_TOUR = 'of_class("prize_tour", "PrizeTour")'
# What is solved before in the same folder, the problem, and the solver.
FIRSTS = {
    "rc204.1": ("", 'nrpa.TSPTW.load("rc204.1")', "nrpa.Auto()"),
    "Morpion 5T, another problem before": ("nrpa.Snake(6)", "nrpa.Morpion()", "nrpa.Auto()"),
    "snake 6, UCT": ("", "nrpa.Snake(6)", "nrpa.UCT()"),
    "snake 6, UCT, another problem before": ("nrpa.Morpion()", "nrpa.Snake(6)", "nrpa.UCT()"),
    "prize_tour compiled": ("", PRIZE_TOUR, "nrpa.Auto()"),
    "prize_tour compiled, UCT": ("", PRIZE_TOUR, "nrpa.UCT()"),
    "a class, another class before": (PRIZE_TOUR, "nrpa.Pancakes([4, 2, 5, 1, 3])", "nrpa.GNRPA()"),
}
RATES = {
    "rc204.1, GNRPA": ('nrpa.TSPTW.load("rc204.1")', "nrpa.GNRPA(level=4, tau=1.4)"),
    "Morpion 5T, GNRPA": ("nrpa.Morpion()", "nrpa.GNRPA(level=4)"),
    "SameGame, GNRPA": ('nrpa.SameGame.load("samegame-01")', "nrpa.GNRPA(level=4)"),
    "bins, GNRPA": ('nrpa.BinPacking.load("t120_00")', "nrpa.GNRPA(level=4)"),
    "prize_tour compiled, GNRPA": (PRIZE_TOUR, "nrpa.GNRPA(level=4)"),
    "rc204.1, NMCS": ('nrpa.TSPTW.load("rc204.1")', "nrpa.NMCS(level=3)"),
    "Morpion 5T, tempering": ("nrpa.Morpion()", "nrpa.Tempering()"),
    "SameGame, UCT": ('nrpa.SameGame.load("samegame-01")', "nrpa.UCT()"),
}


def measured(python: str, program: str, folder: str) -> float:
    """Return the number that a program prints, with machine code in a folder."""
    variables = {**os.environ, "NUMBA_CACHE_DIR": folder}
    command = [python, "-P", "-c", BEGIN + program]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, cwd=folder)
    return float(done.stdout.split()[-1])


def first_playout(python: str, row: str) -> tuple[float, float]:
    """Return the seconds to the first playout with an empty folder, and the megabytes that it has then."""
    before, problem, solver = FIRSTS[row]
    with tempfile.TemporaryDirectory() as folder:
        if before:
            measured(python, FIRST.format(problem=before, solver=solver), folder)
        seconds = measured(python, FIRST.format(problem=problem, solver=solver), folder)
        return seconds, sum(file.stat().st_size for file in Path(folder).rglob("*.machine")) / 1e6


@click.command()
@click.argument("pythons", nargs=-1)
@click.option("--rates", is_flag=True)
@click.option("--only", default="", help="Rows whose name holds this text.")
@click.option("--repeat", default=3)
def main(pythons: tuple[str, ...], rates: bool, only: str, repeat: int) -> None:
    """Print a table in Markdown: a row a measurement, a column an interpreter."""
    all_of_them = [sys.executable, *pythons]
    columns = [f"{'playouts/s' if rates else 's, MB'} {place}" for place in range(1, len(all_of_them) + 1)]
    print(f"| row | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
    for row in filter(lambda name: only in name, RATES if rates else FIRSTS):
        cells = list[str]()
        taken: list[list[float]] = [[] for _ in all_of_them]
        sizes = [0.0] * len(all_of_them)
        for _ in range(repeat):
            for place, python in enumerate(all_of_them):
                if rates:
                    problem, solver = RATES[row]
                    program = RATE.format(problem=problem, solver=solver)
                    with tempfile.TemporaryDirectory() as folder:
                        taken[place].append(measured(python, program, folder))
                else:
                    seconds, sizes[place] = first_playout(python, row)
                    taken[place].append(seconds)
        for values, size in zip(taken, sizes, strict=True):
            middle = statistics.median(values)
            cells.append(f"{middle:,.0f}" if rates else f"{middle:.1f}, {size:.1f}")
        print(f"| {row} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
