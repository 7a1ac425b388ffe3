"""Files in the form of TSPLIB, which LKH and VRPLIB extend: specifications ``KEY : value``, and sections of rows.

References
----------
G. Reinelt, *TSPLIB 95*, 1995.

K. Helsgaun, *An extension of the Lin-Kernighan-Helsgaun TSP solver for constrained traveling salesman and vehicle
routing problems*, 2017: time windows, and distances rounded down or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, NoReturn

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.lines import LARGEST, Located, located_lines, nth_word, numbers_of
from nrpa.problems.routing.lengths import ROUNDINGS

MOST_NODES = 10_000
END, SEVERAL, DISTANCES = "EOF", "COMMENT", "EDGE_WEIGHT_SECTION"
_SECTION = re.compile(r"([A-Z0-9_]+_SECTION)\s*:?", re.IGNORECASE)
_SPECIFICATION = re.compile(r"([A-Z][A-Z0-9_ ]*?)\s*:\s*(.*)", re.IGNORECASE)
_TELLING = re.compile(r"(?:TYPE|DIMENSION|EDGE_WEIGHT_TYPE|EDGE_WEIGHT_FORMAT)\s*:.*", re.IGNORECASE)
EUCLIDEAN = {"EUC_2D": "nearest", "CEIL_2D": "up", "FLOOR_2D": "down", "EXACT_2D": "exact"}
"""The types of distances between coordinates, and how each rounds."""
FORMATS: dict[str, Callable[[int], tuple[np.ndarray, ...]]] = {
    "FULL_MATRIX": lambda n: (*np.indices((n, n)).reshape(2, -1),),
    "UPPER_ROW": lambda n: np.triu_indices(n, 1),
    "LOWER_ROW": lambda n: np.tril_indices(n, -1),
    "UPPER_DIAG_ROW": np.triu_indices,
    "LOWER_DIAG_ROW": np.tril_indices,
    "UPPER_COL": lambda n: np.tril_indices(n, -1),
    "LOWER_COL": lambda n: np.triu_indices(n, 1),
    "UPPER_DIAG_COL": np.tril_indices,
    "LOWER_DIAG_COL": np.triu_indices,
}
"""Which entries of a matrix a format lists, in order; of a triangle, those of the other one are the same."""


class Section(NamedTuple):
    """A section: its heading, and the words of each row; rows of distances, which can be many, stay text."""

    heading: Located
    rows: list[list[Located]]


class Tsplib(NamedTuple):
    """What a file says: the values of its specifications, and its sections, both by their keys in capitals."""

    label: str
    specifications: dict[str, Located]
    sections: dict[str, Section]

    def refuse_others(self, problem: str, specifications: Collection[str], sections: Collection[str]) -> None:
        """Raise InputError for the first key that is none of these, as it could change the problem."""
        found = {key: value for key, value in self.specifications.items() if key not in specifications}
        found |= {key: section.heading for key, section in self.sections.items() if key not in sections}
        for key, place in sorted(found.items(), key=lambda each: each[1].line):
            known = ", ".join([*specifications, *sections])
            place.fail(f"{shortened(key)} is not read, and could change the {problem}; known are {known}")

    def word(self, key: str, allowed: Collection[str]) -> str:
        """Return the value of a key, in capitals, which must be one of those allowed."""
        expected = f"one of {', '.join(allowed)}"
        value = self._value(key, expected)
        return value.upper() if value.upper() in allowed else value.expected(expected, f"{key}: ")

    def whole(self, key: str, least: int, most: int) -> int:
        """Return the value of a key, a whole number."""
        value = self._value(key, "a whole number")
        return value.whole(least, most, f"a whole number from {least} to {most}", f"{key}: ")

    def number(self, key: str, least: float = -LARGEST) -> float:
        """Return the value of a key, a number of at least so much."""
        value = self._value(key, "a number")
        found = value.number()
        return found if found >= least else value.expected(f"a number of at least {least:g}", f"{key}: ")

    def refuse(self, key: str, why: str) -> NoReturn:
        """Raise InputError about a specification or a section, which is there."""
        place = self.specifications[key] if key in self.specifications else self.sections[key].heading
        place.fail(f"{key} {why}")

    def length(self, key: str) -> int:
        """Return the number of rows of a section, at least 2 and at most ``MOST_NODES``."""
        section = self._section(key, "a row for each node")
        if not 2 <= len(section.rows) <= MOST_NODES:
            self.refuse(key, f"has {len(section.rows):,} rows; expected 2 to {MOST_NODES:,}")
        return len(section.rows)

    def rows(self, key: str, nodes: int, values: int) -> np.ndarray:
        """Return so many numbers of each node (float64[nodes, values]); the rows name the nodes 1 to ``nodes``."""
        section = self._section(key, f"rows of a node and {values} numbers")
        return by_node(key, section, range(1, nodes + 1), values)

    def row_of(self, key: str, node: int) -> Located:
        """Return the first word of a node's row in a section that ``rows`` has read."""
        return next(words[0] for words in self.sections[key].rows if int(words[0]) == node)

    def coordinates(self, nodes: int) -> np.ndarray | None:
        """Return the coordinates of the nodes (float64[nodes, 2]); None where there is no section of them."""
        return self.rows("NODE_COORD_SECTION", nodes, 2) if "NODE_COORD_SECTION" in self.sections else None

    def require_first_as_depot(self) -> None:
        """Raise InputError if the section of depots, which ends with -1, lists any other node than 1."""
        section = self.sections.get("DEPOT_SECTION")
        listed = [word for words in section.rows for word in words] if section else []
        end = next((k for k, word in enumerate(listed) if word == "-1"), len(listed))
        for word in listed[end + 1 :]:
            word.expected("its end after -1", "DEPOT_SECTION: ")
        for word in listed[:end]:
            if word != "1":
                word.expected("node 1 as the only depot", "DEPOT_SECTION: ")

    def distances(self, nodes: int, euclidean: Mapping[str, str] = EUCLIDEAN, scale: float = 1.0) -> np.ndarray:
        """Return the distances (float64[nodes, nodes]) of coordinates, as EDGE_WEIGHT_TYPE says, or listed ones.

        ``euclidean`` says how each type rounds, after distances are multiplied by ``scale``, by which they are divided
        again.
        """
        kind = self.word("EDGE_WEIGHT_TYPE", ["EXPLICIT", *euclidean])
        if kind == "EXPLICIT":
            return self._listed_distances(nodes)
        if "EDGE_WEIGHT_SECTION" in self.sections:
            self.refuse("EDGE_WEIGHT_SECTION", f"needs EDGE_WEIGHT_TYPE : EXPLICIT, not {kind}")
        if "EDGE_WEIGHT_FORMAT" in self.specifications:
            self.word("EDGE_WEIGHT_FORMAT", ["FUNCTION"])
        x, y = self.rows("NODE_COORD_SECTION", nodes, 2).T
        exact, how = scale * np.hypot(x[:, None] - x, y[:, None] - y), euclidean[kind]
        return (-ROUNDINGS["down"](-exact) if how == "up" else ROUNDINGS[how](exact)) / scale

    def service(self, nodes: int) -> np.ndarray:
        """Return the service time of each node: of the section, or the same of all but the depot, or 0."""
        service, same = np.zeros(nodes), self.specifications.get("SERVICE_TIME")
        if "SERVICE_TIME_SECTION" in self.sections:
            if same is not None:
                self.refuse("SERVICE_TIME", "contradicts SERVICE_TIME_SECTION; expected one of them")
            service = self.rows("SERVICE_TIME_SECTION", nodes, 1)[:, 0]
        elif same is not None:
            service[1:] = self.number("SERVICE_TIME", 0.0)
        for node in np.flatnonzero(service < 0)[:1].tolist():
            place = self.row_of("SERVICE_TIME_SECTION", node + 1)
            place.fail(f"the service time of node {node + 1} is negative: {service[node]:g}")
        return service

    def _listed_distances(self, nodes: int) -> np.ndarray:
        layout = self.word("EDGE_WEIGHT_FORMAT", FORMATS)
        section = self._section("EDGE_WEIGHT_SECTION", "distances")
        lines = [line for row in section.rows for line in row]
        values = numbers_of(lines)
        diagonal = nodes if "DIAG" in layout else -nodes
        expected = nodes * nodes if layout == "FULL_MATRIX" else (nodes * nodes + diagonal) // 2
        if len(values) != expected:
            what = f"expected {expected} numbers, {layout} of {nodes} nodes, found {len(values)}"
            section.heading.fail(f"EDGE_WEIGHT_SECTION: {what}")
        for k in np.flatnonzero(values < 0)[:1].tolist():
            nth_word(lines, k).fail(f"a distance is negative: {values[k]:g}")
        one, other = FORMATS[layout](nodes)
        distances = np.zeros((nodes, nodes))
        if layout != "FULL_MATRIX":
            distances[other, one] = values
        distances[one, other] = values
        np.fill_diagonal(distances, 0.0)
        return distances

    def _value(self, key: str, expected: str) -> Located:
        return self.specifications[key] if key in self.specifications else self._lacks(key, expected)

    def _section(self, key: str, expected: str) -> Section:
        return self.sections[key] if key in self.sections else self._lacks(key, expected)

    def _lacks(self, key: str, expected: str) -> NoReturn:
        raise InputError(f"{self.label}: lacks {key}; expected it, with {expected}")


def tour_of(text: str) -> list[int]:
    r"""Return the tour of a file in TSPLIB's form, as LKH writes it, from node 1 on, which is 0 here and left out.

    >>> tour_of("TYPE : TOUR\nTOUR_SECTION\n3\n1\n2\n-1\nEOF\n")
    [1, 2]
    """
    words = [word for line in located_lines(text.partition("TOUR_SECTION")[2]) for word in line.words()]
    end = next((k for k, word in enumerate(words) if word in {"-1", END}), len(words))
    nodes = [word.whole(1, MOST_NODES, "nodes from 1 on, and -1 after the last") - 1 for word in words[:end]]
    start = nodes.index(0) if 0 in nodes else -1
    return nodes[start + 1 :] + nodes[: max(start, 0)]


def by_node(key: str, section: Section, nodes: range, values: int) -> np.ndarray:
    """Return so many numbers of each node (float64[nodes, values]) from rows in any order, which name the nodes."""
    found = dict[int, list[float]]()
    for first, *words in section.rows:
        node = first.whole(nodes[0], nodes[-1], f"a node from {nodes[0]} to {nodes[-1]} first", f"{key}: ")
        if node in found:
            first.fail(f"{key}: node {node} appears twice")
        if len(words) != values:
            first.fail(f"{key}: expected {values} numbers after the node, found {len(words)}")
        found[node] = [word.number() for word in words]
    for node in nodes:
        if node not in found:
            section.heading.fail(f"{key}: node {node} is missing")
    return np.array([found[node] for node in nodes])


def is_tsplib(text: str) -> bool:
    """Return whether a text is meant to be of this form: it has a section, or one of its main specifications."""
    return any(_SECTION.fullmatch(line) or _TELLING.fullmatch(line) for line in located_lines(text))


def parse_tsplib(text: str, label: str) -> Tsplib:
    """Return what a file in this form says, its keys in whatever case; ``#`` starts a comment.

    Specifications may come after sections. Raises InputError for a key that appears twice, and for what is neither a
    specification nor part of a section.
    """
    found, section, ended = Tsplib(label, {}, {}), None, False
    for line in located_lines(text, label):
        if ended:
            line.expected(f"nothing after {END}")
        heading, specification = _SECTION.fullmatch(line), _SPECIFICATION.fullmatch(line)
        if heading or specification:
            key = (heading or specification)[1].upper()  # type: ignore[index]
            if (key in found.specifications and key != SEVERAL) or key in found.sections:
                line.fail(f"{key} appears twice")
            section = None
            if heading:
                section = found.sections[key] = Section(line, [])
            elif specification:
                found.specifications[key] = line.at(specification[2].strip())
        elif line.upper() == END:
            ended = True
        elif section is None:
            line.expected("KEY : value, or the heading of a section")
        else:
            section.rows.append([line] if section.heading.upper().startswith(DISTANCES) else line.words())
    return found
