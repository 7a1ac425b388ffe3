"""Playouts a second of two workers over one, and the ceiling: two searches of one worker side by side.

    python experiments/workers_speed.py --csv speed.csv [--pairs 5] [--seconds 5] [--problem tsptw]

Each pair measures one worker, two, and two processes of one worker each, one after the other on the wall clock; the
ratio is that to the one worker of the same pair. A row is added as each measurement ends, and the same command goes on
with the table. Run it on a machine that does nothing else.
"""

import subprocess
import sys
from itertools import product
from pathlib import Path
from statistics import median

import click
from rows import append_row, read_rows, run

COLUMNS = ("problem", "pair", "seconds", "way", "rate")
PROBLEMS = {
    "tsptw": "nrpa.TSPTW.load('rc204.1'), nrpa.GNRPA(level=3, tau=1.4)",
    "samegame": "nrpa.SameGame.load('samegame-01'), nrpa.GNRPA(level=3)",
    "morpion": "nrpa.Morpion.load('5D'), nrpa.NRPA(level=3)",
    "rna": "nrpa.InverseFolding.load('eterna-v1-99'), nrpa.GNRPA(level=3)",
}
WAYS = {"one": "workers=1", "two": "workers=2", "two processes": "workers=1"}
MEASURE = """
import nrpa
if __name__ == "__main__":
    run = nrpa.start({what}, seed={seed}, {way})
    run.advance(time=1.0)
    seconds, playouts = run.progress.seconds, run.progress.playouts
    run.advance(time={seconds})
    print((run.progress.playouts - playouts) / (run.progress.seconds - seconds))
    run.close()
"""


def measured(name: str, way: str, seconds: float, seed: int) -> float:
    """Return the playouts a second."""
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", MEASURE.format(what=PROBLEMS[name], way=WAYS[way], seconds=seconds, seed=seed + k)],
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        for k in range(2 if way == "two processes" else 1)
    ]
    return sum(float(process.communicate()[0]) for process in starts)


@click.command()
@click.option("--csv", "path", required=True, type=click.Path(path_type=Path))
@click.option("--pairs", default=5, show_default=True)
@click.option("--seconds", default=5.0, show_default=True)
@click.option("--problem", "problems", multiple=True, type=click.Choice(list(PROBLEMS)))
def main(path: Path, pairs: int, seconds: float, problems: tuple[str, ...]) -> None:
    """Measure what the table lacks, and print the ratios."""
    problems = problems or tuple(PROBLEMS)
    rows = [row for row in read_rows(path, COLUMNS) if float(row["seconds"]) == seconds]
    done = {(row["problem"], int(row["pair"]), row["way"]): float(row["rate"]) for row in rows}
    for pair, name, way in product(range(1, pairs + 1), problems, WAYS):
        if (name, pair, way) not in done:
            rate = done[name, pair, way] = measured(name, way, seconds, 10 * pair)
            append_row(path, dict(zip(COLUMNS, (name, pair, seconds, way, round(rate, 1)), strict=True)))
    print("\nmedian (least to largest) of the rate over that of one worker")
    for name in problems:
        print(f"{name}: one worker {median(done[name, pair, 'one'] for pair in range(1, pairs + 1)):,.0f} playouts/s")
        for way in list(WAYS)[1:]:
            ratios = [done[name, pair, way] / done[name, pair, "one"] for pair in range(1, pairs + 1)]
            print(f"  {way:14} {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})")


if __name__ == "__main__":
    run(lambda: main(standalone_mode=True))
