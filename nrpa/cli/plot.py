"""The command ``nrpa plot``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.cli.completion import files
from nrpa.cli.options import NUMBER, TARGET
from nrpa.cli.records import VALUE, read_joined
from nrpa.io.files import require_kept, require_outputs, source_files
from nrpa.io.source import file_of
from nrpa.io.text import decoded, read_bytes
from nrpa.plots import anytime, time_to_target
from nrpa.plots.picture import require_format, save
from nrpa.plots.results import reread, solution
from nrpa.search.result import Result


@click.command("plot")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=files)
@click.option(
    "--out", required=True, metavar="PICTURE", shell_complete=files, help="PNG, SVG, PDF: the ending says which."
)
@click.option("--solution", "is_solution", is_flag=True, help="FILE is a result's JSON: draw its solution.")
@click.option("--problem", metavar="FILE.py:Class", help="With --solution: the problem, if it is your own.")
@click.option("--instance", metavar="NAME", help="The instance, if there are several; a solution's, if it moved.")
@click.option("--median", is_flag=True, help="Median and quartiles instead of the mean and its interval.")
@click.option(
    "--reference", type=NUMBER, metavar="VALUE", help=f"Draw how far runs fall short of this {VALUE}, on log axes."
)
@click.option("--ylim", nargs=2, type=NUMBER, metavar="LOW HIGH", help="The values to show.")
@click.option(
    "--target", type=TARGET, metavar="VALUE", help=f"Draw the share of runs that have reached this {VALUE} instead."
)
def command(
    files: tuple[str, ...],
    out: str,
    is_solution: bool,
    problem: str | None,
    instance: str | None,
    median: bool,
    reference: float | None,
    ylim: tuple[float, float] | None,
    target: Any,
) -> None:
    """Draw what `nrpa bench` recorded, or a solution.

    Of records: the convergence of the variants, or the time to a target. With --solution, the solution that
    `nrpa solve --json` wrote; of a problem of your own, with --problem.
    """
    require_outputs({"--out": out}, files)
    require_format(out)
    if is_solution:
        save(_solution_picture(files, instance, problem, out), out)
        return
    if problem is not None:
        raise InputError("--problem applies to --solution only")
    records = read_joined(files)
    if target is not None:
        save(time_to_target(records, target, instance=instance), out)
    else:
        statistic = "median" if median else "mean"
        save(anytime(records, instance=instance, statistic=statistic, reference=reference, ylim=ylim), out)


def _solution_picture(files: tuple[str, ...], instance: str | None, problem: str | None, out: str) -> Any:
    if len(files) != 1:
        raise InputError(f"--solution draws one result, not {len(files)}")
    result = _read_result(files[0])
    require_kept({"--out": out}, [file_of(instance or result.instance)])
    drawn = reread(result, instance, problem)
    require_kept({"--out": out}, source_files())
    return solution(result, problem=drawn)


def _read_result(path: str) -> Result:
    try:
        text = decoded(read_bytes(path))
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; expected JSON that `nrpa solve --json` wrote") from None
    try:
        return Result.from_json(text)
    except (InputError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: expected JSON that `nrpa solve --json` wrote: {error}") from None
