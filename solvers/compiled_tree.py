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

from nrpa.engine.hash_table import FREE, ONE, find, is_free, occupy
from nrpa.engine.improving import place_of
from nrpa.engine.incumbent import count_playout, is_score
from nrpa.engine.jit import inlined, internal
from nrpa.engine.kernels import all_moves, hash, play, player, reset, rewards  # noqa: A004
from nrpa.engine.status import (
    BUDGET_USED,
    IMPROVED,
    LACKS_ROOM,
    NO_PROBABILITY,
    NO_REWARD,
    NO_SCORE,
    NO_SUCH_PLAYER,
    REWARD_TOO_LARGE,
    SOLVED,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
    UNLISTED,
)
from nrpa.solvers.tree_amaf import begin_block, count_at, has_room_in_log, reserve, wants, write_playout
from nrpa.solvers.tree_halving import NEVER, Rule, count_pull, next_arm
from nrpa.solvers.tree_memory import (
    BEGUN,
    BEST,
    BLOCK,
    BLOCKS,
    CELLS,
    CHILD,
    CLOSED,
    CODE,
    CODES,
    COMMITTED,
    COUNT,
    COUNTED,
    EDGES,
    ENTRIES,
    FIRST,
    FREED,
    FULL,
    HASH,
    LINKED,
    LINKS,
    MANY_VALUES,
    MOVE,
    MOVER,
    NODES,
    NONE,
    OF_CODES,
    OF_EDGES,
    OF_ENTRIES,
    OF_LINKS,
    OF_NODES,
    OF_PLAYOUTS,
    OF_SEGMENTS,
    OPEN,
    ORIGIN,
    PASSES,
    PATH,
    PLAYOUTS,
    PREFIX,
    PRIOR,
    PROVEN,
    SEGMENT,
    SEGMENTS,
    SINCE,
    SLOT,
    SQUARES,
    START,
    SUM,
    TRIED,
    UNEXPANDED,
    VISITS,
    WORDS,
    G,
    Sizes,
)
from nrpa.solvers.tree_permutations import count_permutations, write_bits
from nrpa.solvers.tree_playout import (
    ADAPT,
    BEHIND,
    MAST,
    STEP_CODE,
    STEP_EDGE,
    STEP_MOVE,
    STEP_MOVER,
    STEP_NODE,
    STEP_RAW,
    Playouts,
    adapt,
    learn_means,
    number_of,
    play_out,
    write_exp_bias,
)
from nrpa.solvers.tree_selection import Formula, normalised, select

# Why a walk ended without a playout: it came to a solved node, or the whole sequence has been committed.
AGAIN, FINISHED = 10, 11
# A walk goes on at an expanded node; there may be no more edges.
EXPANDED, FULL_UP = 0, 12


class Work(NamedTuple):
    """Work areas. Their content does not matter between walks.

    - ``step``, int64[7, steps + 1]: Of each step: the move, its code, the number of the code, and who makes it; the
      nodes of the walk from the root of the tree on, and the edges between them; how many entries of the log belong to
      the step and those after it.
    - ``value``, float64[max_moves]: For selections and playouts.
    - ``factor``, float64[max_total,) or (1]: For Adapt.
    - ``reward``, float64[2, players]: What the playout gave each player, and what is handed up the tree.
    - ``mask``, uint64[2, 16]: For bit rows.
    - ``trusted``, bool[edges]: Of the edges that were read from a file: whether the move may be made where it is not
      listed.
    - ``unlisted``, int64[2]: The edge of such a move, and the moves before it.
    """

    step: np.ndarray
    value: np.ndarray
    factor: np.ndarray
    reward: np.ndarray
    mask: np.ndarray
    trusted: np.ndarray
    unlisted: np.ndarray


class Settings(NamedTuple):
    """The options of the algorithm, and what the problem has.

    - ``formula``, ``rule``: The selection, and Sequential Halving at the root.
    - ``ref``: The visits that a node must have more of to be the reference of those below it.
    - ``commit``: The playouts after which a move is committed; 0 for never.
    - ``codes``: The number of codes where they are 0 to codes - 1; else 0.
    - ``hash``, ``amaf``, ``rows``, ``by_code``: Whether nodes are found by hash; whether there are AMAF statistics and
      bit rows; whether anything is counted by code.
    - ``largest_reward``: What no player can get more of.
    - ``most``: The most rows that arrays may have.
    """

    formula: Formula
    rule: Rule
    playouts: Playouts
    ref: int
    commit: int
    codes: int
    hash: bool
    amaf: bool
    rows: bool
    by_code: bool
    largest_reward: float
    most: Sizes


def advance_tree(position, memory, work, settings, budget):
    """Search on from where the last call ended.

    Returns IMPROVED after the playout that improved the best score of all; SOLVED where the whole tree is solved;
    BUDGET_USED after ``budget.playouts`` more playouts, or when ``budget.searches`` top-level searches are finished in
    all; LACKS_ROOM before a playout if arrays must be enlarged first (``count[WANTED]`` says which); UNLISTED before a
    move of an edge that is not trusted (``work.unlisted``); or the negative status of a playout that failed
    (``nrpa.engine.status``).
    """
    tally, count, random = memory.tally, memory.count, memory.random
    last = tally.playouts[0] + budget.playouts
    while tally.playouts[0] < last and tally.searches[0] < budget.searches:
        if count[NODES] > 0 and memory.nodes.whole[0, OPEN] == 0 and memory.root[START] == memory.root[ORIGIN]:
            count[PROVEN] = 1
            return SOLVED
        before = random[0], random[1]
        status = walk(position, memory, work, settings)
        if status in (LACKS_ROOM, UNLISTED) or status < 0:
            random[0], random[1] = before
            return status
        if status == FINISHED:
            restart(memory, settings)
        if status == IMPROVED:
            return IMPROVED
    return BUDGET_USED


@inlined
def walk(position, memory, work, settings):  # noqa: PLR0911
    """Walk down the tree, play to the end, and count what came of it.

    Returns BUDGET_USED or IMPROVED after a playout; AGAIN where the walk came to a solved node, which is now known to
    its parents; FINISHED where all that follows the committed moves is solved; LACKS_ROOM; or a negative status.
    """
    nodes, count, step = memory.nodes, memory.count, work.step
    start = memory.root[START]
    if count[NODES] > 0 and nodes.whole[0, OPEN] == 0:
        return FINISHED
    if lacks_room(memory, work, settings):
        return LACKS_ROOM
    status = begin_walk(position, memory.root, step[STEP_MOVE])
    if status < 0:
        return status
    status, levels = descend(position, memory, work, settings, start)
    if status != BUDGET_USED:
        return status
    leaf = start + levels
    length = play_out(
        position,
        settings.playouts,
        memory.codes,
        count,
        memory.legal,
        memory.trace,
        memory.random,
        work.value,
        step,
        work.reward.shape[1],
        leaf,
    )
    if length < 0:
        return length
    reward = work.reward[0]
    rewards(position.instance, position.state, reward)
    status = check_rewards(reward, settings.largest_reward)
    if status < 0:
        return status
    if settings.amaf:
        for level in range(levels + 1):
            node = step[STEP_NODE, level]
            if node >= 0 and nodes.whole[node, BLOCK] >= 0:
                block = nodes.whole[node, BLOCK]
                if not reserve(memory.amaf, count, settings.most.cells, block, length - start):
                    return LACKS_ROOM
    if step[STEP_NODE, levels] == NONE:
        add_leaf(nodes, memory.edges, count, step, reward, settings.hash, levels, leaf, length)
    note_rewards(memory.extremes, count, reward, memory.rows.won, settings.rows)
    if settings.by_code:
        for i in range(leaf, length):
            step[STEP_CODE, i] = number_of(memory.codes, count, step[STEP_RAW, i], True, settings.playouts.first_g)
    learn(memory, settings, work, start, levels, length)
    back_up(nodes, memory.edges, step, work.reward, settings.largest_reward, levels)
    return end_walk(memory, settings, work, levels, length)


@inlined
def restart(memory, settings):
    """Begin a new top-level search: an empty tree at the first root, and playouts that have learned nothing."""
    memory.tally.searches[0] += 1
    memory.root[START] = memory.root[ORIGIN]
    clear(memory.nodes.table, memory.rows.segment, memory.halving, memory.count, memory.root, settings.hash)
    for code in range(memory.codes.number.shape[0]):
        memory.codes.number[code, G] = settings.playouts.first_g
        memory.codes.number[code, G + 1] = 0.0
        memory.codes.number[code, G + 2] = 0.0


@internal
def clear(table, segment, halving, count, root, by_hash):
    """Make the tree empty; what is known of codes apart from nodes stays."""
    if by_hash:
        for slot in range(table.word.shape[0] // 2):
            table.word[2 * slot] = FREE
    for code in range(segment.shape[0]):
        for column in range(segment.shape[1]):
            segment[code, column] = 0
    count[NODES] = count[EDGES] = count[BLOCKS] = count[CELLS] = 0
    count[PLAYOUTS] = count[ENTRIES] = count[LINKED] = count[FULL] = 0
    count[SEGMENTS] = 1
    count[FREED] = NONE
    root[COMMITTED] = root[SINCE] = 0
    halving[BEGUN] = halving[PASSES] = 0


@internal
def begin_walk(position, root, made):
    """Make the state of the root of the tree; return 0 or a negative status."""
    instance, state, moves = position
    reset(instance, state)
    for step in range(root[START]):
        # A state is asked for its moves before one of them is played.
        count = all_moves(instance, state, moves)
        if count < 0:
            return count
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        made[step] = root[PREFIX + step]
        play(instance, state, made[step])
    return 0


@inlined
def descend(position, memory, work, settings, start):
    """Walk from the root of the tree to a node that is not there yet.

    Returns BUDGET_USED, or why there is no playout as in ``walk``; and the number of edges walked.
    """
    instance, state, moves = position
    nodes, edges, counts, step = memory.nodes, memory.edges, memory.count, work.step
    whole, committed = nodes.whole, memory.root[COMMITTED]
    step[STEP_NODE, 0] = NONE
    # No literal 0, for which numba would compile the selection another time.
    node = reference = np.int64(0)
    status, level = BUDGET_USED, 0
    walking = counts[NODES] > 0
    if not walking:
        counts[HASH] = np.int64(hash(instance, state))
    while walking:
        depth = start + level
        step[STEP_NODE, level] = node
        count = all_moves(instance, state, moves)
        expansion = visit(position, memory, work, settings, node, count, depth)
        if expansion != EXPANDED:
            status = BUDGET_USED if expansion == FULL_UP else expansion
            break
        if settings.amaf:
            refers = whole[node, VISITS] > settings.ref
            if whole[node, BLOCK] < 0 and (refers or level <= committed):
                log, most = memory.log, settings.most
                if not begin_block(memory.amaf, log, whole[node], counts, settings.codes, most.blocks, most.cells):
                    status = LACKS_ROOM
                    break
            if refers and whole[node, BLOCK] >= 0:
                reference = node
        edge = choose_edge(memory, work, settings, node, reference, level, start)
        move = edges.whole[edge, MOVE]
        if edge < work.trusted.shape[0] and not work.trusted[edge] and place_of(moves.move, count, move) < 0:
            work.unlisted[0], work.unlisted[1] = edge, depth
            status = UNLISTED
            break
        step[STEP_EDGE, level] = edge
        step[STEP_MOVE, depth] = move
        step[STEP_CODE, depth] = edges.whole[edge, CODE]
        step[STEP_MOVER, depth] = whole[node, MOVER]
        play(instance, state, move)
        level += 1
        if edges.whole[edge, CHILD] < 0 and settings.hash:
            counts[HASH] = np.int64(hash(instance, state))
            edges.whole[edge, CHILD] = node_of(nodes.table, counts[HASH])
        node = edges.whole[edge, CHILD]
        step[STEP_NODE, level] = NONE
        if node < 0:
            break
        if whole[node, OPEN] == 0:
            close_path(nodes, edges, step, settings.largest_reward, level)
            status = FINISHED if level <= committed and whole[0, OPEN] != 0 else AGAIN
            break
    return status, level


@inlined
def visit(position, memory, work, settings, node, count, depth):
    """Give a node its edges, if it has none, when ``count`` moves have been listed in its state.

    Returns EXPANDED, or what ``expand`` returns, or a negative status where moves, steps or the player are out of
    bounds.
    """
    instance, state, moves = position
    status = EXPANDED
    if count < 0:
        status = count
    elif count > moves.move.shape[0]:
        status = TOO_MANY_MOVES_AT_ONCE
    elif depth == work.step.shape[1] - 1:
        status = TOO_MANY_STEPS
    elif memory.nodes.whole[node, OPEN] == UNEXPANDED:
        mover = np.int64(player(instance, state))
        if 0 <= mover < work.reward.shape[1]:
            status = expand(memory, settings, moves, node, count, mover)
        else:
            status = NO_SUCH_PLAYER
    return status


@inlined
def choose_edge(memory, work, settings, node, reference, level, start):
    """Return the edge to walk: of a committed move, of Sequential Halving at the root, or that of the selection."""
    nodes, edges, amaf, extremes, depth = memory.nodes, memory.edges, memory.amaf, memory.extremes, start + level
    row, committed = nodes.whole[node], memory.root[COMMITTED]
    if level < committed:
        edge = edge_of(edges.whole, row[FIRST], memory.root[PREFIX + depth])
    elif level == committed and settings.rule.kind != NEVER:
        edge = next_arm(memory.halving, nodes, edges, amaf, extremes, settings.rule, node)
    else:
        if settings.rows:
            low, high = extremes[0], extremes[1]
            path = work.step[STEP_CODE, start:depth]
            count_permutations(memory.rows, edges, memory.log.reward, row, memory.count, low, high, path, work.mask)
        block = nodes.whole[reference, BLOCK]
        edge = row[FIRST] + select(
            nodes, edges, amaf, extremes, settings.formula, node, block, work.value, memory.random
        )
    return edge


@inlined
def expand(memory, settings, moves, node, count, mover):
    """Give a node its edges.

    Returns EXPANDED, LACKS_ROOM, FULL_UP where there may be no more edges, or NO_PROBABILITY where there is no prior.
    """
    edges, counts = memory.edges, memory.count
    needed = counts[EDGES] + count
    rows = edges.whole.shape[0]
    lacking = wants(counts, OF_EDGES, needed, rows, settings.most.edges)
    if settings.by_code and settings.codes == 0:
        lacking |= wants(counts, OF_CODES, counts[CODES] + count, memory.codes.stamp.shape[0], settings.most.codes)
    status = EXPANDED
    if lacking:
        status = LACKS_ROOM
    elif needed > rows:
        counts[FULL] = 1
        status = FULL_UP
    elif not write_edges(edges, memory.codes, counts, moves, settings.playouts, settings.by_code, count):
        status = NO_PROBABILITY
    else:
        row = memory.nodes.whole[node]
        row[FIRST] = counts[EDGES]
        row[COUNT] = row[OPEN] = count
        row[MOVER] = mover
        # No path has this fingerprint.
        row[PATH] = NONE
        row[COUNTED] = 0
        counts[EDGES] = needed
    return status


@internal
def write_edges(edges, codes, counts, moves, playouts, by_code, count):
    """Write the next edges, those of ``count`` moves; return False where β gives them no prior."""
    first = counts[EDGES]
    for m in range(count):
        edge = first + m
        edges.whole[edge, MOVE] = moves.move[m]
        edges.whole[edge, CODE] = NONE
        if by_code:
            edges.whole[edge, CODE] = number_of(codes, counts, moves.code[m], True, playouts.first_g)
        edges.whole[edge, CHILD] = NONE
        edges.whole[edge, CLOSED] = 0
        for column in range(edges.number.shape[1]):
            edges.number[edge, column] = 0.0
        edges.number[edge, BEST] = -np.inf
    # With one column more there is a prior; with two there are permutations.
    if edges.number.shape[1] == PRIOR + 1:
        prior = edges.number[first : first + count, PRIOR]
        write_exp_bias(playouts, moves, count, prior)
        total = 0.0
        for m in range(count):
            total += prior[m]
        if not 0.0 < total < np.inf:
            return False
        for m in range(count):
            prior[m] /= total
    return True


@inlined
def lacks_room(memory, work, settings):
    """Return whether arrays must grow before the next walk, for all that a walk adds but edges and blocks."""
    count, most, steps = memory.count, settings.most, work.step.shape[1] - 1
    lacking = wants(count, OF_NODES, count[NODES] + 1, memory.nodes.whole.shape[0], most.nodes)
    if settings.by_code and settings.codes == 0:
        more = steps + memory.legal.shape[1]
        lacking |= wants(count, OF_CODES, count[CODES] + more, memory.codes.stamp.shape[0], most.codes)
    if settings.amaf:
        log = memory.log
        lacking |= wants(count, OF_PLAYOUTS, count[PLAYOUTS] + 2, log.playout.shape[0], most.playouts)
        lacking |= wants(count, OF_ENTRIES, count[ENTRIES] + 2 * steps, log.entry.shape[0], most.entries)
        lacking |= wants(count, OF_LINKS, count[LINKED] + steps + 1, log.link.shape[0], most.links)
    if settings.rows:
        lacking |= wants(count, OF_SEGMENTS, count[SEGMENTS] + steps, memory.rows.word.shape[0], most.segments)
    return lacking


@internal
def edge_of(edges, first, move):
    """Return the edge that makes a move, from ``first`` on."""
    edge = first
    while edges[edge, MOVE] != move:
        edge += 1
    return edge


@internal
def node_of(table, key):
    """Return the node of a state by its hash, NONE if there is none."""
    slot = find(table, key)
    return NONE if is_free(table, slot) else table.word[(slot << ONE) + ONE]


@internal
def check_rewards(reward, largest):
    """Return 0, or the negative status for rewards that are no scores, or larger than any may be."""
    for p in range(reward.shape[0]):
        if not is_score(reward[p]):
            return NO_SCORE if reward.shape[0] == 1 else NO_REWARD
        if reward[p] > largest and reward.shape[0] > 1:
            return REWARD_TOO_LARGE
    return 0


@internal
def add_leaf(nodes, edges, count, step, reward, by_hash, levels, leaf, length):
    """Add the node that the walk has led to, unless the memory is full; a final state is solved at once.

    - ``step``, int64[7, steps + 1]: The walk; its last node is written.
    """
    node = count[NODES]
    if node >= nodes.whole.shape[0]:
        count[FULL] = 1
        return
    count[NODES] += 1
    step[STEP_NODE, levels] = node
    row = nodes.whole[node]
    row[OPEN] = UNEXPANDED if length > leaf else 0
    row[MOVER] = step[STEP_MOVER, leaf] if length > leaf else 0
    row[VISITS] = row[FIRST] = row[COUNT] = row[COUNTED] = 0
    row[BLOCK] = row[LINKS] = row[PATH] = NONE
    nodes.number[node, 0] = 0.0
    for p in range(reward.shape[0]):
        nodes.number[node, 1 + p] = reward[p]
    if levels > 0:
        edges.whole[step[STEP_EDGE, levels - 1], CHILD] = node
    if by_hash:
        slot = find(nodes.table, count[HASH])
        occupy(nodes.table, slot, count[HASH])
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
            count[MANY_VALUES] = 1
        if gained < low:
            extremes[0] = gained
        if gained > high:
            extremes[1] = gained
            if forgets:
                for column in range(count[PLAYOUTS] // SEGMENT + 1):
                    for q in range(reward.shape[0]):
                        for w in range(WORDS):
                            won[column, q, w] = np.uint64(0)


@inlined
def learn(memory, settings, work, start, levels, length):
    """Count a playout in the AMAF statistics, the bit rows and the means of codes."""
    codes, count, step, reward = memory.codes, memory.count, work.step, work.reward[0]
    if settings.amaf:
        log = memory.log
        kept = has_room_in_log(log, count, step.shape[1] - 1, length - start)
        playout = write_playout(
            log,
            count,
            codes.stamp,
            memory.tally.playouts[0] + 1,
            step[STEP_CODE],
            step[STEP_MOVER],
            step[BEHIND],
            reward,
            start,
            length,
        )
        if kept:
            count[PLAYOUTS] += 1
            count[ENTRIES] += log.playout[playout, 1]
            if settings.rows:
                write_bits(memory.rows, log, count, memory.extremes[1], playout)
        else:
            count[FULL] = 1
        for level in range(levels + 1):
            if step[STEP_NODE, level] >= 0:
                row, entries = memory.nodes.whole[step[STEP_NODE, level]], step[BEHIND, start + level]
                count_at(memory.amaf, log, row, count, playout, entries, kept)
    if settings.playouts.policy == MAST:
        low, scale = normalised(memory.extremes, settings.formula.normalise)
        mark, tau = -memory.tally.playouts[0] - 1, settings.playouts.tau
        learn_means(
            codes.stamp,
            codes.number,
            mark,
            tau,
            low,
            scale,
            step[STEP_CODE],
            step[STEP_MOVER],
            reward,
            start,
            length,
        )


@internal
def back_up(nodes, edges, step, reward, largest, levels):
    """Count a playout at the nodes and edges of its walk, from the leaf to the root.

    In a game, where the player to move has a solved move that is better than what came back, that is handed up instead:
    this player would make it.

    - ``reward``, float64[2, players]: What each player got; the second row changes.
    """
    players, backed = reward.shape[1], reward[1]
    for p in range(players):
        backed[p] = reward[0, p]
    leaf = step[STEP_NODE, levels]
    if leaf >= 0:
        nodes.whole[leaf, VISITS] += 1
        nodes.number[leaf, 0] += backed[nodes.whole[leaf, MOVER]]
    for level in range(levels - 1, -1, -1):
        node, edge = step[STEP_NODE, level], step[STEP_EDGE, level]
        mover = nodes.whole[node, MOVER]
        gained = backed[mover]
        edges.number[edge, TRIED] += 1.0
        edges.number[edge, SUM] += gained
        edges.number[edge, SQUARES] += gained * gained
        edges.number[edge, BEST] = max(edges.number[edge, BEST], gained)
        close_edge(nodes, edges, largest, node, edge)
        if players > 1 and nodes.whole[node, OPEN] < nodes.whole[node, COUNT]:
            better = best_closed(nodes, edges, node)
            if nodes.whole[node, OPEN] == 0 or nodes.number[better, 1 + mover] > backed[mover]:
                for p in range(players):
                    backed[p] = nodes.number[better, 1 + p]
        nodes.whole[node, VISITS] += 1
        nodes.number[node, 0] += backed[mover]


@internal
def best_closed(nodes, edges, node):
    """Return the solved child of a node that is best for the player to move, the first of several; there is one."""
    column = 1 + nodes.whole[node, MOVER]
    best = NONE
    for edge in range(nodes.whole[node, FIRST], nodes.whole[node, FIRST] + nodes.whole[node, COUNT]):
        if edges.whole[edge, CLOSED]:
            child = edges.whole[edge, CHILD]
            if best == NONE or nodes.number[child, column] > nodes.number[best, column]:
                best = child
    return best


@internal
def close_edge(nodes, edges, largest, node, edge):
    """Note that the child at an edge is solved, if it is, and whether that solves the node.

    A node is solved when all its children are, or when one gives the player to move what nobody can get more of.
    """
    child = edges.whole[edge, CHILD]
    if child < 0 or edges.whole[edge, CLOSED] or nodes.whole[child, OPEN] != 0:
        return
    edges.whole[edge, CLOSED] = 1
    nodes.whole[node, OPEN] -= 1
    gained = nodes.number[child, 1 + nodes.whole[node, MOVER]]
    if nodes.whole[node, OPEN] > 0 and gained < largest:
        return
    best = best_closed(nodes, edges, node)
    for p in range(nodes.number.shape[1] - 1):
        nodes.number[node, 1 + p] = nodes.number[best, 1 + p]
    nodes.whole[node, OPEN] = 0


@internal
def close_path(nodes, edges, step, largest, levels):
    """Hand up that the node at the end of a walk is solved, as far as that solves the nodes above it."""
    for level in range(levels - 1, -1, -1):
        close_edge(nodes, edges, largest, step[STEP_NODE, level], step[STEP_EDGE, level])
        if nodes.whole[step[STEP_NODE, level], OPEN] != 0:
            return


@inlined
def end_walk(memory, settings, work, levels, length):
    """Count the playout, adapt to it, and go on with Sequential Halving and the committed moves.

    Returns IMPROVED or BUDGET_USED.
    """
    nodes, reward, count = memory.nodes, work.reward[0], memory.count
    improved = False
    if reward.shape[0] == 1:
        improved = count_playout(memory.best, memory.tally, work.step[STEP_MOVE], length, reward[0])
    else:
        memory.tally.playouts[0] += 1
        memory.tally.last_score[0] = reward[0]
    if settings.playouts.policy == ADAPT:
        slot, winner = whom_to_follow(count, reward, memory.best.score[0])
        if winner != NONE:
            alpha = settings.playouts.alpha
            adapt(memory.codes, count, memory.legal[slot], memory.trace[slot], work.factor, alpha, winner)
    committed = memory.root[COMMITTED]
    if levels > committed:
        root = work.step[STEP_NODE, committed]
        if settings.rule.kind != NEVER and nodes.whole[root, OPEN] > 0:
            count_pull(memory.halving, nodes, memory.edges, memory.amaf, memory.extremes, settings.rule, root)
        memory.root[SINCE] += 1
        if 0 < settings.commit <= memory.root[SINCE]:
            commit(memory.edges, nodes.whole[root], memory.root, memory.halving)
            if count[FULL]:
                memory.root[START] += memory.root[COMMITTED]
                clear(memory.nodes.table, memory.rows.segment, memory.halving, count, memory.root, settings.hash)
    return IMPROVED if improved else BUDGET_USED


@internal
def whom_to_follow(count, reward, best):
    """Return which recorded playout to adapt to, and whose moves of it; NONE where nobody has won alone.

    With one player it is the best playout so far, also the last one if it is as good.
    """
    slot = count[SLOT]
    if reward.shape[0] == 1:
        if reward[0] >= best:
            count[SLOT] = 1 - slot
        return 1 - count[SLOT], 0
    winner, ties = 0, 0
    for p in range(1, reward.shape[0]):
        if reward[p] > reward[winner]:
            winner, ties = p, 0
        elif reward[p] == reward[winner]:
            ties += 1
    return slot, (winner if ties == 0 else NONE)


@internal
def commit(edges, node, root, halving):
    """Commit the move of the root with the best score behind it; of several, the one with most visits, then the first.

    The tree stays, and walks begin with the committed moves. Where it is full, the caller begins a new one behind them.
    """
    chosen = node[FIRST]
    for edge in range(node[FIRST] + 1, node[FIRST] + node[COUNT]):
        better = edges.number[edge, BEST] > edges.number[chosen, BEST]
        equal = edges.number[edge, BEST] == edges.number[chosen, BEST]
        if better or (equal and edges.number[edge, TRIED] > edges.number[chosen, TRIED]):
            chosen = edge
    root[PREFIX + root[START] + root[COMMITTED]] = edges.whole[chosen, MOVE]
    root[COMMITTED] += 1
    root[SINCE] = 0
    halving[BEGUN] = 0
