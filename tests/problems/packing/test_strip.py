from itertools import product

import pytest

import nrpa
from nrpa.problems.packing.strip import StripPacking

Plain = StripPacking.plain_class
SMALL = 4, [(3, 2), (2, 2), (1, 3), (1, 1)]


def lowest(width, rectangles, turn):
    """Return the least height of all packings: every order, every turn, every place where a rectangle rests."""
    best = [sum(map(max, rectangles))]

    def lay(cells, left, height):
        if height >= best[0]:
            return
        if not left:
            best[0] = height
        for w, h in {left[0], left[0][::-1]} if turn and left else left[:1]:
            for x, y in product(range(width - w + 1), range(best[0] - h)):
                new = {(a, b) for a in range(x, x + w) for b in range(y, y + h)}
                if not new & cells:
                    lay(cells | new, left[1:], max(height, y + h))

    lay(frozenset(), rectangles, 0)
    return best[0]


@pytest.mark.parametrize("turn", [True, False])
def test_the_least_height_is_found(turn):
    """All packings of a small strip were tried; the search may turn rectangles only where that is allowed."""
    problem = Plain(*SMALL, turn=turn)
    result = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=200)
    assert result.height == lowest(*SMALL, turn) >= problem.bound()
    sides = sorted(tuple(row[2:]) for row in result.solution)
    assert turn or sides == sorted(SMALL[1])


def test_a_state_is_the_layout_of_its_moves():
    """Every rectangle lies on another, or on the floor, and at the left of a gap that was the lowest."""
    problem = Plain.load("C1P1")
    result = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=3)
    tops = [0] * problem.width
    for x, y, w, h in result.solution:
        assert max(tops[x : x + w]) <= y == max([*tops[x : x + w], y])
        assert x == 0 or tops[x - 1] > y or y > 0
        tops[x : x + w] = [y + h] * w
    assert max(tops) == result.height


def test_a_packing_to_start_from_that_the_rule_does_not_build():
    """Rectangles that hang in the air fall to where the rule puts them."""
    problem = Plain(4, [(2, 2), (2, 1)])
    moves = problem.own_moves([[0, 5, 2, 2], [1, 0, 2, 1]])
    assert problem.solution_of(moves) == [[0, 0, 2, 1], [2, 0, 2, 2]]


def test_one_rectangle_the_other_way_does_not_fit():
    """The bound counts the heights in which a rectangle fits the strip."""
    assert Plain(2, [(2, 9)]).bound() == 9
    assert Plain(9, [(2, 9)]).bound() == 2
    assert Plain(9, [(2, 9)], turn=False).bound() == 9
    with pytest.raises(nrpa.InputError, match="3 x 9 does not fit"):
        Plain(2, [(3, 9)])
