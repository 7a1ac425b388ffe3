"""Figures: made without a window, but shown in a notebook; and written to files."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from nrpa.base.errors import InputError
from nrpa.base.options import inserted
from nrpa.base.values import shortened
from nrpa.io.files import write_bytes
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes  # noqa: PLC0414
    from matplotlib.figure import Figure
else:
    Axes = Any

F = TypeVar("F", bound=Callable[..., Any])

DISTINCT = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that the colour-blind can tell apart (M. Okabe and K. Ito, 2008), without the yellow, too light on white."""

RESULT = """

Parameters
----------
result : Result
    Whose solution is drawn.
problem : {problem}
    The problem that the result is of.

Raises
------
InputError
    If the solution is too broken to have a score, or the problem cannot be drawn so.
"""
AX = "ax : matplotlib.axes.Axes, optional\n    Where to draw. Without it, a figure is made."
RETURNS = "\nReturns\n-------\nmatplotlib.axes.Axes\n    The axes of the picture; of several, the first."
# The least width and height of a panel in inches, the letters of papers, and the width asked for.
NARROWEST, LOWEST = 2.6, 2.6
PAPER: dict[Any, Any] = {"font.size": 8, "lines.linewidth": 1.0, "lines.markersize": 4, "axes.linewidth": 0.6}
_width: ContextVar[float | None] = ContextVar("width", default=None)
NOTEBOOK_BACKENDS = ("inline", "ipympl", "nbagg", "notebook", "widget")


def require_matplotlib() -> None:
    """Import matplotlib. Raises InputError where MPLBACKEND names a backend that it does not have."""
    try:
        import_module("matplotlib")
    except ValueError as error:
        backend = os.environ.get("MPLBACKEND")
        if not backend:
            raise
        why = "names a backend that matplotlib does not have; expected agg, or no MPLBACKEND"
        raise InputError(f"MPLBACKEND={shortened(backend)}: {why}") from error


def new_axes() -> Axes:
    """Return the axes of a new figure (see ``new_figure``)."""
    return new_figure(1).axes[0]


@contextmanager
def of_width(inches: float | None) -> Iterator[None]:
    """Make figures of this width, with the letters that papers have; as wide as usual where it is None."""
    require_matplotlib()
    from matplotlib import rc_context

    before = _width.set(inches)
    try:
        with rc_context({} if inches is None else PAPER):
            yield
    finally:
        _width.reset(before)


def new_figure(panels: int) -> Figure:
    """Return a new figure: in a notebook one that is shown below the cell, elsewhere one that no window shows.

    Panels are in rows of at most three, fewer where the figure is narrow.
    """
    require_matplotlib()
    width = _width.get()
    most = 3 if width is None else max(1, min(3, int(width / NARROWEST)))
    rows = -(-panels // most)
    columns = -(-panels // rows)
    across, down = (6.0, 3.7) if panels == 1 else (5.0, 4.6)
    scale = 1.0 if width is None else width / (across * columns)
    # A curve alone does not become so low that its labels meet.
    size = (across * columns * scale, max(down * rows * scale, LOWEST * rows))
    if is_in_notebook():
        # Only a figure that pyplot knows is shown.
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size, layout="constrained")
    else:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
    for axes in figure.subplots(rows, columns, squeeze=False).flat[panels:]:
        axes.remove()
    return figure


def room(axes: Axes) -> float:
    """Return how many points a panel is wide or high, whichever is less."""
    place = axes.get_subplotspec()
    rows, columns = (1, 1) if place is None else place.get_gridspec().get_geometry()
    width, height = cast("Figure", axes.figure).get_size_inches()
    return 72 * float(min(width / columns, height / rows))


def is_in_notebook() -> bool:
    """Return whether figures of pyplot are shown in a notebook: under a cell, or in it."""
    if "IPython" not in sys.modules:
        return False
    import matplotlib

    return any(name in matplotlib.get_backend().lower() for name in NOTEBOOK_BACKENDS)


def set_frame(
    axes: Axes,
    title: str,
    *,
    x: str = "",
    y: str = "",
    ends: tuple[tuple[float, float] | None, tuple[float, float]] | None = None,
    equal: bool = False,
) -> None:
    """Give axes their title, labels and the ends of both; where lengths are ``equal``, the same scale both ways."""
    axes.set_title(title, fontsize="medium")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    across, up = ends or (None, None)
    if across is not None:
        axes.set_xlim(*across)
    if up is not None:
        axes.set_ylim(*up)
    if equal:
        axes.set_aspect("equal")


def legend_below(axes: Axes, columns: int, **options: Any) -> None:
    """Put a legend without a frame below axes."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=columns, frameon=False, **options)


def untitled(axes: Axes) -> Axes:
    """Take the titles from a picture, for a paper whose caption says the same.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        What a function of ``nrpa.plots`` has returned; all axes of its figure lose their titles.

    Returns
    -------
    matplotlib.axes.Axes
        The same axes.

    Examples
    --------
    >>> axes = new_axes()
    >>> set_frame(axes, "rc204.1, 20 runs")
    >>> untitled(axes).get_title()
    ''
    """
    for each in cast("Figure", axes.figure).axes:
        each.set_title("")
    return axes


def titled(problem: BaseProblem, text: str) -> str:
    """Return a title: what was solved, and a text."""
    return f"{name_of_solved(problem.name, problem.label)}: {text}"


def name_of_solved(problem: str, instance: str) -> str:
    """Return the name of a problem before that of an instance, unless that begins with it.

    >>> name_of_solved("snake", "7"), name_of_solved("samegame", "samegame-01"), name_of_solved("binpacking", "")
    ('snake 7', 'samegame-01', 'binpacking')
    """
    return instance if instance.startswith(problem) else f"{problem} {instance}".rstrip()


def require_scored(problem: BaseProblem, solution: Any) -> None:
    """Raise InputError, with the first fault, for a solution without a score or a game with an illegal move."""
    verdict = problem.check(solution)
    if verdict.score is None and not (problem.players > 1 and verdict.figures):
        raise InputError(f"the solution cannot be drawn: {next(iter(verdict.faults), 'its check gives no score')}")


def of_axes(function: F) -> F:
    """Document the axes that a function takes and returns."""
    text = cleandoc(str(function.__doc__))
    if "ax" in function.__annotations__ and "ax : " not in text:
        text = inserted(text, [AX], "Raises|Examples")
    function.__doc__ = inserted(text, [RETURNS], "Raises|Examples")
    return function


def of_result(function: F) -> F:
    """Document the parameters of a function that draws the solution of a result."""
    function.__doc__ = cleandoc(str(function.__doc__)) + RESULT.format(problem=function.__annotations__["problem"])
    return of_axes(function)


def draw_result(panel: Callable[[Any, Any, Axes], None], result: Result, ax: Axes | None, problem: BaseProblem) -> Axes:
    """Draw the solution of a result by a panel; InputError if it has no score."""
    require_scored(problem, result.solution)
    axes = new_axes() if ax is None else ax
    panel(problem, result.solution, axes)
    return axes


def require_format(path: str | Path) -> None:
    """Raise InputError, which lists the known ones, unless a file's name ends in a format that matplotlib can write."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    known = FigureCanvasAgg.get_supported_filetypes()
    suffix = Path(path).suffix.lstrip(".").lower()
    if suffix not in known:
        raise InputError(f"{path}: unknown picture format {suffix!r}; expected one of {', '.join(sorted(known))}")


def save(axes: Axes, path: str | Path) -> None:
    """Write a picture to a file, whole or not at all.

    Raises InputError if the format is unknown or the file cannot be written.
    """
    require_format(path)
    write_bytes(path, rendered(axes, Path(path).suffix.lstrip(".").lower()))


def rendered(axes: Axes, kind: str) -> bytes:
    """Return a picture as the content of a file of that kind. The same figure gives the same SVG."""
    from matplotlib import rc_context

    data = io.BytesIO()
    figure = cast("Figure", axes.figure)
    for each in figure.axes:
        without_formulas(each)
    more: dict[str, Any] = {"metadata": {"Date": None}} if kind == "svg" else {}
    # Letters stay text, which can be searched and edited.
    with rc_context({"svg.hashsalt": "nrpa", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(data, format=kind, dpi=150, **more)
    return data.getvalue()


def without_formulas(axes: Axes) -> Axes:
    """Let no text but that of ticks be read as a formula: names from files may have dollar signs. Return the axes."""
    legend = axes.get_legend()
    labels = (axes.title, axes.xaxis.label, axes.yaxis.label)
    for text in (*labels, *axes.texts, *(legend.get_texts() if legend else ())):
        text.set_parse_math(False)
    return axes
