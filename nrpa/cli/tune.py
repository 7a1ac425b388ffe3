"""The command ``nrpa tune``."""

from __future__ import annotations

import json as json_module
import sys
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.space import read_over
from nrpa.bench.tune import DEFAULT_SOLVER, TRIALS, Progress, tune
from nrpa.bench.tune_file import DONE, FAILED, Trial
from nrpa.bench.tune_plan import FRESH_PAIRS, PAIRS, SECONDS
from nrpa.bench.tuning import options_text
from nrpa.cli import INTERRUPTED
from nrpa.cli.bench import minutes_text
from nrpa.cli.completion import files, instances_of, solver_names
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.per_problem import PerProblem, described, named, problem_options
from nrpa.cli.resume import only_given
from nrpa.cli.solver_options import bundled_solver_options, other_solver_options
from nrpa.io.files import require_distinct, require_kept, require_writable, write_text
from nrpa.io.source import file_of
from nrpa.registry import problem_class, solvers
from nrpa.registry.source_files import source_files


def tune_command(name: str) -> click.Command:
    """Return the command that tunes a solver for one problem.

    Parameters
    ----------
    name : str
        The problem.

    Returns
    -------
    click.Command
        The command.

    Raises
    ------
    InputError
        If there is no such problem, or one of its options has the name of an option of the command.
    """
    problem = problem_class(name)
    takes_instances = problem.reads_instances()
    offered = instances_of(name)
    own: list[click.Parameter] = []
    if takes_instances:
        own.append(click.Argument(["instances"], nargs=-1, required=True, shell_complete=offered))
    own += [
        click.Option(
            ["--solver"],
            metavar="NAME,...",
            default=DEFAULT_SOLVER,
            show_default=True,
            shell_complete=solver_names,
            help=f"The solvers to choose from; the first is the default. Of {', '.join(solvers.entries())}.",
        ),
        click.Option(["--time"], type=NUMBER, help=f"Budget of a run in seconds.  [default: {SECONDS:g}]"),
        click.Option(["--playouts"], type=WHOLE, help="Budget of a run in playouts, instead of seconds."),
        click.Option(
            ["--trials"], type=WHOLE, default=TRIALS, show_default=True, help="Configurations to try; one, the default."
        ),
        click.Option(["--runs"], type=WHOLE, help=f"Seeds of each instance.  [default: as many as make {PAIRS} pairs]"),
        click.Option(
            ["--fresh-runs"],
            type=WHOLE,
            help=f"Fresh seeds of each instance, to compare the best with the default.  [default: {FRESH_PAIRS} pairs]",
        ),
        click.Option(
            ["--holdout"],
            metavar="INSTANCE",
            multiple=True,
            shell_complete=offered,
            help="Compare them on this instance, too. Again for each.",
        ),
        click.Option(["--only"], metavar="NAME,...", help="Tune these options only.  [default: all that can be]"),
        click.Option(
            ["--over"],
            metavar="NAME=LOW:HIGH|A,B,C",
            multiple=True,
            help="Try these values of an option instead of its own. Again for each.",
        ),
        click.Option(["--seed"], type=WHOLE, default=1, show_default=True, help="The first seed."),
        click.Option(["--workers"], metavar="N|all", default="1", show_default=True, help="Runs at once."),
        click.Option(
            ["--out"],
            metavar="FILE.db",
            shell_complete=files,
            help="Keep the trials here; the same command continues them.",
        ),
        click.Option(
            ["--json"], metavar="FILE", shell_complete=files, help="Write what was found as JSON, with all trials."
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print the outcome only."),
    ]
    of_solvers: list[click.Parameter] = [option.parameter() for option in bundled_solver_options()]
    of_problem = problem_options(problem, named([*own, *of_solvers]))
    of_solvers += [option.parameter() for option in other_solver_options(named([*own, *of_solvers, *of_problem]))]

    def callback(**given: Any) -> None:
        fixed = {key: value for key in named(of_solvers) if (value := given.pop(key)) is not None}
        fixed |= only_given({key: given.pop(key) for key in named(of_problem)})
        run(name, fixed, **given)

    return click.Command(
        name,
        callback=callback,
        params=[*own, *of_solvers, *of_problem],
        help=f"Find the options of solvers that suit instances of {described(name)}.\n\n"
        "An option that is given keeps its value; the others are tuned by Optuna (needs nrpa[tune]). Each "
        "configuration is run on all instances with the same seeds, and given up when it is clearly worse. At the end "
        "the best is compared with the default on fresh seeds, and the command to use is printed.",
    )


command = PerProblem("tune", tune_command, "Find the options that suit your instances.")


def run(
    name: str,
    fixed: dict[str, Any],
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

    Parameters
    ----------
    name : str
        The problem.
    fixed : dict
        The options that are given, with their values.
    instances : tuple of str
        The instances.
    solver, over, only, workers, out, json, quiet
        The options of the command.
    **settings
        The other options, as ``nrpa.tune`` takes them.

    Raises
    ------
    InputError
        If a value cannot be used, an instance cannot be read, or a file cannot be written.
    """
    problem = problem_class(name)
    names = _listed(solver)
    if json is not None:
        require_writable(json)
        require_distinct({"--json": json, **({} if out is None else {"--out": out})})
        require_kept({"--json": json}, [*map(file_of, [*instances, *settings["holdout"]]), *source_files()])
    ranges = {}
    for text in over:
        try:
            option, tried = read_over(text, problem, names)
        except InputError as error:
            raise InputError(f"--over: {error}") from None
        ranges[option] = tried
    lines = TuneLines(quiet)
    try:
        found = tune(
            name,
            instances,
            solvers=names,
            options=fixed,
            over=ranges,
            only=[each.replace("-", "_") for each in _listed(only or "")],
            workers=int(workers) if workers.isdecimal() and workers.isascii() else workers,
            out=out,
            on_run=lines.run,
            on_trial=lines.trial,
            **settings,
        )
    except KeyboardInterrupt:
        lines.end()
        click.echo("interrupted" if out is None else "interrupted; the same command continues", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    lines.end()
    click.echo(found.summary())
    if json is not None:
        write_text(json, json_module.dumps(found.to_dict(), indent=1) + "\n")


class TuneLines:
    """Shows a line for each trial that has ended; on a terminal, also one that is kept up to date.

    Parameters
    ----------
    quiet : bool
        Whether to show nothing.
    """

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live = sys.stderr.isatty()
        self._is_open = False
        self._said_how_long = False

    def run(self, progress: Progress) -> None:
        """Show how far tuning is.

        Parameters
        ----------
        progress : Progress
            How far.
        """
        if self._quiet:
            return
        left = "" if progress.most_left is None else f", at most {minutes_text(progress.most_left)} left"
        if not self._live:
            if not self._said_how_long and left:
                click.echo(f"{progress.trials} trials of {progress.runs} runs{left}", err=True)
            self._said_how_long = True
            return
        what = "comparison" if progress.is_comparison else f"trial {progress.trial} of {progress.trials}"
        text = f"{what}: {progress.run} of {progress.runs} runs, {minutes_text(progress.seconds)} gone{left}"
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)
        self._is_open = True

    def trial(self, trial: Trial, worth: float) -> None:
        """Show a trial that has ended.

        Parameters
        ----------
        trial : Trial
            The trial.
        worth : float
            The mean of its places.
        """
        if self._quiet:
            return
        if trial.state == FAILED:
            outcome = f"failed: {trial.why}"
        elif trial.state == DONE:
            outcome = f"place {worth:.2f}"
        else:
            outcome = f"given up after {trial.runs} runs"
        start = "\r\x1b[K" if self._live else ""
        click.echo(f"{start}trial {trial.number}: {options_text(trial.configuration)}: {outcome}", err=True)
        self._is_open = False

    def end(self) -> None:
        """Leave the line that is kept up to date."""
        if self._is_open:
            click.echo(err=True)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]
