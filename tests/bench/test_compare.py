import math

import pytest
from scipy import stats

from nrpa.base.errors import InputError
from nrpa.bench.records import Record
from nrpa.bench.statistics import differences, mean_difference, share, shares
from nrpa.bench.table import difference_table, require_variant

A = {1: 2.0, 2: 4.0, 3: 6.0}
B = {1: 1.0, 2: 1.0, 3: 4.0}
T_2 = 4.302652729911275  # Student's t, 0.975 quantile, 2 degrees of freedom


def test_the_paired_interval_by_hand():
    """Differences 1, 3, 2: mean 2, σ = 1, t interval 2 ± t/√3."""
    found = mean_difference(A, B, paired=True)
    assert (found.mean, found.low, found.high) == pytest.approx((2, 2 - T_2 / 3**0.5, 2 + T_2 / 3**0.5))


def test_welchs_interval_by_hand():
    """Variances 4 and 3: standard error √(7/3), (7/3)² / ((4/3)²/2 + 1/2) = 3.92 degrees of freedom."""
    found = mean_difference(A, B)
    freedom = (7 / 3) ** 2 / ((4 / 3) ** 2 / 2 + 1 / 2)
    assert freedom == pytest.approx(3.92)
    half = 2.7983 * math.sqrt(7 / 3)  # t, 0.975 quantile, between 3.1824 (3) and 2.7764 (4 degrees of freedom)
    assert found.mean == 2
    assert (found.low, found.high) == pytest.approx((2 - half, 2 + half), rel=1e-3)


def test_runs_without_spread_have_an_interval():
    """Equal scores give an interval of no width instead of nan; one run gives none at all."""
    assert mean_difference({1: 5.0, 2: 5.0}, {1: 3.0, 2: 3.0}) == (2, 2, 2, (2, 2), 2)
    assert mean_difference({1: 5.0, 2: 6.0}, {1: 3.0, 2: 4.0}, paired=True) == (2, 2, 2, (2, 2), 2)
    with pytest.raises(InputError, match="at least two runs"):
        mean_difference({1: 5.0}, B)


def test_runs_that_all_end_alike_give_no_warning(recwarn):
    """Of one variant; the interval is as wide as the other's spread makes it."""
    found = mean_difference({1: 444.5, 2: 444.5, 3: 444.5}, {1: 460.0, 2: 470.0, 3: 480.0})
    assert found.low < found.mean == -25.5 < found.high
    assert not recwarn.list


def test_pairs_are_by_seed():
    """Only seeds that both variants have make pairs."""
    rows = [Record("A", "i", s, 0.01, 1, float(s)) for s in (1, 2, 3)]
    rows += [Record("B", "i", s, 0.01, 1, float(s) - 1) for s in (3, 2, 9)]
    assert differences(rows, "i", "A", "B", paired=True)[0.01] == (1, 1, 1, (2, 2), 2)


@pytest.mark.parametrize("spread", [0.0, 0.1])
@pytest.mark.parametrize("paired", [True, False])
def test_less_than_six_runs_prove_nothing(spread, paired):
    """Not even where all of one variant are better by far; six do, and an interval of no width is none."""
    for runs, star in ((2, " "), (5, " "), (6, "*")):
        rows = [Record("A", "i", seed, 1.0, 1, spread * seed) for seed in range(1, runs + 1)]
        rows += [Record("B", "i", seed, 1.0, 1, spread * seed**2 - 9) for seed in range(1, runs + 1)]
        text = difference_table(rows, "seconds", "B", paired, None, None).text()
        assert text[-1] == star
        assert text[:-1].endswith("[no spread]") == (not spread)


def test_equal_pairs_prove_nothing():
    """Of pairs, those that differ count, as in tuning; equal runs are no difference."""
    first, second = {seed: float(seed) for seed in range(20)}, {seed: float(seed) for seed in range(20)}
    assert not mean_difference(first, second, paired=True).is_proven
    assert [mean_difference(first | dict.fromkeys(range(n), 99.0), second, paired=True).differ for n in (5, 6)] == [
        5,
        6,
    ]


def test_the_sign_of_a_difference():
    """The table shows the others minus the variant they are compared with, and marks what excludes 0."""
    rows = [Record(v, "i", s, 0.01, 1, x + s / 10) for v, x in (("A", 0.0), ("B", -5.0)) for s in range(1, 7)]
    text = difference_table(rows, "seconds", "A", False, None, None).text()
    assert "-5.00 [-5.2" in text
    assert text.endswith("*")
    with pytest.raises(InputError, match="there is no variant 'C'; expected one of A, B"):
        require_variant(rows, "C")


def test_shares_count_runs_that_never_did():
    """A run that reached the target keeps it; one that never did, or was cut short, counts among the runs."""
    scores = {1: [1, 5, 5], 2: [1, 1, 5], 3: [1, 1, 1], 4: [1]}
    rows = [Record("A", "i", s, 2.0**k, 1, x) for s, values in scores.items() for k, x in enumerate(values)]
    found = shares(rows, "i", "A", 5)
    assert {mark: (s.reached, s.runs) for mark, s in found.items()} == {1: (0, 4), 2: (1, 4), 4: (2, 4)}


def test_wilsons_interval_by_hand():
    """0 of 10: from 0 to z²/(10 + z²)."""
    z = 1.959963984540054
    found = share(0, 10)
    assert (found.low, found.high) == pytest.approx((0, z * z / (10 + z * z)))


def test_wilsons_interval_is_that_of_scipy_and_takes_halves():
    """Of whole numbers to the last digits; of half a point more it lies between those of its neighbours."""
    for reached, runs in ((0, 5), (5, 5), (3, 800), (527, 800)):
        interval = stats.binomtest(reached, runs).proportion_ci(0.95, method="wilson")
        assert share(reached, runs)[1:3] == pytest.approx((interval.low, interval.high), abs=1e-12)
    assert share(5, 10).low < share(5.5, 10).low < share(6, 10).low
    assert share(5, 10).high < share(5.5, 10).high < share(6, 10).high
    assert share(3.0000000000000004, 3).high == 1.0
