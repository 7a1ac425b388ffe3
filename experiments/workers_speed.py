"""Playouts a second of two workers over one, and the ceiling: two searches of one worker side by side.

    python experiments/workers_speed.py --csv speed.csv [--pairs 5] [--seconds 5] [--problem tsptw] [--sample]

Each pair measures one worker, two that share independent searches, two that speculate, and two processes of one worker
each, one after the other on the wall clock; the ratio is that to the one worker of the same pair. A row is added as
each measurement ends, and the same command goes on with the table. Run it on a machine that does nothing else.
"""

import subprocess
import sys
from itertools import product
from pathlib import Path
from statistics import median

import click
from rows import append_row, read_rows, run

COLUMNS = ("problem", "pair", "seconds", "way", "rate", "kept")
PROBLEMS = {
    "tsptw": "nrpa.TSPTW.load('rc204.1'), nrpa.GNRPA(level=3, tau=1.4)",
    "samegame": "nrpa.SameGame.load('samegame-01'), nrpa.GNRPA(level=3)",
    "morpion": "nrpa.Morpion.load('5D'), nrpa.NRPA(level=3)",
    "rna": "nrpa.InverseFolding.load('eterna-v1-99'), nrpa.GNRPA(level=3)",
}
WAYS = {
    "one": "parallel='searches'",
    "searches": "workers=2, parallel='searches'",
    "speculate": "workers=2, parallel='speculate'",
    "two processes": "parallel='searches'",
}
MEASURE = """
import nrpa
if __name__ == "__main__":
    run = nrpa.start({what}, seed={seed}, {way})
    run.advance(time=1.0)
    seconds, playouts = run.progress.seconds, run.progress.playouts
    run.advance(time={seconds})
    print((run.progress.playouts - playouts) / (run.progress.seconds - seconds), run.kept_share)
    run.close()
"""


def measured(name: str, way: str, seconds: float, seed: int) -> tuple[float, float]:
    """Return the playouts a second, and the kept share."""
    starts = [
        subprocess.Popen(
            [sys.executable, "-c", MEASURE.format(what=PROBLEMS[name], way=WAYS[way], seconds=seconds, seed=seed + k)],
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
        )
        for k in range(2 if way == "two processes" else 1)
    ]
    found = [tuple(map(float, process.communicate()[0].split())) for process in starts]
    return sum(rate for rate, _ in found), min(kept for _, kept in found)


@click.command()
@click.option("--csv", "path", required=True, type=click.Path(path_type=Path))
@click.option("--pairs", default=5, show_default=True)
@click.option("--seconds", default=5.0, show_default=True)
@click.option("--problem", "problems", multiple=True, type=click.Choice(list(PROBLEMS)))
@click.option("--sample", is_flag=True, help="One short pair of one problem.")
def main(path: Path, pairs: int, seconds: float, problems: tuple[str, ...], sample: bool) -> None:
    """Measure what the table lacks, and print the ratios."""
    if sample:
        pairs, seconds, problems = 1, 1.0, ("tsptw",)
    problems = problems or tuple(PROBLEMS)
    rows = [row for row in read_rows(path, COLUMNS) if float(row["seconds"]) == seconds]
    done = {(row["problem"], int(row["pair"]), row["way"]): (float(row["rate"]), float(row["kept"])) for row in rows}
    for pair, name, way in product(range(1, pairs + 1), problems, WAYS):
        if (name, pair, way) not in done:
            rate, kept = done[name, pair, way] = measured(name, way, seconds, 10 * pair)
            append_row(
                path, dict(zip(COLUMNS, (name, pair, seconds, way, round(rate, 1), round(kept, 4)), strict=True))
            )
    print("\nmedian (least to largest) of the rate over that of one worker; two that speculate: and the share kept")
    for name in problems:
        print(
            f"{name}: one worker {median(done[name, pair, 'one'][0] for pair in range(1, pairs + 1)):,.0f} playouts/s"
        )
        for way in list(WAYS)[1:]:
            ratios = [done[name, pair, way][0] / done[name, pair, "one"][0] for pair in range(1, pairs + 1)]
            kept = median(done[name, pair, way][1] for pair in range(1, pairs + 1))
            share = f", {kept:.1%} kept" if way == "speculate" else ""
            print(f"  {way:14} {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}){share}")


if __name__ == "__main__":
    run(lambda: main(standalone_mode=True))
