"""What a run shows while it goes on: rows on standard error, one for each improvement; in a notebook a bar."""

from __future__ import annotations

import math
import sys
import time
from html import escape
from threading import Event
from typing import Any, Protocol, Self

from nrpa.base.errors import escaped
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.curve import seconds_text
from nrpa.search.result import gap_text, has_gap
from nrpa.search.stop import AnyOf, Progress

REFRESH_SECONDS = 0.25
LEAST_WIDTH = 9


class Watched(Protocol):
    """What is shown of an ``nrpa.Run``."""

    progress: Progress
    clock: str

    @property
    def value(self) -> float: ...
    @property
    def workers(self) -> int: ...
    @property
    def rates(self) -> list[float]: ...
    @property
    def found_by(self) -> int: ...
    @property
    def chosen(self) -> str | None: ...
    @property
    def full_at(self) -> int: ...


class Display:
    """Shows how a run goes on; this one shows nothing. It is used as a context."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def message(self, text: str) -> None:
        """Show a line of text."""

    def compiling(self, is_done: Event) -> None:
        """Take note that something is compiled, until the event is set."""

    def improvement(self, run: Watched) -> None:
        """Take note of a new best of a run."""

    def slice(self, run: Watched) -> None:
        """Take note that a slice of a run has ended, about every 10 ms."""


class ImprovementRows(Display):
    """Shows a row for each improvement, at most four in a second: then the last of them; what was chosen at the end."""

    def __init__(self, problem: BaseProblem) -> None:
        self._problem = problem
        self._pending: Watched | None = None
        self._run: Watched | None = None
        self._found_by = 0
        self._shown = math.nan
        self._header = self._said_full = False

    def __exit__(self, *exception: object) -> None:
        self._flush()
        if self._run is not None and self._run.chosen is not None:
            self.message(self._run.chosen)

    def message(self, text: str) -> None:
        print(escaped(text), file=sys.stderr, flush=True)

    def improvement(self, run: Watched) -> None:
        self._pending = run
        self._found_by = run.found_by

    def slice(self, run: Watched) -> None:
        self._run = run
        self._say_full(run)
        if self._is_due():
            self._flush()

    def _say_full(self, run: Watched) -> None:
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
            word = "gap" if self._problem.best_known is not None else ""
            gap = f" {word:>{self._gap_width()}}" if has_gap(self._problem) else ""
            seconds = seconds_text(self._pending.clock)
            self.message(f"{seconds:>{LEAST_WIDTH}} {'playouts':>12} {self._problem.objective.name:>14}{gap}")
        self.message(self._row(self._pending))
        self._pending = None

    def _value_text(self, run: Watched) -> str:
        """Return the best value without penalties, which the gap says."""
        return self._problem.objective.text(self._problem.objective.without_faults(run.value))

    def _gap_width(self) -> int:
        objective = self._problem.objective
        return len(objective.faults_text(99)) if objective.penalty else 10

    def _row(self, run: Watched) -> str:
        progress = run.progress
        gap = f" {gap_text(self._problem, progress.score):>{self._gap_width()}}" if has_gap(self._problem) else ""
        value = self._value_text(run)
        width = max(LEAST_WIDTH, len(seconds_text(run.clock)))
        row = f"{progress.improved_seconds:{width}.2f} {progress.improved_playouts:12,} {value:>14}{gap}"
        return f"{row}  worker {self._found_by + 1}" if run.workers > 1 else row


def runs_in_jupyter() -> bool:
    """Return whether a kernel of Jupyter runs this, so that a cell can show what is kept up to date."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class NotebookBar(Display):
    """Shows a bar of how much of the budget is used, and the best so far, in one place below the cell."""

    def __init__(self, problem: BaseProblem, begun: Progress, criteria: AnyOf) -> None:
        self._problem = problem
        self._begun = begun
        self._criteria = criteria
        self._shown = -REFRESH_SECONDS
        self._run: Watched | None = None
        self._place: Any = None

    def __exit__(self, *exception: object) -> None:
        if self._run is not None:
            self._show(self._run)

    def slice(self, run: Watched) -> None:
        self._run = run
        now = time.monotonic()
        if now - self._shown >= REFRESH_SECONDS:
            self._shown = now
            self._show(run)

    def _show(self, run: Watched) -> None:
        display: Any = sys.modules["IPython"].display
        content = display.HTML(self._html(run))
        if self._place is None:
            self._place = display.display(content, display_id=True)
        else:
            self._place.update(content)

    def _html(self, run: Watched) -> str:
        progress, objective = run.progress, self._problem.objective
        parts = [
            f"{progress.seconds:.1f} s",
            f"{progress.playouts:,} playouts",
            f"best {objective.name} {objective.text(objective.without_faults(run.value))}",
        ]
        parts += filter(None, [gap_text(self._problem, progress.score, "gap "), run.chosen])
        return f'<progress value="{self._share(progress):.3f}" max="1"></progress> {escape(", ".join(parts))}'

    def _share(self, now: Progress) -> float:
        pairs = (
            (now.seconds - self._begun.seconds, self._criteria.seconds_left(now)),
            (now.playouts - self._begun.playouts, self._criteria.playouts_left(now)),
        )
        return max(done / (done + left) if done + left > 0 else 0.0 for done, left in pairs)
