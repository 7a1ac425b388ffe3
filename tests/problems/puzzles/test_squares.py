"""Sudoku and Latin squares."""

from itertools import pairwise

import numpy as np
import pytest

from nrpa import InputError
from nrpa.compiling.cells import examples_of
from nrpa.io.source import Source
from nrpa.problems.puzzles.latin import LatinSquare, random_square
from nrpa.problems.puzzles.sudoku import Sudoku

SUDOKU, LATIN = Sudoku.plain_class, LatinSquare.plain_class
TINY = [[1, 0, 0, 0], [0, 0, 3, 0], [0, 1, 0, 0], [0, 0, 0, 2]]


def read(cls, text):
    return cls.from_source(Source("file", text, ""))


def fills(grid, side):
    """Return whether each row, column and box holds each number once; no boxes where ``side`` is 0."""
    order = len(grid)
    units = [*grid, *zip(*grid, strict=True)]
    for top in range(0, order if side else 0, side or 1):
        units += [[grid[top + r][left + c] for r in range(side) for c in range(side)] for left in range(0, order, side)]
    return all(sorted(unit) == [*range(1, order + 1)] for unit in units)


def filled(grid, side):
    """Yield all ways to fill a square, by trying every number in its first empty cell."""
    empty = [(r, c) for r, row in enumerate(grid) for c, number in enumerate(row) if number == 0]
    if not empty:
        yield from [grid] if fills(grid, side) else []
        return
    (row, column), order = empty[0], len(grid)
    for number in range(1, order + 1):
        if number not in grid[row] and number not in [each[column] for each in grid]:
            after = [[*each] for each in grid]
            after[row][column] = number
            yield from filled(after, side)


@pytest.mark.parametrize(("cls", "side"), [(SUDOKU, 2), (LATIN, 0)])
def test_games_end_in_what_trying_all_finds(cls, side):
    """Every game that fills the square does so in a right way, and one fills it."""
    problem, right, found = cls(TINY), [*filled(TINY, side)], []

    def play(state):
        legal = problem.legal_moves(state)
        if not legal and problem.score(state) == 0:
            found.append(state[0].reshape(4, 4).tolist())
        for move in legal:
            play(problem.play(state, move))

    play(problem.initial_state())
    assert sorted(found) == sorted(right)
    assert found


def test_a_move_has_the_fewest_choices():
    """A number that has one cell left in a box goes there, although that cell could hold others."""
    grid = [[0] * 9 for _ in range(9)]
    grid[1][3], grid[2][6], grid[3][1], grid[6][2] = 5, 5, 5, 5
    assert SUDOKU(grid).legal_moves(SUDOKU(grid).initial_state()) == [(0, 5)]


@pytest.mark.parametrize("problem", [SUDOKU([[0] * 9] * 9), LATIN([[0] * 7] * 7), SUDOKU(TINY)])
def test_the_tightest_unit_is_that_of_counts(problem):
    """Of all units and numbers, the first with the fewest cells, in random squares."""
    random = np.random.default_rng(1)
    for _ in range(40):
        cells = 1 << problem.order
        left = random.integers(0, cells, problem.grid.size) & random.integers(0, cells, problem.grid.size)
        left = 2 * left * (random.random(problem.grid.size) < random.random())
        for fewest in (2, 3, problem.order + 1):
            counts = [
                (int(sum(left[problem.cells[unit]] >> number & 1)), unit, number)
                for unit in range(len(problem.used))
                for number in range(1, problem.order + 1)
            ]
            best = min((each for each in counts if 0 < each[0] < fewest), default=(0, 0, 0))
            assert problem._tightest(left, problem.used, fewest) == best[1:]


def test_large_squares_are_compiled_after_few_moves():
    """Since all states have one form; whole games in plain Python would take minutes."""
    problem = LATIN([[0] * 40] * 40)
    played = []
    forms = examples_of(
        problem, problem.initial_state, lambda state, move: played.append(move) or problem.play(state, move)
    )
    assert len(played) < 100
    assert len(forms.cells) == 2


def test_a_solution_leads_back_to_its_moves():
    problem = SUDOKU(TINY)
    solution = next(filled(TINY, 2))
    moves = problem.own_moves(solution)
    assert problem.solution_of(moves) == solution
    assert len(moves) == 12
    with pytest.raises(InputError, match="could stand in row 1, column"):
        problem.own_moves(TINY)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ((0, 0, 2), "row 1, column 1: expected the given 1, found 2"),
        ((0, 1, 1), "row 1, column 1 and row 1, column 2 both hold 1"),
        ((0, 1, 5), "row 1: expected 4 numbers"),
        ((0, 1, True), "row 1: expected 4 numbers"),
    ],
)
def test_the_check_names_what_is_wrong(change, fault):
    row, column, number = change
    solution = [[*each] for each in next(filled(TINY, 2))]
    assert SUDOKU(TINY).check(solution).valid
    solution[row][column] = number
    assert fault in SUDOKU(TINY).check(solution).faults[0]


def test_two_of_a_box_clash():
    """In a Sudoku, not in a Latin square."""
    grid = [[1, 0, 0, 0], [0, 1, 0, 0], [0] * 4, [0] * 4]
    assert LATIN(grid).check(grid).valid
    with pytest.raises(InputError, match="row 1, column 1 and row 2, column 2 both hold 1"):
        SUDOKU(grid)


@pytest.mark.parametrize(
    "text", ["1.....3..1.....2", "1...\n..3.\n.1..\n...2", "1 . . .\n. . 3 .\n. 1 . .\n. . . 2  # end"]
)
def test_forms_of_squares(text):
    assert read(SUDOKU, text).grid.reshape(4, 4).tolist() == TINY
    assert read(LATIN, text).grid.reshape(4, 4).tolist() == TINY


def test_the_form_of_lsencode():
    assert read(LATIN, "order 3\n0 -1 2\n-1 2 -1\n2 0 1\n").grid.tolist() == [1, 0, 3, 0, 3, 0, 3, 1, 2]


@pytest.mark.parametrize(
    ("cls", "text", "message"),
    [
        (SUDOKU, "", "file: is empty; expected rows of signs"),
        (SUDOKU, "12\n21", "file:1: the rows of a Sudoku are 4, 9, 16"),
        (SUDOKU, "..0.\n.01.\n21.0\n....", "file:1: 0 and . both stand for an empty cell; expected one of them, and"),
        (LATIN, "0 . 2\n. . 0\n. . .", "file:1: 0 and . both stand for an empty cell"),
        (SUDOKU, "1.....3..1.....2\n1.....3..1.....2", "file:2: is a second square"),
        (
            SUDOKU,
            "1...\n..5.\n....\n....",
            "file:2: expected a number up to 4, or 0 or . for an empty",
        ),
        (SUDOKU, "1...\n..3\n....\n....", "file:2: expected 4 cells, as there are 4 rows, found '..3'"),
        (SUDOKU, "1...\n1...\n....\n....", "file:2: row 1, column 1 and row 2, column 1 both hold 1"),
        (SUDOKU, "11..............", "file:1: row 1, column 1 and row 1, column 2 both hold 1"),
        (LATIN, "order 3\n0 1 2\n1 2 0\n2 0 2\n", "file:4: row 3, column 1 and row 3, column 3 both hold 3"),
        (LATIN, "order 3\n0 1 2\n1 2 0\n", "file:3: expected 3 rows after the order, not 2"),
        (LATIN, "order 3\n0 1 2\n1 2 0\n2 0 3\n", "file:4: expected a number from 0 to 2, or -1"),
        (LATIN, "order 3\n0 1 2\n1 2\n2 0 1\n", "file:3: expected 3 numbers"),
        (LATIN, "order\n0\n", "file:1: expected order N"),
    ],
)
def test_wrong_squares_are_refused(cls, text, message):
    with pytest.raises(InputError, match=message):
        read(cls, text)


def test_drawn_squares():
    """They are as large and as empty as asked for, the same for the same seed, and those of the bundled instances."""
    one, other, again = (SUDOKU.drawn(4, 170, seed) for seed in (1, 2, 1))
    assert (one.grid == 0).sum() == 170
    assert one.grid.tolist() == again.grid.tolist() != other.grid.tolist()
    assert one.grid.tolist() == SUDOKU.load("16x16-170").grid.tolist()
    assert LATIN.drawn(18, 120).grid.tolist() == LATIN.load("18x18-120-holes").grid.tolist()
    assert isinstance(Sudoku.drawn(4, 170), Sudoku)
    assert fills(SUDOKU.drawn(3, 0).grid.reshape(9, 9).tolist(), 3)


def test_random_squares_are_latin_and_far_from_cyclic():
    squares = [random_square(5, np.random.default_rng(seed)) + 1 for seed in range(20)]
    assert all(fills(square.tolist(), 0) for square in squares)
    steps = [{(b - a) % 5 for a, b in pairwise(square[:, 0].tolist())} for square in squares]
    assert sum(len(each) > 1 for each in steps) > 10
