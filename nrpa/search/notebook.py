"""What a run shows in a notebook: a bar and a line that are kept up to date, and no more however long it takes."""

from __future__ import annotations

import sys
import time
from html import escape
from typing import TYPE_CHECKING, Any

from nrpa.search.figures import gap_text
from nrpa.search.rows import REFRESH_SECONDS, Display
from nrpa.search.stop import AnyOf, Progress

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.search.run import Run


def is_in_notebook() -> bool:
    """Return whether a kernel of Jupyter runs this, so that a cell can show what is kept up to date."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class Bar(Display):
    """Shows a bar of how much of the budget is used, and the best so far, in one place below the cell."""

    def __init__(self, problem: BaseProblem, begun: Progress, criteria: AnyOf) -> None:
        self._problem = problem
        self._begun = begun
        self._criteria = criteria
        self._shown = -REFRESH_SECONDS
        self._run: Run | None = None
        self._place: Any = None

    def __exit__(self, *exception: object) -> None:
        if self._run is not None:
            self._show(self._run)

    def slice(self, run: Run) -> None:
        """Bring what is shown up to date, four times a second at most."""
        self._run = run
        now = time.monotonic()
        if now - self._shown >= REFRESH_SECONDS:
            self._shown = now
            self._show(run)

    def _show(self, run: Run) -> None:
        display: Any = sys.modules["IPython"].display
        content = display.HTML(self._html(run))
        if self._place is None:
            self._place = display.display(content, display_id=True)
        else:
            self._place.update(content)

    def _html(self, run: Run) -> str:
        progress, objective = run.progress, self._problem.objective
        parts = [
            f"{progress.seconds:.1f} s",
            f"{progress.playouts:,} playouts",
            f"best {objective.name} {objective.text(run.value)}",
        ]
        if gap := gap_text(self._problem, progress.score):
            parts.append(f"gap {gap}")
        parts += filter(None, [run.chosen])
        return f'<progress value="{self._share(progress):.3f}" max="1"></progress> {escape(", ".join(parts))}'

    def _share(self, now: Progress) -> float:
        """Return how much of the time or the playouts is used, whichever is more."""
        pairs = (
            (now.seconds - self._begun.seconds, self._criteria.seconds_left(now)),
            (now.playouts - self._begun.playouts, self._criteria.playouts_left(now)),
        )
        return max(done / (done + left) if done + left > 0 else 0.0 for done, left in pairs)
