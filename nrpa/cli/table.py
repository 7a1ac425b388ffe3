"""The command ``nrpa table``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.values import whole
from nrpa.bench.compare import difference_table, least_score, require_variant, share_table
from nrpa.bench.table import each_instance, read_published, table_text
from nrpa.cli.completion import files
from nrpa.cli.options import TARGET, WHOLE
from nrpa.cli.output import echo_lines
from nrpa.cli.records import VALUE, read_joined


@click.command("table")
@click.argument("files", nargs=-1, required=True, metavar="FILE.csv...", shell_complete=files)
@click.option("--versus", metavar="VARIANT", help="Also the differences of the others from this one.")
@click.option("--paired", is_flag=True, help="Differences of runs with the same seed, instead of Welch's.")
@click.option("--target", type=TARGET, metavar="VALUE", help=f"Also the share of runs that have reached this {VALUE}.")
@click.option(
    "--published",
    metavar="FILE.csv",
    shell_complete=files,
    help="Also the cells of a publication, after ours; the columns are variant, instance, seconds (or playouts), cell.",
)
@click.option("--digits", type=WHOLE, help="Decimals, 0 to 10.  [default: 2, or more if the problem has more]")
def command(
    files: tuple[str, ...],
    versus: str | None,
    paired: bool,
    target: Any,
    published: str | None,
    digits: int | None,
) -> None:
    """Print what `nrpa bench` recorded.

    For each budget the mean and 2σ/√n. FILE.playouts.csv gives the same for equal playouts.

    Figures are in the problem's own terms (costs, points), where the FILE.json beside FILE.csv says which problem it
    is; else they are scores, as in the CSV.
    """
    if digits is not None:
        whole("--digits", digits, 0, 10)
    records = read_joined(files)
    rows, unit, objective = records.rows, records.unit, records.objective
    beside = read_published(published, records.axis) if published else None
    parts = [table_text(rows, unit, digits, objective, beside)]
    if versus is not None:
        require_variant(rows, versus)
        parts.append(each_instance(rows, lambda mine: difference_table(mine, unit, versus, paired, digits, objective)))
    if target is not None:
        least_score(rows, target, objective)
        parts.append(each_instance(rows, lambda mine: share_table(mine, unit, target, objective)))
    echo_lines("\n\n".join(parts))
