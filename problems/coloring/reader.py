"""Reading graphs in the format of the DIMACS challenge."""

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.common import fail, whole_within

MOST_NODES = 10_000


def parse_dimacs(text: str, label: str) -> tuple[int, np.ndarray]:
    """Parse a DIMACS graph: a line ``p edge NODES EDGES``, then ``e A B`` for each edge; ``c`` lines are comments.

    An edge may be given once in each direction; the number of edges then counts both, or one. Returns the number of
    nodes, and the two nodes of each edge (int64[edges, 2]), from 0, as the file gives them.
    """
    nodes, promised, header = 0, 0, 0
    edges: list[tuple[int, int]] = []
    for line, content in enumerate(text.splitlines(), 1):
        words = content.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if nodes:
                fail(label, line, "a second line `p`; expected only one")
            nodes, promised = _sizes(words, label, line)
            header = line
        elif not nodes:
            fail(label, line, f"expected `p edge NODES EDGES` first, found {shortened(content)!r}")
        elif words[0] == "e":
            edges.append(_edge(words, nodes, label, line))
        elif words[0] not in ("n", "d", "v", "x"):
            fail(label, line, f"expected an edge `e A B`, found {shortened(content)!r}")
    if not nodes:
        raise InputError(f"{label}: holds no graph; expected a line `p edge NODES EDGES`")
    if len(edges) not in (promised, 2 * promised) and len(set(map(frozenset, edges))) != promised:
        fail(label, header, f"promises {promised} edges, and {len(edges)} follow")
    return nodes, np.array(edges, np.int64).reshape(-1, 2)


def _sizes(words: list[str], label: str, line: int) -> tuple[int, int]:
    if len(words) != 4 or words[1] not in ("edge", "edges", "col"):
        fail(label, line, f"expected `p edge NODES EDGES`, found {shortened(' '.join(words))!r}")
    nodes, edges = whole_within(words[2], 1, MOST_NODES), whole_within(words[3], 0, 10**18)
    if nodes is None:
        fail(label, line, f"expected 1 to {MOST_NODES:,} nodes, found {shortened(words[2])!r}")
    if edges is None:
        fail(label, line, f"expected the number of edges, found {shortened(words[3])!r}")
    return nodes, edges


def _edge(words: list[str], nodes: int, label: str, line: int) -> tuple[int, int]:
    ends = [whole_within(word, 1, nodes) for word in words[1:]]
    if len(ends) != 2 or None in ends:
        fail(label, line, f"expected `e A B` with nodes from 1 to {nodes}, found {shortened(' '.join(words))!r}")
    first, second = (int(end or 0) - 1 for end in ends)
    if first == second:
        fail(label, line, f"node {first + 1} has an edge to itself; it cannot be coloured")
    return first, second
