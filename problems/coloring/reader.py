"""Reading graphs: in the format of the DIMACS challenge, as a list of edges, and as a matrix of Matrix Market."""

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, shortened
from nrpa.problems.lines import Located, whole_within

MOST_NODES = 10_000
DIMACS = "`p edge NODES EDGES`, then `e A B` for each edge"
FORMS = (
    f"DIMACS: {DIMACS}",
    "an edge a line: `A B`, nodes from 1, or from 0 if there is a 0",
    "Matrix Market: `%%MatrixMarket matrix coordinate ...`, square",
)
NODES = f"1 to {MOST_NODES:,} nodes"
BANNER = "%%matrixmarket"
MATRIX = ("matrix",), ("coordinate",), ("pattern", "integer", "real"), ("symmetric", "general")
MATRICES = "`%%MatrixMarket matrix coordinate`, then pattern, integer or real, then symmetric or general"
DESCRIPTIONS = ("d", "v", "x")
"""Lines of DIMACS that say how a graph was made."""

Graph = tuple[int, np.ndarray]


def parse_graph(text: str, label: str) -> Graph:
    """Parse a graph of any form, told apart by the first line that is no comment.

    Returns the number of nodes, and the two nodes of each edge (int64[edges, 2]), from 0, as the file gives them. Edges
    of a node to itself are left out, with a warning.
    """
    lines = [Located(" ".join(line.split()), label, k) for k, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and lines[0].split()[0].lower() == BANNER:
        return _matrix(lines)
    first = next((line for line in lines if line.split()[0] != "c" and line[0] not in "#%"), None)
    if first is None:
        raise InputError(f"{label}: holds no graph; expected {'; or '.join(FORMS)}")
    if first.split()[0] in ("p", "e"):
        return _dimacs(lines)
    if whole_within(first.split()[0], 0, 10**18) is None:
        first.fail_form(FORMS)
    return _edge_list(lines)


def _dimacs(lines: list[Located]) -> Graph:
    """Read a heading, then edges, nodes from 1; the edges decide where the heading says another number of them."""
    heading, nodes, promised = lines[0], 0, 0
    edges: list[Located] = []
    for line in lines:
        kind, *words = line.split()
        if kind == "c" or kind in DESCRIPTIONS:
            continue
        if kind == "p":
            if nodes:
                line.fail("a second line `p`; expected only one")
            nodes, promised = _sizes(line)
            heading = line
        elif not nodes:
            line.expected("`p edge NODES EDGES` first")
        elif kind == "e":
            edges.append(line)
        elif kind != "n" or words[1:] != ["1"]:
            line.expected("an edge `e A B`")
    ends = _ends(edges, 1, 1, nodes, "`e A B` with nodes") - 1
    kept = _without_loops(ends, edges, 1)
    if promised not in {*_counts(ends), *_counts(kept)}:
        what = f"{len(kept):,} edges follow, {_different(kept):,} of them different"
        heading.warn(f"promises {promised:,} edges, and {what}; those that follow are taken")
    return nodes, kept


def _different(ends: np.ndarray) -> int:
    low, high = np.sort(ends).T
    return len(np.unique(low * (MOST_NODES + 1) + high))


def _counts(ends: np.ndarray) -> set[int]:
    """Return the numbers of edges that a heading above these may say: each counted once, or in both directions."""
    return {many * found for found in (len(ends), _different(ends)) for many in (1, 2)}


def _sizes(line: Located) -> tuple[int, int]:
    words = line.words()
    if len(words) != 4 or words[1] not in ("edge", "edges", "col"):
        line.expected("`p edge NODES EDGES`")
    edges = words[3].whole(0, 10**18, "the number of edges")
    return words[2].whole(1, MOST_NODES, NODES), edges


def _edge_list(lines: list[Located]) -> Graph:
    """Read an edge a line; the largest number says how many nodes there are. ``#`` and ``%`` start comments."""
    found = [line.at(line.split("#")[0].strip()) for line in lines if line[0] != "%"]
    edges = [line for line in found if line]
    ends = _ends(edges, 0, 0, MOST_NODES, "an edge `A B` with nodes")
    first = int(ends.min() > 0)
    ends -= first
    nodes = int(ends.max()) + 1
    if nodes > MOST_NODES:
        edges[ends.max(axis=1).argmax()].fail(f"expected at most {MOST_NODES:,} nodes, 0 among them")
    _check_no_sizes(edges[0], ends, first)
    return nodes, _without_loops(ends, edges, first)


def _check_no_sizes(line: Located, ends: np.ndarray, first: int) -> None:
    """Refuse a first line that can be the numbers of nodes and edges: ``ends`` are from 0, those of the line too."""
    (nodes, promised), below = ends[0] + first, ends[1:]
    if len(below) and nodes >= below.max() + 1 and promised in _counts(below):
        what = f"{line!r} can be an edge, or the numbers of nodes and edges"
        line.fail(f"{what}; put another edge before it, or leave it out")


def _matrix(lines: list[Located]) -> Graph:
    """Read the entries of a sparse matrix as edges between rows and columns, which are the nodes."""
    banner, *rest = lines
    kind = banner.lower().split()[1:]
    odd = next((word for word, names in zip(kind, MATRIX, strict=False) if word not in names), "")
    if odd or len(kind) != len(MATRIX):
        banner.fail(f"expected {MATRICES}; found {shortened(odd or banner)!r}")
    sizes, *entries = [line for line in rest if line[0] != "%"] or [banner.at("")]
    counts = [whole_within(word, 0, 10**18) for word in sizes.split()]
    if len(counts) != 3 or None in counts:
        sizes.expected("the numbers of rows, columns and entries")
    if counts[0] != counts[1]:
        sizes.fail(f"expected a square matrix, found {counts[0]} rows and {counts[1]} columns")
    nodes = sizes.words()[0].whole(1, MOST_NODES, NODES)
    if len(entries) != counts[2]:
        sizes.fail(f"promises {counts[2]} entries, and {len(entries)} follow")
    if kind[2] != "pattern":
        entries = [_without_value(entry) for entry in entries]
    ends = _ends(entries, 0, 1, nodes, "an entry with a row and a column") - 1
    return nodes, _without_loops(ends, entries, 1)


def _without_value(entry: Located) -> Located:
    words = entry.split()
    if len(words) != 3 or not number_of(words[2]):
        entry.expected("an entry `ROW COLUMN VALUE` other than 0")
    return entry.at(" ".join(words[:2]))


def _ends(edges: list[Located], skipped: int, least: int, most: int, what: str) -> np.ndarray:
    """Return the two numbers on each line (int64[edges, 2]), after so many words that are no numbers."""
    found = []
    for line in edges:
        ends = [whole_within(word, least, most) for word in line.split()[skipped:]]
        if len(ends) != 2 or None in ends:
            line.expected(f"{what} from {least} to {most}")
        found.append(ends)
    return np.array(found, np.int64).reshape(-1, 2)


def _without_loops(ends: np.ndarray, lines: list[Located], first: int) -> np.ndarray:
    """Return the edges but those of a node to itself; ``first`` is the number of the first node in the file."""
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops):
        what = f"node {ends[loops[0], 0] + first} has an edge to itself and can have no colour with it"
        lines[loops[0]].warn(f"{what}; such edges are left out, {len(loops):,} in all")
    kept: np.ndarray = ends[ends[:, 0] != ends[:, 1]]
    return kept
