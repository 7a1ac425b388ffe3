"""The hypervolume of fronts, experiments/several_goals.py."""

from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def several_goals(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import several_goals

    return several_goals


@pytest.mark.parametrize(
    ("front", "area"),
    [([(1, 2), (2, 1)], 3), ([(2, 1), (3, 3), (1, 2)], 3), ([(0, 0)], 9), ([(4, 0)], 0)],
    ids=["two", "beaten", "one", "beyond"],
)
def test_a_hypervolume_is_the_area_before_the_reference(several_goals, front, area):
    """Points that are beaten, or lie beyond it, add nothing."""
    assert several_goals.hypervolume(front, (3, 3)) == area


def test_what_a_playout_beats_is_not_kept(several_goals):
    """Nor a playout that another one is as good as."""
    seen, held = several_goals.np.zeros((9, 2)), several_goals.np.zeros(1, int)
    for goals in ((1.0, 2.0), (2.0, 1.0), (0.0, 2.0), (1.0, 2.0), (1.5, 2.0)):
        several_goals.keep(seen, held, *goals)
    assert sorted(seen[: held[0]].tolist()) == [[1.5, 2.0], [2.0, 1.0]]
