"""The commands ``nrpa bench``, ``nrpa table`` and ``nrpa plot``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from nrpa.base.errors import InputError

if TYPE_CHECKING:
    from nrpa.bench.experiment import Experiment
    from nrpa.bench.records import Records
    from nrpa.bench.run import Standing

REPORT_SECONDS = 30.0
SCORE = "score (as in the CSV: costs are negative)"


@click.command("bench")
@click.argument("what", nargs=-1, required=True, metavar="PROBLEM INSTANCE... | FILE.toml")
@click.option("--out", required=True, metavar="FILE.csv", help="Where the records go; an experiment there continues.")
@click.option("--runs", type=int, help="Runs of each variant on each instance.  [default: 30]")
@click.option("--time", type=float, help="Budget of a run in seconds.  [default: 10.24]")
@click.option("--playouts", type=int, help="Budget of a run in playouts, instead of seconds.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME:KEY=VALUE,...",
    help="An algorithm: solver=nrpa, tau=1.4, adapt=plain ... and the problem's options. Again for each.",
)
@click.option("--seed", type=int, help="Seed of the first run; the next has the next.  [default: 1]")
@click.option("--workers", type=int, help="Processes.  [default: one a core]")
@click.option("-q", "--quiet", is_flag=True, help="Print the table only.")
def bench(
    what: tuple[str, ...],
    out: str,
    runs: int | None,
    time: float | None,
    playouts: int | None,
    variants: tuple[str, ...],
    seed: int | None,
    workers: int | None,
    quiet: bool,
) -> None:
    """Run an experiment: runs x variants x instances.

    Every run is on disk as soon as it ends, and the same command continues a stopped experiment. Beside FILE.csv, with
    the best score at doubling times, come FILE.playouts.csv, at doubling playouts, and FILE.json: what was run, where.

    PROBLEM may be your own, as path/to/file.py:Class; one that reads no instances needs no INSTANCE.
    """
    from nrpa.bench.records import read_records
    from nrpa.bench.run import run_experiment
    from nrpa.bench.table import table_text

    experiment = _experiment(what, variants, runs=runs, time=time, playouts=playouts, seed=seed)
    progress = Progress(quiet)
    try:
        run_experiment(experiment, out, workers=workers, on_run=progress.show)
    except KeyboardInterrupt:
        progress.end()
        click.echo("interrupted; the same command continues", err=True)
        raise
    progress.end()
    path = out if experiment.time is not None else _playouts_path(out)
    records = read_records(path)
    click.echo(table_text(records.rows, records.axis))


@click.command("table")
@click.argument("files", nargs=-1, required=True, metavar="FILE.csv...")
@click.option("--versus", metavar="VARIANT", help="Also the differences of the others from this one.")
@click.option("--paired", is_flag=True, help="Differences of runs with the same seed, instead of Welch's.")
@click.option("--target", type=float, metavar="SCORE", help=f"Also the share of runs that have reached this {SCORE}.")
@click.option("--digits", type=click.IntRange(0, 10), default=2, show_default=True, help="Decimals.")
def table(files: tuple[str, ...], versus: str | None, paired: bool, target: float | None, digits: int) -> None:
    """Print what `nrpa bench` recorded: the mean score at each budget and 2σ/√n.

    FILE.playouts.csv gives the same for equal playouts.
    """
    from nrpa.bench.compare import differences_text, shares_text
    from nrpa.bench.table import table_text

    records = _join(files)
    parts = [table_text(records.rows, records.axis, digits)]
    if versus is not None:
        parts.append(differences_text(records.rows, records.axis, versus, paired=paired, digits=digits))
    if target is not None:
        parts.append(shares_text(records.rows, records.axis, target))
    click.echo("\n\n".join(parts))


@click.command("plot")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--out", required=True, metavar="PICTURE", help="PNG, SVG, PDF: the ending says which.")
@click.option("--solution", is_flag=True, help="FILE is a result's JSON: draw its solution.")
@click.option("--problem", metavar="FILE.py:Class", help="With --solution: the problem, if it is your own.")
@click.option("--instance", metavar="NAME", help="The instance, if there are several; a solution's, if it moved.")
@click.option("--median", is_flag=True, help="Median and quartiles instead of the mean and its interval.")
@click.option(
    "--reference", type=float, metavar="SCORE", help=f"Draw how far runs fall short of this {SCORE}, on log axes."
)
@click.option("--ylim", nargs=2, type=float, metavar="LOW HIGH", help="The scores to show.")
@click.option(
    "--target", type=float, metavar="SCORE", help=f"Draw the share of runs that have reached this {SCORE} instead."
)
def plot(
    files: tuple[str, ...],
    out: str,
    solution: bool,
    problem: str | None,
    instance: str | None,
    median: bool,
    reference: float | None,
    ylim: tuple[float, float] | None,
    target: float | None,
) -> None:
    """Draw what `nrpa bench` recorded: the convergence of the variants, or the time to a target.

    With --solution, draw the solution that `nrpa solve --json` wrote; of a problem of your own, with --problem.
    """
    from nrpa.io.files import require_writable
    from nrpa.plots.picture import require_format, save

    require_writable(out)
    require_format(out)
    if solution:
        save(_solution_picture(files, instance, problem), out)
        return
    if problem is not None:
        raise InputError("--problem applies to --solution only")
    from nrpa.plots import anytime, time_to_target

    records = _join(files)
    if target is not None:
        save(time_to_target(records, target, instance=instance), out)
    else:
        statistic = "median" if median else "mean"
        save(anytime(records, instance=instance, statistic=statistic, reference=reference, ylim=ylim), out)


class Progress:
    """Shows how far an experiment is: one line kept up to date on a terminal, else a line now and then."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty()
        self._shown = float("-inf")

    def show(self, standing: Standing) -> None:
        """Show where the experiment stands, if it is time to."""
        now = time.monotonic()
        if self._quiet or (not self._live and now - self._shown < REPORT_SECONDS and standing.done < standing.total):
            return
        self._shown = now
        left = "" if standing.left is None else f", {clock(standing.left)} left"
        text = f"{standing.done} of {standing.total} runs, {clock(standing.seconds)} gone{left}"
        click.echo(f"\r\x1b[K{text}" if self._live else text, nl=not self._live, err=True)

    def end(self) -> None:
        """Leave the line."""
        if self._live and self._shown > 0:
            click.echo(err=True)


def clock(seconds: float) -> str:
    """Return seconds as m:ss or h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _experiment(what: tuple[str, ...], variants: tuple[str, ...], **given: Any) -> Experiment:
    from nrpa.bench.experiment import Experiment, Variant
    from nrpa.problems import problem_class

    if given["time"] is not None and given["playouts"] is not None:
        raise InputError("--time and --playouts cannot both be the budget")
    chosen = tuple(map(Variant.parse, variants))
    if len(what) == 1 and what[0].endswith(".toml"):
        if chosen:
            raise InputError("--variant does not apply to a TOML file, which lists its own")
        return Experiment.from_toml(what[0], **given)
    problem, *instances = what
    if not instances and problem_class(problem).reads_instances():
        raise InputError("expected PROBLEM INSTANCE... or FILE.toml")
    settings = {key: value for key, value in given.items() if value is not None}
    if "playouts" not in settings:
        settings.setdefault("time", 10.24)
    return Experiment(problem, tuple(instances), chosen or (Variant("GNRPA"),), **settings)


def _playouts_path(out: str) -> str:
    from nrpa.bench.records import playouts_path

    return str(playouts_path(out))


def _join(files: tuple[str, ...]) -> Records:
    from nrpa.bench.records import join

    records = join(files)
    if records.cut:
        click.echo("note: a last line that was cut short is left out", err=True)
    return records


def _solution_picture(files: tuple[str, ...], instance: str | None, problem: str | None) -> Any:
    from nrpa.plots import solution
    from nrpa.plots.solution import reread

    if len(files) != 1:
        raise InputError(f"--solution draws one result, not {len(files)}")
    result = _read_result(files[0])
    return solution(result, problem=reread(result, instance, problem))


def _read_result(path: str) -> Any:
    from pathlib import Path

    from nrpa.search.result import Result

    try:
        text = Path(path).read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not a text file; expected JSON that `nrpa solve --json` wrote") from None
    try:
        return Result.from_json(text)
    except (InputError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: expected JSON that `nrpa solve --json` wrote: {error}") from None
