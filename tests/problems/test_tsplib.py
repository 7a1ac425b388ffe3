import numpy as np
import pytest

import nrpa
from nrpa.problems.tsplib import FORMATS, is_tsplib, parse_tsplib

# One side is 2.5, another 3.0625 or a little more.
PLACES = "NODE_COORD_SECTION\n3 1.5 2\n1 0 0\n2 0 3.0625\n"
SQUARE = np.array([[0, 1, 2.5], [1, 0, 3], [2.5, 3, 0]])


@pytest.mark.parametrize(
    ("kind", "expected"), [("EUC_2D", [3, 3]), ("CEIL_2D", [4, 3]), ("FLOOR_2D", [3, 2]), ("EXACT_2D", [3.0625, 2.5])]
)
def test_distances_of_coordinates(kind, expected):
    """TSPLIB rounds halves up; coordinates have decimals, and are found by their node."""
    found = parse_tsplib(f"EDGE_WEIGHT_TYPE : {kind}\n{PLACES}", "f").distances(3)
    assert found[0].tolist() == [0, *expected]
    assert (found == found.T).all()


def test_whole_distances_are_not_rounded_up():
    """However coordinates round: these distances are whole but for the last digits."""
    rows = "".join(f"{k + 1} {0.3 * k} {0.4 * k}\n" for k in range(21))
    found = parse_tsplib(f"EDGE_WEIGHT_TYPE : CEIL_2D\nNODE_COORD_SECTION\n{rows}", "f").distances(21)
    assert found[0].tolist() == [(k + 1) // 2 for k in range(21)]


@pytest.mark.parametrize(
    ("layout", "numbers"),
    [
        ("FULL_MATRIX", "9 1 2.5 1 9 3 2.5 3 9"),
        ("UPPER_ROW", "1 2.5 3"),
        ("LOWER_ROW", "1 2.5 3"),
        ("UPPER_DIAG_ROW", "0 1 2.5 0 3 0"),
        ("LOWER_DIAG_ROW", "0 1 0 2.5 3 0"),
        ("UPPER_COL", "1 2.5 3"),
        ("LOWER_COL", "1 2.5 3"),
        ("UPPER_DIAG_COL", "0 1 0 2.5 3 0"),
        ("LOWER_DIAG_COL", "0 1 2.5 0 3 0"),
    ],
)
def test_listed_distances(layout, numbers):
    """In each format, and broken over lines anywhere; the diagonal counts for nothing."""
    broken = numbers.replace(" ", "\n", 1)
    text = f"edge_weight_type: EXPLICIT\nEDGE_WEIGHT_SECTION\n{broken}\nEDGE_WEIGHT_FORMAT : {layout.lower()}\n"
    assert parse_tsplib(text, "f").distances(3).tolist() == SQUARE.tolist()
    with pytest.raises(nrpa.InputError, match=f"^f:2: EDGE_WEIGHT_SECTION: expected .* {layout} of 3 nodes, found"):
        parse_tsplib(text.replace("SECTION\n", "SECTION\n0 "), "f").distances(3)


def test_formats_of_four_nodes_differ():
    """By rows and by columns, the upper triangle of more than three nodes is in another order."""
    orders = {name: [*zip(*map(np.ndarray.tolist, of(4)), strict=True)] for name, of in FORMATS.items()}
    assert orders["UPPER_ROW"] == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert orders["LOWER_ROW"] == orders["UPPER_COL"] == [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]


def test_a_matrix_that_is_not_symmetric():
    """A full matrix is by rows."""
    text = "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n0 1\n2 0\n"
    assert parse_tsplib(text, "f").distances(2).tolist() == [[0, 1], [2, 0]]


EUCLIDEAN = f"EDGE_WEIGHT_TYPE : EUC_2D\n{PLACES}"
EXPLICIT = "EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (EUCLIDEAN.replace("EUC_2D", "GEO"), "f:1: EDGE_WEIGHT_TYPE: expected one of EXPLICIT, .*, found 'GEO'"),
        (EUCLIDEAN.replace("3 1.5 2\n", ""), "f:2: NODE_COORD_SECTION: node 3 is missing"),
        (EUCLIDEAN.replace("3 1.5 2", "2 1.5 2"), "f:5: NODE_COORD_SECTION: node 2 appears twice"),
        (
            EUCLIDEAN.replace("3 1.5 2", "4 1.5 2"),
            "f:3: NODE_COORD_SECTION: expected a node from 1 to 3 .*, found '4'",
        ),
        (
            EUCLIDEAN.replace("3 1.5 2", "3 1.5 2 9"),
            "f:3: NODE_COORD_SECTION: expected 2 numbers .*, found 3",
        ),
        (EUCLIDEAN.replace("1.5", "1,5"), "f:3: expected a number, found '1,5'"),
        (EUCLIDEAN.replace(PLACES, ""), "f: lacks NODE_COORD_SECTION"),
        (EUCLIDEAN + "EDGE_WEIGHT_SECTION\n1 2 3\n", "f:6: EDGE_WEIGHT_SECTION needs EDGE_WEIGHT_TYPE : EXPLICIT"),
        (EUCLIDEAN + "EDGE_WEIGHT_FORMAT : UPPER_ROW\n", "f:6: EDGE_WEIGHT_FORMAT: expected one of FUNCTION"),
        (EUCLIDEAN + EUCLIDEAN, "f:6: EDGE_WEIGHT_TYPE appears twice"),
        (EUCLIDEAN + PLACES, "f:6: NODE_COORD_SECTION appears twice"),
        ("CAPACITY 3\n" + EUCLIDEAN, "f:1: expected KEY : value, or the heading of a section, found 'CAPACITY 3'"),
        (EXPLICIT.replace("2", "-2"), "f:4: a distance is negative: -2"),
        (
            EXPLICIT.replace("UPPER_ROW", "BAND"),
            "f:2: EDGE_WEIGHT_FORMAT: expected one of .*, found 'BAND'",
        ),
    ],
)
def test_what_is_refused(text, message):
    """Each with its line, and by name."""
    with pytest.raises(nrpa.InputError, match=message):
        parse_tsplib(text, "f").distances(3)


def test_comments_may_be_several():
    """They say nothing of the problem; a text without sections and main keys is of another form."""
    assert parse_tsplib("COMMENT : a\nCOMMENT : b\n", "f").specifications["COMMENT"] == "b"
    assert is_tsplib("x\nNODE_COORD_SECTION\n")
    assert is_tsplib("dimension: 3\n")
    assert not is_tsplib("RC201: a title\n3\n")


@pytest.mark.parametrize("text", ["DEPOT_SECTION\n1\n-1\n", "DEPOT_SECTION\n1 -1\n", "DEPOT_SECTION\n", "NAME : x\n"])
def test_the_first_node_is_the_depot(text):
    """It is listed up to -1, on one line or several, or not at all."""
    parse_tsplib(text, "f").require_first_as_depot()


@pytest.mark.parametrize(
    ("text", "message"),
    [("1\n-1\n2\n", "f:4: {}its end after -1, found '2'"), ("1 2 -1\n", "f:2: {}node 1 as the only depot")],
)
def test_another_depot_is_refused(text, message):
    """Before the -1 that ends the section, and after it."""
    with pytest.raises(nrpa.InputError, match=message.format("DEPOT_SECTION: expected ")):
        parse_tsplib(f"DEPOT_SECTION\n{text}", "f").require_first_as_depot()
