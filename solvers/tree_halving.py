"""Sequential Halving at the root of a tree.

References
----------
Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013: Sequential Halving.

N. Fabiano and T. Cazenave, *Sequential Halving Using Scores*, ACG 2021: SHUSS.

D. Sagers, M. Winands and D. Soemers, *Anytime Sequential Halving in Monte-Carlo Tree Search*, arXiv 2411.07171, 2024.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.jit import jit
from nrpa.solvers.tree_amaf import place_of
from nrpa.solvers.tree_memory import (
    ALIVE,
    BEGUN,
    BLOCK,
    COUNT,
    FIRST,
    MOVER,
    PASSES,
    PLACE,
    PULLED,
    PULLS,
    SURVIVOR,
)
from nrpa.solvers.tree_selection import normalised

NEVER, SEQUENTIAL, USING_SCORES, ANYTIME = range(4)


@jit
def next_arm(memory, settings, node):
    """Return the move of the root that is to be tried next; moves that are solved are passed over.

    Parameters
    ----------
    memory : Memory
        The search; where it stands in a pass may change.
    settings : Settings
        The options.
    node : int
        The root; at least one of its moves is not solved.

    Returns
    -------
    int
        The edge.
    """
    arm, info = memory.halving
    if not info[BEGUN]:
        begin_pass(memory, settings, node)
    while memory.edges.closed[arm[info[PLACE]]]:
        next_place(memory, settings, node)
    return arm[info[PLACE]]


@jit
def count_pull(memory, settings, node):
    """Count a playout of the move that ``next_arm`` gave."""
    info = memory.halving.info
    info[PULLED] += 1
    if info[PULLED] >= info[PULLS]:
        next_place(memory, settings, node)


@jit
def begin_pass(memory, settings, node):
    """Begin a pass with all moves of the root."""
    arm, info = memory.halving
    count = memory.nodes.whole[node, COUNT]
    for m in range(count):
        arm[m] = memory.nodes.whole[node, FIRST] + m
    info[ALIVE] = count
    info[BEGUN] = 1
    begin_round(memory, settings, count)


@jit
def begin_round(memory, settings, moves):
    """Begin a round: each move that is still in gets an equal share of a round's playouts, at least one."""
    info = memory.halving.info
    rounds = 0
    while (1 << rounds) < moves:
        rounds += 1
    budget = moves * rounds if settings.halving == ANYTIME else settings.budget
    info[PLACE] = 0
    info[PULLED] = 0
    info[PULLS] = max(1, budget // (info[ALIVE] * max(1, rounds)))


@jit
def next_place(memory, settings, node):
    """Go on to the next move of the round; after the last, keep the better half, and after the last round begin anew."""
    info = memory.halving.info
    info[PLACE] += 1
    info[PULLED] = 0
    if info[PLACE] < info[ALIVE]:
        return
    if info[ALIVE] > 1:
        keep_better_half(memory, settings, node)
    if info[ALIVE] > 1:
        begin_round(memory, settings, memory.nodes.whole[node, COUNT])
        return
    info[SURVIVOR] = memory.halving.arm[0]
    info[PASSES] += 1
    begin_pass(memory, settings, node)


@jit
def keep_better_half(memory, settings, node):
    """Sort the moves that are in by their worth, the best first, equal ones as they were, and keep the first half."""
    arm, info = memory.halving
    alive = info[ALIVE]
    for i in range(1, alive):
        edge = arm[i]
        worth = worth_of(memory, settings, node, edge)
        k = i
        while k > 0 and worth_of(memory, settings, node, arm[k - 1]) < worth:
            arm[k] = arm[k - 1]
            k -= 1
        arm[k] = edge
    info[ALIVE] = (alive + 1) // 2


@jit
def worth_of(memory, settings, node, edge):
    """Return what the moves of the root are sorted by: the mean; with SHUSS and c · AMAF / visits.

    Parameters
    ----------
    memory : Memory
        The search.
    settings : Settings
        The options.
    node : int
        The root.
    edge : int
        The edge.

    Returns
    -------
    float
        The value: of a solved move its own, -inf for one that was never tried.
    """
    edges, nodes = memory.edges, memory.nodes
    low, scale = normalised(memory, settings)
    if edges.closed[edge]:
        return (nodes.number[edges.child[edge], 1 + nodes.whole[node, MOVER]] - low) * scale
    n = edges.stat[edge, 0]
    if n == 0.0:
        return -np.inf
    worth = (edges.stat[edge, 1] / n - low) * scale
    code, block = np.int64(edges.code[edge]), nodes.whole[node, BLOCK]
    if settings.halving == USING_SCORES and block >= 0 and code >= 0:
        place = place_of(memory.amaf, settings.numbers, block, code)
        if memory.amaf.cell[place, 0] > 0.0:
            amaf = memory.amaf.cell[place, 1] / memory.amaf.cell[place, 0]
            worth += settings.c_amaf * (amaf - low) * scale / n
    return worth
