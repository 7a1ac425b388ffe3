"""What the commands print: the one place where text goes to standard output and standard error.

Names, labels and figures may come from files of anybody: their control characters are shown, not obeyed.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from typing import Any

import click

from nrpa.base.errors import escaped

CLEAR = "\r\x1b[K"


def echo(text: str = "", *, err: bool = False) -> None:
    """Print a text as one line; a line break within it is escaped as well."""
    click.echo(escaped(text), err=err)  # noqa: TID251


def echo_lines(text: str, *, err: bool = False) -> None:
    """Print a text of several lines."""
    click.echo("\n".join(map(escaped, text.split("\n"))), err=err)  # noqa: TID251


def echo_over(text: str, *, ends: bool = False) -> None:
    """Print a text on standard error in place of the line that the cursor is in; go to the next line if it ``ends``."""
    click.echo(CLEAR + escaped(text), nl=ends, err=True)  # noqa: TID251


def show_warning(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
    """Print a warning on standard error, as ``warnings.showwarning`` does."""
    echo_lines(warnings.formatwarning(message, category, filename, lineno, line).rstrip("\n"), err=True)


def show_exception(*raised: Any) -> None:
    """Print the traceback of an exception, as ``sys.excepthook`` does."""
    if sys.stderr is not None:
        echo_lines("".join(traceback.format_exception(*raised)).rstrip("\n"), err=True)
