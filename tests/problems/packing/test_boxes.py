from itertools import combinations, product

import numpy as np
import pytest

import nrpa
from nrpa.problems.packing.boxes import BoxLoading
from nrpa.problems.packing.thpack import draw_boxes, ways_of

Plain = BoxLoading.plain_class


def largest_free(container, rows):
    """Return all free boxes that cannot be made larger, by the cells that are free."""
    free = np.ones(container, bool)
    for _, x, y, z, dx, dy, dz, nx, ny, nz in rows:
        free[x : x + dx * nx, y : y + dy * ny, z : z + dz * nz] = False
    spans = [[*combinations(range(side + 1), 2)] for side in container]
    found = [(a, b, c, d, e, f) for (a, d), (b, e), (c, f) in product(*spans) if free[a:d, b:e, c:f].all()]
    return {
        one
        for one in found
        if not any(two != one and all(two[k] <= one[k] and two[k + 3] >= one[k + 3] for k in range(3)) for two in found)
    }


def test_spaces_are_the_largest_free_boxes():
    """All those into which a box fits, and no others, after each move of random games."""
    problem, rng = (
        Plain((4, 3, 3), [(2, 1, 1, 1, 1, 1, 4), (2, 0, 2, 0, 1, 1, 3), (3, 1, 1, 1, 1, 0, 2)]),
        np.random.default_rng(1),
    )
    for _ in range(3):
        state, moves = problem.initial_state(), []
        while legal := problem.legal_moves(state):
            moves.append(legal[rng.integers(len(legal))])
            state = problem.play(state, moves[-1])
            spaces = {tuple(space) for space in state.spaces[: state.many].tolist()}
            largest = largest_free(problem.container, problem.solution_of(moves))
            assert spaces <= largest
            assert not any(problem.any_fits(np.array(space), state.left) for space in largest - spaces)
        assert problem.check(problem.solution_of(moves)).score == problem.score(state)


def test_blocks_hold_no_more_boxes_than_are_left():
    """A column, two walls, a layer, and all that fit: none is higher, wider or of more boxes than can be."""
    problem = Plain((4, 4, 4), [(1, 1, 1, 1, 2, 1, 7)])
    way = problem.ways.index((0, 1, 1, 2))
    assert problem.blocks(problem.initial_state(), way) == [(1, 1, 2), (1, 3, 2), (3, 1, 2), (1, 4, 1), (1, 3, 2)]
    assert [shape for where, shape in problem.legal_moves(problem.initial_state()) if where == way] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([3, 0, 0, 0, 1, 1, 2, 1, 1, 1], "a kind from 1 to 2"),
        ([2, 0, 0, 0, 1, 1, 3, 1, 1, 1], "as they may stand"),
        ([1, 0, 0, 0, 1, 1, 2, 0, 1, 1], "expected boxes"),
        ([1, 0, 0, 0, 1, 1, 2, 3, 2, 1], "kind 1: 6 boxes, of 4"),
        ([1, 3, 0, 0, 1, 1, 2, 2, 1, 1], "sticks out"),
        ([1, 0, 0, 0, 1, 1, 2, 1, 1], "expected"),
    ],
)
def test_loadings_with_a_fault(row, said):
    """A kind that is not there, a side that may not stand, too many, and what is not inside."""
    problem = Plain((4, 4, 4), [(1, 1, 1, 1, 2, 1, 4), (1, 1, 1, 1, 3, 0, 4)])
    assert problem.check([[2, 2, 0, 0, 1, 3, 1, 1, 1, 1]]).valid
    assert said in problem.check([row]).faults[0]
    assert "overlap" in problem.check([[1, 0, 0, 0, 1, 1, 2, 1, 1, 2], [1, 0, 0, 2, 1, 1, 2, 1, 1, 1]]).faults[0]


def test_no_side_is_upright_that_may_not_be():
    """Boxes of three sides lie in six ways, and in two where only one side is upright."""
    assert len(ways_of((3, 1, 2, 1, 1, 1, 9))) == 6
    assert ways_of((3, 0, 2, 0, 1, 1, 9)) == [(2, 3, 1), (3, 2, 1)]
    assert ways_of((2, 1, 2, 1, 2, 1, 9)) == [(2, 2, 2)]


def test_the_published_generator():
    """The first problem of OR-Library's thpack1, and the numbers of boxes in the second of thpack2."""
    rows = ["1 108 0 76 0 30 1 40", "2 110 0 43 1 25 1 33", "3 92 1 81 1 55 1 39"]
    assert draw_boxes(3, 2502505).splitlines() == ["1", "1 2502505", "587 233 220", "3", *rows]
    assert [row.split()[-1] for row in draw_boxes(5, 2502605).splitlines()[4:]] == ["22", "22", "28", "25", "17"]


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (0, "2", ":4: expected the number of a problem|expected the number of a problem"),
        (1, "1", ":2: expected the number of a problem and its seed"),
        (2, "5 5", ":3: expected length, width and height"),
        (3, "1 3 1 2 1 2 1", "expected the number of kinds"),
        (4, "1 3 2 2 1 2 1 4", "kind 1: expected length"),
        (4, "1 3 1 2 1 2 1 0", "kind 1: expected length"),
        (4, "1 3 1 2 1 2 1 4\n1 1", ":6: expected nothing after 1 problems"),
    ],
)
def test_files_that_are_refused(tmp_path, line, text, said):
    """The message says the line and what was expected."""
    lines = ["1", "1 0", "5 5 5", "1", "1 3 1 2 1 2 1 4"]
    path = tmp_path / "file"
    path.write_text("\n".join([*lines[:line], text, *lines[line + 1 :]]))
    with pytest.raises(nrpa.InputError, match=said):
        Plain.load(path)


@pytest.mark.parametrize("solution", [[[1]], [["a"]], [1], [[9] * 10], [[1, 0, 0, 5, 5]], [[0, 0, 5, 5]]])
def test_what_is_no_solution_to_start_from(solution):
    """Is refused in a sentence of its check."""
    problem = nrpa.BoxLoading((12_032, 4, 4), [(3, 1, 2, 1, 2, 1, 4)])
    with pytest.raises(nrpa.InputError, match=r"^boxes: "):
        problem.moves_of(solution)
