"""Reading graphs: in the format of the DIMACS challenge, as a list of edges, and as a matrix of Matrix Market."""

import re
from collections.abc import Iterable, Iterator

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import number_of, shortened
from nrpa.problems.coloring.graph import distinct
from nrpa.problems.lines import Located, split_lines, whole_within

MOST_NODES = 1_000_000
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

_PLAIN = re.compile("[0-9 ]*")


class Lines:
    """Lines of a text, with single blanks between their words. One is located only where something is said of it."""

    def __init__(self, label: str, rows: list[str], numbers: list[int]) -> None:
        self.label, self.rows, self.numbers = label, rows, numbers

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Located:
        return Located(self.rows[place], self.label, self.numbers[place])

    def __iter__(self) -> Iterator[Located]:
        return map(self.__getitem__, range(len(self)))

    def at(self, places: Iterable[int]) -> "Lines":
        """Return some of the lines."""
        kept = list(places)
        return Lines(self.label, [self.rows[place] for place in kept], [self.numbers[place] for place in kept])

    def with_rows(self, rows: list[str]) -> "Lines":
        """Return other texts on the same lines, without those that are empty."""
        return Lines(self.label, rows, self.numbers).at(place for place, row in enumerate(rows) if row)


def parse_graph(text: str, label: str) -> Graph:
    """Parse a graph of any form, told apart by the first line that is no comment.

    Returns the number of nodes, and the two nodes of each edge (int64[edges, 2]), from 0, as the file gives them. Edges
    of a node to itself are left out, with a warning.
    """
    rows = [" ".join(row.split()) for row in split_lines(text)]
    lines = Lines(label, rows, [*range(1, len(rows) + 1)]).with_rows(rows)
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


def _dimacs(lines: Lines) -> Graph:
    """Read a heading, then edges, nodes from 1; the edges decide where the heading says another number of them."""
    heading, nodes, promised = lines[0], 0, 0
    places: list[int] = []
    for place, row in enumerate(lines.rows):
        if nodes and row.startswith("e "):
            places.append(place)
            continue
        line = lines[place]
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
        elif kind != "n" or words[1:] != ["1"]:
            line.expected("an edge `e A B`")
    edges = lines.at(places)
    ends = _ends(edges, 1, 1, nodes, "`e A B` with nodes") - 1
    kept = _without_loops(ends, edges, 1)
    if promised != len(ends) and promised not in {*_counts(ends), *_counts(kept)}:
        what = f"{len(kept):,} edges follow, {_different(kept):,} of them different"
        heading.warn(f"promises {promised:,} edges, and {what}; those that follow are taken")
    return nodes, kept


def _different(ends: np.ndarray) -> int:
    return len(distinct(ends.min(axis=1) * (MOST_NODES + 1) + ends.max(axis=1)))


def _counts(ends: np.ndarray) -> set[int]:
    """Return the numbers of edges that a heading above these may say: each counted once, or in both directions."""
    return {many * found for found in (len(ends), _different(ends)) for many in (1, 2)}


def _sizes(line: Located) -> tuple[int, int]:
    words = line.words()
    if len(words) != 4 or words[1] not in ("edge", "edges", "col"):
        line.expected("`p edge NODES EDGES`")
    edges = words[3].whole(0, 10**18, "the number of edges")
    return words[2].whole(1, MOST_NODES, NODES), edges


def _edge_list(lines: Lines) -> Graph:
    """Read an edge a line; the largest number says how many nodes there are. ``#`` and ``%`` start comments."""
    edges = lines.with_rows(["" if row[0] == "%" else row.split("#")[0].strip() for row in lines.rows])
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


def _matrix(lines: Lines) -> Graph:
    """Read the entries of a sparse matrix as edges between rows and columns, which are the nodes."""
    banner = lines[0]
    kind = banner.lower().split()[1:]
    odd = next((word for word, names in zip(kind, MATRIX, strict=False) if word not in names), "")
    if odd or len(kind) != len(MATRIX):
        banner.fail(f"expected {MATRICES}; found {shortened(odd or banner)!r}")
    places = [place for place, row in enumerate(lines.rows) if row[0] != "%"]
    sizes, entries = lines[places[0]] if places else banner.at(""), lines.at(places[1:])
    counts = [whole_within(word, 0, 10**18) for word in sizes.split()]
    if len(counts) != 3 or None in counts:
        sizes.expected("the numbers of rows, columns and entries")
    if counts[0] != counts[1]:
        sizes.fail(f"expected a square matrix, found {counts[0]} rows and {counts[1]} columns")
    nodes = sizes.words()[0].whole(1, MOST_NODES, NODES)
    if len(entries) != counts[2]:
        sizes.fail(f"promises {counts[2]} entries, and {len(entries)} follow")
    if kind[2] != "pattern":
        entries = entries.with_rows([_without_value(entries, place) for place in range(len(entries))])
    ends = _ends(entries, 0, 1, nodes, "an entry with a row and a column") - 1
    return nodes, _without_loops(ends, entries, 1)


def _without_value(entries: Lines, place: int) -> str:
    words = entries.rows[place].split()
    if len(words) != 3 or not number_of(words[2]):
        entries[place].expected("an entry `ROW COLUMN VALUE` other than 0")
    return " ".join(words[:2])


def _ends(edges: Lines, skipped: int, least: int, most: int, what: str) -> np.ndarray:
    """Return the two numbers on each line (int64[edges, 2]), after so many letters that are words."""
    ends = _pairs([row[2 * skipped :] for row in edges.rows])
    if ends is not None and (not len(ends) or (least <= ends.min() and ends.max() <= most)):
        return ends
    found = []
    for line in edges:
        numbers = [whole_within(word, least, most) for word in line.split()[skipped:]]
        if len(numbers) != 2 or None in numbers:
            line.expected(f"{what} from {least} to {most}")
        found.append(numbers)
    return np.array(found, np.int64).reshape(-1, 2)


def _pairs(rows: list[str]) -> np.ndarray | None:
    """Return the two numbers of each text, all at once; None unless all are two words of digits."""
    text = " ".join(rows)
    if any(row.count(" ") != 1 for row in rows) or not _PLAIN.fullmatch(text):
        return None
    return np.fromstring(text, np.int64, sep=" ").reshape(-1, 2)


def _without_loops(ends: np.ndarray, lines: Lines, first: int) -> np.ndarray:
    """Return the edges but those of a node to itself; ``first`` is the number of the first node in the file."""
    loops = np.flatnonzero(ends[:, 0] == ends[:, 1])
    if len(loops):
        what = f"node {ends[loops[0], 0] + first} has an edge to itself and can have no colour with it"
        lines[loops[0]].warn(f"{what}; such edges are left out, {len(loops):,} in all")
    kept: np.ndarray = ends[ends[:, 0] != ends[:, 1]]
    return kept
