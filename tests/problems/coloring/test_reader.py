"""Reading graphs of each form."""

import pytest

from nrpa.base.errors import InputError
from nrpa.problems.coloring import reader
from nrpa.problems.coloring.problem import Coloring
from nrpa.problems.coloring.reader import FORMS, parse_graph

TRIANGLE = [[0, 1], [1, 2], [0, 2]]
MATRIX = "%%MatrixMarket matrix coordinate pattern symmetric\n"
MATRICES = f"g:1: expected {reader.MATRICES}"
LEAVE_OUT = "; put another edge before it, or leave it out"


@pytest.mark.parametrize("promised", [2, 4, 8])
def test_both_directions(promised, caplog):
    """Files that list each edge twice count lines, or edges."""
    nodes, edges = parse_graph(f"p col 3 {promised}\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", "g")
    assert (nodes, len(edges)) == (3, 4)
    assert not caplog.messages


@pytest.mark.parametrize(
    "text",
    [
        "p edge 3 6\ne 1 2\ne 2 3\ne 1 3\n",
        "c points\np col 3 3\nd 2\nv 0.5 1\nx 7\nn 1 1\ne 1 2\ne 2 3\ne 1 3\n",
        "# from 1\n1 2\n\n2 3  # the second\n% and\n1\t3\n",
        "0 1\n1 2\n0 2\n",
        f"{MATRIX}% a comment\n3 3 3\n1 2\n2 3\n1 3\n",
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.5\n2 3 -1e3\n1 3 1\n",
        "%%matrixmarket Matrix coordinate integer symmetric\n3 3 3\n1 2 1\n2 3 5\n1 3 -1\n",
    ],
)
def test_forms_of_one_graph(text, caplog):
    """A triangle, with what each form allows besides, and without a warning."""
    nodes, edges = parse_graph(text, "g")
    assert (nodes, edges.tolist()) == (3, TRIANGLE)
    assert not caplog.messages


@pytest.mark.parametrize(
    ("text", "nodes", "edges", "warnings"),
    [
        (
            "p edge 3 7\ne 1 2\ne 2 1\ne 1 3\n",
            3,
            3,
            ["g:1: promises 7 edges, and 3 edges follow, 2 of them different; those that follow are taken"],
        ),
        (
            "p edge 3 3\ne 1 2\ne 2 2\ne 3 3\n",
            3,
            1,
            ["g:3: node 2 has an edge to itself and can have no colour with it; such edges are left out, 2 in all"],
        ),
        (
            "0 1\n4 4\n",
            5,
            1,
            ["g:2: node 4 has an edge to itself and can have no colour with it; such edges are left out, 1 in all"],
        ),
        (
            f"{MATRIX}3 3 2\n1 1\n2 1\n",
            3,
            1,
            ["g:3: node 1 has an edge to itself and can have no colour with it; such edges are left out, 1 in all"],
        ),
    ],
)
def test_warnings(text, nodes, edges, warnings, caplog):
    """The edges that are listed decide, and those of a node to itself are left out."""
    found, ends = parse_graph(text, "g")
    assert (found, len(ends)) == (nodes, edges)
    assert caplog.messages == warnings


def test_largest_number_is_the_last_node():
    """Nodes without an edge are known in a list of edges where a larger one has an edge."""
    assert parse_graph("1 5\n", "g")[0] == 5
    assert parse_graph("0 4\n", "g")[0] == 5


def test_a_file_has_one_graph(tmp_path):
    """Nothing can be named in it."""
    (tmp_path / "g").write_text("1 2\n")
    with pytest.raises(InputError, match="g: holds a single instance without a name; expected no ':x'"):
        Coloring.load(f"{tmp_path / 'g'}:x")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"g: holds no graph; expected {'; or '.join(FORMS)}"),
        ("a b\n", f"g:1: is in none of the forms that are read ({'; '.join(FORMS)}); found 'a b'"),
        ("e 1 2\n", "g:1: expected `p edge NODES EDGES` first, found 'e 1 2'"),
        ("c\np edge 3\n", "g:2: expected `p edge NODES EDGES`, found 'p edge 3'"),
        ("p cnf 3 2\n", "g:1: expected `p edge NODES EDGES`, found 'p cnf 3 2'"),
        ("p edge 0 0\n", "g:1: expected 1 to 1,000,000 nodes, found '0'"),
        ("p edge x 0\n", "g:1: expected 1 to 1,000,000 nodes, found 'x'"),
        ("p edge 3 -1\n", "g:1: expected the number of edges, found '-1'"),
        ("p edge 3 1\np edge 3 1\n", "g:2: a second line `p`; expected only one"),
        ("p edge 3 1\ne 1 4\n", "g:2: expected `e A B` with nodes from 1 to 3, found 'e 1 4'"),
        ("p edge 3 1\ne 1\n", "g:2: expected `e A B` with nodes from 1 to 3, found 'e 1'"),
        ("p edge 3 1\nn 1 3\ne 1 2\n", "g:2: expected an edge `e A B`, found 'n 1 3'"),
        ("p edge 3 1\ndv 1\ne 1 2\n", "g:2: expected an edge `e A B`, found 'dv 1'"),
        ("p edge 3 1\ne 1 2 5\n", "g:2: expected `e A B` with nodes from 1 to 3, found 'e 1 2 5'"),
        ("p edge 3 1\n1 2\n", "g:2: expected an edge `e A B`, found '1 2'"),
        ("1 2\n1 3 7\n", "g:2: expected an edge `A B` with nodes from 0 to 1000000, found '1 3 7'"),
        ("1 2\n1.5 3\n", "g:2: expected an edge `A B` with nodes from 0 to 1000000, found '1.5 3'"),
        ("1 2\n3\n", "g:2: expected an edge `A B` with nodes from 0 to 1000000, found '3'"),
        ("0 1\n1000000 1\n", "g:2: expected at most 1,000,000 nodes, 0 among them"),
        *(
            (f"{first}\n0 1\n1 2\n", f"g:1: '{first}' can be an edge, or the numbers of nodes and edges{LEAVE_OUT}")
            for first in ("3 2", "3 4", "4 2")
        ),
        (f"{MATRIX.replace('coordinate', 'array')}", f"{MATRICES}; found 'array'"),
        (f"{MATRIX.replace('pattern', 'complex')}", f"{MATRICES}; found 'complex'"),
        (f"{MATRIX.replace('symmetric', 'hermitian')}", f"{MATRICES}; found 'hermitian'"),
        (f"{MATRIX.replace(' symmetric', '')}", f"{MATRICES}; found '{MATRIX[:-11]}'"),
        (MATRIX, "g:1: expected the numbers of rows, columns and entries, found ''"),
        (f"{MATRIX}3 4 0\n", "g:2: expected a square matrix, found 3 rows and 4 columns"),
        (f"{MATRIX}3 3 2\n1 2\n", "g:2: promises 2 entries, and 1 follow"),
        (f"{MATRIX}3 3 1\n1 4\n", "g:3: expected an entry with a row and a column from 1 to 3, found '1 4'"),
        (f"{MATRIX}3 3 1\n0 1\n", "g:3: expected an entry with a row and a column from 1 to 3, found '0 1'"),
        (f"{MATRIX}3 3 1\n1 2 1\n", "g:3: expected an entry with a row and a column from 1 to 3, found '1 2 1'"),
        (
            f"{MATRIX.replace('pattern', 'real')}3 3 1\n1 2 0\n",
            "g:3: expected an entry `ROW COLUMN VALUE` other than 0, found '1 2 0'",
        ),
    ],
)
def test_faults(text, message):
    """Each names the line and what was expected."""
    with pytest.raises(InputError) as raised:
        parse_graph(text, "g")
    assert str(raised.value) == message
