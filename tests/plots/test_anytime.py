import math

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.bench.records import Record, Records
from nrpa.modelling.objective import Objective
from nrpa.plots import anytime, time_to_target, untitled
from nrpa.plots.picture import new_axes

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
    """On a log axis that ends in 0, where a mean that reaches the reference is."""
    axes = anytime(RECORDS, reference=-2.0)
    assert axes.get_yscale() == "symlog"
    assert lines(axes) == {"A": [6, 0], "B": [6, 2]}
    low, high = axes.get_ylim()
    assert -0.5 < low < 0 < high < 40, "a marker at 0 is not cut in half"


def band_of(axes, place=0):
    """Return the ends of the band at the last mark."""
    band = axes.collections[place].get_paths()[0].vertices
    at_mark = band[band[:, 0] == band[:, 0].max(), 1]
    return at_mark.min(), at_mark.max()


def test_a_band_on_a_log_axis_stays_above_0():
    """Distances of 1 and 9: mean 5 and half-width 8, which would end below 0."""
    rows = [Record("A", "i", seed, 0.01, 1, score) for seed, score in enumerate((-1.0, -9.0))]
    low, high = band_of(anytime(RECORDS._replace(rows=rows), reference=0.0))
    assert (low, high) == pytest.approx((5 * math.exp(-8 / 5), 5 * math.exp(8 / 5)))


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
    """Where there are axes for one, else they are panels; unknown ones are refused, as are unknown statistics."""
    two = RECORDS._replace(rows=[*RECORDS.rows, Record("A", "j", 0, 0.01, 1, 0.0)])
    with pytest.raises(InputError, match="there are 2 instances, and axes for one; choose one of i, j"):
        anytime(two, new_axes())
    with pytest.raises(InputError, match="there is no instance 'k'; expected one of i, j"):
        anytime(two, instance="k")
    assert lines(anytime(two, instance="j")) == {"A": [0]}
    first, second = anytime(two).figure.axes
    assert (lines(first), lines(second)) == (lines(anytime(RECORDS)), {"A": [0]})
    of_files = anytime([RECORDS, COSTS._replace(rows=two.rows[-1:])]).figure.axes
    assert [axes.get_ylabel() for axes in of_files] == ["mean score", "mean cost"]
    assert len(time_to_target(two, -2.0).figure.axes) == 2
    with pytest.raises(InputError, match="statistic must be one of mean, median"):
        anytime(RECORDS, statistic="mode")


COSTS = RECORDS._replace(objective=Objective("cost", sign=-1))


def test_costs_are_drawn_as_costs():
    """Where the objective of the records is known; the shortfall is then what lies above the reference."""
    axes = anytime(COSTS)
    assert lines(axes) == {"A": [8, 2], "B": [8, 4]}
    assert axes.get_ylabel() == "mean cost"
    axes = anytime(COSTS, reference=2.0)
    assert lines(axes) == {"A": [6, 0], "B": [6, 2]}
    assert axes.get_ylabel() == "mean cost above 2"


WINDOWS = Objective("cost", sign=-1, digits=2, penalty=1e6, fault="window missed")


def with_windows(*of_seeds, **more):
    """Return records of costs at marks 0.01, 0.02 …, a list for each seed."""
    rows = [
        Record("A", "rc204.1", seed, 0.01 * (k + 1), 1, -cost)
        for seed, costs in enumerate(of_seeds)
        for k, cost in enumerate(costs)
    ]
    return RECORDS._replace(rows=rows, objective=WINDOWS, **more)


@pytest.mark.parametrize(("statistic", "shown"), [("mean", [None, None, 899.0]), ("median", [None, 901.0, 899.0])])
def test_missed_windows_are_apart_from_cost(statistic, shown):
    """Their number is on top; the cost begins where no run misses one, or no run of three quarters."""
    records = with_windows(*[[2e6 + 900, 901, 899]] * 4, [6e6 + 900, 1e6 + 901, 899])
    axes = anytime(records, statistic=statistic)
    _, above = axes.figure.axes
    drawn = [None if math.isnan(value) else value for value in axes.lines[0].get_ydata()]
    assert drawn == shown
    assert [*above.lines[0].get_ydata()] == ([2.8, 0.2, 0] if statistic == "mean" else [2, 0, 0])
    assert above.get_ylabel() == "windows\nmissed"
    low, high = above.get_ylim()
    assert low < 0 < above.lines[0].get_ydata().max() < high, "no marker is cut"
    assert (axes.get_title(), above.get_title().split(",")[0]) == ("", "rc204.1")


def test_a_legend_names_what_is_drawn_and_limits_fit_it():
    """A variant with faults alone is above; one without a mark that all of its runs have has no curve at all."""
    always = with_windows([2e6 + 900, 2e6 + 901], [2e6 + 900, 2e6 + 901]).rows
    none = [Record("C", "rc204.1", seed, 0.04 * 2**seed, 1, -900.0) for seed in range(2)]
    records = with_windows([910.0, 900.0], [912.0, 901.0])
    axes = anytime(records._replace(rows=[*records.rows, *(row._replace(variant="B") for row in always), *none]))
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["A", "B (above)"]
    low, high = axes.get_xlim()
    assert 0.005 < low < 0.01
    assert 0.02 < high < 0.04


def test_titles_can_be_taken_away():
    """Of all axes of the figure, the one with faults among them."""
    axes = untitled(anytime(with_windows([2e6 + 900, 901, 899])))
    assert [each.get_title() for each in axes.figure.axes] == ["", ""]


def test_equal_shares_have_one_bar():
    """At the last of their marks: intervals of shares of 0 say the same at each."""
    rows = [Record("A", "i", 0, 0.01 * 2**k, 1, score) for k, score in enumerate((0.0, 0.0, 0.0, 1.0))]
    (container,) = time_to_target(RECORDS._replace(rows=rows), 1.0).containers
    (bars,) = container.lines[2]
    assert [path.vertices[0, 0] for path in bars.get_paths() if np.isfinite(path.vertices).all()] == [0.04, 0.08]


def test_missed_windows_alone():
    """Where no mark is without them, they are what is drawn."""
    axes = anytime(with_windows([2e6 + 900, 1e6 + 901]), reference=878.64)
    assert lines(axes) == {"A": [2, 1]}
    assert (axes.get_ylabel(), len(axes.figure.axes)) == ("mean windows missed", 1)


def test_the_best_known_value_where_distances_differ_by_orders_of_magnitude():
    """What is within its rounding is no distance; none where a run beats it, of another objective, or with limits."""
    near = with_windows([1878.64, 888.64, 878.6397], problem="tsptw")
    axes = anytime(near)
    assert axes.get_ylabel() == "mean cost above 878.64"
    assert [round(value, 6) for value in axes.lines[0].get_ydata()] == [1000, 10, 0]
    for other in (
        with_windows([988.64, 888.64, 878.6397], problem="tsptw"),
        with_windows([1878.64, 888.64, 877], problem="tsptw"),
        near._replace(objective=Objective("makespan", -1)),
        near._replace(problem="vrptw"),
    ):
        assert "above" not in anytime(other).get_ylabel()
    assert anytime(near, ylim=(0, 900)).get_ylabel() == "mean cost"


def test_the_target_is_a_cost():
    """Of at most so much; a score in its place is refused."""
    axes = time_to_target(COSTS, 2.0)
    found = {container.get_label(): list(container.lines[0].get_ydata()) for container in axes.containers}
    assert found == {"A": [0, 0.5], "B": [0, 0.5]}
    assert axes.get_ylabel() == "share of runs with cost ≤ 2"
    for draw in (lambda: time_to_target(COSTS, -2.0), lambda: anytime(COSTS, reference=-2.0)):
        with pytest.raises(InputError, match="-2 has the wrong sign: it is a cost here"):
            draw()
