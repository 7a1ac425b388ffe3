import pytest

from nrpa.base.errors import InputError
from nrpa.bench.records import Record, Records
from nrpa.modelling.objective import Objective
from nrpa.plots import anytime, time_to_target

SCORES = {"A": [[-9.0, -3.0], [-7.0, -1.0]], "B": [[-8.0, -6.0], [-8.0, -2.0]]}
RECORDS = Records(
    "seconds",
    [
        Record(variant, "i", seed, mark, 1, score)
        for variant, runs in SCORES.items()
        for seed, run in enumerate(runs)
        for mark, score in zip((0.01, 0.02), run, strict=True)
    ],
    False,
)


def lines(axes):
    return {line.get_label(): list(line.get_ydata()) for line in axes.lines}


def test_means_and_medians_by_hand():
    """A line for each variant through its means over the runs."""
    assert lines(anytime(RECORDS)) == {"A": [-8, -2], "B": [-8, -4]}
    assert lines(anytime(RECORDS, statistic="median")) == {"A": [-8, -2], "B": [-8, -4]}


def test_the_band_is_two_standard_errors():
    """Scores -3 and -1: σ = √2, so 2σ/√2 = 2 around -2."""
    band = anytime(RECORDS).collections[0].get_paths()[0].vertices
    at_mark = band[band[:, 0] == 0.02, 1]
    assert (at_mark.min(), at_mark.max()) == pytest.approx((-4, 0), abs=1e-9)


def test_the_shortfall_from_a_reference():
    """On a log axis; a mean that reaches the reference is left out."""
    axes = anytime(RECORDS, reference=-2.0)
    assert axes.get_yscale() == "log"
    assert lines(axes) == {"A": [6], "B": [6, 2]}
    low, high = axes.get_ylim()
    assert 0.5 < low < high < 20


def test_a_mark_that_runs_lack_is_not_drawn():
    """A mean over the quickest runs only would flatter."""
    short = RECORDS._replace(rows=RECORDS.rows[:-1])
    assert lines(anytime(short)) == {"A": [-8, -2], "B": [-8]}


def test_shares_of_runs_that_reached_the_target():
    """Drawn for each variant."""
    axes = time_to_target(RECORDS, -2.0)
    found = {container.get_label(): list(container.lines[0].get_ydata()) for container in axes.containers}
    assert found == {"A": [0, 0.5], "B": [0, 0.5]}


def test_several_instances_ask_for_one():
    """As do unknown ones, and unknown statistics."""
    two = RECORDS._replace(rows=[*RECORDS.rows, Record("A", "j", 0, 0.01, 1, 0.0)])
    with pytest.raises(InputError, match="there are 2 instances; choose one of i, j"):
        anytime(two)
    assert lines(anytime(two, instance="j")) == {"A": [0]}
    with pytest.raises(InputError, match="statistic must be one of mean, median"):
        anytime(RECORDS, statistic="mode")


COSTS = RECORDS._replace(objective=Objective("cost", sign=-1))


def test_costs_are_drawn_as_costs():
    """Where the objective of the records is known; the shortfall is then what lies above the reference."""
    axes = anytime(COSTS)
    assert lines(axes) == {"A": [8, 2], "B": [8, 4]}
    assert axes.get_ylabel() == "mean cost"
    axes = anytime(COSTS, reference=2.0)
    assert lines(axes) == {"A": [6], "B": [6, 2]}
    assert axes.get_ylabel() == "mean cost above 2"


def test_the_target_is_a_cost():
    """Of at most so much; a score in its place is refused."""
    axes = time_to_target(COSTS, 2.0)
    found = {container.get_label(): list(container.lines[0].get_ydata()) for container in axes.containers}
    assert found == {"A": [0, 0.5], "B": [0, 0.5]}
    assert axes.get_ylabel() == "share of runs with cost ≤ 2"
    for draw in (lambda: time_to_target(COSTS, -2.0), lambda: anytime(COSTS, reference=-2.0)):
        with pytest.raises(InputError, match="-2 has the wrong sign: it is a cost here"):
            draw()
