"""The independent check."""

from itertools import combinations

from nrpa import WeakSchur
from nrpa.problems.schur.problem import sum_in


def test_a_number_may_be_twice_another():
    """Weakly sum-free: 1 + 1 = 2 counts for nothing."""
    assert WeakSchur(1).check([[1, 2]]).faults == []


def test_sums_are_those_of_the_definition():
    """On all parts of 1 to 9, against every pair."""
    for size in range(1, 7):
        for part in combinations(range(1, 10), size):
            pairs = [(a, b) for a, b in combinations(part, 2) if a + b in part]
            found = sum_in(list(part))
            assert (found in pairs) if pairs else (found is None)
