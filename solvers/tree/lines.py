"""The most visited lines of a tree search: what it thinks of, and how much."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import Any

import numpy as np

from nrpa.base.values import whole
from nrpa.solvers.tree.memory import NONE
from nrpa.solvers.tree.root import move_of_edge, root_node, summed
from nrpa.solvers.tree.search import TreeSearch

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

    def flat(self) -> tuple[list[TreeNode], list[int]]:
        """Return the nodes, parents before children, and where the parent of each but the first is among them."""
        nodes, parents = [self], list[int]()
        for number, node in enumerate(nodes):
            nodes += node.children
            parents += [number] * len(node.children)
        return nodes, parents


Places = list[tuple[TreeSearch, int]]  # a node in each of several trees


def most_visited(searches: Sequence[TreeSearch], nodes: int) -> TreeNode:
    """Return the root of trees of one position, and the moves behind it that were visited most, at most ``nodes``.

    Several trees are added up, as their roots are where a move is chosen. Raises InputError for too many nodes.
    """
    whole("nodes", nodes, 1, MOST_NODES)
    problem, first = searches[0].problem, searches[0].memory.root[0]
    moves = int(first["start"] + first["committed"])
    title = f"{problem.name} {problem.label}".rstrip() + f", after {moves} move{'s' * (moves > 1)}" * (moves > 0)
    places = [(each, root_node(each.memory)) for each in searches]
    node = root = TreeNode(title, sum(int(each.memory.nodes["visits"][at]) for each, at in places), np.nan, False)
    queue: list[Any] = []
    number = count()
    while True:
        for child, behind in _moves_behind(places):
            node.left_out += 1
            heappush(queue, (-child.visits, next(number), node, child, behind))
        if not queue or nodes == 0:
            return root
        *_, before, node, places = heappop(queue)
        before.children.append(node)
        before.left_out -= 1
        nodes -= 1


def _moves_behind(places: Places) -> list[tuple[TreeNode, Places]]:
    """Return the moves that were tried at nodes of several trees, each with the nodes that it leads to."""
    alike: dict[str, list[Any]] = defaultdict(list)
    for search, node in places:
        memory, row = search.memory, search.memory.nodes[node]
        for edge in memory.edges[row["first"] : row["first"] + row["count"] * (row["open"] >= 0)]:
            if edge["tried"] or edge["closed"]:
                stands = move_of_edge(memory, edge, int(row["mover"]))
                alike[search.problem.move_name(stands.move)].append((stands, search, int(edge["child"])))
    found = []
    for name, known in alike.items():
        stands = known[0][0] if len(known) == 1 else summed([each for each, *_ in known])
        behind = [(search, child) for _, search, child in known if child != NONE]
        found.append((TreeNode(name, stands.visits, stands.value, stands.solved), behind))
    return found
