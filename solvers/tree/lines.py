"""The most visited lines of a tree search: what it thinks of, and how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.values import whole
from nrpa.solvers.tree.memory import NONE, TreeMemory
from nrpa.solvers.tree.root import RootMove, move_of_edge, root_node, summed

# More than a picture can show.
MOST_NODES = 1000


class TreeNode(NamedTuple):
    """A move in a tree, and the most visited ones after it."""

    move: str  # its name; at the root what is searched
    visits: int
    # The mean score, in a game the mean reward of who makes the move; of a solved move what it surely gives
    value: float
    solved: bool  # whether all that can follow is known
    children: tuple[TreeNode, ...]  # those that are kept, the most visited first
    left_out: int  # how many more moves were tried

    def lines(self) -> Iterable[tuple[int, TreeNode]]:
        """Return the nodes with their depth, each before those that follow it."""
        yield 0, self
        for child in self.children:
            yield from ((depth + 1, node) for depth, node in child.lines())


class SearchedTree(NamedTuple):
    """A tree as a search has left it, and how the moves of its problem are called."""

    memory: TreeMemory
    name: Callable[[int], str]


@dataclass
class _Kept:
    """A move that may be kept: ``places`` are where it leads to, a node in each tree that has tried it."""

    name: str
    stands: RootMove
    places: list[tuple[SearchedTree, int]]
    children: list[_Kept] = field(default_factory=list)
    tried: int = 0

    def behind(self) -> list[_Kept]:
        """Return the moves that were tried behind it, of all trees."""
        alike: dict[str, list[tuple[RootMove, SearchedTree, int]]] = defaultdict(list)
        for tree, node in self.places:
            memory, row = tree.memory, tree.memory.nodes[node]
            moves = int(row["count"]) if row["open"] >= 0 else 0
            for edge in memory.edges[row["first"] : row["first"] + moves]:
                if edge["tried"] or edge["closed"]:
                    stands = move_of_edge(memory, edge, int(row["mover"]))
                    alike[tree.name(stands.move)].append((stands, tree, int(edge["child"])))
        found = []
        for name, known in alike.items():
            stands = known[0][0] if len(known) == 1 else summed([each for each, *_ in known])
            found.append(_Kept(name, stands, [(tree, child) for _, tree, child in known if child != NONE]))
        self.tried = len(found)
        return found

    def node(self) -> TreeNode:
        children = sorted(self.children, key=lambda child: -child.stands.visits)
        left_out, stands = self.tried - len(children), self.stands
        nodes = tuple(child.node() for child in children)
        return TreeNode(self.name, stands.visits, stands.value, stands.solved, nodes, left_out)


def most_visited(trees: Sequence[SearchedTree], nodes: int, title: str) -> TreeNode:
    """Return the root of trees of one position, and the moves behind it that were visited most, at most ``nodes``.

    Several trees are added up, as their roots are where a move is chosen. Raises InputError for too many nodes.
    """
    nodes = whole("nodes", nodes, 1, MOST_NODES)
    places = [(each, root_node(each.memory)) for each in trees]
    visits = sum(int(each.memory.nodes["visits"][node]) for each, node in places)
    first = trees[0].memory.root[0]
    moves = int(first["start"] + first["committed"])
    title += f", after {moves} move{'s' * (moves > 1)}" * (moves > 0)
    root = _Kept(title, RootMove(NONE, visits, np.nan, False), places)
    queue: list[Any] = []
    number = count()

    def open_up(kept: _Kept) -> None:
        for child in kept.behind():
            heappush(queue, (-child.stands.visits, next(number), kept, child))

    open_up(root)
    while queue and nodes:
        *_, parent, kept = heappop(queue)
        parent.children.append(kept)
        nodes -= 1
        open_up(kept)
    return root.node()
