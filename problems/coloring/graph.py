"""A graph as lists of neighbours, made once and shared by an instance and its recommended copy."""

from __future__ import annotations

import functools
import hashlib
from functools import cached_property
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import without_cached

MOST_WORK = 40_000_000
MOST_KEPT = 4_000
HASHED_AT_ONCE = 10_000


class Graph:
    """The edges of a graph, and the neighbours of each node.

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
    start : ndarray of int64, shape (nodes + 1,)
        Where the neighbours of each node begin in ``neighbour``.
    neighbour : ndarray of int32, shape (2 edges,)
        The neighbours of all nodes, those of each in order.
    """

    def __init__(self, nodes: int, edges: Any) -> None:
        self.nodes = nodes
        pairs = _checked_pairs(nodes, edges)
        low, high = np.divmod(distinct(pairs.min(axis=1) * nodes + pairs.max(axis=1)), nodes)
        self.edges = np.stack([low, high], axis=1)
        both = np.sort(np.concatenate([low * nodes + high, high * nodes + low]))
        self.start = np.searchsorted(both, np.arange(nodes + 1) * nodes)
        self.neighbour = (both % nodes).astype(np.int32)

    @property
    def degrees(self) -> np.ndarray:
        """The number of neighbours of each node."""
        return np.diff(self.start)

    __getstate__ = without_cached

    @cached_property
    def digest(self) -> str:
        """The hash of the nodes and edges."""
        hashed = hashlib.sha256(f"{self.nodes}:[".encode())
        for first in range(0, len(self.edges), HASHED_AT_ONCE):
            hashed.update(b", " * (first > 0))
            hashed.update(str(self.edges[first : first + HASHED_AT_ONCE].tolist())[1:-1].encode())
        hashed.update(b"]")
        return hashed.hexdigest()

    def neighbours(self, node: int) -> np.ndarray:
        """Return the neighbours of a node, in order."""
        return self.neighbour[self.start[node] : self.start[node + 1]]

    @cached_property
    def clique(self) -> list[int]:
        """Nodes that are all neighbours of each other: the largest of the cliques that grow from each node.

        They grow by the candidate with the most candidates beside it. Those from nodes with the most neighbours come
        first, and none comes once ``MOST_WORK`` is done.
        """
        best: list[int] = []
        work, look = MOST_WORK, self.nodes // 64 + 16
        bits = functools.lru_cache(MOST_KEPT)(self._bits)
        for node in np.argsort(-self.degrees, kind="stable").tolist():
            left, beside, clique = self.neighbours(node), bits(node), [node]
            if len(left) < len(best) or work <= 0:
                break
            while len(left) and len(clique) + len(left) > len(best):
                work -= len(left) * look
                inside = [(bits(other) & beside).bit_count() for other in left.tolist()]
                taken = int(left[np.argmax(inside)])
                clique.append(taken)
                beside &= bits(taken)
                left = np.intersect1d(left, self.neighbours(taken), assume_unique=True)
            if not len(left) and len(clique) > len(best):
                best = clique
        return best

    def _bits(self, node: int) -> int:
        """Return the neighbours of a node as the bits of a number."""
        row = np.zeros(self.nodes, bool)
        row[self.neighbours(node)] = True
        return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")


def distinct(numbers: np.ndarray) -> np.ndarray:
    """Return each number once, sorted; np.unique takes many times as long."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=-1) > 0]


def _checked_pairs(nodes: int, edges: Any) -> np.ndarray:
    """Return the edges that a caller gives as an array of int64."""
    try:
        given = edges if isinstance(edges, np.ndarray) else list(edges)
        pairs = np.array(given).reshape(-1, 2) if len(given) else np.zeros((0, 2), np.int64)
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
    return pairs.astype(np.int64)
