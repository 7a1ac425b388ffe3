"""The command ``nrpa table``."""

from __future__ import annotations

import click

from nrpa.bench.compare import differences_text, shares_text
from nrpa.bench.table import table_text
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.records import SCORE, read_joined


@click.command("table")
@click.argument("files", nargs=-1, required=True, metavar="FILE.csv...")
@click.option("--versus", metavar="VARIANT", help="Also the differences of the others from this one.")
@click.option("--paired", is_flag=True, help="Differences of runs with the same seed, instead of Welch's.")
@click.option("--target", type=NUMBER, metavar="SCORE", help=f"Also the share of runs that have reached this {SCORE}.")
@click.option("--digits", type=WHOLE, default=2, show_default=True, help="Decimals, 0 to 10.")
def command(files: tuple[str, ...], versus: str | None, paired: bool, target: float | None, digits: int) -> None:
    """Print what `nrpa bench` recorded.

    For each budget the mean score and 2σ/√n. FILE.playouts.csv gives the same for equal playouts.
    """
    records = read_joined(files)
    parts = [table_text(records.rows, records.axis, digits)]
    if versus is not None:
        parts.append(differences_text(records.rows, records.axis, versus, paired=paired, digits=digits))
    if target is not None:
        parts.append(shares_text(records.rows, records.axis, target))
    click.echo("\n\n".join(parts))
