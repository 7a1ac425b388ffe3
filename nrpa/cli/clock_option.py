"""The option ``--clock``: what seconds are."""

from __future__ import annotations

import click

from nrpa.search.clock import CLOCKS, WALL


def clock_option() -> click.Option:
    """Return the option; its value is None where it is not given."""
    return click.Option(
        ["--clock"],
        type=click.Choice(CLOCKS),
        help="What seconds are: wall, or processor (processor time of the thread that searches, for a machine that "
        f"does other things as well; one worker).  [default: {WALL}]",
    )
