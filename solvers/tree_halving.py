"""Sequential Halving at the root of a tree.

References
----------
Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013: Sequential Halving.

N. Fabiano and T. Cazenave, *Sequential Halving Using Scores*, ACG 2021: SHUSS.

D. Sagers, M. Winands and D. Soemers, *Anytime Sequential Halving in Monte-Carlo Tree Search*, arXiv 2411.07171, 2024.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.jit import internal
from nrpa.solvers import tree_memory as at
from nrpa.solvers.tree_amaf import amaf_of
from nrpa.solvers.tree_selection import normalised

# In the order of ``nrpa.solvers.tree.HALVINGS``.
NEVER, SEQUENTIAL, USING_SCORES, ANYTIME = range(4)


@internal
def next_arm(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Return the move of the root that is to be tried next; moves that are solved are passed over."""
    if not halving[at.BEGUN]:
        begin_pass(halving, nodes.whole[node, at.FIRST], nodes.whole[node, at.COUNT], selection)
    while True:
        end_round(halving, nodes, edges, amaf, extremes, selection, node, value)
        edge = halving[at.ARM + halving[at.NEXT]]
        if not edges.whole[edge, at.CLOSED]:
            return edge
        halving[at.NEXT] += 1
        halving[at.PULLED] = 0


@internal
def count_pull(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Count a playout of the move that ``next_arm`` gave; its parameters are the same."""
    halving[at.PULLED] += 1
    if halving[at.PULLED] >= halving[at.PULLS]:
        halving[at.NEXT] += 1
        halving[at.PULLED] = 0
        end_round(halving, nodes, edges, amaf, extremes, selection, node, value)


@internal
def end_round(halving, nodes, edges, amaf, extremes, selection, node, value):
    """After the last move of a round keep the better half; after the last round begin a new pass."""
    if halving[at.NEXT] < halving[at.ALIVE]:
        return
    first, moves = nodes.whole[node, at.FIRST], nodes.whole[node, at.COUNT]
    if halving[at.ALIVE] > 1:
        keep_better_half(halving, nodes, edges, amaf, extremes, selection, node, value)
    if halving[at.ALIVE] > 1:
        begin_round(halving, moves, selection)
        return
    halving[at.SURVIVOR] = halving[at.ARM]
    halving[at.PASSES] += 1
    begin_pass(halving, first, moves, selection)


@internal
def begin_pass(halving, first, moves, selection):
    """Begin a pass with all moves of the root, the edges from ``first`` on."""
    for m in range(moves):
        halving[at.ARM + m] = first + m
    halving[at.ALIVE] = moves
    halving[at.BEGUN] = 1
    begin_round(halving, moves, selection)


@internal
def begin_round(halving, moves, selection):
    """Begin a round: each move that is still in gets an equal share of a round's playouts, at least one."""
    rounds = 0
    while (1 << rounds) < moves:
        rounds += 1
    budget = moves * rounds if selection.halving == ANYTIME else selection.budget
    halving[at.NEXT] = 0
    halving[at.PULLED] = 0
    halving[at.PULLS] = max(1, budget // (halving[at.ALIVE] * max(1, rounds)))


@internal
def keep_better_half(halving, nodes, edges, amaf, extremes, selection, node, value):
    """Sort the moves that are in by their worth, the best first, equal ones as they were, and keep the first half.

    The worth is the mean of a move; with SHUSS plus c · AMAF / visits; of a solved move its own value.
    """
    alive, mover, block = halving[at.ALIVE], nodes.whole[node, at.MOVER], nodes.whole[node, at.BLOCK]
    low, scale = normalised(extremes, selection.normalise)
    for i in range(alive):
        edge = halving[at.ARM + i]
        n = edges.number[edge, at.TRIED]
        worth = -np.inf
        if edges.whole[edge, at.CLOSED]:
            worth = (nodes.number[edges.whole[edge, at.CHILD], 1 + mover] - low) * scale
        elif n > 0.0:
            worth = (edges.number[edge, at.SUM] / n - low) * scale
            n_amaf, total = amaf_of(amaf, block, at.NONE, edges.whole[edge, at.CODE])
            if n_amaf > 0.0:
                worth += selection.c_amaf * (total / n_amaf - low) * scale / n
        k = i
        while k > 0 and value[k - 1] < worth:
            halving[at.ARM + k] = halving[at.ARM + k - 1]
            value[k] = value[k - 1]
            k -= 1
        halving[at.ARM + k] = edge
        value[k] = worth
    halving[at.ALIVE] = (alive + 1) // 2
