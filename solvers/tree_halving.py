"""Sequential Halving at the root of a tree.

References
----------
Z. Karnin, T. Koren and O. Somekh, *Almost Optimal Exploration in Multi-Armed Bandits*, ICML 2013: Sequential Halving.

N. Fabiano and T. Cazenave, *Sequential Halving Using Scores*, ACG 2021: SHUSS.

D. Sagers, M. Winands and D. Soemers, *Anytime Sequential Halving in Monte-Carlo Tree Search*, arXiv 2411.07171, 2024.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import internal
from nrpa.solvers.tree_amaf import place_of
from nrpa.solvers.tree_memory import (
    ALIVE,
    ARM,
    BEGUN,
    BLOCK,
    CHILD,
    CLOSED,
    CODE,
    COUNT,
    FIRST,
    MOVER,
    PASSES,
    PLACE,
    PULLED,
    PULLS,
    SUM,
    SURVIVOR,
    TRIED,
)
from nrpa.solvers.tree_selection import normalised

NEVER, SEQUENTIAL, USING_SCORES, ANYTIME = range(4)


class Rule(NamedTuple):
    """Which Sequential Halving there is at the root.

    - ``kind``: Which.
    - ``budget``: The playouts of a pass.
    - ``c_amaf``: The weight of AMAF.
    - ``normalise``: Whether scores are taken between the extremes so far.
    - ``worth``, float64[max_moves]: A work area.
    """

    kind: int
    budget: int
    c_amaf: float
    normalise: bool
    worth: np.ndarray


@internal
def next_arm(halving, nodes, edges, amaf, extremes, rule, node):
    """Return the move of the root that is to be tried next; moves that are solved are passed over."""
    if not halving[BEGUN]:
        begin_pass(halving, nodes.whole[node, FIRST], nodes.whole[node, COUNT], rule)
    while True:
        end_round(halving, nodes, edges, amaf, extremes, rule, node)
        edge = halving[ARM + halving[PLACE]]
        if not edges.whole[edge, CLOSED]:
            return edge
        halving[PLACE] += 1
        halving[PULLED] = 0


@internal
def count_pull(halving, nodes, edges, amaf, extremes, rule, node):
    """Count a playout of the move that ``next_arm`` gave; its parameters are the same."""
    halving[PULLED] += 1
    if halving[PULLED] >= halving[PULLS]:
        halving[PLACE] += 1
        halving[PULLED] = 0
        end_round(halving, nodes, edges, amaf, extremes, rule, node)


@internal
def end_round(halving, nodes, edges, amaf, extremes, rule, node):
    """After the last move of a round keep the better half; after the last round begin a new pass."""
    if halving[PLACE] < halving[ALIVE]:
        return
    first, moves = nodes.whole[node, FIRST], nodes.whole[node, COUNT]
    if halving[ALIVE] > 1:
        keep_better_half(halving, nodes, edges, amaf, extremes, rule, node)
    if halving[ALIVE] > 1:
        begin_round(halving, moves, rule)
        return
    halving[SURVIVOR] = halving[ARM]
    halving[PASSES] += 1
    begin_pass(halving, first, moves, rule)


@internal
def begin_pass(halving, first, moves, rule):
    """Begin a pass with all moves of the root, the edges from ``first`` on."""
    for m in range(moves):
        halving[ARM + m] = first + m
    halving[ALIVE] = moves
    halving[BEGUN] = 1
    begin_round(halving, moves, rule)


@internal
def begin_round(halving, moves, rule):
    """Begin a round: each move that is still in gets an equal share of a round's playouts, at least one."""
    rounds = 0
    while (1 << rounds) < moves:
        rounds += 1
    budget = moves * rounds if rule.kind == ANYTIME else rule.budget
    halving[PLACE] = 0
    halving[PULLED] = 0
    halving[PULLS] = max(1, budget // (halving[ALIVE] * max(1, rounds)))


@internal
def keep_better_half(halving, nodes, edges, amaf, extremes, rule, node):
    """Sort the moves that are in by their worth, the best first, equal ones as they were, and keep the first half.

    The worth is the mean of a move; with SHUSS plus c · AMAF / visits; of a solved move its own value.
    """
    alive, mover, block = halving[ALIVE], nodes.whole[node, MOVER], nodes.whole[node, BLOCK]
    low, scale = normalised(extremes, rule.normalise)
    for i in range(alive):
        edge = halving[ARM + i]
        n = edges.number[edge, TRIED]
        worth = -np.inf
        if edges.whole[edge, CLOSED]:
            worth = (nodes.number[edges.whole[edge, CHILD], 1 + mover] - low) * scale
        elif n > 0.0:
            worth = (edges.number[edge, SUM] / n - low) * scale
            code = edges.whole[edge, CODE]
            if rule.kind == USING_SCORES and block >= 0 and code >= 0:
                place = place_of(amaf, block, code)
                if amaf.cell[place, 0] > 0.0:
                    worth += rule.c_amaf * (amaf.cell[place, 1] / amaf.cell[place, 0] - low) * scale / n
        k = i
        while k > 0 and rule.worth[k - 1] < worth:
            halving[ARM + k] = halving[ARM + k - 1]
            rule.worth[k] = rule.worth[k - 1]
            k -= 1
        halving[ARM + k] = edge
        rule.worth[k] = worth
    halving[ALIVE] = (alive + 1) // 2
