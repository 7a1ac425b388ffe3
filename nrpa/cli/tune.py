"""The command ``nrpa tune``."""

from __future__ import annotations

import json as jsons
import sys
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.numerals import whole_of
from nrpa.bench.space import read_over
from nrpa.bench.tune import DEFAULT_SOLVER, TRIALS, Progress, tune
from nrpa.bench.tune_plan import FRESH_PAIRS, PAIRS, SECONDS
from nrpa.bench.tune_study import DONE, FAILED, Trial
from nrpa.bench.tuning import options_text
from nrpa.cli import INTERRUPTED, options
from nrpa.cli.bench import minutes_text
from nrpa.cli.completion import instances_of, solver_names
from nrpa.cli.output import echo, echo_lines, echo_over
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.resume import only_given
from nrpa.cli.solver_options import bundled_solver_options
from nrpa.io.files import require_distinct, require_kept, require_writable, source_files, write_text
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    fresh = f"Fresh seeds of each instance, to compare the best with the default.  [default: {FRESH_PAIRS} pairs]"
    return [
        click.Option(
            ["--solver"],
            metavar="NAME,...",
            default=DEFAULT_SOLVER,
            show_default=True,
            shell_complete=solver_names,
            help="Names of `nrpa list` to choose from, the default first.",
        ),
        options.number("--time", f"Budget of a run in seconds.  [default: {SECONDS:g}]"),
        options.whole("--playouts", "Budget of a run in playouts, instead of seconds."),
        options.whole("--trials", "Configurations to try; one, the default.", TRIALS),
        options.whole("--runs", f"Seeds of each instance.  [default: as many as make {PAIRS} pairs]"),
        options.whole("--fresh-runs", fresh),
        click.Option(
            ["--holdout"],
            metavar="INSTANCE",
            multiple=True,
            shell_complete=instances_of(problem.name),
            help="Compare on this instance, too. Again for each.",
        ),
        click.Option(["--only"], metavar="NAME,...", help="Tune these options only.  [default: all that can be]"),
        click.Option(
            ["--over"],
            metavar="NAME=LOW:HIGH|A,B,C",
            multiple=True,
            help="Try these values of an option. Again for each.",
        ),
        options.whole("--seed", "The first seed.", 1),
        click.Option(["--workers"], metavar="N|all", default="1", show_default=True, help="Runs at once."),
        options.file("--out", "Keep the trials here, to be continued.", "FILE.db"),
        options.file("--json", "Write what was found as JSON, with all trials."),
        options.quiet("outcome"),
    ]


def run(
    asked: Asked,
    *,
    instances: tuple[str, ...] = (),
    solver: str,
    over: tuple[str, ...],
    only: str | None,
    workers: str,
    out: str | None,
    json: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Tune, and print what was found.

    Raises InputError if a value cannot be used, an instance cannot be read, or a file cannot be written.
    """
    names = _listed(solver)
    fixed = {key: value for key, value in asked.solver_options.items() if value is not None}
    fixed |= only_given(asked.problem_options)
    if json is not None:
        require_writable(json)
        require_distinct({"--json": json, **({} if out is None else {"--out": out})})
        require_kept({"--json": json}, [*map(file_of, [*instances, *settings["holdout"]]), *source_files()])
    ranges = {}
    for text in over:
        try:
            option, tried = read_over(text, asked.problem, names)
        except InputError as error:
            raise InputError(f"--over: {error}") from None
        ranges[option] = tried
    lines, count = TuneLines(quiet), whole_of(workers)
    try:
        found = tune(
            asked.name,
            instances,
            solvers=names,
            options=fixed,
            over=ranges,
            only=[each.replace("-", "_") for each in _listed(only or "")],
            workers=workers if count is None else count,
            out=out,
            on_run=lines.run,
            on_trial=lines.trial,
            **settings,
        )
    except KeyboardInterrupt:
        lines.end()
        echo("interrupted" if out is None else "interrupted; the same command continues", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    lines.end()
    echo_lines(found.summary())
    if json is not None:
        write_text(json, jsons.dumps(found.to_dict(), indent=1) + "\n")


class TuneLines:
    """Shows a line for each trial that has ended; on a terminal, also one that is kept up to date."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty()
        self._is_open = False
        self._said_how_long = False

    def run(self, progress: Progress) -> None:
        """Show how far tuning is."""
        if self._quiet:
            return
        left = "" if progress.most_left is None else f", at most {minutes_text(progress.most_left)} left"
        if not self._live:
            if not self._said_how_long and left:
                echo(f"{progress.trials} trials of {progress.runs} runs{left}", err=True)
            self._said_how_long = True
            return
        what = "comparison" if progress.is_comparison else f"trial {progress.trial} of {progress.trials}"
        text = f"{what}: {progress.run} of {progress.runs} runs, {minutes_text(progress.seconds)} gone{left}"
        echo_over(text)
        self._is_open = True

    def trial(self, trial: Trial) -> None:
        """Show a trial that has ended."""
        if self._quiet:
            return
        if trial.state == FAILED:
            outcome = f"failed: {trial.why}"
        elif trial.state == DONE:
            outcome = f"gain {trial.gain:+.2%}"
        else:
            outcome = f"given up after {len(trial.scores)} runs"
        text = f"trial {trial.number}: {options_text(trial.configuration)}: {outcome}"
        if self._live:
            echo_over(text, ends=True)
        else:
            echo(text, err=True)
        self._is_open = False

    def end(self) -> None:
        """Leave the line that is kept up to date."""
        if self._is_open:
            echo(err=True)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


command = PerProblem(
    "tune",
    "Find the options that suit your instances.",
    run=run,
    own=_own,
    of_solvers=bundled_solver_options,
    instances=True,
    common=("solver", "time", "playouts", "trials", "holdout", "only", "over", "workers", "out", "json", "quiet"),
    solver=DEFAULT_SOLVER,
    text="Tune solvers for instances of {}.\n\n"
    "Options that are given keep their values; Optuna (nrpa[tune]) tunes the others. At the end the best is compared "
    "with the default on fresh seeds, and the command to use is printed.",
)
