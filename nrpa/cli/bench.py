"""The command ``nrpa bench``."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import playouts_path, read_ends, read_records, runs_path
from nrpa.bench.run import run_experiment
from nrpa.bench.table import ends_text, table_text
from nrpa.cli import options
from nrpa.cli.completion import problem_then_instances
from nrpa.cli.options import Target, cluster_of, executor_options, is_elsewhere
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import compile_option
from nrpa.cli.progress import RunsLine
from nrpa.io.files import require_kept
from nrpa.registry import COMPILED, solver_with
from nrpa.search.workers import cores, number_of_workers

ALGORITHM = (
    "An algorithm: solver=nrpa, adapt=plain ... and the problem's options. Again for each.  [default: the solver of "
    "`nrpa solve`, which is auto unless options or --searches choose another]"
)
OPTIONS: list[click.Parameter] = [
    click.Argument(
        ["what"],
        nargs=-1,
        required=True,
        metavar="PROBLEM INSTANCE... | FILE.toml",
        shell_complete=problem_then_instances,
    ),
    options.output(
        "--out", "Where the records go; an experiment there continues.", "FILE.csv", options.RECORDS, required=True
    ),
    options.integer("--runs", "Runs of each variant on each instance.  [default: 30]"),
    options.number("--time", "Budget of a run in seconds.  [default: 10.24]"),
    options.clock(),
    options.integer("--playouts", "Budget of a run in playouts, instead of seconds."),
    click.Option(
        ["--target"],
        type=Target("best-known"),
        metavar="VALUE|best-known",
        help="A run ends at this value or better; best-known: at that of its instance.",
    ),
    options.integer("--searches", "A run ends after so many top-level searches, if not before."),
    options.word("--variant", ALGORITHM, "NAME:KEY=VALUE,...", multiple=True),
    options.word("--only", "Run this variant only; the others later. Again for each.", "NAME", multiple=True),
    options.integer("--seed", "Seed of the first run; the next has the next.  [default: 1]"),
    compile_option(),
    options.integer("--workers", "Runs at once.  [default: one a core, or all that a cluster runs]"),
    *executor_options(),
    options.quiet("table"),
]


@click.command("bench", params=OPTIONS)
def bench_command(
    what: tuple[str, ...],
    out: str,
    variant: tuple[str, ...],
    only: tuple[str, ...],
    workers: int | None,
    dask: str | None,
    mpi: Any,
    quiet: bool,
    **given: Any,
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
    is_compiled = given.pop("compile")
    experiment = _experiment(what, variant, **given)
    if only:
        experiment = experiment.of_variants(only)
    if is_compiled:
        experiment = dataclasses.replace(experiment, problem=experiment.problem + COMPILED)
    line = RunsLine(quiet)
    if workers is not None:
        number_of_workers(workers, is_elsewhere(dask, mpi))
    with line.until_interrupted(continues=True), cluster_of(dask, mpi, workers or cores()) as cluster:
        where = {} if cluster is None else {"executor": cluster.executor}
        at_once = workers if workers is not None or cluster is None else cluster.places
        run_experiment(experiment, out, workers=at_once, **where, on_run=line.tell)
    path = out if experiment.time is not None else playouts_path(out)
    records = read_records(path)
    if experiment.ends_early:
        names = [variant.name for variant in experiment.variants]
        echo_lines(ends_text(read_ends(runs_path(out)), names, records.objective, experiment.clock))
    else:
        echo_lines(table_text(records.rows, records.unit, objective=records.objective))


def _experiment(what: tuple[str, ...], variants: tuple[str, ...], **given: Any) -> Experiment:
    chosen = tuple(map(Variant.parse, variants))
    if len(what) == 1 and what[0].endswith(".toml"):
        if chosen:
            raise InputError("--variant does not apply to a TOML file, which lists its own")
        return Experiment.from_toml(what[0], **given)
    problem, *instances = what
    settings = {key: value for key, value in given.items() if value is not None}
    if "playouts" not in settings:
        settings.setdefault("time", 10.24)
    usual = Variant(solver_with((), settings.get("searches")))
    return Experiment(problem, tuple(instances), chosen or (usual,), **settings)
