"""What a run shows on standard error while it goes on."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from nrpa.base.errors import escaped
from nrpa.search.figures import gap_text
from nrpa.search.rows import Display, Rows

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.search.run import Run

MOST_WORKERS = 16


def display_for(problem: BaseProblem, quiet: bool) -> Display:
    """Return the display that suits standard error."""
    if quiet:
        return Display()
    if sys.stderr.isatty():
        return Live(problem)
    return Rows(problem)


class Live(Rows):
    """Shows rows as ``Rows`` does, above lines that are kept up to date: the search, and each of several workers."""

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
        super().__exit__()
        self._live.stop()

    def message(self, text: str) -> None:
        """Show a line of text above the live line."""
        self._console.print(escaped(text), markup=False, soft_wrap=True)

    def improvement(self, run: Run) -> None:
        """Remember to show the new best, and who found it."""
        super().improvement(run)
        found, _ = self._finds.get(run.found_by, (0, ""))
        value = self._problem.objective.text(run.value)
        self._finds[run.found_by] = found + 1, f"{value} at {run.progress.improved_seconds:.2f} s"

    def slice(self, run: Run) -> None:
        """Show what is due and renew the live lines."""
        self._run = run
        self._say_full(run)
        if self._is_due():
            self._flush()
            lines = [self._status(run), *filter(None, [run.chosen]), *self._workers(run)]
            self._live.update("\n".join(lines), refresh=True)

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
