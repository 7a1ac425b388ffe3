"""The command ``nrpa match``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.match import match
from nrpa.bench.referee import ROLES, Contender
from nrpa.cli import options
from nrpa.cli.output import echo_lines
from nrpa.cli.per_problem import Asked, PerProblem
from nrpa.cli.progress import RunsLine
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.open_game import require_game

PLAYER = "SOLVER[:KEY=VALUE,...]"


def _own(problem: type[BaseProblem]) -> list[click.Parameter]:
    return [
        click.Option(["--first"], required=True, metavar=PLAYER, help="A tree search: mcps:ref=50 ..."),
        click.Option(["--second"], required=True, metavar=PLAYER, help="Another: grave:ref=50,bias=1e-5 ..."),
        click.Option(["--third"], metavar=PLAYER, help="And another, in a game for three."),
        options.whole("--playouts", "Tree walks for each move, at least 2."),
        options.number("--time", "Seconds for each move instead.  [default: 1]"),
        options.whole("--games", "The number of games.", 100),
        options.whole("--seed", "Seed of game 0; game k has SEED + k.", 0),
        options.file("--out", "A row a game; a match there continues.", "FILE.csv"),
        options.whole("--workers", "Processes.  [default: one a core]"),
        options.quiet("table"),
    ]


def run(
    asked: Asked,
    *,
    first: str,
    second: str,
    third: str | None,
    out: str | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Play a match and print its table."""
    game = asked.read()
    require_game(game)
    contenders = []
    for role, text in zip(ROLES, (first, second, third), strict=True):
        if text is not None:
            try:
                contenders.append(Contender.parse(text, game, asked.read))
            except InputError as error:
                raise InputError(f"--{role}: {error}") from None
    line = RunsLine(quiet, "games")
    with line.until_interrupted(continues=out is not None):
        result = match(game, *contenders, out=out, on_game=line.tell, **settings)
    echo_lines(result.table())


command = PerProblem(
    "match",
    "Let tree searches play a game against each other.",
    run=run,
    own=_own,
    of_games=True,
    text="Let tree searches play {} against each other.\n\n"
    "Players change seats (colours) after each game. Options of a player are those of its solver and, for how "
    "moves are told apart, of the game: mcps:codes=abstract. Every game is on disk as soon as it ends; FILE.json "
    "beside FILE.csv says what was played.",
)
