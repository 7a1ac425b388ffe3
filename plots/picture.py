"""Figures: made without a window, but shown in a notebook; and written to files."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nrpa.base.errors import InputError
from nrpa.io.files import write_bytes
from nrpa.modelling.base_problem import BaseProblem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOTEBOOK_BACKENDS = ("inline", "ipympl", "nbagg", "notebook", "widget")


def new_axes() -> Axes:
    """Return the axes of a new figure (see ``new_figure``)."""
    return new_figure(1).axes[0]


def new_figure(panels: int) -> Figure:
    """Return a new figure: in a notebook one that is shown below the cell, elsewhere one that no window shows.

    Parameters
    ----------
    panels : int
        How many axes it has, side by side.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, 6 × 3.7 inches with one panel, else 5 inches wide for each.
    """
    size = (6.0, 3.7) if panels == 1 else (5.0 * panels, 4.6)
    figure = _shown_figure(size) if is_in_notebook() else _unseen_figure(size)
    figure.subplots(1, panels)
    return figure


def is_in_notebook() -> bool:
    """Return whether figures of pyplot are shown in a notebook: under a cell, or in it."""
    if "IPython" not in sys.modules:
        return False
    import matplotlib

    return any(name in matplotlib.get_backend().lower() for name in NOTEBOOK_BACKENDS)


def _shown_figure(size: tuple[float, float]) -> Figure:
    """Return a figure that pyplot knows: only such ones does a notebook show."""
    from matplotlib import pyplot

    return pyplot.figure(figsize=size, layout="constrained")


def _unseen_figure(size: tuple[float, float]) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def titled(problem: BaseProblem, text: str) -> str:
    """Return a title: the instance and a text; the text alone where the instance has no name."""
    return f"{problem.label}: {text}".removeprefix(": ")


def require_scored(problem: BaseProblem, solution: Any) -> None:
    """Raise unless a solution, or the beginning of a game, is whole enough to be drawn.

    Parameters
    ----------
    problem : BaseProblem
        The problem, which checks the solution.
    solution : object
        The solution, of the problem's own form.

    Raises
    ------
    InputError
        If the check gives it no score, or finds a move of a game not legal; the message names the first fault.
    """
    verdict = problem.check(solution)
    if verdict.score is None and not (problem.players > 1 and verdict.figures):
        raise InputError(f"the solution cannot be drawn: {next(iter(verdict.faults), 'its check gives no score')}")


def require_format(path: str | Path) -> None:
    """Raise unless matplotlib can write the format that a file's name ends in.

    Parameters
    ----------
    path : str or Path
        The name of the file.

    Raises
    ------
    InputError
        If the ending is not that of a known format; the message lists them.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    known = FigureCanvasAgg.get_supported_filetypes()
    suffix = Path(path).suffix.lstrip(".").lower()
    if suffix not in known:
        raise InputError(f"{path}: unknown picture format {suffix!r}; expected one of {', '.join(sorted(known))}")


def save(axes: Axes, path: str | Path) -> None:
    """Write a picture to a file, whole or not at all.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Any axes of the figure.
    path : str or Path
        The file; its ending says the format.

    Raises
    ------
    InputError
        If the format is unknown or the file cannot be written.
    """
    require_format(path)
    write_bytes(path, rendered(axes, Path(path).suffix.lstrip(".").lower()))


def rendered(axes: Axes, kind: str) -> bytes:
    """Return a picture as the content of a file.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Any axes of the figure.
    kind : str
        The format, as a file's name ends in it.

    Returns
    -------
    bytes
        The content. The same figure gives the same SVG.
    """
    from matplotlib import rc_context

    data = io.BytesIO()
    figure = cast("Figure", axes.figure)
    _take_names_as_they_are(figure)
    more: dict[str, Any] = {"metadata": {"Date": None}} if kind == "svg" else {}
    with rc_context({"svg.hashsalt": "nrpa"}):
        figure.savefig(data, format=kind, dpi=150, **more)
    return data.getvalue()


def _take_names_as_they_are(figure: Figure) -> None:
    """Read no formulas in titles and legends: a variant or an instance may have dollar signs in its name."""
    for axes in figure.axes:
        legend = axes.get_legend()
        for text in (axes.title, *axes.texts, *(legend.get_texts() if legend else ())):
            text.set_parse_math(False)
