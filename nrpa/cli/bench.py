"""The command ``nrpa bench``."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.distribute import Standing
from nrpa.bench.ends import EndsFile, ends_text, runs_path
from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import playouts_path, read_records
from nrpa.bench.run import run_experiment
from nrpa.bench.table import table_text
from nrpa.cli import INTERRUPTED, options
from nrpa.cli.completion import files, problem_then_instances
from nrpa.cli.executors import cluster_of, executor_options, is_elsewhere
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.output import echo, echo_lines, echo_over
from nrpa.io.files import require_kept
from nrpa.registry import problem_class
from nrpa.search.workers import cores, number_of_workers

REPORT_SECONDS = 30.0


def target_of(context: click.Context, option: click.Parameter, text: str | None) -> float | str | None:
    """Return a target as an experiment takes it."""
    return text if text in (None, "best-known") else NUMBER.convert(text, option, context)


@click.command("bench", params=[options.clock(), *executor_options()])
@click.argument(
    "what", nargs=-1, required=True, metavar="PROBLEM INSTANCE... | FILE.toml", shell_complete=problem_then_instances
)
@click.option(
    "--out",
    required=True,
    metavar="FILE.csv",
    shell_complete=files,
    help="Where the records go; an experiment there continues.",
)
@click.option("--runs", type=WHOLE, help="Runs of each variant on each instance.  [default: 30]")
@click.option("--time", type=NUMBER, help="Budget of a run in seconds.  [default: 10.24]")
@click.option("--playouts", type=WHOLE, help="Budget of a run in playouts, instead of seconds.")
@click.option(
    "--target",
    type=click.UNPROCESSED,
    callback=target_of,
    metavar="VALUE|best-known",
    help="A run ends at this value or better; best-known: at that of its instance.",
)
@click.option("--searches", type=WHOLE, help="A run ends after so many top-level searches, if not before.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="NAME:KEY=VALUE,...",
    help="An algorithm: solver=nrpa, tau=1.4, adapt=plain ... and the problem's options. Again for each.",
)
@click.option("--seed", type=WHOLE, help="Seed of the first run; the next has the next.  [default: 1]")
@click.option("--workers", type=WHOLE, help="Runs at once.  [default: one a core, or all that a cluster runs]")
@click.option("-q", "--quiet", is_flag=True, help="Print the table only.")
def command(
    what: tuple[str, ...],
    out: str,
    runs: int | None,
    time: float | None,
    playouts: int | None,
    clock: str | None,
    target: float | str | None,
    searches: int | None,
    variants: tuple[str, ...],
    seed: int | None,
    workers: int | None,
    dask: str | None,
    mpi: Any,
    quiet: bool,
) -> None:
    """Run an experiment: runs x variants x instances.

    Every run is on disk as soon as it ends, and the same command continues a stopped experiment. Beside FILE.csv, with
    the best score at doubling times, come FILE.playouts.csv, at doubling playouts, FILE.json: what was run, where, and
    FILE.best.json: the best solutions. With --target or --searches, FILE.runs.csv says how each run ended, and
    the table how many reached the target.

    An INSTANCE with * stands for all bundled ones that match, as 'rc20*'.

    PROBLEM may be your own, as path/to/file.py:Class; one that reads no instances needs no INSTANCE.
    """
    require_kept({"--out": out}, what)
    ends = {"target": target, "searches": searches}
    budget = {"runs": runs, "time": time, "playouts": playouts, "seed": seed, "clock": clock}
    experiment = _experiment(what, variants, **budget, **ends)
    line = StandingLine(quiet)
    if workers is not None:
        number_of_workers(workers, is_elsewhere(dask, mpi))
    try:
        with cluster_of(dask, mpi, workers or cores()) as cluster:
            where = {} if cluster is None else {"executor": cluster.executor}
            at_once = workers if workers is not None or cluster is None else cluster.places
            run_experiment(experiment, out, workers=at_once, **where, on_run=line.show)
    except KeyboardInterrupt:
        line.end()
        echo("interrupted; the same command continues", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    line.end()
    path = out if experiment.time is not None else playouts_path(out)
    records = read_records(path)
    if experiment.ends_early:
        names = [variant.name for variant in experiment.variants]
        echo_lines(ends_text(EndsFile(runs_path(out)).read(), names, records.objective, experiment.clock))
    else:
        echo_lines(table_text(records.rows, records.unit, objective=records.objective))


class StandingLine:
    """Shows how far an experiment is: on a terminal in one line that is kept current, else in a line now and then."""

    def __init__(self, quiet: bool, what: str = "runs") -> None:
        self._quiet = quiet
        self._what = what
        self._live = sys.stderr.isatty()
        self._shown = float("-inf")

    def show(self, standing: Standing) -> None:
        """Show where the experiment stands, if it is time to."""
        now = monotonic()
        if self._quiet or (not self._live and now - self._shown < REPORT_SECONDS and standing.done < standing.total):
            return
        self._shown = now
        left = "" if standing.left is None else f", {minutes_text(standing.left)} left{_end(standing.left)}"
        running = f", {standing.running} running" if standing.running else ""
        done = f"{standing.done} of {standing.total} {self._what}"
        text = f"{done}{running}, {minutes_text(standing.seconds)} gone{left}"
        if self._live:
            echo_over(text)
        else:
            echo(text, err=True)

    def end(self) -> None:
        """Leave the line, so that what is printed next begins on a line of its own."""
        if self._live and self._shown > 0:
            echo(err=True)


def minutes_text(seconds: float) -> str:
    """Return seconds as m:ss or h:mm:ss.

    >>> minutes_text(75), minutes_text(3675.4)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _end(left: float) -> str:
    """Return when it will be done; empty where that is now."""
    if left < 1:
        return ""
    now, end = datetime.now(), datetime.now() + timedelta(seconds=left)
    return f", done at {end:%H:%M}" if end.date() == now.date() else f", done on {end:%a %d %b at %H:%M}"


def _experiment(what: tuple[str, ...], variants: tuple[str, ...], **given: Any) -> Experiment:
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
