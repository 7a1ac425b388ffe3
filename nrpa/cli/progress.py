"""How far a command is, on standard error: on a terminal in a line that is kept current, else in lines now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Self

import click

from nrpa.base.errors import escaped
from nrpa.cli import INTERRUPTED
from nrpa.cli.output import echo, echo_over
from nrpa.search.display import Display, ImprovementRows, Watched
from nrpa.search.result import gap_text

if TYPE_CHECKING:
    from nrpa.bench.distribute import RunsProgress
    from nrpa.modelling.base_problem import BaseProblem

REPORT_SECONDS = 30.0
MOST_WORKERS = 16


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

    def tell(self, progress: RunsProgress) -> None:
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


def display_for(problem: BaseProblem, quiet: bool) -> Display:
    """Return the display that suits standard error."""
    if quiet:
        return Display()
    if sys.stderr.isatty():
        return Live(problem)
    return ImprovementRows(problem)


class Live(ImprovementRows):
    """Shows rows of improvements above lines that are kept up to date: the search, and each of several workers."""

    def __init__(self, problem: BaseProblem) -> None:
        super().__init__(problem)
        from rich.console import Console
        from rich.live import Live as RichLive
        from rich.text import Text

        self._console = Console(stderr=True, highlight=False)
        self._below = ""
        self._live = RichLive(console=self._console, get_renderable=lambda: Text(self._below), transient=True)
        self._finds: dict[int, tuple[int, str]] = {}

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        super().__exit__()
        self._live.stop()

    def message(self, text: str) -> None:
        """Show a line of text above the live line."""
        self._console.print(escaped(text), markup=False, soft_wrap=True)

    def compiling(self, is_done: Event) -> None:
        """Count the seconds in the live line, by a thread, until it is done."""
        begun = monotonic()

        def count() -> None:
            before = self._below
            while not is_done.wait(0.25):
                self._below = "\n".join(filter(None, [before, f"compiling for {monotonic() - begun:.0f} s"]))
            self._below = before

        Thread(target=count, daemon=True).start()

    def improvement(self, run: Watched) -> None:
        """Remember to show the new best, and who found it."""
        super().improvement(run)
        found, _ = self._finds.get(run.found_by, (0, ""))
        self._finds[run.found_by] = found + 1, f"{self._value_text(run)} at {run.progress.improved_seconds:.2f} s"

    def slice(self, run: Watched) -> None:
        """Show what is due and renew the live lines."""
        self._run = run
        self._say_full(run)
        if self._is_due():
            self._flush()
            lines = [self._status(run), *filter(None, [run.chosen]), *self._workers(run)]
            self._below = "\n".join(lines)

    def _workers(self, run: Watched) -> list[str]:
        """Return a line for each worker, of many for the first: its rate, and which of the bests it found."""
        rates = run.rates if run.workers > 1 else []
        lines = []
        for worker, rate in enumerate(rates[:MOST_WORKERS]):
            found, last = self._finds.get(worker, (0, ""))
            finds = f"{found:,} found, last {last}" if found else "none found"
            lines.append(f"  worker {worker + 1:<4} {rate:>12,.0f} playouts/s  {finds}")
        if len(rates) > MOST_WORKERS:
            rest = rates[MOST_WORKERS:]
            found = sum(count for worker, (count, _) in self._finds.items() if worker >= MOST_WORKERS)
            lines.append(f"  {len(rest)} more {sum(rest):>16,.0f} playouts/s  {found:,} found")
        return lines

    def _status(self, run: Watched) -> str:
        progress = run.progress
        rate = progress.playouts / progress.seconds if progress.seconds else 0.0
        parts = [
            f"{progress.seconds:.1f} s",
            f"{rate:,.0f} playouts/s",
            f"best {self._value_text(run)}",
        ]
        if run.workers > 1:
            parts.insert(2, f"{run.workers} workers")
        return "  ".join(filter(None, [*parts, gap_text(self._problem, progress.score, "gap ")]))
