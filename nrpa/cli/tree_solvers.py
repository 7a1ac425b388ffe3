"""Tree searches, as commands for games offer them."""

from __future__ import annotations

from collections.abc import Sequence

from nrpa.base.errors import InputError
from nrpa.registry import solver_class, solvers
from nrpa.search.choice import Choice, MoveStatistics
from nrpa.solvers.tree import TreeSearchOptions

DEFAULT_SOLVER = "mcps"


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
    lines = [("move", "visits", "value", "")]
    for each in opinions:
        value = "-" if each.value is None else f"{each.value:.3f}"
        lines.append((each.move, f"{each.visits:,}", value, " solved" if each.solved else ""))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        f"{move.ljust(widths[0])}  {visits.rjust(widths[1])}  {value.rjust(widths[2])}{more}"
        for move, visits, value, more in lines
    )


def effort_text(choice: Choice) -> str:
    """Return how much a search has done for a move, in words."""
    rate = choice.playouts / choice.seconds if choice.seconds > 0 else 0.0
    solved = "; the position is solved" if choice.solved else ""
    return f"{choice.playouts:,} tree walks in {choice.seconds:.2f} s ({rate:,.0f}/s){solved}"
