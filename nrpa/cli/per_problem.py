"""Commands that have a subcommand for each problem, with the problem's own options, and help that fits on a screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from nrpa.base.errors import InputError
from nrpa.base.options import Option, words_of
from nrpa.cli import COMMANDS
from nrpa.cli.completion import instances_of, problems_or_files
from nrpa.cli.options import flag_of, type_of
from nrpa.cli.output import echo_lines
from nrpa.cli.solver_options import SolverOption, solver_options
from nrpa.io.files import source_files
from nrpa.io.source import bundled, file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem
from nrpa.registry import (
    COMPILED,
    is_users,
    problem_class,
    problems,
    read_problem,
    reader_of,
    summary_of,
    what_to_write,
)

ALL, SOLVERS = "nrpa.help_all", "nrpa.solvers"


class ScreenCommand(click.Command):
    """A command with the options of many solvers, whose help shows those of ``solvers``, or what ``--solver`` names."""

    common: Sequence[str]
    of_problem: Sequence[click.Parameter]
    solvers: Sequence[str]
    forms: Sequence[str]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember which solver is named, wherever it stands, before ``--help`` ends the command."""
        ctx.meta[SOLVERS] = solvers_named(args)[:1]
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, and the forms of files that the problem reads, a line each."""
        super().format_help_text(ctx, formatter)
        if self.forms:
            with formatter.section("Forms of files"):
                for form in self.forms:
                    formatter.write_text(form)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups; all of them, one after the other, for ``--help-all``."""
        if ctx.meta.get(ALL):
            super().format_options(ctx, formatter)
            return
        groups: dict[str, Sequence[click.Parameter]] = {
            "Options [and their defaults]": [
                each for each in self.get_params(ctx) if each.name in {*self.common, "help_all", "help"}
            ],
            f"Options of {ctx.info_name}": self.of_problem,
        }
        shown = ctx.meta.get(SOLVERS) or self.solvers
        taken = {each.name for each in self.params}
        options = [option for option in solver_options(shown, strict=True) if option.name in taken]
        for solver in shown:
            own = [option for option in options if next(iter(option.terms)) == solver]
            title = f"Options of {solver}" + " (others: --solver NAME --help)" * (solver == shown[-1])
            groups[title] = [option.parameter_of(solver) for option in own]
        for title, listed in groups.items():
            records = [_short(*record) for each in listed if (record := each.get_help_record(ctx)) is not None]
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def solvers_named(args: Sequence[str]) -> list[str]:
    """Return the solvers that ``--solver`` names, wherever it stands."""
    joined = [word.removeprefix("--solver=") for word in args if word.startswith("--solver=")]
    after = [value for word, value in pairwise(args) if word == "--solver"]
    return [name for names in [*joined, *after] for name in names.split(",")]


def _short(flag: str, text: str) -> tuple[str, str]:
    """Return the line of an option with ``--x / --no-x`` as ``--[no-]x``, and the default in brackets alone."""
    return re.sub(r"--([\w-]+) / --no-\1", r"--[no-]\1", flag), re.sub(r"\.?\s+\[default: ", " [", text)


def _show_all(ctx: click.Context, _option: click.Parameter, is_given: bool) -> None:
    if is_given and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        echo_lines(ctx.get_help())
        ctx.exit()


_SEEN_FIRST: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _show_all}
HELP_ALL = click.Option(["--help-all"], help="Show all options, of all solvers too.", **_SEEN_FIRST)


class Asked(NamedTuple):
    """What the command line says of the problem, its only instance and the options.

    An option of a solver that was not given is None; one of the problem is left out.
    """

    name: str
    problem: type[BaseProblem]
    instance: str | None
    solver_options: dict[str, Any]
    problem_options: dict[str, Any]

    @property
    def inputs(self) -> list[str]:
        """The files that are read, which no output may replace."""
        return [*([] if self.instance is None else [file_of(self.instance)]), *source_files()]

    def read(self, more: Mapping[str, Any] = {}) -> BaseProblem:
        """Return the problem with its instance and its options, and ``more`` of them. Raises InputError."""
        return read_problem(self.problem, self.instance or "", {**self.problem_options, **more})


class PerProblem(click.Group):
    """A command with a subcommand for each problem, made when it is asked for.

    In ``text``, the help, ``{}`` stands for the problem. With ``of_games``, an option of the problem that has the name
    of one of the command is called ``--game-NAME``. ``common`` and ``solvers`` are what the first screen of help shows.
    With ``compiles``, there is the option ``--compile``, which problems that are compiled already refuse.
    """

    def __init__(
        self,
        name: str,
        *,
        run: Callable[..., None],
        text: str,
        own: Callable[[type[BaseProblem]], Sequence[click.Parameter]],
        of_solvers: Callable[[Iterable[str]], list[SolverOption]] = lambda own: [],
        of_games: bool = False,
        instances: bool = False,
        common: Sequence[str] = (),
        solvers: Sequence[str] = (),
        compiles: bool = False,
    ) -> None:
        help_text = f"{COMMANDS.get(name, '')}\n\n`nrpa {name} PROBLEM --help` lists the options."
        super().__init__(name, subcommand_metavar="PROBLEM INSTANCE [OPTIONS]", help=help_text)
        self._run, self._text, self._own = run, text, own
        self._of_solvers, self._of_games, self._instances = of_solvers, of_games, instances
        self._common, self._solvers, self._compiles = common, solvers, compiles

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(problems.entries())

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Note the solvers in files of the user's own, whose options the command then has."""
        ctx.meta[SOLVERS] = [*filter(is_users, solvers_named(args))]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command for one problem. Raises InputError for an unknown name; None while a shell completes."""
        try:
            return self._made(cmd_name, ctx.meta.get(SOLVERS, ()))
        except InputError:
            if ctx.resilient_parsing:
                return None
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the problems and options that begin so, without importing a problem; or let the shell offer files."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        return options or problems_or_files(incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Problems"):
            formatter.write_dl([(entry.name, entry.summary) for entry in problems.entries().values()])

    def _made(self, name: str, own_solvers: Iterable[str]) -> click.Command:
        """Return the subcommand of a problem. Raises InputError for an unknown problem, or two options of one name."""
        problem = problem_class(name)
        own = [*instance_argument(problem, self._instances), *self._own(problem)]
        options = self._of_solvers(own_solvers)
        if self._compiles:
            own.append(compile_option(issubclass(problem, Problem) or hasattr(problem, "described")))
        of_problem = problem_options(problem, named(own) | {o.name for o in options if o.is_bundled}, self._of_games)
        taken = named([*own, *of_problem.values()])
        of_solvers = [option.parameter() for option in options if option.is_bundled or option.name not in taken]

        def callback(**given: Any) -> None:
            for_solvers = {key: given.pop(key) for key in named(of_solvers)}
            name_, cls = name, problem
            if given.pop("compile", False):
                name_, cls = name + COMPILED, problem_class(name + COMPILED)
            values = {key: given.pop(str(each.name)) for key, each in of_problem.items()}
            for_problem = {key: value for key, value in values.items() if _is_given(of_problem[key])}
            self._run(Asked(name_, cls, given.pop("instance", None), for_solvers, for_problem), **given)

        params = [*own, *of_solvers, *of_problem.values()]
        settings: dict[str, Any] = {"callback": callback, "help": self._text.format(problem_title(name))}
        if not self._solvers:
            return click.Command(name, params=params, **settings)
        made = ScreenCommand(name, params=[*params, HELP_ALL], **settings)
        made.common, made.solvers, made.of_problem = self._common, self._solvers, [*of_problem.values()]
        made.forms = problem.forms
        return made


def compile_option(shown: bool = True) -> click.Option:
    """Return ``--compile``, in the help or not."""
    text = "Compile the class in plain Python as it stands: 5 to 60 times as fast."
    return click.Option(["--compile"], is_flag=True, hidden=not shown, help=text)


def problem_title(name: str) -> str:
    """Return the name of a problem, with what it is in parentheses where that is known.

    >>> problem_title("tsptw")
    'tsptw (travelling salesman with time windows)'
    """
    title, summary = problem_class(name).name, summary_of(name)
    return f"{title} ({summary})" if summary else title


def instance_argument(problem: type[BaseProblem], several: bool = False) -> list[click.Parameter]:
    """Return the argument INSTANCE, or INSTANCES, in a list, which is empty if the problem reads no instances."""
    if not problem.reads_instances():
        return []
    known: dict[str, Any] = {"type": InstanceName(problem), "shell_complete": instances_of(problem.bundled_with().name)}
    if several:
        return [click.Argument(["instances"], nargs=-1, required=True, **known)]
    return [click.Argument(["instance"], **known)]


class InstanceName(click.types.StringParamType):
    """The name of an instance; where it is missing, the error says what the problem reads."""

    def __init__(self, problem: type[BaseProblem]) -> None:
        self._problem = problem

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        problem = self._problem
        name = problem.bundled_with().name
        if bundled(name):
            return f"Expected a file, or a name of `nrpa list {name}`."
        if problem.forms:
            return f"Expected {problem.forms[0]}."
        if hasattr(problem, "described"):
            return f"Expected a name from which {problem.__name__} makes a problem{what_to_write(problem.__name__)}."
        has_load = any("load" in vars(cls) for cls in problem.__mro__ if cls is not BaseProblem)
        if has_load:
            return f"Expected a name that {reader_of(problem)} takes."
        return f"Expected a file that {problem.__name__}.from_source reads."


def problem_options(problem: type[BaseProblem], taken: set[str], of_games: bool) -> dict[str, click.Parameter]:
    """Return the problem's own options as options of a command, by their names."""
    found: dict[str, click.Parameter] = {}
    for option in problem.cli_options:
        if option.name in taken and not of_games:
            what = f"{problem.__name__}: its option {option.name!r} has the name of an option of the command"
            raise InputError(f"{what}; expected another name")
        found[option.name] = _parameter(option, f"game_{option.name}" if option.name in taken else option.name)
    return found


def _is_given(option: click.Parameter) -> bool:
    """Return whether the command line has an option, whose value is not filled in by default."""
    source = click.get_current_context().get_parameter_source(str(option.name))
    return source not in (None, ParameterSource.DEFAULT)


def _parameter(option: Option[Any], name: str) -> click.Option:
    choices = f" ({', '.join(option.choices)})" if option.choices else ""
    return click.Option(
        [flag_of(name, isinstance(option.default, bool)), name],
        type=click.Choice(option.choices) if option.choices else type_of(option.default),
        default=option.default,
        show_default=True,
        metavar="NAME" if choices else None,
        help=f"{option.help.rstrip('.')}{choices}.",
    )


def given_words(problem: type[BaseProblem], values: dict[str, Any]) -> list[str]:
    """Return the options of a problem that are not at their defaults, as they are given at the command line.

    >>> given_words(problem_class("tsptw"), {"moves": "all", "bias_rule": "range", "bias_scale": 2.0})
    ['--moves', 'all', '--bias-scale', '2.0']
    """
    given = {option.name: values.get(option.name, option.default) for option in problem.cli_options}
    return words_of({each.name: given[each.name] for each in problem.cli_options if given[each.name] != each.default})


def named(parameters: Iterable[click.Parameter]) -> set[str]:
    """Return the names of the parameters of a command."""
    return {parameter.name for parameter in parameters if parameter.name}
