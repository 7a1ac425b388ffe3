"""What a walk of a tree search leaves in the tree: its leaf, the counts of nodes and edges, and what is solved.

References
----------
M. Winands, Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008: solved nodes.
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.hash_table import ONE, find, occupy
from nrpa.machine.jit import jit
from nrpa.machine.lock import fence
from nrpa.solvers.tree.memory import NONE, SEGMENT, UNEXPANDED, WORDS


@jit
def add_leaf(nodes, outcomes, node_table, edges, count, steps, leaf_value, by_hash, levels, depth):
    """Add the node that the walk has led to, unless the memory is full; a final state is solved at once."""
    node = count["nodes"]
    if node >= nodes.shape[0]:
        count["full"] = 1
        return
    count["nodes"] += 1
    steps[levels]["node"] = node
    row, mover = nodes[node], steps[depth]["mover"]
    row["open"] = UNEXPANDED if mover >= 0 else 0
    row["mover"] = max(0, mover)
    row["visits"] = row["first"] = row["count"] = row["counted"] = 0
    row["block"] = row["links"] = row["path"] = NONE
    row["walk"] = row["distance"] = 0
    row["sum"] = 0.0
    for p in range(leaf_value.shape[0]):
        outcomes[node, p] = leaf_value[p]
    # What the link leads to is there before the link.
    fence()
    if levels > 0:
        edges[steps[levels - 1]["edge"]]["child"] = node
    if by_hash:
        slot = find(node_table, steps[levels]["hash"])
        occupy(node_table, slot, steps[levels]["hash"])
        node_table.word[(slot << ONE) + ONE] = node


@jit
def note_rewards(extremes, count, worth, won, forgets):
    """Keep the lowest and the highest reward, and whether there have been others.

    Where the highest changes and ``forgets``, take back the marks of those who won: it was not the highest.
    """
    for p in range(worth.shape[0]):
        gained, low, high = worth[p], extremes["low"], extremes["high"]
        if gained == low or gained == high:  # noqa: PLR1714, SIM109
            continue
        if low < high:
            count["many_values"] = 1
        if gained < low:
            extremes["low"] = gained
        if gained > high:
            extremes["high"] = gained
            if forgets:
                for column in range(count["playouts"] // SEGMENT + 1):
                    for q in range(worth.shape[0]):
                        for w in range(WORDS):
                            won[column, q, w] = np.uint64(0)


@jit
def back_up(nodes, outcomes, edges, steps, worth, backed, largest_reward, levels, minimax):
    """Count a playout at the nodes and edges of its walk, from the leaf to the root.

    In a game, where the player to move has a solved move that is better than what came back, that is handed up instead:
    this player would make it.
    """
    players = worth.shape[0]
    for p in range(players):
        backed[p] = worth[p]
    leaf = steps[levels]["node"]
    if leaf >= 0:
        nodes[leaf]["visits"] += 1
        nodes[leaf]["sum"] += backed[nodes[leaf]["mover"]]
    for level in range(levels - 1, -1, -1):
        node = steps[level]["node"]
        row, edge = nodes[node], edges[steps[level]["edge"]]
        mover = row["mover"]
        gained = backed[mover]
        edge["tried"] += 1.0
        edge["sum"] += gained
        edge["squares"] += gained * gained
        edge["best"] = max(edge["best"], gained)
        close_edge(nodes, outcomes, edges, largest_reward, node, edge)
        if players > 1 and row["open"] < row["count"]:
            better = best_child(row, outcomes, edges, True)
            if row["open"] == 0 or outcomes[better, mover] > backed[mover]:
                for p in range(players):
                    backed[p] = outcomes[better, p]
        if minimax and row["open"] > 0:
            better = best_child(row, outcomes, edges, False)
            if better != NONE:
                for p in range(players):
                    outcomes[node, p] = outcomes[better, p]
        row["visits"] += 1
        row["sum"] += backed[mover]


@jit
def best_child(node, outcomes, edges, solved):
    """Return the child of a node, a solved one if ``solved``, that is best for the player to move; NONE without one."""
    mover, best = node["mover"], np.int64(NONE)
    for k in range(node["first"], node["first"] + node["count"]):
        edge = edges[k]
        child = edge["child"]
        counts = edge["closed"] or (child >= 0 and not solved)
        if counts and (best == NONE or outcomes[child, mover] > outcomes[best, mover]):
            best = child
    return best


@jit
def close_edge(nodes, outcomes, edges, largest_reward, node, edge):
    """Note that the child at an edge of a node is solved, if it is, and whether that solves the node.

    A node is solved when all its children are, or when one gives the player to move what nobody can get more of.
    """
    child, row = edge["child"], nodes[node]
    if child < 0 or edge["closed"] or nodes[child]["open"] != 0:
        return
    edge["closed"] = 1
    row["open"] -= 1
    if row["open"] > 0 and outcomes[child, row["mover"]] < largest_reward:
        return
    best = best_child(row, outcomes, edges, True)
    for p in range(outcomes.shape[1]):
        outcomes[node, p] = outcomes[best, p]
    row["open"] = 0
    row["distance"] = 1 + distance_behind(nodes, outcomes, edges, row, best)


@jit
def distance_behind(nodes, outcomes, edges, node, best):
    """Return how far the end is behind the solved moves of a node that are as good as its best child.

    Who gets most of all takes the shortest way, others the longest.
    """
    mover, distance = node["mover"], nodes[best]["distance"]
    hurries = is_ahead(outcomes, best, mover)
    for k in range(node["first"], node["first"] + node["count"]):
        child = edges[k]["child"]
        if edges[k]["closed"] and outcomes[child, mover] == outcomes[best, mover]:
            other = nodes[child]["distance"]
            distance = min(distance, other) if hurries else max(distance, other)
    return distance


@jit
def is_ahead(outcomes, node, mover):
    """Return whether a player gets more at a solved node than each of the others."""
    for p in range(outcomes.shape[1]):  # noqa: SIM110
        if p != mover and outcomes[node, p] >= outcomes[node, mover]:
            return False
    return True


@jit
def close_path(nodes, outcomes, edges, steps, largest_reward, levels):
    """Hand up that the node at the end of a walk is solved, as far as that solves the nodes above it."""
    for level in range(levels - 1, -1, -1):
        node = steps[level]["node"]
        close_edge(nodes, outcomes, edges, largest_reward, node, edges[steps[level]["edge"]])
        if nodes[node]["open"] != 0:
            return
