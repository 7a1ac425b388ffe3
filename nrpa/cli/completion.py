"""What a shell offers when the tab key is pressed: problems, instances, solvers, files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from nrpa.base.lazy import lazy
from nrpa.io.source import bundled
from nrpa.registry import Entry, problems, solvers

games = lazy("nrpa.cli.games")

Completions = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def entries(found: Iterable[Entry], incomplete: str) -> list[CompletionItem]:
    """Return the entries whose names begin so, each with its summary; nothing is imported."""
    return [CompletionItem(entry.name, help=entry.summary) for entry in found if entry.name.startswith(incomplete)]


def files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell offer files."""
    return [CompletionItem(incomplete, type="file")]


def problems_or_files(incomplete: str) -> list[CompletionItem]:
    """Return the problems whose names begin so; files, for one of the user's own, where there is none."""
    return entries(problems.entries().values(), incomplete) or [CompletionItem(incomplete, type="file")]


def solver_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the solvers whose names begin so."""
    return entries(solvers.entries().values(), incomplete)


def tree_solver_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the tree searches whose names begin so."""
    known = {*games.tree_solvers()}
    return [item for item in solver_names(context, parameter, incomplete) if item.value in known]


def instances_of(problem: str) -> Completions:
    """Return what offers the bundled instances of a problem, and files where none begins so."""

    def offer(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        found = [CompletionItem(name) for name in bundled(problem) if name.startswith(incomplete)]
        return found or files(context, parameter, incomplete)

    return offer


def problem_then_instances(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return problems for the first word of an argument, and instances of that problem for the others."""
    words: Any = context.params.get(str(parameter.name)) or ()
    return instances_of(words[0])(context, parameter, incomplete) if words else problems_or_files(incomplete)
