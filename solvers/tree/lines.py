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
from nrpa.solvers.tree.root import move_of_edge, root_node, summed

# More than a picture can show.
MOST_NODES = 1000


@dataclass
class TreeNode:
    """A move in a tree, and the most visited ones after it."""

    move: str  # its name; at the root what is searched
    visits: int
    # The mean score, in a game the mean reward of who makes the move; of a solved move what it surely gives
    value: float
    solved: bool  # whether all that can follow is known
    children: list[TreeNode] = field(default_factory=list)  # those that are kept, the most visited first
    left_out: int = 0  # how many more moves were tried

    def lines(self) -> Iterable[tuple[int, TreeNode]]:
        """Return the nodes with their depth, each before those that follow it."""
        yield 0, self
        for child in self.children:
            yield from ((depth + 1, node) for depth, node in child.lines())


class SearchedTree(NamedTuple):
    """A tree as a search has left it, and how the moves of its problem are called."""

    memory: TreeMemory
    name: Callable[[int], str]


Places = list[tuple[SearchedTree, int]]  # a node in each of several trees


def most_visited(trees: Sequence[SearchedTree], nodes: int, title: str) -> TreeNode:
    """Return the root of trees of one position, and the moves behind it that were visited most, at most ``nodes``.

    Several trees are added up, as their roots are where a move is chosen. Raises InputError for too many nodes.
    """
    places = [(each, root_node(each.memory)) for each in trees]
    visits = sum(int(each.memory.nodes["visits"][node]) for each, node in places)
    moves = int(trees[0].memory.root[0]["start"] + trees[0].memory.root[0]["committed"])
    title += f", after {moves} move{'s' * (moves > 1)}" * (moves > 0)
    root = parent = TreeNode(title, visits, np.nan, False)
    queue: list[Any] = []
    number = count()
    for _ in range(whole("nodes", nodes, 1, MOST_NODES)):
        for child, behind in _moves_behind(places):
            parent.left_out += 1
            heappush(queue, (-child.visits, next(number), parent, child, behind))
        if not queue:
            break
        *_, before, parent, places = heappop(queue)
        before.children.append(parent)
        before.left_out -= 1
    else:
        parent.left_out = len(_moves_behind(places))
    return root


def _moves_behind(places: Places) -> list[tuple[TreeNode, Places]]:
    """Return the moves that were tried at nodes of several trees, each with the nodes that it leads to."""
    alike: dict[str, list[Any]] = defaultdict(list)
    for tree, node in places:
        memory, row = tree.memory, tree.memory.nodes[node]
        for edge in memory.edges[row["first"] : row["first"] + row["count"] * (row["open"] >= 0)]:
            if edge["tried"] or edge["closed"]:
                stands = move_of_edge(memory, edge, int(row["mover"]))
                alike[tree.name(stands.move)].append((stands, tree, int(edge["child"])))
    found = []
    for name, known in alike.items():
        stands = known[0][0] if len(known) == 1 else summed([each for each, *_ in known])
        behind = [(tree, child) for _, tree, child in known if child != NONE]
        found.append((TreeNode(name, stands.visits, stands.value, stands.solved), behind))
    return found
