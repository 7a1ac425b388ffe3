"""What a run shows on standard error while it goes on."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Protocol, Self

import click

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.search.run import Run

REFRESH_SECONDS = 0.25
MOST_WORKERS = 16


class Display(Protocol):
    """Shows how a run goes on. It is used as a context."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...

    def message(self, text: str) -> None:
        """Show a line of text."""

    def improvement(self, run: Run) -> None:
        """Take note of a new best of a run."""

    def slice(self, run: Run) -> None:
        """Take note that a slice of a run has ended, about every 10 ms."""


def display_for(problem: BaseProblem, quiet: bool) -> Display:
    """Return the display that suits standard error.

    Parameters
    ----------
    problem : BaseProblem
        The problem that is solved.
    quiet : bool
        Whether to show nothing.

    Returns
    -------
    Display
        One that is kept up to date on a terminal, and one of plain rows elsewhere.
    """
    if quiet:
        return Quiet()
    if sys.stderr.isatty():
        return Live(problem)
    return Rows(problem)


def comparison(problem: BaseProblem, score: float) -> str:
    """Return the best known value of an instance and the gap to it, as text.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    score : float
        The score to compare.

    Returns
    -------
    str
        The text; empty where no value is known.
    """
    known = problem.best_known
    if known is None:
        return ""
    text = problem.objective.text(known.value)
    how = "proven optimal" if known.proven_by else "not proven optimal"
    return f"{text} ({how}); gap {gap_text(problem, score)}"


def gap_text(problem: BaseProblem, score: float) -> str:
    """Return by how much a score falls short of the best known value.

    Parameters
    ----------
    problem : BaseProblem
        The problem, with its instance.
    score : float
        The score.

    Returns
    -------
    str
        The gap in per cent of the best known value; empty where that is not known, or 0.
    """
    known = problem.best_known
    if known is None or not has_gap(problem):
        return ""
    objective = problem.objective
    gap = 100 * objective.sign * (known.value - objective.value(score)) / abs(known.value)
    if gap > 1000:
        return "> 1000 %"
    rounded = f"{gap:.2f}"
    return f"{'0.00' if rounded == '-0.00' else rounded} %"


def has_gap(problem: BaseProblem) -> bool:
    """Return whether there is a best known value, other than 0, that scores can be compared with."""
    return problem.best_known is not None and problem.best_known.value != 0


class Quiet:
    """Shows nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def message(self, text: str) -> None:
        """Show nothing."""

    def improvement(self, run: Run) -> None:
        """Show nothing."""

    def slice(self, run: Run) -> None:
        """Show nothing."""


class Rows(Quiet):
    """Shows a row for each improvement, at most four in a second: then the last of them.

    Parameters
    ----------
    problem : BaseProblem
        The problem that is solved.
    """

    def __init__(self, problem: BaseProblem) -> None:
        self._problem = problem
        self._pending: Run | None = None
        self._found_by = 0
        self._shown = math.nan
        self._header = self._said_full = False

    def __exit__(self, *exception: object) -> None:
        self._flush()

    def message(self, text: str) -> None:
        """Show a line of text."""
        click.echo(text, err=True)

    def improvement(self, run: Run) -> None:
        """Remember to show the new best."""
        self._pending = run
        self._found_by = run.found_by

    def slice(self, run: Run) -> None:
        """Show what is due."""
        self._say_full(run)
        if self._is_due():
            self._flush()

    def _say_full(self, run: Run) -> None:
        """Say once that the memory of a tree is used up."""
        if run.full_at and not self._said_full:
            self._said_full = True
            self.message(f"the tree is full at {run.full_at:,} nodes (--nodes): no leaves are added any more")

    def _is_due(self) -> bool:
        """Return whether it is time to show something again; the first time is one interval after the first slice."""
        now = time.monotonic()
        if now - self._shown < REFRESH_SECONDS:
            return False
        first = math.isnan(self._shown)
        self._shown = now
        return not first

    def _flush(self) -> None:
        if self._pending is None:
            return
        if not self._header:
            self._header = True
            gap = f" {'gap':>10}" if has_gap(self._problem) else ""
            self.message(f"{'seconds':>9} {'playouts':>12} {self._problem.objective.name:>14}{gap}")
        self.message(self._row(self._pending))
        self._pending = None

    def _row(self, run: Run) -> str:
        progress = run.progress
        gap = f" {gap_text(self._problem, progress.score):>10}" if has_gap(self._problem) else ""
        value = self._problem.objective.text(run.value)
        row = f"{progress.improved_seconds:9.2f} {progress.improved_playouts:12,} {value:>14}{gap}"
        return f"{row}  worker {self._found_by + 1}" if run.workers > 1 else row


class Live(Rows):
    """Shows rows as ``Rows`` does, above lines that are kept up to date: the search, and each of several workers.

    Parameters
    ----------
    problem : BaseProblem
        The problem that is solved.
    """

    def __init__(self, problem: BaseProblem) -> None:
        super().__init__(problem)
        from rich.console import Console
        from rich.live import Live as RichLive

        self._console = Console(stderr=True, highlight=False)
        self._live = RichLive("", console=self._console, auto_refresh=False, transient=True)
        self._finds: dict[int, tuple[int, str]] = {}

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._flush()
        self._live.stop()

    def message(self, text: str) -> None:
        """Show a line of text above the live line."""
        self._console.print(text, markup=False, soft_wrap=True)

    def improvement(self, run: Run) -> None:
        """Remember to show the new best, and who found it."""
        super().improvement(run)
        found, _ = self._finds.get(run.found_by, (0, ""))
        value = self._problem.objective.text(run.value)
        self._finds[run.found_by] = found + 1, f"{value} at {run.progress.improved_seconds:.2f} s"

    def slice(self, run: Run) -> None:
        """Show what is due and renew the live lines."""
        self._say_full(run)
        if self._is_due():
            self._flush()
            self._live.update("\n".join([self._status(run), *self._workers(run)]), refresh=True)

    def _workers(self, run: Run) -> list[str]:
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

    def _status(self, run: Run) -> str:
        progress = run.progress
        rate = progress.playouts / progress.seconds if progress.seconds else 0.0
        parts = [
            f"{progress.seconds:.1f} s",
            f"{rate:,.0f} playouts/s",
            f"best {self._problem.objective.text(run.value)}",
        ]
        gap = gap_text(self._problem, progress.score)
        if run.workers > 1:
            parts.insert(2, f"{run.workers} workers")
        if gap:
            parts.append(f"gap {gap}")
        return "  ".join(parts)
