"""Help that fits on a screen: what most people use, the problem's options, some solver's; all with ``--help-all``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import click

from nrpa.cli.output import echo_lines
from nrpa.cli.solver_options import solver_options

ALL, SOLVERS = "nrpa.help_all", "nrpa.solvers"


class ScreenCommand(click.Command):
    """A command with the options of many solvers, whose help shows those of ``solvers``, or what ``--solver`` names."""

    def __init__(
        self,
        name: str,
        *,
        params: Sequence[click.Parameter],
        common: Sequence[str],
        of_problem: Sequence[click.Parameter],
        solvers: Sequence[str],
        **settings: Any,
    ) -> None:
        super().__init__(name, params=[*params, _help_all()], **settings)
        self._common = common
        self._of_problem = of_problem
        self._solvers = solvers

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember which solver is named, wherever it stands, before ``--help`` ends the command."""
        joined = [word.removeprefix("--solver=") for word in args if word.startswith("--solver=")]
        after = [value for word, value in pairwise(args) if word == "--solver"]
        ctx.meta[SOLVERS] = [name.partition(",")[0] for name in [*joined, *after][:1]]
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in groups; all of them, one after the other, for ``--help-all``."""
        if ctx.meta.get(ALL):
            super().format_options(ctx, formatter)
            return
        groups: dict[str, Sequence[click.Parameter]] = {
            "Options [and their defaults]": [
                each for each in self.get_params(ctx) if each.name in {*self._common, "help_all", "help"}
            ],
            f"Options of {ctx.info_name}": self._of_problem,
        }
        shown = ctx.meta.get(SOLVERS) or self._solvers
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


def _short(flag: str, text: str) -> tuple[str, str]:
    """Return the line of an option with ``--x / --no-x`` as ``--[no-]x``, and the default in brackets alone."""
    return re.sub(r"--([\w-]+) / --no-\1", r"--[no-]\1", flag), re.sub(r"\.?\s+\[default: ", " [", text)


def _help_all() -> click.Option:
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_all,
        help="Show all options, of all solvers too.",
    )


def _show_all(ctx: click.Context, _option: click.Parameter, is_given: bool) -> None:
    if is_given and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        echo_lines(ctx.get_help())
        ctx.exit()
