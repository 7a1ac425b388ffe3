"""The independent check."""

from itertools import combinations

import pytest

from nrpa import WeakSchur
from nrpa.problems.schur.problem import sum_in


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        ("12", "a partition is a list of parts, not str"),
        ([1, 2], "part 1: expected a list of whole numbers, found 1"),
        ([[1], [2.0]], "part 2: expected whole numbers from 1 to 1,000,000, found 2.0"),
        ([[True]], "part 1: expected whole numbers from 1 to 1,000,000, found True"),
        ([[0]], "part 1: expected whole numbers from 1 to 1,000,000, found 0"),
        ([[1], [2], [3]], "there are 3 parts; expected at most 2"),
        ([[1, 2], [4]], "expected the number 3 once, and every one from 1 to 3"),
        ([[1, 2], [2, 3]], "expected the number 3 once, and every one from 1 to 4"),
        ([[1, 2, 4], [3, 5, 8], [6, 7]], "part 2: 8 is the sum of 3 and 5"),
    ],
)
def test_faults(solution, fault):
    """Each fault in words."""
    assert fault in WeakSchur(2).check(solution).faults


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
