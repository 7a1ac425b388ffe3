"""The command ``nrpa tune``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.values import whole_of
from nrpa.bench.space import read_over
from nrpa.bench.tune import DEFAULT_SOLVER, FRESH_PAIRS, PAIRS, SECONDS, TRIALS, TuneProgress, tune
from nrpa.bench.tune_result import options_text
from nrpa.bench.tune_study import DONE, FAILED, Trial
from nrpa.cli import options
from nrpa.cli.completion import instances_of, solver_names
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.progress import ProgressLine, minutes_text
from nrpa.cli.solver_options import all_solver_options
from nrpa.io.files import STANDARD_OUTPUT, source_files, write_json
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    fresh = f"Fresh seeds of each instance, to compare the best with the default.  [default: {FRESH_PAIRS} pairs]"
    solvers = "Names of `nrpa list` to choose from, the default first."
    held_out = "Compare on this instance, too. Again for each."
    instances = instances_of(problem.bundled_with().name)
    return [
        options.word("--solver", solvers, "NAME,...", DEFAULT_SOLVER, shell_complete=solver_names),
        options.number("--time", f"Budget of a run in seconds.  [default: {SECONDS:g}]"),
        options.whole("--playouts", "Budget of a run in playouts, instead of seconds."),
        options.whole("--trials", "Configurations to try; one, the default.", TRIALS),
        options.whole("--runs", f"Seeds of each instance.  [default: as many as make {PAIRS} pairs]"),
        options.whole("--fresh-runs", fresh),
        options.word("--holdout", held_out, "INSTANCE", multiple=True, shell_complete=instances),
        options.word("--only", "Tune these options only.  [default: all that can be]", "NAME,..."),
        options.word("--over", "Try these values of an option. Again for each.", "NAME=LOW:HIGH|A,B,C", multiple=True),
        options.whole("--seed", "The first seed.", 1),
        options.word("--workers", "Runs at once.", "N|all", "1"),
        options.output("--out", "Keep the trials here, to be continued.", "FILE.db", "expected a file"),
        options.output("--json", "Write what was found as JSON, with all trials."),
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
    """Tune, and print what was found."""
    names = _listed(solver)
    fixed = {key: value for key, value in asked.solver_options.items() if value is not None}
    fixed |= asked.problem_options
    inputs = [*map(file_of, [*instances, *settings["holdout"]]), *source_files()]
    options.require_files({"--json": json, "--out": out}, inputs)
    ranges = {}
    for text in over:
        try:
            option, tried = read_over(text, asked.problem, names)
        except InputError as error:
            raise InputError(f"--over: {error}") from None
        ranges[option] = tried
    lines, count = TuneLines(quiet), whole_of(workers)
    with lines.until_interrupted(continues=out is not None):
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
    echo_lines(found.summary(), err=json == STANDARD_OUTPUT)
    if json is not None:
        write_json(json, found.to_dict())


class TuneLines(ProgressLine):
    """Shows a line for each trial that has ended; on a terminal, also one that is kept current."""

    _said_how_long = False

    def run(self, progress: TuneProgress) -> None:
        """Show how far tuning is."""
        left = "" if progress.most_left is None else f", at most {minutes_text(progress.most_left)} left"
        if self.is_live and not self.quiet:
            what = "comparison" if progress.is_comparison else f"trial {progress.trial} of {progress.trials}"
            self.show(f"{what}: {progress.run} of {progress.runs} runs, {minutes_text(progress.seconds)} gone{left}")
        elif left and not self._said_how_long and not self.quiet:
            self.show(f"{progress.trials} trials of {progress.runs} runs{left}")
        self._said_how_long = True

    def trial(self, trial: Trial) -> None:
        """Show a trial that has ended."""
        given_up = f"given up after {len(trial.scores)} runs"
        outcome = {FAILED: f"failed: {trial.why}", DONE: f"gain {trial.gain:+z.2%}"}.get(trial.state, given_up)
        if not self.quiet:
            self.show(f"trial {trial.number}: {options_text(trial.configuration)}: {outcome}", ends=True)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


tune_command = PerProblem(
    "tune",
    run=run,
    own=_own,
    of_solvers=all_solver_options,
    instances=True,
    common=("solver", "time", "playouts", "trials", "holdout", "only", "over", "workers", "out", "json", "quiet"),
    solvers=(DEFAULT_SOLVER,),
    text="Tune solvers for instances of {}.\n\n"
    "Options that are given keep their values; Optuna (nrpa[tune]) tunes the others. At the end the best is compared "
    "with the default on fresh seeds, and the command to use is printed.",
)
