"""The known templates against their definition, all rows written out."""

import random

import pytest
from compiled_kernels import compiled_score, random_game

from nrpa import WeakSchur
from nrpa.base.errors import InputError
from nrpa.problems.schur.templates import STRICT, WEAK

ROWS = 7


@pytest.mark.parametrize("width", [*WEAK, *STRICT])
def test_templates(width):
    """Parts that repeat hold no sums; free numbers of rows p and q have sums among the free of row p + q only."""
    text = (WEAK | STRICT)[width]
    first = text.index(max(text)) + 1
    assert len(text) == first - 1 + width
    part_of = dict(enumerate(text, start=1))
    for number in range(first + width, first + ROWS * width):
        part_of[number] = part_of[number - width]
    for number, part in part_of.items():
        for other in range(1, number + (width in STRICT)):
            row, row_of_other, row_of_sum = ((n - first) // width for n in (number, other, number + other))
            if part == part_of[other] == part_of.get(number + other):
                assert part == max(text)
                assert row_of_sum == row + row_of_other + 1


@pytest.mark.parametrize("options", [{}, {"inner": 33}, {"inner": 111}])
def test_games_with_known_templates(options):
    """Whatever the search does with the rest, it is a partition, and the score says how much of it."""
    problem = WeakSchur(9, width=42, known=True, **options)
    generator = random.Random(1)
    for _ in range(3):
        played, state = random_game(problem, generator)
        assert problem.check(problem.solution(played)).score == compiled_score(problem.instance, state) > 2000


def test_repeated_parts_are_known_too():
    """A template says how many parts repeat; a partition of the rest is left for the search."""
    assert WeakSchur(9, width=42, inner=111, known=True, template=8).instance.firsts.tolist() == [0, 3, 7]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 40}, "templates are known for 42 numbers, and for 33 or 111 rows, not for 40"),
        ({"width": 42, "inner": 42}, "not for 42"),
        ({}, "known goes together with width"),
    ],
)
def test_unknown_templates(options, message):
    """One sentence each."""
    with pytest.raises(InputError, match=message):
        WeakSchur(9, known=True, **options)
