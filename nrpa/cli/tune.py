"""The command ``nrpa tune``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.values import whole_of
from nrpa.bench.space import known_options, parse_over
from nrpa.bench.tune import FRESH_PAIRS, PAIRS, SECONDS, TRIALS, configuration_text, tune, tuned_solvers
from nrpa.cli import options
from nrpa.cli.completion import instances_of, solver_names
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.progress import RunsLine
from nrpa.cli.solver_options import all_solver_options
from nrpa.io.files import source_files, write_json
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import DEFAULT_SOLVER, OF_SEARCHES


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    fresh = f"Fresh seeds of each instance, to compare the best with the default.  [default: {FRESH_PAIRS} pairs]"
    usual = f"{DEFAULT_SOLVER},{OF_SEARCHES}, or what options choose"
    solvers = f"Names of `nrpa list` to choose from, the default first.  [default: {usual}]"
    held_out = "Compare on this instance, too. Again for each."
    instances = instances_of(problem.bundled_with().name)
    return [
        options.word("--solver", solvers, "NAME,...", shell_complete=solver_names),
        options.number("--time", f"Budget of a run in seconds.  [default: {SECONDS:g}]"),
        options.integer("--playouts", "Budget of a run in playouts, instead of seconds."),
        options.integer("--trials", "Configurations to try; one, the default.", TRIALS),
        options.integer("--runs", f"Seeds of each instance.  [default: as many as make {PAIRS} pairs]"),
        options.integer("--fresh-runs", fresh),
        options.word("--holdout", held_out, "INSTANCE", multiple=True, shell_complete=instances),
        options.word("--only", "Tune these options only.  [default: all that can be]", "NAME,..."),
        options.word("--over", "Try these values of an option. Again for each.", "NAME=LOW:HIGH|A,B,C", multiple=True),
        options.integer("--seed", "The first seed.", 1),
        options.word("--workers", "Runs at once.", "N|all", "1"),
        options.output("--out", "Keep the trials here, to be continued.", "FILE.db|URL", "expected a file"),
        options.output("--json", "Write what was found as JSON, with all trials."),
        options.quiet("outcome"),
    ]


def run(
    asked: Asked,
    *,
    instances: tuple[str, ...] = (),
    solver: str | None,
    over: tuple[str, ...],
    only: str | None,
    workers: str,
    out: str | None,
    json: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Tune, and print what was found."""
    fixed = {key: value for key, value in asked.solver_options.items() if value is not None}
    inputs = [*map(file_of, [*instances, *settings["holdout"]]), *source_files()]
    options.require_files({"--json": json, "--out": None if out and "://" in out else out}, inputs)
    given, alone = {**fixed, **asked.problem_options}, [each.replace("-", "_") for each in _listed(only or "")]
    tuned = [*alone, *(text.partition("=")[0].strip().replace("-", "_") for text in over)]
    names = tuned_solvers(asked.problem, given, tuned) if solver is None else _listed(solver)
    known = {key: terms for name in names for key, terms in known_options(name, asked.problem.cli_options).items()}
    try:
        ranges = dict(parse_over(text, known) for text in over)
    except InputError as error:
        raise InputError(f"--over: {error}") from None
    count = whole_of(workers)
    line = RunsLine(quiet)
    with line.until_interrupted(continues=out is not None):
        found = tune(
            asked.name,
            instances,
            solvers=names,
            options=given,
            over=ranges,
            only=alone,
            workers=workers if count is None else count,
            out=out,
            on_trial=None if quiet else lambda trial: line.show(trial_text(trial), ends=True),
            on_run=line.tell,
            **settings,
        )
    echo_lines(found.summary())
    if json is not None:
        write_json(json, found.to_dict())


def trial_text(trial: Any) -> str:
    """Return a trial of Optuna that has ended as a line."""
    outcomes = {
        "COMPLETE": lambda: f"gain {trial.value:+z.2%}",
        "PRUNED": lambda: f"given up after {len(trial.intermediate_values)} runs",
        "FAIL": lambda: f"failed: {trial.user_attrs['why']}",
    }
    return f"trial {trial.number}: {configuration_text(trial)}: {outcomes[trial.state.name]()}"


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


tune_command = PerProblem(
    "tune",
    run=run,
    own=_own,
    of_solvers=all_solver_options,
    instances=True,
    common=("solver", "time", "playouts", "trials", "holdout", "only", "over", "workers", "out", "json", "quiet"),
    solvers=(OF_SEARCHES,),
    compiles=True,
    text="Tune solvers for instances of {}.\n\n"
    "Options that are given keep their values; Optuna (pip install '.[tune]') tunes the others. At the end the best is "
    "compared with the default on fresh seeds, and the command to use is printed.",
)
