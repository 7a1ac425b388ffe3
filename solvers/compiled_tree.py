"""The compiled tree search: walks down a tree in arrays, playouts from its leaves, and what is counted of them.

Every walk begins at the root: the state is made again from the moves, so that a search is its arrays and can be stopped
after any playout. One machine code serves all selections.

References
----------
L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo Planning*, ECML 2006: UCT.

T. Cazenave, *Monte Carlo Permutation Search*, 2025: Algorithms 1 (GRAVE) and 2 (MCPS).

M. Winands, Y. Björnsson and J.-T. Saito, *Monte-Carlo Tree Search Solver*, CG 2008: solved nodes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.best import count_playout
from nrpa.engine.hash_table import ONE, find, is_free, occupy
from nrpa.engine.jit import jit
from nrpa.engine.kernels import all_moves, hash, play, player, reset, rewards  # noqa: A004
from nrpa.engine.status import (
    BUDGET_USED,
    IMPROVED,
    LACKS_ROOM,
    SCORE_IS_NAN,
    SOLVED,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
)
from nrpa.solvers.tree_amaf import begin_block, count_at, has_room_in_log, reserve, wants, write_playout
from nrpa.solvers.tree_halving import NEVER, count_pull, next_arm
from nrpa.solvers.tree_memory import (
    BEGUN,
    BLOCK,
    CODES,
    COMMITTED,
    COUNT,
    COUNTED,
    EDGES,
    ENTRIES,
    FIRST,
    FREED,
    FULL,
    LINKED,
    LINKS,
    MANY_VALUES,
    MOVER,
    NODES,
    NONE,
    OPEN,
    ORIGIN,
    PASSES,
    PLAYOUTS,
    PROVEN,
    SEGMENT,
    SEGMENTS,
    SINCE,
    SLOT,
    START,
    UNEXPANDED,
    VISITS,
    WORDS,
    Sizes,
    BLOCKS,
    CELLS,
)
from nrpa.solvers.tree_permutations import count_permutations, write_bits
from nrpa.solvers.tree_playout import ADAPT, MAST, adapt, learn_means, number_of, play_out, write_exp_bias
from nrpa.solvers.tree_selection import select

# Why a walk ended without a playout: it came to a solved node, or the whole sequence has been committed.
AGAIN, FINISHED = 10, 11
# There may be no more edges.
FULL_UP = 12


class Work(NamedTuple):
    """Work areas. Their content does not matter between walks.

    Attributes
    ----------
    move, raw, code, mover : ndarray of int64, shape (steps,)
        Of each step: the move, its code, the number of the code, and who makes it.
    node, edge : ndarray of int64, shape (steps + 1,)
        The nodes of the walk from the root of the tree on, and the edges between them.
    behind : ndarray of int64, shape (steps + 1,)
        How many entries of the log belong to each step and those after it.
    value : ndarray of float64, shape (max_moves,)
        For selections and playouts.
    factor : ndarray of float64, shape (max_total,) or (1,)
        For Adapt.
    reward, backed : ndarray of float64, shape (players,)
        What the playout gave each player, and what is handed up the tree.
    mask : ndarray of uint64, shape (2, 16)
        For bit rows.
    hash : ndarray of int64, shape (1,)
        The hash of the state that the walk has led to.
    """

    move: np.ndarray
    raw: np.ndarray
    code: np.ndarray
    mover: np.ndarray
    node: np.ndarray
    edge: np.ndarray
    behind: np.ndarray
    value: np.ndarray
    factor: np.ndarray
    reward: np.ndarray
    backed: np.ndarray
    mask: np.ndarray
    hash: np.ndarray


class Settings(NamedTuple):
    """The options of the algorithm, and what the problem has.

    Attributes
    ----------
    selection : int
        Which selection (``nrpa.solvers.tree_selection``).
    halving : int
        Which Sequential Halving at the root (``nrpa.solvers.tree_halving``).
    policy : int
        Which playouts (``nrpa.solvers.tree_playout``).
    players : int
        The number of players.
    ref : int
        The visits that a node must have more of to be the reference of those below it.
    budget : int
        The playouts of a pass of Sequential Halving.
    commit : int
        The playouts after which a move is committed; 0 for never.
    codes : int
        The number of codes where they are 0 to codes - 1.
    numbers, hash, amaf, rows, normalise, bias_by_move : bool
        Whether codes are 0 to codes - 1; whether nodes are found by hash; whether there are AMAF statistics and bit
        rows; whether scores are normalised; whether β comes with the moves.
    c, d, c_amaf, amaf_bias, epsilon, tau, mix, playout_epsilon, playout_tau, alpha : float
        The numbers in the formulas.
    first_g : float
        The weight of a code that a learned playout policy has not met.
    largest_reward : float
        What no player can get more of.
    exp_bias : ndarray of float64, shape (codes,) or (0,)
        e^β of each code; empty where β does not depend on the code alone.
    most : Sizes
        The most rows that arrays may have.
    """

    selection: int
    halving: int
    policy: int
    players: int
    ref: int
    budget: int
    commit: int
    codes: int
    numbers: bool
    hash: bool
    amaf: bool
    rows: bool
    normalise: bool
    bias_by_move: bool
    c: float
    d: float
    c_amaf: float
    amaf_bias: float
    epsilon: float
    tau: float
    mix: float
    playout_epsilon: float
    playout_tau: float
    alpha: float
    first_g: float
    largest_reward: float
    exp_bias: np.ndarray
    most: Sizes


def advance_tree(position, memory, work, settings, budget):
    """Search on from where the last call ended.

    Parameters
    ----------
    position : Position
        The instance, a state, and room for its legal moves; state and moves change.
    memory : Memory
        The search; it changes.
    work : Work
        The work areas.
    settings : Settings
        The options.
    budget : Budget
        How far the search may go.

    Returns
    -------
    int
        IMPROVED after the playout that improved the best score of all; SOLVED where the whole tree is solved;
        BUDGET_USED after ``budget.playouts`` more playouts, or when ``budget.searches`` top-level searches are finished
        in all; LACKS_ROOM before a playout if arrays must be enlarged first (``count[WANTED]`` says which); or the
        negative status of a playout that failed (``nrpa.engine.status``).
    """
    tally, count, random = memory.tally, memory.count, memory.random
    last = tally.playouts[0] + budget.playouts
    while tally.playouts[0] < last and tally.searches[0] < budget.searches:
        if count[NODES] > 0 and memory.nodes.whole[0, OPEN] == 0:
            if memory.root[START] == memory.root[ORIGIN]:
                count[PROVEN] = 1
                return SOLVED
            restart(memory, settings)
            continue
        before = random[0], random[1]
        status = walk(position, memory, work, settings)
        if status == LACKS_ROOM or status < 0:
            random[0], random[1] = before
            return status
        if status == FINISHED:
            restart(memory, settings)
        if status == IMPROVED:
            return IMPROVED
    return BUDGET_USED


@jit
def restart(memory, settings):
    """Begin a new top-level search: an empty tree at the first root, and playouts that have learned nothing."""
    memory.tally.searches[0] += 1
    memory.root[START] = memory.root[ORIGIN]
    clear(memory, settings)
    for code in range(memory.count[CODES]):
        memory.codes.g[code] = settings.first_g
        memory.codes.mean[code, 0] = 0.0
        memory.codes.mean[code, 1] = 0.0


@jit
def clear(memory, settings):
    """Make the tree empty; what is known of codes apart from nodes stays."""
    count, root = memory.count, memory.root
    if settings.hash:
        for node in range(count[NODES]):
            memory.nodes.whole[node, OPEN] = UNEXPANDED
        table = memory.nodes.table.word
        for slot in range(table.shape[0] // 2):
            table[2 * slot] = np.int64(-(2**63))
    if settings.rows:
        segment = memory.rows.segment
        for code in range(segment.shape[0]):
            for column in range(segment.shape[1]):
                segment[code, column] = 0
    count[NODES] = count[EDGES] = count[BLOCKS] = count[CELLS] = 0
    count[PLAYOUTS] = count[ENTRIES] = count[LINKED] = count[FULL] = 0
    count[SEGMENTS] = 1
    count[FREED] = NONE
    root[COMMITTED] = root[SINCE] = 0
    memory.halving.info[BEGUN] = 0
    memory.halving.info[PASSES] = 0


@jit
def walk(position, memory, work, settings):
    """Walk down the tree, play to the end, and count what came of it.

    Parameters
    ----------
    position, memory, work, settings
        As in ``advance_tree``.

    Returns
    -------
    int
        BUDGET_USED or IMPROVED after a playout; AGAIN where the walk came to a solved node, which is now known to its
        parents; FINISHED where all that follows the committed moves is solved; LACKS_ROOM; or a negative status.
    """
    if lacks_room(memory, work, settings):
        return LACKS_ROOM
    start = memory.root[START]
    status = begin_walk(position, memory, work, start)
    if status < 0:
        return status
    levels = descend(position, memory, work, settings, start)
    if levels < 0:
        # Statuses of a walk, as negative numbers beyond those of the engine.
        return levels if levels > -100 else -levels - 100
    leaf = start + levels
    length = play_out(position, memory, work, settings, leaf)
    if length < 0:
        return length
    rewards(position.instance, position.state, work.reward)
    for p in range(settings.players):
        if work.reward[p] != work.reward[p]:
            return SCORE_IS_NAN
    if settings.amaf:
        for level in range(levels + 1):
            block = memory.nodes.whole[work.node[level], BLOCK] if work.node[level] >= 0 else NONE
            if block >= 0 and not reserve(memory, settings, block, length - start):
                return LACKS_ROOM
    add_leaf(memory, work, settings, levels, leaf, length)
    note_rewards(memory, settings, work)
    for step in range(leaf, length):
        work.code[step] = number_of(memory, settings, work.raw[step], True) if needs_codes(settings) else NONE
    learn(memory, settings, work, start, levels, leaf, length)
    back_up(memory, work, settings, levels)
    return end_walk(memory, settings, work, levels, length)


@jit
def begin_walk(position, memory, work, start):
    """Make the state of the root of the tree; return 0 or a negative status."""
    instance, state, moves = position
    reset(instance, state)
    for step in range(start):
        # A state is asked for its moves before one of them is played.
        count = all_moves(instance, state, moves)
        if count < 0:
            return count
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        work.move[step] = memory.prefix[step]
        play(instance, state, work.move[step])
    return 0


@jit
def descend(position, memory, work, settings, start):
    """Walk from the root of the tree to a node that is not there yet.

    Parameters
    ----------
    position, memory, work, settings
        As in ``advance_tree``; ``work.node`` and ``work.edge`` are written, with NONE for the node that is missing.
    start : int
        The moves before the tree.

    Returns
    -------
    int
        The number of edges walked; or a negative status, or -100 less one of those of ``walk``.
    """
    instance, state, moves = position
    nodes, edges = memory.nodes, memory.edges
    whole = nodes.whole
    if memory.count[NODES] == 0:
        work.hash[0] = np.int64(hash(instance, state))
        work.node[0] = NONE
        return 0
    level, node, reference = 0, 0, 0
    while True:
        depth = start + level
        work.node[level] = node
        count = all_moves(instance, state, moves)
        if count < 0:
            return count
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        if depth == work.move.shape[0]:
            return TOO_MANY_STEPS
        if whole[node, OPEN] == UNEXPANDED:
            status = expand(position, memory, work, settings, node, count)
            if status == LACKS_ROOM:
                return -100 - LACKS_ROOM
            if status == FULL_UP:
                return level
        if settings.amaf:
            if whole[node, BLOCK] < 0 and (node == 0 or whole[node, VISITS] > settings.ref):
                if not begin_block(memory, settings, node):
                    return -100 - LACKS_ROOM
            if whole[node, VISITS] > settings.ref and whole[node, BLOCK] >= 0:
                reference = node
        if depth < start + memory.root[COMMITTED]:
            edge = edge_of(memory, node, memory.prefix[depth])
        elif settings.halving != NEVER and depth == start + memory.root[COMMITTED]:
            edge = next_arm(memory, settings, node)
        else:
            if settings.rows:
                count_permutations(memory, work, node, start, depth)
            edge = whole[node, FIRST] + select(memory, settings, work, node, whole[reference, BLOCK])
        work.edge[level] = edge
        work.move[depth] = edges.move[edge]
        work.code[depth] = edges.code[edge]
        work.mover[depth] = whole[node, MOVER]
        play(instance, state, work.move[depth])
        level += 1
        if edges.child[edge] < 0 and settings.hash:
            work.hash[0] = np.int64(hash(instance, state))
            edges.child[edge] = node_of(nodes, work.hash[0])
        node = np.int64(edges.child[edge])
        if node < 0:
            work.node[level] = NONE
            return level
        if whole[node, OPEN] == 0:
            close_path(memory, settings, work, level)
            if level <= memory.root[COMMITTED] and whole[0, OPEN] != 0:
                return -100 - FINISHED
            return -100 - AGAIN


@jit
def expand(position, memory, work, settings, node, count):
    """Give a node its edges; return 0, LACKS_ROOM, or FULL_UP where there may be no more.

    Parameters
    ----------
    position : Position
        The node's state, with its moves listed.
    memory, work, settings
        As in ``advance_tree``.
    node : int
        The node.
    count : int
        The number of its moves.

    Returns
    -------
    int
        The status.
    """
    edges, counts, whole, moves = memory.edges, memory.count, memory.nodes.whole, position.moves
    needed = counts[EDGES] + count
    lacking = wants(counts, 1, needed, edges.move.shape[0], settings.most.edges)
    if not settings.numbers and needs_codes(settings):
        lacking |= wants(counts, 4, counts[CODES] + count, memory.codes.stamp.shape[0], settings.most.codes)
    if lacking:
        return LACKS_ROOM
    if needed > edges.move.shape[0]:
        counts[FULL] = 1
        return FULL_UP
    first = counts[EDGES]
    counts[EDGES] = needed
    whole[node, FIRST] = first
    whole[node, COUNT] = count
    whole[node, OPEN] = count
    whole[node, MOVER] = player(position.instance, position.state)
    for m in range(count):
        edge = first + m
        edges.move[edge] = moves.move[m]
        edges.code[edge] = number_of(memory, settings, moves.code[m], True) if needs_codes(settings) else NONE
        edges.child[edge] = NONE
        edges.closed[edge] = False
        edges.stat[edge, 0] = 0.0
        edges.stat[edge, 1] = 0.0
        edges.more[edge, 0] = 0.0
        edges.more[edge, 1] = -np.inf
    if edges.permuted.shape[0] > 1:
        for edge in range(first, needed):
            edges.permuted[edge, 0] = 0.0
            edges.permuted[edge, 1] = 0.0
        # No path has this fingerprint yet, whatever was there before.
        memory.nodes.path[node] = 0
        whole[node, COUNTED] = 0
    if edges.prior.shape[0] > 1:
        write_exp_bias(settings, moves, count, work.value)
        total = 0.0
        for m in range(count):
            total += work.value[m]
        for m in range(count):
            edges.prior[first + m] = work.value[m] / total
    return 0


@jit
def needs_codes(settings):
    """Return whether the search counts anything by code."""
    return settings.amaf or settings.policy >= MAST


@jit
def lacks_room(memory, work, settings):
    """Return whether arrays must grow before the next walk, for all that a walk adds but edges and blocks."""
    count, most, steps = memory.count, settings.most, work.move.shape[0]
    lacking = wants(count, 0, count[NODES] + 1, memory.nodes.whole.shape[0], most.nodes)
    if not settings.numbers and needs_codes(settings):
        more = steps + (memory.trace.code.shape[1] if settings.policy == ADAPT else 0)
        lacking |= wants(count, 4, count[CODES] + more, memory.codes.stamp.shape[0], most.codes)
    if settings.amaf:
        log = memory.log
        lacking |= wants(count, 5, count[PLAYOUTS] + 2, log.playout.shape[0], most.playouts)
        lacking |= wants(count, 6, count[ENTRIES] + 2 * steps, log.entry.shape[0], most.entries)
        lacking |= wants(count, 7, count[LINKED] + steps + 1, log.link.shape[0], most.links)
    if settings.rows:
        lacking |= wants(count, 8, count[SEGMENTS] + steps, memory.rows.word.shape[0], most.segments)
    return lacking


@jit
def edge_of(memory, node, move):
    """Return the edge of a node that makes a move."""
    edge = memory.nodes.whole[node, FIRST]
    while memory.edges.move[edge] != move:
        edge += 1
    return edge


@jit
def node_of(nodes, hash_):
    """Return the node of a state by its hash, NONE if there is none."""
    slot = find(nodes.table, hash_)
    if is_free(nodes.table, slot):
        return NONE
    return nodes.table.word[(slot << ONE) + ONE]


@jit
def add_leaf(memory, work, settings, levels, leaf, length):
    """Add the node that the walk has led to, unless the memory is full; a final state is solved at once.

    Parameters
    ----------
    memory, work, settings
        As in ``advance_tree``; ``work.node[levels]`` is set.
    levels, leaf, length : int
        The number of edges walked, the step of the leaf, and that of the end of the playout.
    """
    if work.node[levels] != NONE:
        return
    nodes, count = memory.nodes, memory.count
    if count[NODES] >= nodes.whole.shape[0]:
        count[FULL] = 1
        return
    node = count[NODES]
    count[NODES] += 1
    work.node[levels] = node
    nodes.whole[node, OPEN] = UNEXPANDED if length > leaf else 0
    nodes.whole[node, VISITS] = 0
    nodes.whole[node, MOVER] = work.mover[leaf] if length > leaf else 0
    nodes.whole[node, BLOCK] = NONE
    nodes.whole[node, LINKS] = NONE
    nodes.whole[node, FIRST] = 0
    nodes.whole[node, COUNT] = 0
    nodes.number[node, 0] = 0.0
    for p in range(settings.players):
        nodes.number[node, 1 + p] = work.reward[p]
    if levels > 0:
        memory.edges.child[work.edge[levels - 1]] = node
    if settings.hash:
        slot = find(nodes.table, work.hash[0])
        occupy(nodes.table, slot, work.hash[0])
        nodes.table.word[(slot << ONE) + ONE] = node


@jit
def note_rewards(memory, settings, work):
    """Keep the lowest and the highest reward, and whether there have been others."""
    extremes = memory.extremes
    for p in range(settings.players):
        reward = work.reward[p]
        low, high = extremes[0], extremes[1]
        if reward == low or reward == high:  # noqa: PLR1714
            continue
        if low < high:
            memory.count[MANY_VALUES] = 1
        if reward < low:
            extremes[0] = reward
        if reward > high:
            extremes[1] = reward
            forget_wins(memory, settings)


@jit
def forget_wins(memory, settings):
    """Take back the marks of the highest reward: it was not the highest."""
    if settings.rows:
        won = memory.rows.won
        for column in range(memory.count[PLAYOUTS] // SEGMENT + 1):
            for p in range(settings.players):
                for w in range(WORDS):
                    won[column, p, w] = np.uint64(0)


@jit
def learn(memory, settings, work, start, levels, leaf, length):
    """Count a playout in the AMAF statistics, the bit rows and the means of codes.

    Parameters
    ----------
    memory, settings, work
        As in ``advance_tree``.
    start, levels, leaf, length : int
        The moves before the tree, the edges walked, and the steps of the leaf and of the end.
    """
    if settings.amaf:
        kept = has_room_in_log(memory, work, length - start)
        playout = write_playout(memory, settings, work, start, length)
        if kept:
            memory.count[PLAYOUTS] += 1
            memory.count[ENTRIES] += memory.log.playout[playout, 1]
            if settings.rows:
                write_bits(memory, settings, playout)
        else:
            memory.count[FULL] = 1
        for level in range(levels + 1):
            if work.node[level] >= 0:
                count_at(memory, settings, work.node[level], playout, work.behind[start + level], kept)
    if settings.policy == MAST:
        learn_means(memory, settings, work, start, length)


@jit
def back_up(memory, work, settings, levels):
    """Count a playout at the nodes and edges of its walk, from the leaf to the root.

    In a game, where the player to move has a solved move that is better than what came back, that is handed up instead:
    this player would make it.

    Parameters
    ----------
    memory, work, settings
        As in ``advance_tree``; ``work.backed`` changes.
    levels : int
        The number of edges walked.
    """
    nodes, edges = memory.nodes, memory.edges
    whole, backed = nodes.whole, work.backed
    for p in range(settings.players):
        backed[p] = work.reward[p]
    if work.node[levels] >= 0:
        count_visit(nodes, work.node[levels], backed)
    for level in range(levels - 1, -1, -1):
        node, edge = work.node[level], work.edge[level]
        reward = backed[whole[node, MOVER]]
        edges.stat[edge, 0] += 1.0
        edges.stat[edge, 1] += reward
        edges.more[edge, 0] += reward * reward
        edges.more[edge, 1] = max(edges.more[edge, 1], reward)
        close_edge(memory, settings, node, edge)
        if settings.players > 1 and whole[node, OPEN] < whole[node, COUNT]:
            better = best_closed(nodes, edges, node)
            if whole[node, OPEN] == 0 or nodes.number[better, 1 + whole[node, MOVER]] > backed[whole[node, MOVER]]:
                for p in range(settings.players):
                    backed[p] = nodes.number[better, 1 + p]
        count_visit(nodes, node, backed)


@jit
def count_visit(nodes, node, backed):
    """Count a visit of a node and what the player to move there gets."""
    nodes.whole[node, VISITS] += 1
    nodes.number[node, 0] += backed[nodes.whole[node, MOVER]]


@jit
def best_closed(nodes, edges, node):
    """Return the solved child of a node that is best for the player to move, the first of several; there is one."""
    column = 1 + nodes.whole[node, MOVER]
    best = NONE
    for edge in range(nodes.whole[node, FIRST], nodes.whole[node, FIRST] + nodes.whole[node, COUNT]):
        if edges.closed[edge]:
            child = np.int64(edges.child[edge])
            if best == NONE or nodes.number[child, column] > nodes.number[best, column]:
                best = child
    return best


@jit
def close_edge(memory, settings, node, edge):
    """Note that the child at an edge is solved, if it is, and whether that solves the node.

    A node is solved when all its children are, or when one gives the player to move what nobody can get more of.

    Parameters
    ----------
    memory, settings
        As in ``advance_tree``.
    node, edge : int
        The node, and an edge of it.
    """
    nodes, edges = memory.nodes, memory.edges
    child = np.int64(edges.child[edge])
    if child < 0 or edges.closed[edge] or nodes.whole[child, OPEN] != 0:
        return
    edges.closed[edge] = True
    nodes.whole[node, OPEN] -= 1
    gained = nodes.number[child, 1 + nodes.whole[node, MOVER]]
    if nodes.whole[node, OPEN] > 0 and gained < settings.largest_reward:
        return
    best = best_closed(nodes, edges, node)
    for p in range(settings.players):
        nodes.number[node, 1 + p] = nodes.number[best, 1 + p]
    nodes.whole[node, OPEN] = 0


@jit
def close_path(memory, settings, work, levels):
    """Hand up that the node at the end of a walk is solved, as far as that solves the nodes above it."""
    for level in range(levels - 1, -1, -1):
        close_edge(memory, settings, work.node[level], work.edge[level])
        if memory.nodes.whole[work.node[level], OPEN] != 0:
            return


@jit
def end_walk(memory, settings, work, levels, length):
    """Count the playout, adapt to it, and go on with Sequential Halving and the committed moves.

    Parameters
    ----------
    memory, settings, work
        As in ``advance_tree``.
    levels, length : int
        The edges walked, and the steps of the playout.

    Returns
    -------
    int
        IMPROVED or BUDGET_USED.
    """
    improved = False
    if settings.players == 1:
        improved = count_playout(memory.best, memory.tally, work.move, length, work.reward[0])
    else:
        memory.tally.playouts[0] += 1
        memory.tally.last_score[0] = work.reward[0]
    if settings.policy == ADAPT:
        adapt_to_winner(memory, settings, work)
    committed = memory.root[COMMITTED]
    if levels > committed:
        root = work.node[committed]
        if settings.halving != NEVER and memory.nodes.whole[root, OPEN] > 0:
            count_pull(memory, settings, root)
        memory.root[SINCE] += 1
        if 0 < settings.commit <= memory.root[SINCE]:
            commit(memory, settings, root)
    return IMPROVED if improved else BUDGET_USED


@jit
def adapt_to_winner(memory, settings, work):
    """Adapt the playouts to the moves of the winner; with one player, to those of the best playout so far."""
    slot = memory.count[SLOT]
    if settings.players == 1:
        if work.reward[0] >= memory.best.score[0]:
            slot = 1 - slot
            memory.count[SLOT] = slot
        adapt(memory, settings, work, 1 - slot, 0)
        return
    winner, ties = 0, 0
    for p in range(1, settings.players):
        if work.reward[p] > work.reward[winner]:
            winner, ties = p, 0
        elif work.reward[p] == work.reward[winner]:
            ties += 1
    if ties == 0:
        adapt(memory, settings, work, slot, winner)


@jit
def commit(memory, settings, root):
    """Commit the move of the root with the best score behind it; of several, the one with most visits, then the first.

    The tree stays, and walks begin with the committed moves, unless it is full: then a new one begins behind them.

    Parameters
    ----------
    memory, settings
        As in ``advance_tree``.
    root : int
        The node behind the moves committed before.
    """
    edges, place = memory.edges, memory.root
    first = memory.nodes.whole[root, FIRST]
    chosen = first
    for edge in range(first + 1, first + memory.nodes.whole[root, COUNT]):
        better = edges.more[edge, 1] > edges.more[chosen, 1]
        equal = edges.more[edge, 1] == edges.more[chosen, 1]
        if better or (equal and edges.stat[edge, 0] > edges.stat[chosen, 0]):
            chosen = edge
    memory.prefix[place[START] + place[COMMITTED]] = edges.move[chosen]
    place[COMMITTED] += 1
    place[SINCE] = 0
    memory.halving.info[BEGUN] = 0
    if memory.count[FULL]:
        place[START] += place[COMMITTED]
        clear(memory, settings)
