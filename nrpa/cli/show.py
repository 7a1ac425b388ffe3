"""The command ``nrpa show``: a solution move by move."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.cli import options
from nrpa.cli.check import read_solution
from nrpa.cli.completion import files
from nrpa.cli.output import echo
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.games.match import read_games
from nrpa.io.files import STANDARD_OUTPUT
from nrpa.modelling.base_problem import BaseProblem
from nrpa.report.show import UNIFORM, show
from nrpa.search.checkpoint import read_checkpoint, resumed

PAGE = "show.html"


def _show(
    asked: Asked, solution: str | None, *, out: str, game: int | None, policy: str | None, seed: int | None
) -> None:
    if asked.instance == solution == "-":
        raise InputError("only one of INSTANCE and SOLUTION can be standard input")
    options.require_files({"--out": out}, [*filter(None, [solution, policy]), *asked.inputs])
    problem = asked.read()
    drawn = options.seed_or_drawn(seed)
    run = policy if policy in (None, UNIFORM) else resumed(read_checkpoint(policy), problem)
    page = show(problem, None if solution is None else _given(problem, solution, game), seed=drawn, policy=run)
    page.save(out)
    playout = f", a random playout of seed {drawn}" if solution is None else ""
    echo(f"{page.data['title']}: {page.data['about']}{playout}", err=out == STANDARD_OUTPUT)
    if out != STANDARD_OUTPUT:
        echo(f"{out} plays it in a browser")


def _given(problem: BaseProblem, name: str, number: int | None) -> Any:
    """Return the solution that a file holds, or one of the games of a match."""
    if not name.endswith(".csv"):
        return read_solution(problem, name).solution
    games = {each.game: each for each in read_games(name)}
    wanted = min(games, default=0) if number is None else number
    if wanted not in games:
        raise InputError(f"{name}: holds no game {wanted}; expected one of {len(games)} games")
    return list(games[wanted].moves)


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
        options.integer("--game", "Which game of a match.  [default: the first]"),
        options.file("--policy", "Also the probabilities of moves: by a checkpoint of nrpa or gnrpa, or uniform."),
        options.integer("--seed", "Of the playout that is shown without SOLUTION.  [default: drawn]"),
    ],
    of_games=True,
    text="Show a solution of {} move by move, as a page that plays it in a browser.\n\n"
    "SOLUTION is a JSON file that `nrpa solve` or `nrpa choose` wrote, the CSV of `nrpa match`, a plain list, or - for "
    "standard input. Without it, a random playout is shown.",
)
