"""Options that several commands have."""

from __future__ import annotations

import click

from nrpa.cli.completion import files
from nrpa.cli.number_types import NUMBER, WHOLE
from nrpa.search.clock import CLOCKS, WALL


def whole(flag: str, text: str, default: int | None = None) -> click.Option:
    """Return an option that is a whole number."""
    return click.Option([flag], type=WHOLE, default=default, show_default=default is not None, help=text)


def number(flag: str, text: str) -> click.Option:
    """Return an option that is a number."""
    return click.Option([flag], type=NUMBER, help=text)


def file(flag: str, text: str, metavar: str = "FILE", *, required: bool = False) -> click.Option:
    """Return an option that is the name of a file."""
    return click.Option([flag], metavar=metavar, required=required, shell_complete=files, help=text)


def quiet(what: str = "result") -> click.Option:
    """Return ``--quiet``."""
    return click.Option(["-q", "--quiet"], is_flag=True, help=f"Print the {what} only.")


def clock(default: str = WALL) -> click.Option:
    """Return ``--clock``; its value is None where it is not given."""
    return click.Option(
        ["--clock"],
        type=click.Choice(CLOCKS),
        help="What seconds are: wall, or processor (processor time of the thread that searches, for a machine that "
        f"does other things as well; one worker).  [default: {default}]",
    )
