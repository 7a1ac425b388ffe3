"""Graphs to colour, from Python or from files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import LARGEST_WHOLE, whole
from nrpa.engine.model import Model
from nrpa.io.source import BestKnown, Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.coloring.graph import Graph
from nrpa.problems.coloring.reader import FORMS, MOST_NODES, parse_graph
from nrpa.problems.common import cut, fault_in_list, faultless, is_whole, most_choices, whole_text, zeros

improving = lazy("nrpa.problems.coloring.improving")
kernels = lazy("nrpa.problems.coloring.kernels")
engine = lazy("nrpa.engine.game")

# A node with a colour is a cell. The most cells there can be; the most of which policies hold a weight each, else by
# hash; the most for which work areas have room, else for so many moves a node at first.
MOST_CELLS, MOST_DENSE, MOST_LISTED, FIRST_LISTED = 100_000_000, 8_000_000, 1_000_000, 4
# N where ``auto`` improves playouts of large graphs, which take most of the time.
FEW_ITERATIONS = 2
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
        The edges, nodes from 0; a pair may come twice. Or the ``graph`` of another instance.

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
    picture = "groups:draw_classes"
    objective = FEWEST
    forms = FORMS
    codes: int | None
    colors = Option(0, "How many colours are given, to minimise clashes; 0: minimise the colours.")
    new_colors = Option(
        "forced",
        "A new colour only where no other is free; else rarely; or always.",
        NEW_COLORS,
        tried=NEW_COLORS,
        details="Rarely is by a bias of -20.7: playouts are as with forced but for colourings that were improved.",
    )

    def __init__(self, nodes: int, edges: Iterable[tuple[int, int]] | np.ndarray | Graph, **options: Any) -> None:
        self.set_options(**options)
        self.nodes = whole("nodes", nodes, most=MOST_NODES)
        self.graph = edges if isinstance(edges, Graph) else Graph(self.nodes, edges)
        if self.colors:
            self.objective = CLASHES  # type: ignore[misc]
        colours, most = self._colours()
        ranked = np.argsort(-self.graph.degrees, kind="stable")
        rank = np.empty(self.nodes, np.int64)
        rank[ranked] = np.arange(self.nodes)
        rules = self.colors > 0, self.new_colors == "forced", self.new_colors == "rare"
        shift = self.nodes.bit_length() // 2
        super().__init__(
            kernels.Instance(self.graph.start, self.graph.neighbour, rank, ranked, shift, colours, most, *rules),
            max_steps=self.nodes * (1 + (self.nodes <= improving.MANY)),
            max_moves=colours,
            max_total=most_choices(self.nodes, colours),
            codes=self.nodes * colours if self.nodes * colours <= MOST_DENSE else None,
            bias_by_move=self.new_colors == "rare",
        )

    def _colours(self) -> tuple[int, np.ndarray]:
        """Return the most colours there can be, and the most once each node has taken a new one."""
        degrees = self.graph.degrees
        colours = min(self.colors, self.nodes) or int(degrees.max()) + 1
        most = np.full(self.nodes, colours)
        if not self.colors and self.nodes * colours > MOST_DENSE:
            # The k-th colour then needs a node with k - 1 neighbours, each colour another one.
            colours = int((np.sort(degrees)[::-1] + np.arange(1, self.nodes + 1)).min())
            most = np.minimum(colours, degrees + 1)
        if self.nodes * colours > MOST_CELLS:
            what = f"{self.nodes:,} nodes with up to {colours:,} colours"
            raise InputError(f"{what} take too much memory; nodes times colours may be {MOST_CELLS:,} at most")
        return colours, most

    def _build_model(self) -> Model:
        """Let the work areas of large graphs grow, as playouts list far fewer moves than they could."""
        model = super()._build_model()
        if self.nodes * self.max_moves > MOST_LISTED:
            model.limits = model.limits._replace(total=FIRST_LISTED * self.nodes, grow=True)
        return model

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        return cls(*parse_graph(whole_text(source), source.label), **options)

    @property
    def best_known(self) -> BestKnown | None:
        """The fewest colours that are known to do; None where colours are given."""
        return None if self.colors else super().best_known

    @property
    def edges(self) -> np.ndarray:
        """Each edge once, the smaller node first, sorted (int64[edges, 2])."""
        return self.graph.edges

    def digest(self) -> str:
        return self.graph.digest

    def hints(self) -> Hints:
        """Recommend ``new_colors="rare"``, so that improved colourings can be built; see ``improve``."""
        iterations = FEW_ITERATIONS if self.nodes > improving.MANY else Hints.iterations_improved
        if "new_colors" in self.given_options or type(self) is not Coloring:
            return Hints(tempered=False, iterations_improved=iterations)
        arm = Coloring(self.nodes, self.graph, **{**self.options, "new_colors": "rare"})
        return Hints(tempered=False, arms=(arm,), iterations_improved=iterations)

    def bound(self) -> float:
        """Return the size of a clique, whose nodes all need colours of their own; 0 clashes with colours given."""
        return 0.0 if self.colors else float(len(self.graph.clique))

    @property
    def improves_again(self) -> bool:
        """By other random numbers, which come from the moves of a playout: there is room for them after a game."""
        return bool(self.nodes <= improving.MANY)

    def new_state(self) -> Any:
        n, colours, blocks = self.nodes, self.max_moves, (self.nodes - 1 >> self.instance.shift) + 1
        return zeros(
            kernels.State,
            colour=n,
            near=(n, colours),
            saturation=n,
            highest=blocks,
            size=colours,
            counts=3,
            wanted=n,
            beside=n * colours,
            tabu=n * colours,
            work=(improving.ROWS, max(n, colours)),
            stream=2,
            stop=1,
        )

    def solution(self, moves: np.ndarray) -> list[int]:
        """Return the colouring that moves (int64[steps]) build; where they are too few, the other nodes have 0."""
        colours = np.zeros(self.nodes, np.int64)
        colours[moves // self.max_moves] = moves % self.max_moves + 1
        found: list[int] = colours.tolist()
        return found

    def move_name(self, move: int) -> str:
        """Return node and colour, as in ``7:2``."""
        return f"{move // self.max_moves + 1}:{move % self.max_moves + 1}"

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
        own = np.array(solution, object if max(solution) > LARGEST_WHOLE else np.int64)
        clashes = self.edges[own[self.edges[:, 0]] == own[self.edges[:, 1]]].tolist()
        used = len(set(solution))
        figures = {"colors": used, "clashes": len(clashes)}
        if self.colors:
            faults = [f"there are {used} colours; expected at most {self.colors}"] if used > self.colors else []
            return Verdict(figures, faults, score=-float(len(clashes)))
        faults = [f"nodes {a + 1} and {b + 1} are neighbours of one colour, {solution[a]}" for a, b in clashes[:3]]
        squares = sum(many**2 for many in Counter(solution).values())
        return Verdict(figures, faults, score=-used - 0.5 + 0.5 * squares / self.nodes**2)

    def parts(self) -> list[str]:
        """Return the nodes, which a colouring can leave out."""
        return [f"node {node}" for node in range(1, self.nodes + 1)]

    def without(self, parts: Collection[str]) -> Self:
        """Return the graph of the other nodes, which keep their order; any colour may be a new one."""
        left = np.array([part not in parts for part in self.parts()])
        edges = (np.cumsum(left) - 1)[self.edges[left[self.edges].all(axis=1)]]
        return type(self)(int(left.sum()), edges, **{**self.given_options, "new_colors": "free"})

    def draw(self, solution: Any) -> str:
        """Return a line for each colour, with its nodes."""
        width = len(str(max(solution, default=0)))
        classes: dict[int, list[str]] = {}
        for node, own in enumerate(solution, 1):
            classes.setdefault(own, []).append(str(node))
        return "\n".join(f"{colour:{width}}: {' '.join(classes[colour])}" for colour in sorted(classes))

    def sketch(self, solution: Any) -> str:
        return cut(self.draw(solution))
