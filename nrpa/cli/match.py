"""The command ``nrpa match``."""

from __future__ import annotations

from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.bench.contender import ROLES, Contender
from nrpa.bench.match import play_match
from nrpa.cli import INTERRUPTED
from nrpa.cli.bench import StandingLine
from nrpa.cli.completion import files
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.cli.per_problem import (
    PerProblem,
    described,
    game_options,
    instance_argument,
    named,
    of_game,
    read_or_make,
)
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class
from nrpa.registry.source_files import source_files
from nrpa.search.choice import Budget
from nrpa.search.open_game import require_game

PLAYER = "SOLVER[:KEY=VALUE,...]"


def match_command(name: str) -> click.Command:
    """Return the command that plays matches of one game.

    Parameters
    ----------
    name : str
        The game.

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
        click.Option(["--first"], required=True, metavar=PLAYER, help="A tree search: mcps:ref=50 ..."),
        click.Option(["--second"], required=True, metavar=PLAYER, help="Another: grave:ref=50,bias=1e-5 ..."),
        click.Option(["--third"], metavar=PLAYER, help="And another, in a game for three."),
        click.Option(["--playouts"], type=WHOLE, help="Tree walks for each move, at least 2."),
        click.Option(["--time"], type=NUMBER, help="Seconds for each move instead.  [default: 1]"),
        click.Option(["--games"], type=WHOLE, default=100, show_default=True, help="The number of games."),
        click.Option(["--seed"], type=WHOLE, default=0, show_default=True, help="Seed of game 0; game k has SEED + k."),
        click.Option(
            ["--out"], metavar="FILE.csv", shell_complete=files, help="A row a game; a match there continues."
        ),
        click.Option(["--workers"], type=WHOLE, help="Processes.  [default: one a core]"),
        click.Option(["-q", "--quiet"], is_flag=True, help="Print the table only."),
    ]
    of_problem = game_options(problem, named(own))

    def callback(**given: Any) -> None:
        options, rest = of_game(given)
        run(name, options, **rest)

    return click.Command(
        name,
        callback=callback,
        params=[*own, *of_problem],
        help=f"Let tree searches play {described(name)} against each other.\n\n"
        "Players change seats (colours) after each game. Options of a player are those of its solver and, for how "
        "moves are told apart, of the game: mcps:codes=abstract. Every game is on disk as soon as it ends; FILE.json "
        "beside FILE.csv says what was played.",
    )


command = PerProblem("match", match_command, "Let tree searches play a game against each other.")


def run(
    name: str,
    problem_options: dict[str, Any],
    *,
    instance: str | None = None,
    first: str,
    second: str,
    third: str | None,
    playouts: int | None,
    time: float | None,
    games: int,
    seed: int,
    out: str | None,
    workers: int | None,
    quiet: bool,
) -> None:
    """Play a match and print its table.

    Parameters
    ----------
    name : str
        The game.
    problem_options : dict
        Its options by name.
    instance : str, optional
        The instance, of a game that reads instances.
    first, second, third, playouts, time, games, seed, out, workers, quiet
        The options of the command.

    Raises
    ------
    InputError
        If a value cannot be used, the game is none of so many players, or ``out`` cannot be.
    """
    budget = Budget.checked(playouts, time)
    game = read_or_make(problem_class(name), instance, problem_options)
    require_game(game)

    def make(options: dict[str, Any]) -> BaseProblem:
        return read_or_make(problem_class(name), instance, {**problem_options, **options})

    contenders = []
    for role, text in zip(ROLES, (first, second, third), strict=True):
        if text is not None:
            try:
                contenders.append(Contender.parse(text, game, make))
            except InputError as error:
                raise InputError(f"--{role}: {error}") from None
    line = StandingLine(quiet, "games")
    try:
        result = play_match(
            contenders,
            budget,
            games=games,
            seed=seed,
            workers=workers,
            out=out,
            inputs=[*([] if instance is None else [file_of(instance)]), *source_files()],
            on_game=line.show,
        )
    except KeyboardInterrupt:
        line.end()
        click.echo("interrupted" if out is None else "interrupted; the same command continues", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    line.end()
    click.echo(result.table())
