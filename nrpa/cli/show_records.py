"""The commands ``nrpa table``, ``nrpa plot`` and ``nrpa report``: what `nrpa bench` recorded, and solutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, positive, shortened, whole
from nrpa.bench.description import description_beside, description_path
from nrpa.bench.records import Record, Records, best_path, join, playouts_path
from nrpa.bench.statistics import LEAST_DIFFERENT
from nrpa.bench.table import (
    difference_table,
    each_instance,
    least_score,
    read_published,
    require_variant,
    share_table,
    table_text,
)
from nrpa.bench.table_formats import at_marks, csv_text, latex, markdown, paper_table
from nrpa.cli import completion
from nrpa.cli.options import NUMBER, PICTURE, TARGET, WHOLE, Output, Width
from nrpa.cli.output import echo, echo_lines
from nrpa.io.files import read_text, require_kept, require_outputs, source_files, write_text
from nrpa.io.source import file_of
from nrpa.plots import anytime, time_to_target
from nrpa.plots.picture import Axes, of_width, require_format, save, untitled
from nrpa.plots.results import reread, solution
from nrpa.plots.trees import tree
from nrpa.registry import problem_class, read_problem
from nrpa.report import report
from nrpa.search.checkpoint import read_checkpoint, resumed
from nrpa.search.result import Result

FORMATS = ("text", "latex", "markdown", "csv")
VALUE = "value (in the problem's own terms, as a cost; a score where the problem is not known)"


def _joined(files: Sequence[str]) -> Records:
    """Return the records of several files as one; notes on standard error say what they lack."""
    records = join(files)
    if records.cut:
        echo("note: a last line that was cut short is left out", err=True)
    if records.objective is None:
        beside = description_path(files[0]).name
        why = "the files are of several objectives" if len(files) > 1 else f"there is no {beside} that says of what"
        echo(f"note: figures are scores, as in the CSV, where costs are negative: {why}", err=True)
    return records


@click.command("table")
@click.argument("files", nargs=-1, required=True, metavar="FILE.csv...", shell_complete=completion.files)
@click.option("--only", multiple=True, metavar="VARIANT", help="This variant only, in this order. Again for each.")
@click.option(
    "--versus",
    metavar="VARIANT",
    help=f"Also the differences of the others from this one; a star needs {LEAST_DIFFERENT} runs of each.",
)
@click.option("--paired", is_flag=True, help="Differences of runs with the same seed, instead of Welch's.")
@click.option("--target", type=TARGET, metavar="VALUE", help=f"Also the share of runs that have reached this {VALUE}.")
@click.option(
    "--published",
    metavar="FILE.csv",
    shell_complete=completion.files,
    help="Also the cells of a publication, after ours; the columns are variant, instance, seconds (or playouts), cell.",
)
@click.option("--digits", type=WHOLE, help="Decimals, 0 to 10.  [default: 2, or more if the problem has more]")
@click.option("--marks", metavar="X,Y,...", help="The budgets nearest to these only, in seconds or playouts.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    help="For a paper: the best of a row in bold; a star where --versus VARIANT provably differs.  [default: text]",
)
def table_command(
    files: tuple[str, ...],
    only: tuple[str, ...],
    versus: str | None,
    paired: bool,
    target: Any,
    published: str | None,
    digits: int | None,
    marks: str | None,
    form: str,
) -> None:
    """Print what `nrpa bench` recorded.

    For each budget the mean and 2σ/√n. FILE.playouts.csv gives the same for equal playouts.

    As LaTeX, Markdown or CSV, all instances are one table with a row for each figure at each budget: where runs have
    faults, the cost of the feasible runs, the faults, and how many runs are feasible. Numbers of the CSV are unrounded.

    Figures are in the problem's own terms (costs, points), where the FILE.json beside FILE.csv says which problem it
    is; else they are scores, as in the CSV.
    """
    if digits is not None:
        whole("--digits", digits, 0, 10)
    if target is not None and form != FORMATS[0]:
        raise InputError(f"--target applies to --format text, not to {form}")
    records = _joined(files)
    unit, objective = records.unit, records.objective
    rows = records.rows if marks is None else at_marks(records.rows, _numbers("--marks", marks))
    for each in only:
        require_variant(rows, each)
    if only:
        rows = [row for each in dict.fromkeys(only) for row in rows if row.variant == each]
    beside = None if published is None else _published(published, records, rows)
    if versus is not None:
        require_variant(rows, versus)
    if form != FORMATS[0]:
        paper = paper_table(
            rows, unit, digits=digits, objective=objective, published=beside, versus=versus, paired=paired
        )
        written = {
            "latex": lambda: latex(paper, Path(files[0]).stem),
            "markdown": lambda: markdown(paper),
            "csv": lambda: csv_text(paper),
        }
        echo_lines(written[form]())
        return
    parts = [table_text(rows, unit, digits, objective, beside)]
    if versus is not None:
        parts.append(each_instance(rows, lambda mine: difference_table(mine, unit, versus, paired, digits, objective)))
    if target is not None:
        least_score(rows, target, objective)
        parts.append(each_instance(rows, lambda mine: share_table(mine, unit, target, objective)))
    echo_lines("\n\n".join(parts))


def _published(path: str, records: Records, rows: Sequence[Record]) -> dict[tuple[str, float, str], str]:
    """Return the published cells of what the rows are of; where ``--marks`` chose marks, at these alone."""
    found = read_published(path, records.axis)
    known = {(row.instance, row.variant) for row in rows}
    if not any((instance, variant) in known for instance, _, variant in found):
        what = ", ".join(f"{variant} on {instance}" for instance, variant in sorted(known))
        raise InputError(f"{path}: has no cell of a variant on an instance of the records; expected one of {what}")
    left_out = {(row.instance, row.mark) for row in records.rows} - {(row.instance, row.mark) for row in rows}
    chosen = {row.mark for row in rows}
    return {key: text for key, text in found.items() if not left_out or key[1] in chosen}


def _numbers(what: str, text: str) -> list[float]:
    """Return the positive numbers that a text is, with commas between them."""
    found = [number_of(part.strip()) for part in text.split(",")]
    if None in found:
        raise InputError(f"{what}: expected numbers with commas between, found {shortened(text)!r}")
    return [positive(what, each) for each in found]


@click.command("plot")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completion.files)
@click.option(
    "--out",
    required=True,
    type=Output(PICTURE),
    metavar="PICTURE",
    shell_complete=completion.files,
    help="PNG, SVG, PDF: the ending says which.",
)
@click.option("--solution", "is_solution", is_flag=True, help="FILE is a result's JSON: draw its solution.")
@click.option("--tree", "is_tree", is_flag=True, help="FILE is a checkpoint: draw the tree of its tree search.")
@click.option("--problem", metavar="FILE.py:Class", help="Of a solution or tree: the problem, if it is your own.")
@click.option(
    "--instance", metavar="NAME", help="The instance, if there are several; a solution's or tree's, if it moved."
)
@click.option("--median", is_flag=True, help="Median and quartiles instead of the mean and its interval.")
@click.option(
    "--reference",
    type=NUMBER,
    metavar="VALUE",
    help=f"Draw how far runs fall short of this {VALUE}, on log axes.  [default: the best known value, where no run "
    "beats it and distances from it differ by orders of magnitude]",
)
@click.option("--ylim", nargs=2, type=NUMBER, metavar="LOW HIGH", help="The values to show, without --reference.")
@click.option(
    "--target", type=TARGET, metavar="VALUE", help=f"Draw the share of runs that have reached this {VALUE} instead."
)
@click.option("--width", type=Width(), metavar="WIDTH", help="As in a paper, with its letters: 84mm, 17.4cm, 3.3in.")
@click.option("--no-title", is_flag=True, help="Without a title: the caption of a paper says the same.")
def plot_command(
    files: tuple[str, ...],
    out: str,
    no_title: bool,
    width: float | None,
    is_solution: bool,
    is_tree: bool,
    **given: Any,
) -> None:
    """Draw what `nrpa bench` recorded, a solution, or a tree.

    Of records: the convergence of the variants, or the time to a target, a panel for each instance of all files. With
    --solution, the solution that `nrpa solve --json` wrote; of a problem of your own, with --problem. With --tree, the
    most visited moves of the tree search that `nrpa solve --checkpoint` wrote.
    """
    require_outputs({"--out": out}, files)
    require_format(out)
    with of_width(width):
        if is_tree:
            drawn = _tree_picture(files, given["instance"], given["problem"], out)
        elif is_solution:
            drawn = _solution_picture(files, given["instance"], given["problem"], out)
        else:
            drawn = _curves(files, **given)
        save(untitled(drawn) if no_title else drawn, out)


def _curves(
    files: tuple[str, ...], instance: str | None, problem: str | None, median: bool, target: Any, **shown: Any
) -> Axes:
    if problem is not None:
        raise InputError("--problem applies to --solution and --tree only")
    of_problem: dict[tuple[str, str], list[str]] = {}
    for path in files:
        beside = description_beside(path)
        of_problem.setdefault((beside.problem, str(beside.objective)), []).append(path)
    records = [_joined(each) for each in of_problem.values()]
    if target is not None:
        return time_to_target(records, target, instance=instance)
    return anytime(records, statistic="median" if median else "mean", instance=instance, **shown)


def _solution_picture(files: tuple[str, ...], instance: str | None, problem: str | None, out: str) -> Axes:
    if len(files) != 1:
        raise InputError(f"--solution draws one result, not {len(files)}")
    expected = "JSON that `nrpa solve --json` wrote"
    text = read_text(files[0], expected)
    try:
        result = Result.from_json(text)
    except (InputError, TypeError, AttributeError) as error:
        raise InputError(f"{files[0]}: expected {expected}: {error}") from None
    require_kept({"--out": out}, [file_of(instance or result.instance)])
    drawn = reread(result, instance, problem)
    require_kept({"--out": out}, source_files())
    return solution(result, problem=drawn)


def _tree_picture(files: tuple[str, ...], instance: str | None, problem: str | None, out: str) -> Axes:
    if len(files) != 1:
        raise InputError(f"--tree draws one checkpoint, not {len(files)}")
    kept = read_checkpoint(files[0])
    if problem is None and instance is None:
        read = kept.read_problem()
    else:
        read = read_problem(problem_class(problem or kept.problem), instance or kept.instance, kept.given_options)
    require_kept({"--out": out}, [*filter(None, [instance]), *source_files()])
    return tree(resumed(kept, read))


@click.command("report")
@click.argument("file", metavar="FILE.csv", shell_complete=completion.files)
@click.option(
    "--out",
    required=True,
    type=Output(),
    metavar="FILE.html",
    shell_complete=completion.files,
    help="Where the page goes; - is standard output.",
)
@click.option("--versus", metavar="VARIANT", help="Compare the others with this variant.  [default: the first]")
@click.option("--target", type=TARGET, metavar="VALUE", help=f"Also the share of runs that have reached this {VALUE}.")
@click.option("--problem", metavar="FILE.py:Class", help="The problem, if it is your own: to draw its solutions.")
def report_command(file: str, out: str, versus: str | None, target: Any, problem: str | None) -> None:
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
