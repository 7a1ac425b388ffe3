"""Commands that have a subcommand for each problem, with the problem's own options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.shell_completion import CompletionItem

from nrpa.base.errors import InputError
from nrpa.cli.completion import instances_of, problems_or_files
from nrpa.cli.number_types import type_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.option import Option
from nrpa.registry import problem_class, problems, summary_of


class PerProblem(click.Group):
    """A command with a subcommand for each problem, made when it is asked for.

    Parameters
    ----------
    name : str
        The name of the command.
    build : callable
        Takes the name of a problem and returns its subcommand.
    summary : str
        What the command does, in a sentence.
    """

    def __init__(self, name: str, build: Callable[[str], click.Command], summary: str) -> None:
        text = f"{summary}\n\n`nrpa {name} PROBLEM --help` lists the options."
        super().__init__(name, subcommand_metavar="PROBLEM INSTANCE [OPTIONS]", help=text)
        self.build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the problems."""
        return list(problems.entries())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command for one problem. Raises InputError for an unknown name; None while a shell completes."""
        try:
            return self.build(cmd_name)
        except InputError:
            if ctx.resilient_parsing:
                return None
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the problems and options that begin so, without importing a problem; or let the shell offer files."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        return options or problems_or_files(incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the problems with a line each, without importing them."""
        with formatter.section("Problems"):
            formatter.write_dl([(entry.name, entry.summary) for entry in problems.entries().values()])


def described(name: str) -> str:
    """Return the name of a problem, with what it is in parentheses where that is known.

    Parameters
    ----------
    name : str
        The problem, as for ``problem_class``.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> described("tsptw")
    'tsptw (travelling salesman with time windows)'
    """
    title, summary = problem_class(name).name, summary_of(name)
    return f"{title} ({summary})" if summary else title


def instance_argument(problem: type[BaseProblem]) -> list[click.Parameter]:
    """Return the argument INSTANCE in a list, which is empty if the problem reads no instances."""
    if not problem.reads_instances():
        return []
    return [click.Argument(["instance"], shell_complete=instances_of(problem.name))]


def problem_options(problem: type[BaseProblem], taken: set[str]) -> list[click.Parameter]:
    """Return the problem's own options as options of a command.

    Parameters
    ----------
    problem : type
        The class of the problem.
    taken : set of str
        The names that the command's other options have.

    Returns
    -------
    list of click.Parameter
        The options.

    Raises
    ------
    InputError
        If one of them has a name that is taken.
    """
    for option in problem.cli_options:
        if option.name in taken:
            what = f"{problem.__name__}: its option {option.name!r} has the name of an option of the command"
            raise InputError(f"{what}; expected another name")
    return [_parameter(option, option.name, option.name) for option in problem.cli_options]


GAME = "game_"


def game_options(problem: type[BaseProblem], taken: set[str]) -> list[click.Parameter]:
    """Return the options of a game as options of a command.

    Parameters
    ----------
    problem : type
        The class of the game.
    taken : set of str
        The names that the command's other options have. An option of the game that is called so gets ``game-`` before
        its name.

    Returns
    -------
    list of click.Parameter
        The options; all come to the command with ``game_`` before their names (see ``of_game``).
    """
    flags = [GAME + each.name if each.name in taken else each.name for each in problem.cli_options]
    return [_parameter(each, flag, GAME + each.name) for each, flag in zip(problem.cli_options, flags, strict=True)]


def of_game(given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the game, by their own names, and the other arguments of a command."""
    own = {name.removeprefix(GAME): value for name, value in given.items() if name.startswith(GAME)}
    return own, {name: value for name, value in given.items() if not name.startswith(GAME)}


def _parameter(option: Option[Any], flag: str, name: str) -> click.Option:
    dashed, kind = flag.replace("_", "-"), click.Choice(option.choices) if option.choices else type_of(option.default)
    declaration = f"--{dashed}/--no-{dashed}" if isinstance(option.default, bool) else f"--{dashed}"
    return click.Option([declaration, name], type=kind, default=option.default, show_default=True, help=option.help)


def given_words(problem: type[BaseProblem], values: dict[str, Any]) -> list[str]:
    """Return the options of a problem that are not at their defaults, as they are given at the command line.

    Examples
    --------
    >>> given_words(problem_class("tsptw"), {"moves": "all", "bias_rule": "range", "bias_scale": 2.0})
    ['--moves', 'all', '--bias-scale', '2.0']
    """
    words: list[str] = []
    for option in problem.cli_options:
        value = values.get(option.name, option.default)
        dashed = option.name.replace("_", "-")
        if value == option.default:
            continue
        if isinstance(option.default, bool):
            words.append(f"--{dashed}" if value else f"--no-{dashed}")
        else:
            words += [f"--{dashed}", str(value)]
    return words


def named(parameters: list[click.Parameter]) -> set[str]:
    """Return the names of the parameters of a command."""
    return {parameter.name for parameter in parameters if parameter.name}


def read_or_make(problem: type[BaseProblem], instance: str | None, options: dict[str, Any]) -> BaseProblem:
    """Return the problem with its instance.

    Parameters
    ----------
    problem : type
        The class of the problem.
    instance : str or None
        What the instance is called; None for a problem that reads none.
    options : dict
        The problem's options by name.

    Returns
    -------
    BaseProblem
        The problem.

    Raises
    ------
    InputError
        If there is no such instance, or it cannot be read.
    """
    return problem(**options) if instance is None else problem.load(instance, **options)
