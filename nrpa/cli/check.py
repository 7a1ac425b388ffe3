"""The command ``nrpa check``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.cli.claim import read_solution
from nrpa.cli.completion import files
from nrpa.cli.per_problem import PerProblem, described, instance_argument, named, problem_options, read_or_make
from nrpa.io.files import require_kept, require_writable
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class
from nrpa.registry.source_files import source_files
from nrpa.search.figures import figures_text

picture = lazy("nrpa.plots.picture")
position = lazy("nrpa.plots.position")


def check_command(name: str) -> click.Command:
    """Return the command that checks solutions of one problem.

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
        If there is no such problem.
    """
    problem = problem_class(name)
    own: list[click.Parameter] = [
        *instance_argument(problem),
        click.Argument(["solution"], shell_complete=files),
        click.Option(["--draw"], is_flag=True, help="Print the whole solution as text, too."),
        click.Option(["--plot"], metavar="PICTURE", help="Draw it; the ending says which: PNG, SVG, PDF."),
    ]
    return click.Command(
        name,
        callback=lambda **options: check(problem, **options),
        params=[*own, *problem_options(problem, named(own))],
        help=f"Check a solution of {described(name)} by code that shares nothing with the search.\n\n"
        "SOLUTION is a JSON file that `nrpa solve` wrote, a plain list, or - for standard input. "
        "Exit status: 0 valid, 1 not valid, 2 unusable input.",
    )


command = PerProblem("check", check_command, "Check a solution.")


def check(
    problem_class: type[BaseProblem],
    solution: str,
    instance: str | None = None,
    *,
    draw: bool,
    plot: str | None,
    **problem_options: Any,
) -> None:
    """Print what is wrong with a solution, and end with exit status 1 if anything is.

    Parameters
    ----------
    problem_class : type
        The class of the problem.
    solution : str
        The file of the solution; ``-`` for standard input.
    instance : str, optional
        The instance, of a problem that reads instances.
    draw : bool
        Whether to print the solution as text, too.
    plot : str or None
        The picture to write: of the solution, or of the position of a game that has not ended.
    **problem_options
        The problem's options.

    Raises
    ------
    InputError
        If the instance or the solution cannot be read, or the picture cannot be drawn or written.
    """
    if instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    if plot is not None:
        picture.require_format(plot)
        require_writable(plot)
        require_kept({"--plot": plot}, [solution, *([] if instance is None else [file_of(instance)]), *source_files()])
    problem = read_or_make(problem_class, instance, problem_options)
    claimed = read_solution(problem, solution)
    if claimed.sha256 and claimed.sha256 != problem.sha256:
        click.echo(f"note: {solution} was made for another instance than {problem.label or problem.name}", err=True)
    verdict = problem.check(claimed.solution)
    faults = verdict.faults + claimed.contradictions(verdict)
    figures = figures_text(problem.objective, plain(verdict.figures))
    click.echo(("not valid" if faults else "valid") + (f": {figures}" if figures else ""))
    for fault in faults:
        click.echo(f"  {fault}")
    if draw and (verdict.score is not None or (problem.players > 1 and verdict.figures)):
        click.echo(problem.draw(claimed.solution))
    if plot is not None:
        picture.save(position.position(problem, claimed.solution), plot)
    if faults:
        click.get_current_context().exit(1)
