import numpy as np
import pytest

import nrpa
from nrpa.io.source import bundled
from nrpa.problems.tsptw.reader import parse_tsptw

TABLE = """# a comment
CUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE
0 0 0 0 0 100 0
1 3 4 0 5 50 10   # another
2 0 8 0 0 60 10
"""
MATRIX = """3 # cities
0 5 8
15 0 15
18 15 0
0 100
5 50
0 60
"""


def test_both_forms_give_the_same_instance():
    """A table and the matrix it describes are read alike."""
    table, matrix = parse_tsptw(TABLE, "t"), parse_tsptw(MATRIX, "m")
    np.testing.assert_allclose(table["distances"], matrix["distances"])
    np.testing.assert_array_equal(table["windows"], matrix["windows"])
    assert "coordinates" not in matrix
    assert table["coordinates"].tolist() == [[0, 0], [3, 4], [0, 8]]


def test_numbers_of_a_matrix_may_be_broken_over_lines():
    """Only the order of the numbers matters in the matrix form."""
    first, rest = MATRIX.split("\n", 1)
    joined = first + "\n" + " ".join(line for line in rest.split("\n"))
    np.testing.assert_array_equal(parse_tsptw(joined, "m")["distances"], parse_tsptw(MATRIX, "m")["distances"])


def test_solomon_header_and_numbering_from_one():
    """Solomon's title and vehicle lines are skipped, a table may count from 1, and a row of 999 ends it."""
    text = "RC204\n\nVEHICLE\nNUMBER CAPACITY\n  25 1000\n\nCUSTOMER\nCUST NO. X Y D R D S\n\n"
    text += "1 0 0 0 0 100 0\n2 3 4 0 5 50 10\n999 0 0 0 0 0 0\n"
    assert parse_tsptw(text, "t")["distances"].tolist() == [[0, 5], [15, 0]]


@pytest.mark.parametrize("name", list(bundled("tsptw")))
def test_bundled_instances_have_their_size(name):
    """Every bundled instance reads, and has as many cities as its row says."""
    assert nrpa.TSPTW.load(name).cities == bundled("tsptw")[name].size


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: is empty"),
        ("# nothing\n", "f: is empty"),
        ("hello\nworld\n", "f:2: holds no table"),
        ("3\n0 1 2\n", r"f:2: ends after 3 numbers; expected 3x3 distances and 3 windows, 15 in all"),
        (MATRIX + "7\n", "f:8: expected the end of the file"),
        (MATRIX.replace("15 0 15", "15 0 -15"), "f:3: the distance from 1 to 2 is negative: -15"),
        (MATRIX.replace("15 0 15", "15 0 nan"), "f:3: expected a finite number in digits 0 to 9, found 'nan'"),
        (MATRIX.replace("15 0 15", "15 0 inf"), "f:3: expected a finite number in digits 0 to 9, found 'inf'"),
        (MATRIX.replace("15 0 15", "15 0 1e400"), "f:3: expected a finite number in digits 0 to 9, found '1e400'"),
        (MATRIX.replace("15 0 15", "15 0 1e300"), r"f:3: expected a number of at most 1e\+100, found '1e300'"),
        (MATRIX.replace("15 0 15", "15 0 1\u0661"), "f:3: expected a finite number in digits 0 to 9, found '1\u0661'"),
        (MATRIX.replace("15 0 15", "15 0 1_1"), "f:3: expected a finite number in digits 0 to 9, found '1_1'"),
        (MATRIX.replace("15 0 15", "15 0 x"), "f:3: expected a number, found 'x'"),
        (MATRIX.replace("5 50", "50 5"), "f:6: the window of city 1 closes at 5 before it opens at 50"),
        ("1\n0\n0 10\n", "f:1: a tour needs at least one city beside the depot"),
        ("2.5\n0 1\n", "f:1: expected the number of cities, found '2.5'"),
        ("0 0 0 0 0 100 0\n", "f:1: has one city only"),
        (TABLE.replace("2 0 8 0 0 60 10", "1 0 8 0 0 60 10"), "f:5: city number 1 appears twice"),
        (TABLE.replace("2 0 8 0 0 60 10", "3 0 8 0 0 60 10"), "f:5: expected city number 2, found 3"),
        (TABLE.replace("2 0 8 0 0 60 10", "2 0 8 0 0 60"), r"f:5: expected seven numbers .*, found 6"),
        (TABLE.replace("2 0 8 0 0 60 10", "2 0 8 0 0 x 10"), "f:5: expected a number, found 'x'"),
        (TABLE.replace("0 60 10", "70 60 10"), "f:5: the window of city 2 closes at 60 before it opens at 70"),
        (TABLE.replace("0 60 10", "0 60 -1"), "f:5: the service time of city 2 is negative"),
        (TABLE.replace("0 60 10", "0 inf 10"), "f:5: expected a finite number in digits 0 to 9, found 'inf'"),
    ],
)
def test_bad_input_names_file_line_and_what_was_expected(text, message):
    """Each kind of broken file gets its own sentence."""
    with pytest.raises(nrpa.InputError, match=message):
        parse_tsptw(text, "f")


@pytest.mark.parametrize(
    ("distances", "windows", "message"),
    [
        ([[0, 1]], [[0, 1]], "square"),
        ([[0]], [[0, 1]], "at least one city"),
        ([[0, 1], [1, 0]], [[0, 1]], r"shape \(2, 2\)"),
        ([[0, float("nan")], [1, 0]], [[0, 1]] * 2, "from 0 to 1 must be from 0 to"),
        ([[0, 1], [-2, 0]], [[0, 1]] * 2, "from 1 to 0 must be from 0 to 1e.100, not -2"),
        ([[0, 1], [1, 0]], [[0, 1], [3, 2]], "city 1 closes at 2 before it opens at 3"),
        ([[0, 1], [1, 0]], [[0, 1], [0, float("inf")]], "city 1 must be two numbers of at most"),
        ([[0, 1], [1, 0]], [[0, float("nan")], [0, 1]], "city 0 must be two numbers of at most"),
    ],
)
def test_bad_arrays(distances, windows, message):
    """Arrays are held to the same rules as files."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.TSPTW(distances, windows)
