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
def add_leaf(memory, steps, leaf_value, by_hash, levels, depth):
    """Add the node that the walk has led to, unless the memory is full; a final state is solved at once."""
    count, node_table = memory.count[0], memory.node_table
    node = count["nodes"]
    if node >= memory.nodes.shape[0]:
        count["full"] = 1
        return
    count["nodes"] += 1
    steps[levels]["node"] = node
    row, mover = memory.nodes[node], steps[depth]["mover"]
    row["open"] = UNEXPANDED if mover >= 0 else 0
    row["mover"] = max(0, mover)
    row["visits"] = row["first"] = row["count"] = row["counted"] = 0
    row["block"] = row["links"] = row["path"] = NONE
    row["walk"] = row["distance"] = 0
    row["sum"] = 0.0
    for p in range(leaf_value.shape[0]):
        memory.outcomes[node, p] = leaf_value[p]
    # What the link leads to is there before the link.
    fence()
    if levels > 0:
        memory.edges[steps[levels - 1]["edge"]]["child"] = node
    if by_hash:
        slot = find(node_table, steps[levels]["hash"])
        occupy(node_table, slot, steps[levels]["hash"])
        node_table.word[(slot << ONE) + ONE] = node


@jit
def note_rewards(memory, worth, forgets):
    """Keep the lowest and the highest reward, and whether there have been others.

    Where the highest changes and ``forgets``, take back the marks of those who won: it was not the highest.
    """
    extremes, count = memory.extremes[0], memory.count[0]
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
                            memory.bits.won[column, q, w] = np.uint64(0)


@jit
def back_up(memory, work, largest_reward, levels, minimax):
    """Count a playout at the nodes and edges of its walk, from the leaf to the root.

    In a game, where the player to move has a solved move that is better than what came back, that is handed up instead:
    this player would make it.
    """
    nodes, outcomes, steps, backed, players = (
        memory.nodes,
        memory.outcomes,
        work.steps,
        work.backed,
        work.worth.shape[0],
    )
    for p in range(players):
        backed[p] = work.worth[p]
    leaf = steps[levels]["node"]
    if leaf >= 0:
        nodes[leaf]["visits"] += 1
        nodes[leaf]["sum"] += backed[nodes[leaf]["mover"]]
    for level in range(levels - 1, -1, -1):
        node = steps[level]["node"]
        row, edge = nodes[node], memory.edges[steps[level]["edge"]]
        mover = row["mover"]
        gained = backed[mover]
        edge["tried"] += 1.0
        edge["sum"] += gained
        edge["squares"] += gained * gained
        edge["best"] = max(edge["best"], gained)
        close_edge(memory, largest_reward, node, edge)
        if players > 1 and row["open"] < row["count"]:
            better = best_child(memory, row, True)
            if row["open"] == 0 or outcomes[better, mover] > backed[mover]:
                for p in range(players):
                    backed[p] = outcomes[better, p]
        if minimax and row["open"] > 0:
            better = best_child(memory, row, False)
            if better != NONE:
                for p in range(players):
                    outcomes[node, p] = outcomes[better, p]
        row["visits"] += 1
        row["sum"] += backed[mover]


@jit
def best_child(memory, node, solved):
    """Return the child of a node, a solved one if ``solved``, that is best for the player to move; NONE without one."""
    outcomes, mover, best = memory.outcomes, node["mover"], np.int64(NONE)
    for k in range(node["first"], node["first"] + node["count"]):
        edge = memory.edges[k]
        child = edge["child"]
        counts = edge["closed"] or (child >= 0 and not solved)
        if counts and (best == NONE or outcomes[child, mover] > outcomes[best, mover]):
            best = child
    return best


@jit
def close_edge(memory, largest_reward, node, edge):
    """Note that the child at an edge of a node is solved, if it is, and whether that solves the node.

    A node is solved when all its children are, or when one gives the player to move what nobody can get more of.
    """
    nodes, outcomes = memory.nodes, memory.outcomes
    child, row = edge["child"], nodes[node]
    if child < 0 or edge["closed"] or nodes[child]["open"] != 0:
        return
    edge["closed"] = 1
    row["open"] -= 1
    if row["open"] > 0 and outcomes[child, row["mover"]] < largest_reward:
        return
    best = best_child(memory, row, True)
    for p in range(outcomes.shape[1]):
        outcomes[node, p] = outcomes[best, p]
    row["open"] = 0
    row["distance"] = 1 + distance_behind(memory, row, best)


@jit
def distance_behind(memory, node, best):
    """Return how far the end is behind the solved moves of a node that are as good as its best child.

    Who gets most of all takes the shortest way, others the longest.
    """
    outcomes, edges, mover, distance = memory.outcomes, memory.edges, node["mover"], memory.nodes[best]["distance"]
    hurries = is_ahead(outcomes, best, mover)
    for k in range(node["first"], node["first"] + node["count"]):
        child = edges[k]["child"]
        if edges[k]["closed"] and outcomes[child, mover] == outcomes[best, mover]:
            other = memory.nodes[child]["distance"]
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
def close_path(memory, steps, largest_reward, levels):
    """Hand up that the node at the end of a walk is solved, as far as that solves the nodes above it."""
    for level in range(levels - 1, -1, -1):
        node = steps[level]["node"]
        close_edge(memory, largest_reward, node, memory.edges[steps[level]["edge"]])
        if memory.nodes[node]["open"] != 0:
            return
