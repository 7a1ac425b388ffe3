"""Tree searches, as commands for games offer them."""

from __future__ import annotations

from collections.abc import Sequence

from nrpa.base.errors import InputError
from nrpa.io.text import aligned
from nrpa.registry import solver_class, solvers
from nrpa.search.choice import Choice, MoveStatistics
from nrpa.solvers.tree import TreeSearchOptions

DEFAULT_SOLVER = "mcps"
WORKERS = "Threads that share the trees."


def tree_solvers() -> list[str]:
    """Return the names of the tree searches. A solver that cannot be imported is left out."""
    return [name for name in solvers.entries() if _is_tree_search(name)]


def _is_tree_search(name: str) -> bool:
    try:
        return issubclass(solver_class(name), TreeSearchOptions)
    except InputError:
        return False


def statistics_text(opinions: Sequence[MoveStatistics]) -> str:
    """Return what a search thinks of moves as lines: move, visits, value, and whether it is solved.

    >>> print(statistics_text([MoveStatistics("c3", 120, 0.625, False), MoveStatistics("d4", 1, 1.0, True)]))
    move  visits  value
    c3       120  0.625
    d4         1  1.000 solved
    """
    lines = [("move", "visits", "value")]
    for each in opinions:
        lines.append((each.move, f"{each.visits:,}", "-" if each.value is None else f"{each.value:.3f}"))
    solved = ["", *(" solved" * each.solved for each in opinions)]
    return "\n".join(map("".join, zip(aligned(lines, left=(0,)).split("\n"), solved, strict=True)))


def effort_text(choice: Choice) -> str:
    """Return how much a search has done for a move, in words."""
    rate = choice.playouts / choice.seconds if choice.seconds > 0 else 0.0
    solved = "; the position is solved" if choice.solved else ""
    return f"{choice.playouts:,} tree walks in {choice.seconds:.2f} s ({rate:,.0f}/s){solved}"
