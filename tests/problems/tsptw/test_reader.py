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
    table, matrix = (nrpa.TSPTW(**parse_tsptw(text, "t")) for text in (TABLE, MATRIX))
    np.testing.assert_allclose(table.distances, matrix.distances)
    np.testing.assert_array_equal(table.windows, matrix.windows)
    assert matrix.coordinates is None
    assert table.coordinates.tolist() == [[0, 0], [3, 4], [0, 8]]


def test_numbers_of_a_matrix_may_be_broken_over_lines():
    """Only the order of the numbers matters in the matrix form."""
    first, rest = MATRIX.split("\n", 1)
    joined = first + "\n" + " ".join(line for line in rest.split("\n"))
    np.testing.assert_array_equal(parse_tsptw(joined, "m")["distances"], parse_tsptw(MATRIX, "m")["distances"])


def test_solomon_header_and_numbering_from_one():
    """Solomon's title and vehicle lines are skipped, a table may count from 1, and a row of 999 ends it."""
    text = "RC204\n\nVEHICLE\nNUMBER CAPACITY\n  25 1000\n\nCUSTOMER\nCUST NO. X Y D R D S\n\n"
    text += "1 0 0 0 0 100 0\n2 3 4 0 5 50 10\n999 0 0 0 0 0 0\n"
    assert nrpa.TSPTW(**parse_tsptw(text, "t")).distances.tolist() == [[0, 5], [15, 0]]


@pytest.mark.parametrize(
    "above",
    [
        "!! n2w20.001    16.75 391\nCUST NO.  XCOORD.  YCOORD.  DEMAND  READY TIME  DUE DATE  SERVICE TIME\n",
        "rc201.1  (Solomon-Potvin-Bengio TSPTW, 20 nodes incl. depot 0)\nSOLOMON RC201 CUSTOMERS: 0 18 20 22 27\n",
        "VEHICLE NUMBER CAPACITY\n25 200.5\n",
        "",
    ],
)
def test_headings_of_public_tables(above):
    """What stands above the tables of several families is no row, and numbers may have decimals."""
    problem = nrpa.TSPTW(**parse_tsptw(f"{above}1 0.5 0 0 0 100 0\n2 3.5 4 0 5.25 50 10.5\n", "t"))
    assert problem.distances.tolist() == [[0, 5], [15.5, 0]]
    assert problem.windows.tolist() == [[0, 100], [5.25, 50]]


@pytest.mark.parametrize(
    "row",
    [
        "0 0 0 0 0 1O0 0",
        "0 0,5 0 0 0 100 0",
        "0 0 - 0 0 100 0",
        "- 0 0 0 0 100 0",
        "O 0 0 0 0 100 0",
        "depot 0 0 0 0 0 100 0",
        "depot: 0 0 0 0 0 100 0",
        "0 0 0 0 0 100",
        "0 0 0 0 0 100 0 0",
        "0 x y 0 r d s",
        "25 200",
    ],
)
@pytest.mark.parametrize("above", ["", "a title\nVEHICLE\nCUST NO. XCOORD. YCOORD. DEMAND READY DUE SERVICE\n"])
def test_a_faulty_row_of_the_depot_is_no_heading(above, row):
    """Without its first row the table would be another one, with the first customer as the depot."""
    text = f"{above}{row}\n1 3 4 0 5 50 10\n2 0 8 0 0 60 10\n"
    line = above.count("\n") + 1
    with pytest.raises(nrpa.InputError, match=rf"^f:{line}: expected (seven numbers .*, found|a number, found) "):
        parse_tsptw(text, "f")


SPECIFICATION = "NAME : x\nTYPE : TSPTW\nCOMMENT : by hand\nDIMENSION : 3\n"
WINDOWS = "TIME_WINDOW_SECTION\n1 0 100\n3 0 60\n2 5 50\n"
COORDINATES = "NODE_COORD_SECTION\n2 3 4\n1 0 0\n3 0 8\n"
PLACES = (
    f"{SPECIFICATION}EDGE_WEIGHT_TYPE : EUC_2D\nSERVICE_TIME : 10\n{COORDINATES}{WINDOWS}DEPOT_SECTION\n1\n-1\nEOF\n"
)
LISTED = (
    f"{SPECIFICATION}EDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n5 8 5\n{WINDOWS}"
)
BY_NODE = "SERVICE_TIME_SECTION\n2 10\n1 0\n3 10\n"


@pytest.mark.parametrize("text", [PLACES, LISTED + BY_NODE, PLACES.lower(), PLACES.replace(" :", ":")])
def test_tsplib_with_windows(text):
    """Rows are found by their node; service is nobody's at the depot; keys may be in small letters."""
    found, table = (nrpa.TSPTW(**parse_tsptw(each, "t")) for each in (text, TABLE))
    assert found.distances.tolist() == table.distances.tolist()
    assert found.windows.tolist() == table.windows.tolist()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLACES.replace("TSPTW", "CVRPTW"), "f:2: TYPE: expected one of TSPTW, found 'CVRPTW'"),
        (PLACES.replace("TYPE : TSPTW\n", ""), "f: lacks TYPE; expected it"),
        (PLACES.replace(WINDOWS, ""), "f: lacks TIME_WINDOW_SECTION; expected it, with rows of a node and 2 numbers"),
        (PLACES.replace("SERVICE", "RELEASE"), "f:6: RELEASE_TIME is not read, and could change the tour; known are"),
        (PLACES + "DEMAND_SECTION\n", "f:19: expected nothing after EOF, found 'DEMAND_SECTION'"),
        (LISTED + "PRIZE_SECTION\n1 2\n", "f:13: PRIZE_SECTION is not read"),
        (PLACES + BY_NODE, "f:19: expected nothing after EOF"),
        (PLACES.replace("EOF\n", BY_NODE), "f:6: SERVICE_TIME contradicts SERVICE_TIME_SECTION"),
        (PLACES.replace(" 10\n", " -1\n"), "f:6: SERVICE_TIME: expected a number of at least 0, found '-1'"),
        (LISTED + BY_NODE.replace("3 10", "3 -2"), "f:16: the service time of node 3 is negative: -2"),
        (PLACES.replace("\n1\n-1", "\n2\n-1"), "f:16: DEPOT_SECTION: expected node 1 as the only depot, found '2'"),
        (PLACES.replace("2 5 50", "2 50 5"), "f:14: the window of node 2 closes at 5 before it opens at 50"),
        (PLACES.replace("NODE", "NODE_COORD_TYPE : THREED_COORDS\nNODE"), "f:7: NODE_COORD_TYPE: expected"),
    ],
)
def test_tsplib_that_is_refused(text, message):
    """What is no TSPTW, or could make it another one, is refused by name."""
    with pytest.raises(nrpa.InputError, match=message):
        parse_tsptw(text, "f")


def test_roundings_that_contradict_are_refused():
    """EUC_2D says how distances are rounded, EXACT_2D and a table do not."""
    with pytest.raises(nrpa.InputError, match="f:5: EUC_2D says how distances are rounded; expected rounding=exact"):
        parse_tsptw(PLACES, "f", "down")
    exact = parse_tsptw(PLACES.replace("EUC_2D", "EXACT_2D"), "f", "down")
    assert nrpa.TSPTW(**exact, rounding="down").distances[1, 2] == 15


@pytest.mark.parametrize("name", list(bundled("tsptw")))
def test_bundled_instances_have_their_size(name):
    """Every bundled instance reads, and has as many cities as its row says."""
    assert nrpa.TSPTW.load(name).cities == bundled("tsptw")[name].size


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: is empty"),
        ("# nothing\n", "f: is empty"),
        ("hello\nworld\n", r"f:2: is in none of the forms that are read \(Solomon's table.*; found 'world'"),
        ("x y\n1\n", r"f:2: expected seven numbers .*, found 1"),
        ("N X Y READY DUE DEMAND SERVICE\n" + TABLE, "f:1: expected columns in the order number x y demand ready"),
        (TABLE + "999 0 0 0 0 0 0\n3 0 9 0 0 60 10\n", "f:7: expected nothing after the row of 999, found '3 0 9"),
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
