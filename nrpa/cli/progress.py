"""How far a command is, on standard error: on a terminal in a line that is kept current, else in lines now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from time import monotonic

import click

from nrpa.bench.distribute import Progress
from nrpa.cli import INTERRUPTED
from nrpa.cli.output import echo, echo_over

REPORT_SECONDS = 30.0


class ProgressLine:
    """The line of a terminal that is kept current; ``is_live`` says whether there is a terminal."""

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.is_live = quiet, sys.stderr.isatty()
        self._is_open = False

    def show(self, text: str, *, ends: bool = False) -> None:
        """Show a text in place of the line before; one that ``ends`` stays."""
        if self.is_live:
            echo_over(text, ends=ends)
            self._is_open = not ends
        else:
            echo(text, err=True)

    @contextmanager
    def until_interrupted(self, continues: bool) -> Iterator[None]:
        """Leave the line at the end; of Ctrl-C, say whether the same command continues, and end the command."""
        said = ""
        try:
            yield
        except KeyboardInterrupt:
            said = "interrupted; the same command continues" if continues else "interrupted"
        if self._is_open:
            echo(err=True)
        if said:
            echo(said, err=True)
            raise click.exceptions.Exit(INTERRUPTED)


class RunsLine(ProgressLine):
    """Shows how far an experiment or a match is."""

    def __init__(self, quiet: bool, what: str = "runs") -> None:
        super().__init__(quiet)
        self._what = what
        self._shown = float("-inf")

    def tell(self, progress: Progress) -> None:
        """Show how far it is, if it is time to."""
        now = monotonic()
        if self.quiet or (not self.is_live and now - self._shown < REPORT_SECONDS and progress.done < progress.total):
            return
        self._shown = now
        left = "" if progress.left is None else f", {minutes_text(progress.left)} left{_end(progress.left)}"
        running = f", {progress.running} running" if progress.running else ""
        done = f"{progress.done} of {progress.total} {self._what}"
        self.show(f"{done}{running}, {minutes_text(progress.seconds)} gone{left}")


def minutes_text(seconds: float) -> str:
    """Return seconds as m:ss or h:mm:ss.

    >>> minutes_text(75), minutes_text(3675.4)
    ('1:15', '1:01:15')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _end(left: float) -> str:
    """Return when it will be done; empty where that is now."""
    if left < 1:
        return ""
    now, end = datetime.now(), datetime.now() + timedelta(seconds=left)
    return f", done at {end:%H:%M}" if end.date() == now.date() else f", done on {end:%a %d %b at %H:%M}"
