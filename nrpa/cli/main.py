"""The entry point of the command line."""

from __future__ import annotations

import faulthandler
import gc
import sys
import warnings

import click

from nrpa import __version__
from nrpa.base.errors import InputError
from nrpa.cli import INTERRUPTED
from nrpa.cli.lazy_group import LazyCommand, LazyGroup
from nrpa.cli.output import echo, echo_lines, show_exception, show_warning
from nrpa.cli.streams import make_lasting, output_error
from nrpa.search.interrupt import AsCtrlC

COMMANDS = {
    "solve": LazyCommand("nrpa.cli.solve:command", "Solve an instance of a problem."),
    "check": LazyCommand("nrpa.cli.check:command", "Check a solution."),
    "choose": LazyCommand("nrpa.cli.choose:command", "Choose a move of a position by a tree search."),
    "match": LazyCommand("nrpa.cli.match:command", "Let tree searches play a game against each other."),
    "play": LazyCommand("nrpa.cli.play:command", "Play a game against a tree search."),
    "new": LazyCommand("nrpa.cli.new:command", "Write a problem of your own to begin with."),
    "list": LazyCommand("nrpa.cli.list:command", "List problems, solvers and instances."),
    "bench": LazyCommand("nrpa.cli.bench:command", "Run an experiment: runs x variants x instances."),
    "tune": LazyCommand("nrpa.cli.tune:command", "Find the options that suit your instances."),
    "table": LazyCommand("nrpa.cli.table:command", "Print what `nrpa bench` recorded."),
    "codes": LazyCommand("nrpa.cli.codes:command", "Count how often the codes of moves appear in random games."),
    "diagnose": LazyCommand("nrpa.cli.diagnose:command", "Say what a problem of your own needs."),
    "report": LazyCommand("nrpa.cli.report:command", "Write what `nrpa bench` recorded as one page of HTML."),
    "plot": LazyCommand("nrpa.cli.plot:command", "Draw what `nrpa bench` recorded, or a solution."),
    "cache": LazyCommand("nrpa.cli.cache:command", "Show where machine code is kept, and how much of it there is."),
}


GARBAGE = 100_000
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=LazyGroup, lazy=COMMANDS, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="nrpa")
def commands() -> None:
    """Nested Monte Carlo search for hard combinatorial problems."""


def program() -> None:
    """Run the command line as a program of its own; the entry point of the ``nrpa`` command."""
    # While hundreds of modules are loaded, Python would look for garbage hundreds of times and find none.
    gc.set_threshold(GARBAGE)
    main(INTERRUPTED)


def main(last: int | None = None) -> None:
    """Run the command line and raise SystemExit; ``last`` is what ``AsCtrlC`` takes."""
    make_lasting()
    sys.excepthook, warnings.showwarning = show_exception, show_warning
    # A kernel of the user's that goes out of bounds may end the process: then at least it is said where Python was.
    faulthandler.enable(2)
    try:
        with AsCtrlC(last):
            status = commands(standalone_mode=False)
        if error := output_error():
            _die(f"error: {error}")
        sys.exit(status)
    except InputError as fault:
        _die(f"error: {fault}")
    except click.exceptions.NoArgsIsHelpError as error:
        echo_lines(error.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        where = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
        _die(f"error: {error.format_message()}{where}")
    except (KeyboardInterrupt, click.Abort):
        _die("interrupted", INTERRUPTED)


def _die(message: str, code: int = 2) -> None:
    echo(message, err=True)
    sys.exit(code)
