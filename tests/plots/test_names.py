import pytest

import nrpa
from nrpa.bench.records import Record, Records
from nrpa.modelling.objective import Objective
from nrpa.plots import anytime
from nrpa.plots.picture import save

ROWS = [Record(r"$\frac{$", "$i_{$", seed, mark, 1, float(seed)) for seed in (1, 2) for mark in (0.01, 0.02)]


def test_names_are_no_formulas(tmp_path):
    """Dollar signs in the name of a variant, an instance or an objective are drawn as they are."""
    axes = anytime(Records("seconds", ROWS, False, Objective(r"$\frac{$", sign=1)))
    axes.figure.draw_without_rendering()  # As a notebook does, which asks nobody.
    save(axes, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 1000
    assert axes.get_legend().get_texts()[0].get_text() == r"$\frac{$"


@pytest.mark.parametrize("ylim", [(1e308, -1e308), (float("nan"), 1.0), (1.0, 1.0), (0.0, float("inf"))])
def test_limits_without_room_are_refused(ylim):
    """Matplotlib finds no ticks between the largest numbers there are."""
    with pytest.raises(nrpa.InputError, match="the limits of y must be two different numbers"):
        anytime(Records("seconds", ROWS, False), ylim=ylim)
