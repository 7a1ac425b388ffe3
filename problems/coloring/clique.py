"""A large clique: its nodes all need colours of their own."""

import numpy as np


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
