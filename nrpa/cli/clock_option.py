"""The option ``--clock``: what seconds are."""

from __future__ import annotations

import click

from nrpa.search.clock import WALL


def clock_option() -> click.Option:
    """Return the option; its value is None where it is not given."""
    return click.Option(
        ["--clock"],
        metavar="NAME",
        help="What seconds are: wall, or processor (processor time of the thread that searches, for a machine that "
        f"does other things as well; one worker).  [default: {WALL}]",
    )
