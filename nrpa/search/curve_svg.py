"""The anytime curve as a small picture that needs no library: SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nrpa.modelling.objective import Objective
from nrpa.search.curve import Point

WIDTH, HEIGHT, MARGIN = 320, 90, 6


def curve_svg(curve: Sequence[Point], objective: Objective) -> str:
    """Return a curve as an SVG element: the best score over playouts, in powers of two."""
    points = [point for point in curve if point.playouts > 0 and np.isfinite(point.score)]
    if len(points) < 2:
        return ""
    across = np.log2([point.playouts for point in points])
    up = np.array([point.score for point in points])
    x = MARGIN + (WIDTH - 2 * MARGIN) * (across - across[0]) / max(across[-1] - across[0], 1e-12)
    y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (up - up.min()) / max(float(np.ptp(up)), 1e-12)
    steps = [f"M{x[0]:.1f},{y[0]:.1f}", *(f"H{a:.1f}V{b:.1f}" for a, b in zip(x[1:], y[1:], strict=True))]
    first, last = (objective.text(objective.value(point.score)) for point in (points[0], points[-1]))
    label = f"best {objective.name} from {first} after {points[0].playouts:,} playouts to {last}"
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img"><title>{label} after {points[-1].playouts:,}</title>'
        f'<path d="{"".join(steps)}" fill="none" stroke="#1f77b4" stroke-width="1.5"/></svg>'
    )
