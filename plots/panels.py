"""Which pictures show a solution of a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.bins import draw_bins
from nrpa.plots.games import draw_board, draw_points, draw_units
from nrpa.plots.groups import draw_classes, draw_parts, draw_walk
from nrpa.plots.morpion import draw_grid
from nrpa.plots.picture import Axes
from nrpa.plots.rna import draw_design, draw_fold
from nrpa.plots.samegame import draw_game
from nrpa.plots.text import draw_text
from nrpa.plots.tours import route_panels, tour_panels

Panel = Callable[[Any, Any, Axes], None]

_BOARDS = ("atarigo", "breakthrough", "gomoku", "hex", "knightthrough", "nogo")
_PANELS: dict[str, Callable[[Any], Sequence[Panel]]] = {
    **dict.fromkeys(_BOARDS, lambda problem: (draw_board,)),
    "binpacking": lambda problem: (draw_bins,),
    "coloring": lambda problem: (draw_classes,),
    "fold": lambda problem: (draw_fold,),
    "investment": lambda problem: (draw_points,),
    "morpion": lambda problem: (draw_grid,),
    "rna": lambda problem: (draw_design,),
    "samegame": lambda problem: (draw_game,),
    "schur": lambda problem: (draw_parts,),
    "snake": lambda problem: (draw_walk,),
    "tsptw": tour_panels,
    "videogame": lambda problem: (draw_units,),
    "wargame": lambda problem: (draw_points,),
    "vrptw": route_panels,
}


def register(name: str, panels: Callable[[Any], Sequence[Panel]]) -> None:
    """Say which pictures show the solutions of a problem; those said before are replaced.

    The class of a problem that is your own can have a method ``panels(self)`` instead.

    Parameters
    ----------
    name : str
        The problem's ``name``, as at the command line.
    panels : callable
        Takes a problem and returns its panels, at least one. A panel is a function of the problem, a solution and
        matplotlib axes that draws the solution on the axes.

    Examples
    --------
    >>> import nrpa
    >>> def points(problem, solution, axes):
    ...     axes.plot(solution, ".")
    >>> nrpa.plots.register("my-problem", lambda problem: (points,))

    """
    _PANELS[name] = panels


def panels_of(problem: BaseProblem) -> tuple[Panel, ...]:
    """Return the pictures that show a solution of a problem.

    They are those of the ``panels`` method of its class, if it has one; else those registered for its name, or for
    the name of a class that it is derived from; else one that shows the text of its ``draw``.

    Parameters
    ----------
    problem : BaseProblem
        The problem that solutions are drawn of.

    Returns
    -------
    tuple of callable
        The panels, at least one: functions of the problem, a solution and matplotlib axes.

    Raises
    ------
    ProblemError
        If the class's own ``panels``, or what is registered, gives anything else than one or more functions.

    """
    names = [vars(cls)["name"] for cls in type(problem).__mro__ if "name" in vars(cls)]
    registered = next((_PANELS[name] for name in names if name in _PANELS), _text)
    own = getattr(problem, "panels", None)
    panels = registered(problem) if own is None else own()
    if not isinstance(panels, Sequence) or not panels or not all(map(callable, panels)):
        raise ProblemError(
            f"the panels of {problem.name} must be one or more functions of problem, solution and axes, not {panels!r}"
        )
    return tuple(panels)


def _text(problem: BaseProblem) -> tuple[Panel, ...]:
    return (draw_text,)
