import numpy as np
import pytest

from nrpa.plots.picture import new_axes
from nrpa.plots.rooted import draw_rooted, places


@pytest.mark.parametrize("seed", range(5))
def test_no_edge_goes_through_a_vertex_and_none_crosses_another(seed):
    """Edges lead from a layer to the next, from left to right in the order of their upper ends."""
    random = np.random.default_rng(seed)
    parents = [int(random.integers(k)) for k in range(1, 20)]
    found = places(parents)
    assert len(np.unique(found, axis=0)) == 20
    edges = [(*found[parent], *found[child]) for child, parent in enumerate(parents, start=1)]
    assert all(y - 1 == below for _, y, _, below in edges)
    for x, y, ended, _ in edges:
        for other, layer, other_ended, _ in edges:
            if layer == y and other > x:
                assert other_ended > ended


def test_a_vertex_alone():
    """It is drawn, too."""
    axes = new_axes()
    draw_rooted([], axes)
    assert len(axes.lines) == 1
