"""The command ``nrpa report``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.continued import description_path
from nrpa.bench.records import best_path, playouts_path
from nrpa.cli.completion import files
from nrpa.cli.options import TARGET
from nrpa.cli.records import VALUE
from nrpa.io.files import require_kept, require_outputs, source_files, write_text
from nrpa.report import report


@click.command("report")
@click.argument("file", metavar="FILE.csv", shell_complete=files)
@click.option("--out", required=True, metavar="FILE.html", shell_complete=files, help="Where the page goes.")
@click.option("--versus", metavar="VARIANT", help="Compare the others with this variant.  [default: the first]")
@click.option("--target", type=TARGET, metavar="VALUE", help=f"Also the share of runs that have reached this {VALUE}.")
@click.option("--problem", metavar="FILE.py:Class", help="The problem, if it is your own: to draw its solutions.")
def command(file: str, out: str, versus: str | None, target: Any, problem: str | None) -> None:
    """Write what `nrpa bench` recorded as one page of HTML.

    It holds what was run and on what, tables with intervals, curves, and the best solutions as pictures, all in one
    file: it needs no network, and any browser shows it.
    """
    if file == "-":
        raise InputError("a report needs the files beside FILE.csv, so it cannot be standard input")
    description = description_path(file)
    beside = [description.with_suffix(".csv"), playouts_path(description.with_suffix(".csv"))]
    require_outputs({"--out": out}, [file, *beside, description, best_path(description), *source_files()])
    page = report(file, versus=versus, target=target, problem=problem)
    require_kept({"--out": out}, source_files())
    write_text(out, page)
