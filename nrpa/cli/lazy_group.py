"""A group of commands, each in a module that is imported when the command is used."""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem


class LazyCommand(NamedTuple):
    """Where a command is that is not yet imported, ``package.module:attribute``, and its line in the overview."""

    where: str
    summary: str


class LazyGroup(click.Group):
    """A group that knows its commands by name. The overview is written without importing any of them."""

    def __init__(self, *arguments: Any, lazy: dict[str, LazyCommand], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name].where.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant. Raises UsageError that offers names which are near, for an unknown one."""
        close = difflib.get_close_matches(args[0], self.lazy, n=2)
        if args[0] not in self.lazy and close:
            ctx.fail(f"No such command {args[0]!r}. (Did you mean {' or '.join(close)}?)")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so, without importing any command."""
        own = [CompletionItem(n, help=c.summary) for n, c in self.lazy.items() if n.startswith(incomplete)]
        return [*own, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in self.lazy.items()])
