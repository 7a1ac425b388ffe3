"""Writing a picture to a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nrpa.base.errors import InputError
from nrpa.io.files import write_bytes
from nrpa.modelling.base_problem import BaseProblem

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_axes() -> Axes:
    """Return the axes of a new figure that no window shows."""
    return new_figure(1).axes[0]


def new_figure(panels: int) -> Figure:
    """Return a new figure that no window shows, with so many axes side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = (6.0, 3.7) if panels == 1 else (5.0 * panels, 4.6)
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    figure.subplots(1, panels)
    return figure


def require_scored(problem: BaseProblem, solution: Any) -> None:
    """Raise InputError if ``solution`` is too broken for the problem's check to give it a score."""
    verdict = problem.check(solution)
    if verdict.score is None:
        raise InputError(f"the solution cannot be drawn: {next(iter(verdict.faults), 'its check gives no score')}")


def require_format(path: str | Path) -> None:
    """Raise InputError unless matplotlib can write the format that ``path`` ends in."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    known = FigureCanvasAgg.get_supported_filetypes()
    suffix = Path(path).suffix.lstrip(".").lower()
    if suffix not in known:
        raise InputError(f"{path}: unknown picture format {suffix!r}; expected one of {', '.join(sorted(known))}")


def save(axes: Axes, path: str | Path) -> None:
    """Write the figure of ``axes`` to ``path``, whole or not at all; its ending says the format."""
    require_format(path)
    data = io.BytesIO()
    cast("Figure", axes.figure).savefig(data, format=Path(path).suffix.lstrip(".").lower(), dpi=150)
    write_bytes(path, data.getvalue())
