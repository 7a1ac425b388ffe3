"""Reading DIMACS graphs."""

import pytest

from nrpa.base.errors import InputError
from nrpa.problems.coloring.reader import parse_dimacs


@pytest.mark.parametrize("promised", [2, 4])
def test_both_directions(promised):
    """Files that list each edge twice count lines, or edges."""
    nodes, edges = parse_dimacs(f"p col 3 {promised}\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", "g")
    assert (nodes, len(edges)) == (3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "g: holds no graph; expected a line `p edge NODES EDGES`"),
        ("e 1 2\n", "g:1: expected `p edge NODES EDGES` first, found 'e 1 2'"),
        ("c\np edge 3\n", "g:2: expected `p edge NODES EDGES`, found 'p edge 3'"),
        ("p cnf 3 2\n", "g:1: expected `p edge NODES EDGES`, found 'p cnf 3 2'"),
        ("p edge 0 0\n", "g:1: expected 1 to 10,000 nodes, found '0'"),
        ("p edge x 0\n", "g:1: expected 1 to 10,000 nodes, found 'x'"),
        ("p edge 3 -1\n", "g:1: expected the number of edges, found '-1'"),
        ("p edge 3 1\np edge 3 1\n", "g:2: a second line `p`; expected only one"),
        ("p edge 3 1\ne 1 4\n", "g:2: expected `e A B` with nodes from 1 to 3, found 'e 1 4'"),
        ("p edge 3 1\ne 1\n", "g:2: expected `e A B` with nodes from 1 to 3, found 'e 1'"),
        ("p edge 3 1\ne 2 2\n", "g:2: node 2 has an edge to itself; it cannot be coloured"),
        ("p edge 3 1\n1 2\n", "g:2: expected an edge `e A B`, found '1 2'"),
        ("p edge 3 2\ne 1 2\n", "g:1: promises 2 edges, and 1 follow"),
    ],
)
def test_faults(text, message):
    """Each names the line and what was expected."""
    with pytest.raises(InputError) as raised:
        parse_dimacs(text, "g")
    assert str(raised.value) == message
