"""Reading graphs: in the format of the DIMACS challenge, as a list of edges, and as a matrix of Matrix Market."""

from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, shortened
from nrpa.problems.common import fail, fail_form, warn, whole_within

MOST_NODES = 10_000
DIMACS = "`p edge NODES EDGES`, then `e A B` for each edge"
FORMS = (
    f"DIMACS: {DIMACS}",
    "an edge a line: `A B`, nodes from 1, or from 0 if there is a 0",
    "Matrix Market: `%%MatrixMarket matrix coordinate ...`, square",
)
BANNER = "%%matrixmarket"
MATRIX = ("matrix",), ("coordinate",), ("pattern", "integer", "real"), ("symmetric", "general")
MATRICES = "`%%MatrixMarket matrix coordinate`, then pattern, integer or real, then symmetric or general"
DESCRIPTIONS = ("d", "v", "x")
"""Lines of DIMACS that say how a graph was made."""

Graph = tuple[int, np.ndarray]


class Line(NamedTuple):
    """The words of a line, and its number, from 1."""

    number: int
    words: list[str]

    def __str__(self) -> str:
        return shortened(" ".join(self.words))


def parse_graph(text: str, label: str) -> Graph:
    """Parse a graph of any form, told apart by the first line that is no comment.

    Returns the number of nodes, and the two nodes of each edge (int64[edges, 2]), from 0, as the file gives them. Edges
    of a node to itself are left out, with a warning.
    """
    lines = [Line(number, words) for number, line in enumerate(text.splitlines(), 1) if (words := line.split())]
    if lines and lines[0].words[0].lower() == BANNER:
        return _matrix(lines, label)
    first = next((line for line in lines if line.words[0] != "c" and line.words[0][0] not in "#%"), None)
    if first is None:
        raise InputError(f"{label}: holds no graph; expected {'; or '.join(FORMS)}")
    if first.words[0] in ("p", "e"):
        return _dimacs(lines, label)
    if whole_within(first.words[0], 0, 10**18) is None:
        fail_form(label, first.number, str(first), FORMS)
    return _edge_list(lines, label)


def _dimacs(lines: list[Line], label: str) -> Graph:
    """Read a heading, then edges, nodes from 1; the edges decide where the heading says another number of them."""
    heading, nodes, promised = lines[0], 0, 0
    edges: list[Line] = []
    for line in lines:
        kind = line.words[0]
        if kind == "c" or kind in DESCRIPTIONS:
            continue
        if kind == "p":
            if nodes:
                fail(label, line.number, "a second line `p`; expected only one")
            nodes, promised = _sizes(line, label)
            heading = line
        elif not nodes:
            fail(label, line.number, f"expected `p edge NODES EDGES` first, found {str(line)!r}")
        elif kind == "e":
            edges.append(line)
        elif kind != "n" or line.words[2:] != ["1"]:
            fail(label, line.number, f"expected an edge `e A B`, found {str(line)!r}")
    ends = _ends(edges, 1, 1, nodes, "`e A B` with nodes", label) - 1
    kept = _without_loops(ends, edges, 1, label)
    if promised not in {*_counts(ends), *_counts(kept)}:
        what = f"{len(kept):,} edges follow, {_different(kept):,} of them different"
        warn(label, heading.number, f"promises {promised:,} edges, and {what}; those that follow are taken")
    return nodes, kept


def _different(ends: np.ndarray) -> int:
    low, high = np.sort(ends).T
    return len(np.unique(low * (MOST_NODES + 1) + high))


def _counts(ends: np.ndarray) -> set[int]:
    """Return the numbers of edges that a heading above these may say: each counted once, or in both directions."""
    return {many * found for found in (len(ends), _different(ends)) for many in (1, 2)}


def _sizes(line: Line, label: str) -> tuple[int, int]:
    words = line.words
    if len(words) != 4 or words[1] not in ("edge", "edges", "col"):
        fail(label, line.number, f"expected `p edge NODES EDGES`, found {str(line)!r}")
    edges = whole_within(words[3], 0, 10**18)
    if edges is None:
        fail(label, line.number, f"expected the number of edges, found {shortened(words[3])!r}")
    return _nodes(words[2], line, label), edges


def _nodes(word: str, line: Line, label: str) -> int:
    nodes = whole_within(word, 1, MOST_NODES)
    if nodes is None:
        fail(label, line.number, f"expected 1 to {MOST_NODES:,} nodes, found {shortened(word)!r}")
    return nodes


def _edge_list(lines: list[Line], label: str) -> Graph:
    """Read an edge a line; the largest number says how many nodes there are. ``#`` and ``%`` start comments."""
    found = [Line(line.number, " ".join(line.words).split("#")[0].split()) for line in lines if line.words[0][0] != "%"]
    edges = [line for line in found if line.words]
    ends = _ends(edges, 0, 0, MOST_NODES, "an edge `A B` with nodes", label)
    first = int(ends.min() > 0)
    ends -= first
    nodes = int(ends.max()) + 1
    if nodes > MOST_NODES:
        fail(label, edges[ends.max(axis=1).argmax()].number, f"expected at most {MOST_NODES:,} nodes, 0 among them")
    _check_no_sizes(edges[0], ends, first, label)
    return nodes, _without_loops(ends, edges, first, label)


def _check_no_sizes(line: Line, ends: np.ndarray, first: int, label: str) -> None:
    """Refuse a first line that can be the numbers of nodes and edges: ``ends`` are from 0, those of the line too."""
    (nodes, promised), below = ends[0] + first, ends[1:]
    if len(below) and nodes >= below.max() + 1 and promised in _counts(below):
        what = f"{str(line)!r} can be an edge, or the numbers of nodes and edges"
        fail(label, line.number, f"{what}; put another edge before it, or leave it out")


def _matrix(lines: list[Line], label: str) -> Graph:
    """Read the entries of a sparse matrix as edges between rows and columns, which are the nodes."""
    banner, *rest = lines
    kind = [word.lower() for word in banner.words[1:]]
    odd = next((word for word, names in zip(kind, MATRIX, strict=False) if word not in names), "")
    if odd or len(kind) != len(MATRIX):
        fail(label, banner.number, f"expected {MATRICES}; found {shortened(odd or str(banner))!r}")
    sizes, *entries = [line for line in rest if line.words[0][0] != "%"] or [Line(banner.number, [])]
    counts = [whole_within(word, 0, 10**18) for word in sizes.words]
    if len(counts) != 3 or None in counts:
        fail(label, sizes.number, f"expected the numbers of rows, columns and entries, found {str(sizes)!r}")
    if counts[0] != counts[1]:
        fail(label, sizes.number, f"expected a square matrix, found {counts[0]} rows and {counts[1]} columns")
    nodes = _nodes(sizes.words[0], sizes, label)
    if len(entries) != counts[2]:
        fail(label, sizes.number, f"promises {counts[2]} entries, and {len(entries)} follow")
    if kind[2] != "pattern":
        entries = [_without_value(entry, label) for entry in entries]
    ends = _ends(entries, 0, 1, nodes, "an entry with a row and a column", label) - 1
    return nodes, _without_loops(ends, entries, 1, label)


def _without_value(entry: Line, label: str) -> Line:
    if len(entry.words) != 3 or not number_of(entry.words[2]):
        fail(label, entry.number, f"expected an entry `ROW COLUMN VALUE` other than 0, found {str(entry)!r}")
    return Line(entry.number, entry.words[:2])


def _ends(edges: list[Line], skipped: int, least: int, most: int, what: str, label: str) -> np.ndarray:
    """Return the two numbers on each line (int64[edges, 2]), after so many words that are no numbers."""
    found = []
    for line in edges:
        ends = [whole_within(word, least, most) for word in line.words[skipped:]]
        if len(ends) != 2 or None in ends:
            fail(label, line.number, f"expected {what} from {least} to {most}, found {str(line)!r}")
        found.append(ends)
    return np.array(found, np.int64).reshape(-1, 2)


def _without_loops(ends: np.ndarray, lines: list[Line], first: int, label: str) -> np.ndarray:
    """Return the edges but those of a node to itself; ``first`` is the number of the first node in the file."""
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops):
        what = f"node {ends[loops[0], 0] + first} has an edge to itself and can have no colour with it"
        warn(label, lines[loops[0]].number, f"{what}; such edges are left out, {len(loops):,} in all")
    kept: np.ndarray = ends[ends[:, 0] != ends[:, 1]]
    return kept
