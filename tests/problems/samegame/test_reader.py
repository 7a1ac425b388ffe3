"""Reading SameGame boards, good ones and bad ones."""

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.io.source import bundled
from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.samegame.reader import EXPECTED, parse_board
from nrpa.registry import problem_class

AFTER_BLANK = "a row after a blank line; expected one board, without blank lines between its rows"


@pytest.mark.parametrize(
    "text",
    [
        "0 1 .\n2 1 0\n",
        "01.\n210",
        "ab.\ncba\n",
        "AB.\ncba\n",
        "3 11 .\n12 11 3",
        "# a board\n\n01.  # top\n# bottom\n210\n\n",
        "0 1 -1\n2 1 0\n",
        "00 1 .\n2 01 0\n",
        "2 3\n0 1 -1\n2 1 0\n",
        "3 2\n\n01.\n210\n",
    ],
)
def test_forms_of_one_board(text):
    """Digits or letters, with or without blanks, sizes, comments and capitals give the same board."""
    np.testing.assert_array_equal(parse_board(text, "f"), [[0, 1, -1], [2, 1, 0]])


def test_twenty_colours_and_254_columns():
    """The largest board and the most colours are read, with its sizes too."""
    row = "abcdefghijklmnopqrst" * 12 + "a" * 14
    board = parse_board("\n".join(["254 254", *[row] * 254]), "f")
    assert board.shape == (254, 254)
    assert board.max() == 19


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: is empty; expected the rows of a SameGame board"),
        ("# nothing\n\n", "f: is empty; expected the rows of a SameGame board"),
        ("01\n012\n", "f:2: expected 2 cells as in line 1, found 3"),
        ("0 1 2\n0 1\n", "f:2: expected 3 cells as in line 1, found 2"),
        ("0 1\n1 0\n\n0 1\n1 0\n", f"f:4: {AFTER_BLANK}"),
        ("2 2\n01\n10\n# the second\n\n01\n10\n", f"f:6: {AFTER_BLANK}"),
        ("2\n01\n10\n\n2\n01\n10\n", f"f:5: {AFTER_BLANK}"),
        ("4 3\n012\n012\n", "f:1: expected a row, or the sizes of the board, which has 2 rows of 3 cells; found '4 3'"),
        ("5\n01\n10\n", "f:1: expected a row, or the sizes of the board, which has 2 rows of 2 cells; found '5'"),
        ("2 2\n0 1\n1 0\n", "f:1: '2 2' can be the sizes of the board or a row; leave out sizes, or write letters"),
        ("01\n0?\n", f"f:2: expected {EXPECTED}, found '?'"),
        ("0 1\n0 -2\n", f"f:2: expected {EXPECTED}, found '-2'"),
        ("0 1\n0 \u0661\n", f"f:2: expected {EXPECTED}, found '\u0661'"),
        ("0 1\n0 12345\n", f"f:2: expected {EXPECTED}, found '12345'"),
        ("0\n1\n", "f:2: expected 2 to 254 columns, found 1"),
        ("0 1 2\n", "f:1: expected 2 to 254 rows, found 1"),
        ("\n".join(["01"] * 255), "f:255: expected 2 to 254 rows, found 255; a search numbers cells with 16 bits"),
        ("\n".join(["01"] * 300), "f:300: expected 2 to 254 rows, found 300; a search numbers cells with 16 bits"),
        ("0 " * 1000 + "\n", "f:1: expected 2 to 254 columns, found 1,000; a search numbers cells with 16 bits"),
        ("..\n..\n", "f: every cell is empty; expected a board to play on"),
        ("abcdefghijk\nlmnopqrstuv\n", "f: expected at most 20 colours, found 22"),
        ("0 1\n. 1\n", "f:1: the cell in column 1 hangs over an empty one"),
        ("...\n0.1\n", "f:2: column 2 is empty; expected the columns to the right of it moved up to the left"),
    ],
)
def test_bad_boards(text, message):
    """A bad file gives one sentence with the file, the line and what was expected."""
    with pytest.raises(InputError) as raised:
        parse_board(text, "f")
    assert str(raised.value) == message


def test_the_bundled_boards():
    """The 20 standard boards are 15x15 of 5 colours and have a best-known value that a cleared board can have."""
    names = bundled("samegame")
    assert list(names) == [f"samegame-{k:02}" for k in range(1, 21)]
    total = 0.0
    for name, row in names.items():
        problem: SameGame = problem_class("samegame").load(name)
        assert problem.board.shape == (15, 15)
        assert set(problem.board.ravel()) == set(range(5))
        assert problem.best_known == row.best_known
        assert row.best_known.value % 2 == 1
        total += row.best_known.value
    assert total == 87858
