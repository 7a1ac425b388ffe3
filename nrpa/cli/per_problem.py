"""Commands that have a subcommand for each problem, with the problem's own options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import problem_class, problems, summary_of


class PerProblem(click.Group):
    """A command with a subcommand for each problem, made by ``build`` when it is asked for."""

    def __init__(self, name: str, build: Callable[[str], click.Command], summary: str) -> None:
        text = f"{summary}\n\n`nrpa {name} PROBLEM --help` lists the options."
        super().__init__(name, subcommand_metavar="PROBLEM INSTANCE [OPTIONS]", help=text)
        self.build = build

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the problems."""
        return list(problems.entries())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command for one problem; raises InputError for an unknown name."""
        return self.build(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the problems with a line each, without importing them."""
        with formatter.section("Problems"):
            formatter.write_dl([(entry.name, entry.summary) for entry in problems.entries().values()])


def described(name: str) -> str:
    """Return a problem's name with what it is in parentheses, where that is known."""
    title, summary = problem_class(name).name, summary_of(name)
    return f"{title} ({summary})" if summary else title


def instance_argument(problem: type[BaseProblem]) -> list[click.Parameter]:
    """Return the argument INSTANCE, if the problem reads instances."""
    return [click.Argument(["instance"])] if problem.reads_instances() else []


def problem_options(problem: type[BaseProblem], taken: set[str]) -> list[click.Parameter]:
    """Return the problem's own options. Raises InputError for one whose name is in ``taken``."""
    parameters: list[click.Parameter] = []
    for option in problem.cli_options:
        if option.name in taken:
            what = f"{problem.__name__}: its option {option.name!r} has the name of an option of the command"
            raise InputError(f"{what}; expected another name")
        flag = option.name.replace("_", "-")
        declaration, kind = f"--{flag}", click.Choice(option.choices) if option.choices else None
        if isinstance(option.default, bool):
            declaration = f"--{flag}/--no-{flag}"
        parameters.append(
            click.Option([declaration], type=kind, default=option.default, show_default=True, help=option.help)
        )
    return parameters


def named(parameters: list[click.Parameter]) -> set[str]:
    """Return the names of parameters."""
    return {parameter.name for parameter in parameters if parameter.name}


def read_or_make(problem: type[BaseProblem], instance: str | None, options: dict[str, Any]) -> BaseProblem:
    """Return the problem with the instance called so; without one, of a problem that reads none."""
    return problem(**options) if instance is None else problem.load(instance, **options)
