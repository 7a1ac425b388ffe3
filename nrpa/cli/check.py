"""The command ``nrpa check``."""

from __future__ import annotations

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.cli.claim import read_solution
from nrpa.cli.completion import files
from nrpa.cli.output import echo, echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import require_outputs
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.figures import figures_text
from nrpa.search.front import front_faults

picture = lazy("nrpa.plots.picture")
position = lazy("nrpa.plots.position")


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        click.Argument(["solution"], shell_complete=files),
        click.Option(["--draw"], is_flag=True, help="Print the whole solution as text, too."),
        click.Option(["--plot"], metavar="PICTURE", help="Draw it; the ending says which: PNG, SVG, PDF."),
    ]


def check(asked: Asked, solution: str, *, draw: bool, plot: str | None) -> None:
    """Print what is wrong with a solution, and end with exit status 1 if anything is."""
    if asked.instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    if plot is not None:
        picture.require_format(plot)
    require_outputs({"--plot": plot}, [solution, *asked.inputs])
    problem = asked.read()
    claimed = read_solution(problem, solution)
    if claimed.sha256 and claimed.sha256 != problem.sha256:
        echo(f"note: {solution} was made for another instance than {problem.label or problem.name}", err=True)
    verdict = problem.check(claimed.solution)
    faults = verdict.faults + claimed.contradictions(problem, verdict)
    if claimed.record.get("front") is not None:
        faults += front_faults(problem, claimed.record["front"])
    figures = figures_text(problem.objective, plain(verdict.figures))
    echo(("not valid" if faults else "valid") + (f": {figures}" if figures else ""))
    for fault in faults:
        echo(f"  {fault}")
    if claimed.may_know and (doubt := claimed.doubt(problem, verdict)):
        echo(f"note: {doubt}; a tree search that has been everywhere can tell, which is not checked", err=True)
    if draw and (verdict.score is not None or (problem.players > 1 and verdict.figures)):
        echo_lines(problem.draw(claimed.solution))
    if plot is not None:
        picture.save(position.position(problem, claimed.solution), plot)
    if faults:
        click.get_current_context().exit(1)


command = PerProblem(
    "check",
    "Check a solution.",
    run=check,
    own=_own,
    text="Check a solution of {} by code that shares nothing with the search.\n\n"
    "SOLUTION is a JSON file that `nrpa solve` wrote, a plain list, or - for standard input. "
    "Exit status: 0 valid, 1 not valid, 2 unusable input.",
)
