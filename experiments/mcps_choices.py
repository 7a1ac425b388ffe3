"""The selection of MCPS with one choice made otherwise, for `mcps_questions.py`: where the paper leaves it open.

The number of the choice is read at run time from ``formula.c``, which MCPS does not use.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.jit import jit
from nrpa.solvers.tree_amaf import START, place_of
from nrpa.solvers.tree_memory import (
    BLOCK,
    CLOSED,
    CODE,
    COUNT,
    FIRST,
    LINKS,
    PERMUTED,
    PERMUTED_SUM,
    SEGMENT,
    SUM,
    TRIED,
    VISITS,
)
from nrpa.solvers.tree_selection import largest, normalised

AS_IT_IS, OWN_SIZE, EQUAL_WEIGHTS, UNSEEN_FIRST, UNKNOWN_LAST, UNKNOWN_MEAN, UNTRIED_FIRST, FIRST_OF_TIES = range(8)


@jit
def select(nodes, edges, amaf, log, rows, extremes, formula, node, block, value, random):
    """Choose a move of a node as ``nrpa.solvers.tree_selection.select`` does for MCPS, but for one choice.

    Parameters
    ----------
    nodes, edges, amaf, log, rows
        The tree, its statistics, the playouts and their bit rows.
    extremes, formula, node, block, value, random
        As there; ``formula.c`` is the number of the choice.

    Returns
    -------
    int
        The move, counted from the first of the node.
    """
    choice = np.int64(formula.c)
    first, count = nodes.whole[node, FIRST], nodes.whole[node, COUNT]
    low, scale = normalised(extremes, formula.normalise)
    for m in range(count):
        edge = first + m
        if edges.whole[edge, CLOSED]:
            value[m] = -np.inf
            continue
        n, total = edges.number[edge, TRIED], edges.number[edge, SUM]
        code = edges.whole[edge, CODE]
        place = amaf.block[block, START] + code if amaf.key.shape[0] == 1 else place_of(amaf, block, code)
        n_amaf, sum_amaf = amaf.cell[place, 0], amaf.cell[place, 1]
        n_permuted, sum_permuted = edges.number[edge, PERMUTED], edges.number[edge, PERMUTED_SUM]
        if choice == OWN_SIZE and nodes.whole[node, BLOCK] < 0 and n_amaf > 0.0:
            size = own_size(log, rows, nodes.whole[node, LINKS], code)
            sum_amaf *= size / n_amaf
            n_amaf = size
        if choice == UNTRIED_FIRST and n == 0.0:
            value[m] = np.inf
        elif n + n_amaf + n_permuted == 0.0:
            value[m] = np.inf
            if choice == UNKNOWN_LAST:
                value[m] = 0.0
            elif choice == UNKNOWN_MEAN:
                value[m] = (nodes.number[node, 0] / nodes.whole[node, VISITS] - low) * scale
        elif n_amaf == 0.0 and n > 0.0:
            worth = total / n
            if choice == EQUAL_WEIGHTS:
                worth = (total + sum_permuted) / (n + n_permuted)
            value[m] = (worth - low) * scale
        elif n_amaf == 0.0:
            value[m] = np.inf if choice == UNSEEN_FIRST else (sum_permuted / n_permuted - low) * scale
        else:
            mean = total / n if n > 0.0 else 0.0
            weight = (n_amaf + n_permuted) / n_amaf * n
            worth = (weight * mean + sum_amaf + sum_permuted) / (weight + n_amaf + n_permuted)
            value[m] = (worth - low) * scale
    if choice == FIRST_OF_TIES:
        chosen = 0
        for m in range(1, count):
            if value[m] > value[chosen]:
                chosen = m
        return chosen
    return largest(value, count, random)


@jit
def own_size(log, rows, link, code):
    """Return how many playouts of a node's list contain a code, where a game makes no move twice."""
    size = 0.0
    while link >= 0:
        playout = log.link[link, 0]
        segment = np.int64(rows.segment[code, playout // SEGMENT])
        bit = playout % SEGMENT
        if segment > 0 and (rows.word[segment, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1):
            size += 1.0
        link = log.link[link, 2]
    return size
