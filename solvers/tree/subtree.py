"""What is left of a tree behind one of its nodes, moved to the beginning of the arrays, where it is fast to walk.

Only of searches that count nothing by code: AMAF statistics and bit rows belong to whole playouts.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.hash_table import FREE, HashTable, hash_table, rehashed
from nrpa.solvers.tree.memory import NONE, TreeMemory


def subtree(memory: TreeMemory, root: int) -> TreeMemory:
    """Return a memory whose first node is ``root``, with the nodes behind it, those near to it first."""
    nodes, edges, count = memory.nodes, memory.edges, memory.count[0]
    kept = nodes_behind(memory, root)
    moved = np.full(count["nodes"], NONE)
    moved[kept] = np.arange(len(kept))
    own = edges_of(nodes[kept])
    made = edges[own]
    known = made["child"] >= 0
    made["child"][known] = moved[made["child"][known]]
    rows = nodes[kept]
    rows["first"] = np.cumsum(rows["count"]) - rows["count"]
    nodes[: len(kept)], edges[: len(own)] = rows, made
    memory.outcomes[: len(kept)] = memory.outcomes[kept]
    if len(memory.priors) == len(edges):
        memory.priors[: len(own)] = memory.priors[own]
    count["nodes"], count["edges"] = len(kept), len(own)
    return memory._replace(node_table=_table_of(memory, moved))


def nodes_behind(memory: TreeMemory, root: int) -> np.ndarray:
    """Return a node and those that can be reached from it, in the order of their distance."""
    reached = np.zeros(memory.count[0]["nodes"], np.bool_)
    last, found = np.array([root]), []
    while len(last):
        reached[last] = True
        found.append(last)
        children = np.unique(memory.edges["child"][edges_of(memory.nodes[last])])
        children = children[children >= 0]
        last = children[~reached[children]]
    return np.concatenate(found)


def edges_of(rows: np.ndarray) -> np.ndarray:
    """Return the edges of some nodes (NODE[n]), one node after the other."""
    counts = rows["count"]
    return np.repeat(rows["first"] - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def _table_of(memory: TreeMemory, moved: np.ndarray) -> HashTable:
    """Return the table of nodes by hash, with the new numbers of those that were kept."""
    word = memory.node_table.word.copy()
    used = np.flatnonzero(word[::2] != FREE)
    word[2 * used + 1] = moved[word[2 * used + 1]]
    word[2 * used[word[2 * used + 1] == NONE]] = FREE
    return rehashed(memory.node_table._replace(word=word), hash_table(len(word) // 2))
