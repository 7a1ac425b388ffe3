"""Lines that can be told apart in black and white and by the colour-blind."""

from typing import Any

_COLOURS = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (8, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def line_style(k: int) -> dict[str, Any]:
    """Return colour, dashes and marker of a line, for ``Axes.plot``."""
    return {
        "color": _COLOURS[k % len(_COLOURS)],
        "linestyle": _DASHES[k % len(_DASHES)],
        "marker": _MARKERS[k % len(_MARKERS)],
        "markersize": 4.5,
        "markerfacecolor": "white" if k % 2 else _COLOURS[k % len(_COLOURS)],
        "linewidth": 1.4,
    }
