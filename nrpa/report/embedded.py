"""Pictures as text that a page holds in itself."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, NamedTuple

from nrpa.plots.picture import rendered

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST_SVG = 300_000


class Picture(NamedTuple):
    """A picture in a page: itself as a ``data:`` address, and what it shows, for readers who do not see it."""

    source: str
    text: str


def embedded(axes: Axes, text: str) -> Picture:
    """Return a figure as a picture in a page: SVG, sharp at any size; PNG where that would be very large."""
    kind, data = "svg+xml", rendered(axes, "svg")
    if len(data) > LARGEST_SVG:
        kind, data = "png", rendered(axes, "png")
    return Picture(f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}", text)
