"""Graphs to colour, from Python or from files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import whole
from nrpa.io.source import BestKnown, Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.coloring.reader import FORMS, MOST_NODES, parse_graph
from nrpa.problems.common import cut, fault_in_list, faultless, is_whole, most_choices, whole_text, zeros

improving = lazy("nrpa.problems.coloring.improving")
kernels = lazy("nrpa.problems.coloring.kernels")
engine = lazy("nrpa.engine.game")

NEW_COLORS = ("forced", "rare", "free")
FEWEST = Objective("colors", sign=-1, tie_break=0.5)
CLASHES = Objective("clashes", sign=-1)


class Coloring(CompiledProblem):
    """Graph colouring: neighbours get different colours, as few as possible; or, with colours given, few clashes.

    The nodes are coloured in the order of DSatur: the next one is that whose neighbours have the most colours, of equal
    ones that with the most neighbours. A move gives it a colour that no neighbour has. The score is -colours - (1 - s)
    / 2, where s is the sum of the squared shares of the colours: of two colourings with as many colours, the one with
    larger classes counts more. With ``colors`` given, a colour that would take the last one of a neighbour is left out
    where it can be; a node without a free colour gets one that the fewest neighbours have, and the score is -clashing
    edges. A solution is a list of the nodes' colours, from 1. The code of a move is node · k + colour.

    Parameters
    ----------
    nodes : int
        The number of nodes.
    edges : iterable of pairs of int
        The edges, nodes from 0; a pair may come twice.

    Attributes
    ----------
    edges : ndarray of int64, shape (edges, 2)
        Each edge once, the smaller node first, sorted.

    References
    ----------
    D. Brélaz, *New methods to color the vertices of a graph*, Communications of the ACM 22, 1979: DSatur.

    T. Cazenave, B. Negrevergne and F. Sikora, *Monte Carlo Graph Coloring*, 2020.

    Examples
    --------
    >>> problem = Coloring(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    >>> problem.bound(), problem.check([1, 2, 1, 2, 3]).figures
    (2.0, {'colors': 3, 'clashes': 0})
    """

    name = "coloring"
    objective = FEWEST
    forms = FORMS
    codes: int
    colors = Option(0, "How many colours are given, to minimise clashes; 0: minimise the colours.")
    new_colors = Option(
        "forced",
        "A new colour only where no other is free; else rarely; or always.",
        NEW_COLORS,
        tried=NEW_COLORS,
        details="Rarely is by a bias of -20.7: playouts are as with forced but for colourings that were improved.",
    )

    def __init__(self, nodes: int, edges: Iterable[tuple[int, int]] | np.ndarray, **options: Any) -> None:
        self.set_options(**options)
        self.nodes = whole("nodes", nodes, most=MOST_NODES)
        self.edges = _checked_edges(self.nodes, edges)
        if self.colors:
            self.objective = CLASHES  # type: ignore[misc]
        start, neighbour = _neighbours(self.nodes, self.edges)
        degree = np.diff(start)
        colours = min(self.colors, self.nodes) or int(degree.max()) + 1
        rank = np.empty(self.nodes, np.int64)
        rank[np.argsort(-degree, kind="stable")] = np.arange(self.nodes)
        super().__init__(
            kernels.Instance(
                start, neighbour, rank, colours, self.colors > 0, self.new_colors == "forced", self.new_colors == "rare"
            ),
            max_steps=self.nodes,
            max_moves=colours,
            max_total=most_choices(self.nodes, colours),
            codes=self.nodes * colours,
            bias_by_move=self.new_colors == "rare",
        )

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        return cls(*parse_graph(whole_text(source), source.label), **options)

    @property
    def best_known(self) -> BestKnown | None:
        """The fewest colours that are known to do; None where colours are given."""
        return None if self.colors else super().best_known

    def digest(self) -> str:
        return hashlib.sha256(f"{self.nodes}:{self.edges.tolist()}".encode()).hexdigest()

    @cached_property
    def clique(self) -> list[int]:
        """Nodes that are all neighbours of each other, found greedily."""
        adjacent = np.zeros((self.nodes, self.nodes), bool)
        adjacent[self.edges[:, 0], self.edges[:, 1]] = True
        return greedy_clique(adjacent | adjacent.T)

    def hints(self) -> Hints:
        """Recommend ``new_colors="rare"``, so that improved colourings can be built; see ``improve``."""
        if "new_colors" in self.given_options or type(self) is not Coloring:
            return Hints(tempered=False)
        options = {**self.options, "new_colors": "rare"}
        return Hints(tempered=False, arms=(Coloring(self.nodes, self.edges, **options),))

    def bound(self) -> float:
        """Return the size of a clique, whose nodes all need colours of their own; 0 clashes with colours given."""
        return 0.0 if self.colors else float(len(self.clique))

    def new_state(self) -> Any:
        n, colours = self.nodes, self.max_moves
        work = improving.ROWS, max(n, colours)
        return zeros(kernels.State, n, (n, colours), n, colours, 3, n, n * colours, n * colours, work, 2)

    def solution(self, moves: np.ndarray) -> list[int]:
        """Return the colouring that moves (int64[steps]) build; where they are too few, the other nodes have 0."""
        colours = np.zeros(self.nodes, np.int64)
        colours[moves // self.max_moves] = moves % self.max_moves + 1
        found: list[int] = colours.tolist()
        return found

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves that build a colouring; its colours may be numbered otherwise."""
        faultless(self, solution)
        named: dict[int, int] = {}

        def wanted(legal: list[int]) -> int:
            node = legal[0] // self.max_moves
            move = node * self.max_moves + named.setdefault(solution[node], len(named))
            if move not in legal:
                raise InputError(
                    f"{self.name}: the search cannot give node {node + 1} the colour {solution[node]}; "
                    "`new_colors` or the rule of given colours leaves it out"
                )
            return move

        return np.array(engine.Game(self.model).playout(wanted), np.int64)

    def check(self, solution: Any) -> Verdict:
        what, expected = "a colouring is a list of the nodes' colours", "a colour, a whole number from 1"
        fault = fault_in_list(solution, what, "node", expected, lambda found: is_whole(found, 1))
        if fault is None and len(solution) != self.nodes:
            fault = f"expected the colours of {self.nodes} nodes, found {len(solution)}"
        if fault:
            return Verdict({}, [fault])
        clashes = [(a, b) for a, b in self.edges.tolist() if solution[a] == solution[b]]
        used = len(set(solution))
        figures = {"colors": used, "clashes": len(clashes)}
        if self.colors:
            faults = [f"there are {used} colours; expected at most {self.colors}"] if used > self.colors else []
            return Verdict(figures, faults, score=-float(len(clashes)))
        faults = [f"nodes {a + 1} and {b + 1} are neighbours of one colour, {solution[a]}" for a, b in clashes[:3]]
        squares = sum(solution.count(colour) ** 2 for colour in set(solution))
        return Verdict(figures, faults, score=-used - 0.5 + 0.5 * squares / self.nodes**2)

    def draw(self, solution: Any) -> str:
        """Return a line for each colour, with its nodes."""
        width = len(str(max(solution, default=0)))
        return "\n".join(
            f"{colour:{width}}: {' '.join(str(node) for node, own in enumerate(solution, 1) if own == colour)}"
            for colour in sorted(set(solution))
        )

    def sketch(self, solution: Any) -> str:
        return cut(self.draw(solution))


def _checked_edges(nodes: int, edges: Any) -> np.ndarray:
    try:
        given = list(edges)
        pairs = np.array(given).reshape(-1, 2) if given else np.zeros((0, 2), np.int64)
    except (TypeError, ValueError):
        raise InputError("edges must be pairs of nodes") from None
    if pairs.dtype.kind not in "iu":
        raise InputError(f"edges must be pairs of whole numbers, not of {pairs.dtype}")
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= nodes):
        wrong = next(pair for pair in pairs.tolist() if min(pair) < 0 or max(pair) >= nodes)
        raise InputError(f"the edge {tuple(wrong)} names a node that is none; expected 0 to {nodes - 1}")
    loops = pairs[pairs[:, 0] == pairs[:, 1]]
    if len(loops):
        raise InputError(f"node {loops[0, 0]} has an edge to itself; it cannot be coloured")
    return np.unique(np.sort(pairs.astype(np.int64), axis=1), axis=0)


def _neighbours(nodes: int, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where the neighbours of each node begin, and the neighbours of all."""
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    start = np.searchsorted(both[:, 0], np.arange(nodes + 1)).astype(np.int64)
    return start, both[:, 1].astype(np.int32)


def greedy_clique(adjacent: np.ndarray) -> list[int]:
    """Return the largest of the cliques that grow from each node by the candidate with the most candidates beside it.

    ``adjacent`` (bool[nodes, nodes]) is symmetric, and False on the diagonal.
    """
    best: list[int] = []
    degrees = adjacent.sum(axis=1)
    for node in np.argsort(-degrees, kind="stable").tolist():
        if degrees[node] < len(best):
            break
        clique, candidates = [node], np.flatnonzero(adjacent[node])
        while len(candidates) and len(clique) + len(candidates) > len(best):
            inside = adjacent[np.ix_(candidates, candidates)].sum(axis=1)
            taken = int(candidates[np.argmax(inside)])
            clique.append(taken)
            candidates = candidates[adjacent[taken, candidates]]
        if not len(candidates) and len(clique) > len(best):
            best = clique
    return best
