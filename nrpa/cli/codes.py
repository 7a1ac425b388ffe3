"""The command ``nrpa codes``."""

from __future__ import annotations

import json as json_module
from typing import Any

import click

from nrpa.bench.codes import code_shares
from nrpa.cli.completion import files
from nrpa.cli.per_problem import PerProblem, described, instance_argument, named, problem_options, read_or_make
from nrpa.io.files import require_kept, require_writable, write_text
from nrpa.io.source import file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class
from nrpa.registry.source_files import source_files


def codes_command(name: str) -> click.Command:
    """Return the command that counts the codes of one problem in random games.

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
        click.Option(["--games"], type=int, default=10_000, show_default=True, help="How many random games to play."),
        click.Option(["--seed"], type=int, default=0, show_default=True, help="Same seed, same games."),
        click.Option(
            ["--json"],
            metavar="FILE",
            shell_complete=files,
            help="Write what was found as JSON, with the share of each move.",
        ),
    ]
    return click.Command(
        name,
        callback=lambda **options: codes(problem, **options),
        params=[*own, *problem_options(problem, named(own))],
        help=f"Count the codes of {described(name)} in random games.\n\n"
        "Prints the number of moves of the first position, the mean length of random games, and the mean share of them "
        "in which the code of one of these moves appears.",
    )


command = PerProblem("codes", codes_command, "Count how often the codes of moves appear in random games.")


def codes(
    problem_class: type[BaseProblem],
    instance: str | None = None,
    *,
    games: int,
    seed: int,
    json: str | None,
    **options: Any,
) -> None:
    """Play random games, print what they show, and write it if that was asked for.

    Parameters
    ----------
    problem_class : type
        The class of the problem.
    instance : str, optional
        The instance, of a problem that reads instances.
    games, seed : int
        As ``nrpa.bench.code_shares`` takes them.
    json : str or None
        The file to write.
    **options
        The problem's options.

    Raises
    ------
    InputError
        If a value is out of range, the instance cannot be read, or the file cannot be written.
    """
    if json is not None:
        require_writable(json)
        read = [*([] if instance is None else [file_of(instance)]), *source_files()]
        require_kept({"--json": json}, read)
    found = code_shares(read_or_make(problem_class, instance, options), games=games, seed=seed)
    click.echo(found.summary())
    if json is not None:
        write_text(json, json_module.dumps(found.to_dict(), indent=1) + "\n")
