"""The entry point of the command line."""

from __future__ import annotations

import faulthandler
import gc
import json
import sys
import warnings
from importlib import import_module
from typing import NoReturn

import click
from click.shell_completion import CompletionItem

from nrpa import __version__
from nrpa.base.debugging import is_debugging
from nrpa.base.errors import InputError, did_you_mean
from nrpa.cli import COMMANDS, INTERRUPTED, MODULES
from nrpa.cli.faults import ENVIRONMENT, end_with_parent, errors_as_json, fault_record, users_line, users_lines
from nrpa.cli.output import (
    echo,
    echo_lines,
    make_lasting,
    output_error,
    records_alone,
    show_exception,
    show_warning,
)
from nrpa.search.interrupt import AsCtrlC

GARBAGE = 100_000
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(click.Group):
    """The commands, the module of each imported when it is used: not for the overview."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take ``--errors`` wherever it stands, as if it stood before the command."""
        at = next((at for at, word in enumerate(args) if word.partition("=")[0] == "--errors"), None)
        if at is not None:
            end = at + (1 if "=" in args[at] else 2)
            args = [*args[at:end], *args[:at], *args[end:]]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = getattr(
            import_module(f"nrpa.cli.{MODULES.get(cmd_name, cmd_name)}"), f"{cmd_name}_command"
        )
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant. Raises UsageError that offers names which are near, for an unknown one."""
        if args[0] not in COMMANDS and (hint := did_you_mean(args[0], COMMANDS)):
            ctx.fail(f"No such command {args[0]!r}. ({hint.capitalize()})")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin so, without importing any command."""
        own = [CompletionItem(name, help=text) for name, text in COMMANDS.items() if name.startswith(incomplete)]
        return [*own, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="nrpa")
@click.option(
    "--errors",
    type=click.Choice(("text", "json")),
    help=f"How errors are said, on standard error.  [default: {ENVIRONMENT}, or text]",
)
def commands(errors: str | None) -> None:
    """Nested Monte Carlo search for hard combinatorial problems."""


def program() -> None:
    """Run the command line as a program of its own; the entry point of the ``nrpa`` command."""
    # While hundreds of modules are loaded, Python would look for garbage hundreds of times and find none.
    gc.set_threshold(GARBAGE)
    end_with_parent()
    main(INTERRUPTED)


def main(last: int | None = None) -> None:
    """Run the command line and raise SystemExit; ``last`` is what ``AsCtrlC`` takes."""
    make_lasting()
    sys.excepthook, warnings.showwarning = show_exception, show_warning
    # A kernel of the user's that goes out of bounds may end the process: then at least it is said where Python was.
    faulthandler.enable(2)
    try:
        with AsCtrlC(last), records_alone(sys.argv[1:], for_good=last is not None):
            status = commands(standalone_mode=False)
        if error := output_error():
            raise InputError(error)
        if status == INTERRUPTED and errors_as_json():
            _end(KeyboardInterrupt(), "interrupted", status=INTERRUPTED)
        sys.exit(status)
    except InputError as error:
        _end(error, str(error))
    except MemoryError as error:
        said = f" ({error})" if str(error) else ""
        _end(error, f"there is not enough memory{said}; try a smaller instance, or fewer workers")
    except click.exceptions.NoArgsIsHelpError as error:
        if errors_as_json():
            _end(error, "Missing command.", "see nrpa --help")
        echo_lines(error.format_message(), err=True)
        sys.exit(2)
    except click.UsageError as error:
        _end(error, error.format_message(), f"see {error.ctx.command_path} --help" if error.ctx else "")
    except (KeyboardInterrupt, click.Abort) as error:
        _end(error, "interrupted", status=INTERRUPTED)
    except Exception as error:
        lines = users_lines(error)
        if not errors_as_json():
            if not lines or is_debugging():
                raise
            echo_lines("".join(lines).rstrip("\n"), err=True)
        place = users_line(error) if errors_as_json() else ""
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        _end(error, f"{place}{type(error).__name__}: {error}{notes}")


def _end(error: BaseException, message: str, remedy: str = "", status: int = 2) -> NoReturn:
    """Say what went wrong, as a sentence or as JSON, and end the program."""
    if errors_as_json():
        echo(json.dumps(fault_record(error, message, remedy)), err=True)
    else:
        begin = "" if status == INTERRUPTED else "error: "
        echo(f"{begin}{message}{f' ({remedy})' if remedy else ''}", err=True)
    sys.exit(status)
