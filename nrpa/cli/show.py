"""The command ``nrpa show``: a solution move by move."""

from __future__ import annotations

import click

from nrpa.base.errors import InputError
from nrpa.cli import options
from nrpa.cli.check import read_solution
from nrpa.cli.completion import files
from nrpa.cli.output import echo
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.io.files import STANDARD_OUTPUT
from nrpa.report.show import show

PAGE = "show.html"


def _show(asked: Asked, solution: str | None, *, out: str, seed: int | None) -> None:
    if asked.instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    options.require_files({"--out": out}, [*filter(None, [solution]), *asked.inputs])
    problem, drawn = asked.read(), options.seed_or_drawn(seed)
    given = None if solution is None else read_solution(problem, solution).solution
    page = show(problem, given, seed=drawn)
    page.save(out)
    playout = f", a random playout of seed {drawn}" if solution is None else ""
    echo(f"{page.data['title']}: {page.data['about']}{playout}", err=out == STANDARD_OUTPUT)
    if out != STANDARD_OUTPUT:
        echo(f"{out} plays it in a browser")


show_command = PerProblem(
    "show",
    run=_show,
    own=lambda problem: [
        click.Argument(["solution"], required=False, shell_complete=files),
        click.Option(
            ["-o", "--out"],
            type=options.Output(),
            default=PAGE,
            show_default=True,
            metavar="FILE.html",
            shell_complete=files,
            help="Where the page goes; - is standard output.",
        ),
        options.integer("--seed", "Of the playout that is shown without SOLUTION.  [default: drawn]"),
    ],
    of_games=True,
    text="Show a solution of {} move by move, as a page that plays it in a browser.\n\n"
    "SOLUTION is a JSON file that `nrpa solve` or `nrpa choose` wrote, a plain list, or - for standard input. Without "
    "it, a random playout is shown.",
)
