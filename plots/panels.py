"""Which pictures show a solution of a problem: those that it says; of one without any, the text that it draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from textwrap import wrap
from typing import TYPE_CHECKING, Any, cast

from nrpa.base.errors import ProblemError
from nrpa.modelling.base_problem import BaseProblem
from nrpa.plots.picture import Axes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Panel = Callable[[Any, Any, Axes], None]

_PANELS: dict[str, Callable[[Any], Sequence[Panel]]] = {}  # by the name of a problem


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
    the name of a class that it is derived from; else its ``picture``; else one that shows the text of its ``draw``.

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
    registered = next((_PANELS[name] for name in names if name in _PANELS), _said)
    own = getattr(problem, "panels", None)
    panels = registered(problem) if own is None else own()
    if not isinstance(panels, Sequence) or not panels or not all(map(callable, panels)):
        raise ProblemError(
            f"the panels of {problem.name} must be one or more functions of problem, solution and axes, not {panels!r}"
        )
    return tuple(panels)


def _said(problem: BaseProblem) -> Sequence[Panel]:
    if not problem.picture:
        return (draw_text,)
    module, _, name = problem.picture.partition(":")
    function = getattr(import_module(f"nrpa.plots.{module}"), name)
    panels: Sequence[Panel] = function(problem) if name.endswith("_panels") else (function,)
    return panels


LARGEST, SMALLEST = 10.0, 6.0
# Of a monospaced letter, in parts of its size; and what titles and margins leave of a panel.
LETTER_WIDTH, LINE_HEIGHT = 0.61, 1.25
ROOM_ACROSS, ROOM_DOWN = 0.92, 0.86
MOST_LINES = 500


def draw_text(problem: BaseProblem, solution: Any, axes: Axes) -> None:
    """Write what ``draw`` of the problem returns, all of it up to ``MOST_LINES`` lines.

    Letters become smaller where it is wide or long, down to a size that can be read. Lines that are too wide even then
    go on in the next one, and the figure becomes taller where there are too many.
    """
    figure, place = cast("Figure", axes.figure), axes.get_subplotspec()
    panels = 1 if place is None else place.get_gridspec().ncols
    width, height = (float(inches) for inches in figure.get_size_inches())
    across, down = 72 * width / panels * ROOM_ACROSS, 72 * height * ROOM_DOWN
    lines = str(problem.draw(solution)).splitlines() or [""]
    size = _between(across / (LETTER_WIDTH * max(1, *map(len, lines))))
    lines = _wrapped(lines, int(across / (LETTER_WIDTH * size)))
    size = min(size, _between(down / (LINE_HEIGHT * len(lines))))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES - 1 :] = [f"... {len(lines) - MOST_LINES + 1:,} more lines"]
    needed = LINE_HEIGHT * size * len(lines)
    if needed > down:
        figure.set_figheight(height + (needed - down) / 72)
    axes.set_axis_off()
    style: dict[str, Any] = {"family": "monospace", "fontsize": size, "linespacing": 1.0, "va": "top"}
    axes.text(0, 1, "\n".join(lines), transform=axes.transAxes, **style)
    axes.set_title(problem.label, fontsize="medium")


def _between(size: float) -> float:
    return max(SMALLEST, min(LARGEST, size))


def _wrapped(lines: list[str], most: int) -> list[str]:
    """Return lines of at most so many letters; those that are not too long as they are."""
    options: dict[str, Any] = {"drop_whitespace": False, "break_on_hyphens": False}
    return [part for line in lines for part in (wrap(line, most, **options) if len(line) > most else [line])]
