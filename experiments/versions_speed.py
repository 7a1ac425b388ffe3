"""Playouts a second of this installation against another one: pairs in turns, processor time, one core.

    python experiments/versions_speed.py OTHER_PYTHON [--pairs 5] [--seconds 3]

OTHER_PYTHON is the interpreter of an environment in which the other version is installed. Each line is the median
ratio (this / other) of a problem, with the least and the largest.
"""

import subprocess
import sys
from statistics import median

import click

PROBLEMS = {
    "tsptw": "nrpa.TSPTW.load('rc204.1'), nrpa.GNRPA(level=3, tau=1.4)",
    "samegame": "nrpa.SameGame.load('samegame-01'), nrpa.GNRPA(level=3)",
    "morpion": "nrpa.Morpion.load('5D'), nrpa.NRPA(level=3)",
    "samegame-nmcs": "nrpa.SameGame.load('samegame-01'), nrpa.NMCS(level=2)",
}
MEASURE = """
import sys, time, nrpa
run = nrpa.start({what}, seed=1)
run.advance(playouts=1000)
before, playouts = time.process_time(), 0
while time.process_time() - before < {seconds}:
    run.advance(playouts=2000)
    playouts += 2000
print(playouts / (time.process_time() - before))
"""


def rate(python: str, what: str, seconds: float) -> float:
    """Return the playouts a second of processor time."""
    code = MEASURE.format(what=what, seconds=seconds)
    return float(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, cwd="/").stdout)


@click.command()
@click.argument("other")
@click.option("--pairs", default=5, show_default=True)
@click.option("--seconds", default=3.0, show_default=True)
@click.option("--problem", "problems", multiple=True, type=click.Choice(list(PROBLEMS)))
def main(other: str, pairs: int, seconds: float, problems: tuple[str, ...]) -> None:
    """Print the ratios."""
    for name in problems or PROBLEMS:
        ratios = []
        for _ in range(pairs):
            here, there = (rate(python, PROBLEMS[name], seconds) for python in (sys.executable, other))
            ratios.append(here / there)
        print(f"{name:14} {median(ratios):.3f}  ({min(ratios):.3f} to {max(ratios):.3f})", flush=True)


if __name__ == "__main__":
    main()
