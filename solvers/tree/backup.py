"""What a walk of a tree search leaves in the tree: its leaf, the counts of nodes and edges, and what is solved.

References
----------
M. Winands, Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008: solved nodes.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.hash_table import ONE, find, occupy
from nrpa.machine.jit import internal
from nrpa.solvers.tree import memory as at


@internal
def add_leaf(nodes, edges, count, step, worth, by_hash, levels, leaf):
    """Add the node that the walk has led to, unless the memory is full; a final state is solved at once."""
    node = count[at.NODES]
    if node >= nodes.whole.shape[0]:
        count[at.FULL] = 1
        return
    count[at.NODES] += 1
    step[at.STEP_NODE, levels] = node
    row = nodes.whole[node]
    row[at.OPEN] = at.UNEXPANDED if step[at.STEP_MOVER, leaf] >= 0 else 0
    row[at.MOVER] = max(0, step[at.STEP_MOVER, leaf])
    row[at.VISITS] = row[at.FIRST] = row[at.COUNT] = row[at.COUNTED] = 0
    row[at.BLOCK] = row[at.LINKS] = row[at.PATH] = at.NONE
    nodes.number[node, 0] = 0.0
    for p in range(worth.shape[0]):
        nodes.number[node, 1 + p] = worth[p]
    if levels > 0:
        edges.whole[step[at.STEP_EDGE, levels - 1], at.CHILD] = node
    if by_hash:
        slot = find(nodes.table, count[at.HASH])
        occupy(nodes.table, slot, count[at.HASH])
        nodes.table.word[(slot << ONE) + ONE] = node


@internal
def note_rewards(extremes, count, reward, won, forgets):
    """Keep the lowest and the highest reward, and whether there have been others.

    Where the highest changes and ``forgets``, take back the marks of those who won: it was not the highest.
    """
    for p in range(reward.shape[0]):
        gained, low, high = reward[p], extremes[0], extremes[1]
        if gained == low or gained == high:  # noqa: PLR1714, SIM109
            continue
        if low < high:
            count[at.MANY_VALUES] = 1
        if gained < low:
            extremes[0] = gained
        if gained > high:
            extremes[1] = gained
            if forgets:
                for column in range(count[at.PLAYOUTS] // at.SEGMENT + 1):
                    for q in range(reward.shape[0]):
                        for w in range(at.WORDS):
                            won[column, q, w] = np.uint64(0)


@internal
def back_up(nodes, edges, step, reward, largest, levels, minimax):
    """Count a playout at the nodes and edges of its walk, from the leaf to the root.

    In a game, where the player to move has a solved move that is better than what came back, that is handed up instead:
    this player would make it.
    """
    players, backed = reward.shape[1], reward[1]
    for p in range(players):
        backed[p] = reward[0, p]
    leaf = step[at.STEP_NODE, levels]
    if leaf >= 0:
        nodes.whole[leaf, at.VISITS] += 1
        nodes.number[leaf, 0] += backed[nodes.whole[leaf, at.MOVER]]
    for level in range(levels - 1, -1, -1):
        node, edge = step[at.STEP_NODE, level], step[at.STEP_EDGE, level]
        mover = nodes.whole[node, at.MOVER]
        gained = backed[mover]
        edges.number[edge, at.TRIED] += 1.0
        edges.number[edge, at.SUM] += gained
        edges.number[edge, at.SQUARES] += gained * gained
        edges.number[edge, at.BEST] = max(edges.number[edge, at.BEST], gained)
        close_edge(nodes, edges, largest, node, edge)
        if players > 1 and nodes.whole[node, at.OPEN] < nodes.whole[node, at.COUNT]:
            better = best_child(nodes, edges, node, True)
            if nodes.whole[node, at.OPEN] == 0 or nodes.number[better, 1 + mover] > backed[mover]:
                for p in range(players):
                    backed[p] = nodes.number[better, 1 + p]
        if minimax and nodes.whole[node, at.OPEN] > 0:
            better = best_child(nodes, edges, node, False)
            if better != at.NONE:
                for p in range(players):
                    nodes.number[node, 1 + p] = nodes.number[better, 1 + p]
        nodes.whole[node, at.VISITS] += 1
        nodes.number[node, 0] += backed[mover]


@internal
def best_child(nodes, edges, node, solved):
    """Return the child of a node, a solved one if ``solved``, that is best for the player to move; NONE without one."""
    column = 1 + nodes.whole[node, at.MOVER]
    best = at.NONE
    for edge in range(nodes.whole[node, at.FIRST], nodes.whole[node, at.FIRST] + nodes.whole[node, at.COUNT]):
        child = edges.whole[edge, at.CHILD]
        counts = edges.whole[edge, at.CLOSED] or (child >= 0 and not solved)
        if counts and (best == at.NONE or nodes.number[child, column] > nodes.number[best, column]):
            best = child
    return best


@internal
def close_edge(nodes, edges, largest, node, edge):
    """Note that the child at an edge is solved, if it is, and whether that solves the node.

    A node is solved when all its children are, or when one gives the player to move what nobody can get more of.
    """
    child = edges.whole[edge, at.CHILD]
    if child < 0 or edges.whole[edge, at.CLOSED] or nodes.whole[child, at.OPEN] != 0:
        return
    edges.whole[edge, at.CLOSED] = 1
    nodes.whole[node, at.OPEN] -= 1
    gained = nodes.number[child, 1 + nodes.whole[node, at.MOVER]]
    if nodes.whole[node, at.OPEN] > 0 and gained < largest:
        return
    best = best_child(nodes, edges, node, True)
    for p in range(nodes.number.shape[1] - 1):
        nodes.number[node, 1 + p] = nodes.number[best, 1 + p]
    nodes.whole[node, at.OPEN] = 0


@internal
def close_path(nodes, edges, step, largest, levels):
    """Hand up that the node at the end of a walk is solved, as far as that solves the nodes above it."""
    for level in range(levels - 1, -1, -1):
        close_edge(nodes, edges, largest, step[at.STEP_NODE, level], step[at.STEP_EDGE, level])
        if nodes.whole[step[at.STEP_NODE, level], at.OPEN] != 0:
            return
