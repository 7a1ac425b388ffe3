"""What a run shows in a notebook: a bar and a line that are kept up to date, and no more however long it takes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from nrpa.search.gap import gap_text
from nrpa.search.rows import REFRESH_SECONDS, Quiet

if TYPE_CHECKING:
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.search.run import Run


def is_in_notebook() -> bool:
    """Return whether a kernel of Jupyter runs this, so that a cell can show what is kept up to date."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


class Bar(Quiet):
    """Shows a bar of how much of the budget is used, and the best so far, in one place below the cell."""

    def __init__(self, problem: BaseProblem, share: Callable[[Run], float]) -> None:
        self._problem = problem
        self._share = share
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
        return f'<progress value="{self._share(run):.3f}" max="1"></progress> {escape(", ".join(parts))}'
