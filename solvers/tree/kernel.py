"""The one compiled tree search: walks down a tree in arrays, playouts from its leaves, and what is counted of them.

What it does at a node, and at the root, is its argument ``Settings.selection``; behind a leaf ``Settings.playouts``.
Every walk begins at the root: the state is made again from the moves, so that a search is its arrays and can be stopped
after any playout.

References
----------
T. Cazenave, *Monte Carlo Permutation Search*, 2025: Algorithms 1 (GRAVE) and 2 (MCPS), of which UCT is a part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import FREE, ONE, find, is_free
from nrpa.engine.kernels import all_moves, hash, play, player, reset  # noqa: A004
from nrpa.engine.playout import write_exp_bias
from nrpa.engine.recording import count_playout
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
    is_score,
)
from nrpa.machine.jit import inlined, internal, jit
from nrpa.solvers.tree import memory as at
from nrpa.solvers.tree.amaf import begin_block, count_at, has_room_in_log, reserve, wants, write_playout
from nrpa.solvers.tree.backup import add_leaf, back_up, close_path, note_rewards
from nrpa.solvers.tree.memory import Sizes, Uses
from nrpa.solvers.tree.permutations import count_permutations, write_bits
from nrpa.solvers.tree.playout import ADAPT, MAST, Playouts, adapt, learn_means, number_of, play_out
from nrpa.solvers.tree.selection import NEVER, Selection, count_pull, next_arm, normalised, select

# Why a walk ended without a playout: it came to a solved node, or the whole sequence has been committed.
AGAIN, FINISHED = 10, 11
# A walk goes on at an expanded node; there may be no more edges.
EXPANDED, FULL_UP = 0, 12


class Work(NamedTuple):
    """Work areas. Their content does not matter between walks."""

    # int64[7, steps + 1]: of each step: the move, its code, the number of the code, and who makes it; the nodes of the
    # walk from the root of the tree on, and the edges between them; how many entries of the log belong to the step and
    # those after it
    step: np.ndarray
    value: np.ndarray  # float64[max_moves]: for selections and playouts
    factor: np.ndarray  # float64[max_total,) or (1]: for Adapt
    # float64[4, players]: WORTH, what the leaf is worth for each player; BACKED, what is handed up the tree; LEAF, the
    # value of the leaf where leaves are valued, else as RESULT, what the playout came to
    reward: np.ndarray
    mask: np.ndarray  # uint64[2, 16]: for bit rows


class Settings(NamedTuple):
    """The options of the algorithm, and what the problem has."""

    # selection, playouts: how the search chooses in the tree, and behind it
    selection: Selection
    playouts: Playouts
    uses: Uses  # which parts of the memory are in use
    ref: int  # the visits that a node must have more of to be the reference of those below it
    commit: int  # the playouts after which a move is committed; 0 for never
    codes: int  # the number of codes where they are 0 to codes - 1; else 0
    largest_reward: float  # what no player can get more of
    most: Sizes  # the most rows that arrays may have


def advance_tree(position, memory, work, settings, budget):
    """Search on from where the last call ended; return why it stopped (``nrpa.engine.status``)."""
    tally, count, random = memory.tally, memory.count, memory.random
    last = tally.playouts[0] + budget.playouts
    while tally.playouts[0] < last and tally.searches[0] < budget.searches:
        if (
            count[at.NODES] > 0
            and memory.nodes.whole[0, at.OPEN] == 0
            and memory.root[at.START] == memory.root[at.ORIGIN]
        ):
            count[at.PROVEN] = 1
            return SOLVED
        before = random[0], random[1]
        status = walk(position, memory, work, settings)
        if status == LACKS_ROOM or status < 0:
            random[0], random[1] = before
            return status
        if status == FINISHED:
            # What a game has come to is solved, but not all of the tree that was kept.
            if work.reward.shape[1] > 1:
                count[at.PROVEN] = 1
                return SOLVED
            restart(memory, settings)
        if status == IMPROVED:
            return IMPROVED
    return BUDGET_USED


@inlined
def walk(position, memory, work, settings):  # noqa: PLR0911
    """Walk down the tree, play to the end, and count what came of it; return IMPROVED, BUDGET_USED, or why not."""
    nodes, codes, count, random = memory.nodes, memory.codes, memory.count, memory.random
    step, reward, start = work.step, work.reward[at.WORTH], memory.root[at.START]
    if count[at.NODES] > 0 and nodes.whole[0, at.OPEN] == 0:
        return FINISHED
    if lacks_room(memory, work, settings):
        return LACKS_ROOM
    status = begin_walk(position, memory.root, step[at.STEP_MOVE])
    if status < 0:
        return status
    status, levels = descend(position, memory, work, settings, start)
    if status != BUDGET_USED:
        return status
    leaf = start + levels
    legal, trace = memory.legal, memory.trace
    length = play_out(
        position, settings.playouts, codes, count, legal, trace, random, work.value, step, work.reward, leaf
    )
    if length < 0:
        return length
    status = check_rewards(reward, settings.largest_reward)
    if status < 0:
        return status
    if settings.uses.amaf:
        for level in range(levels + 1):
            node = step[at.STEP_NODE, level]
            if node >= 0 and nodes.whole[node, at.BLOCK] >= 0:
                block = nodes.whole[node, at.BLOCK]
                if not reserve(memory.amaf, count, settings.most.cells, block, length - start):
                    return LACKS_ROOM
    if step[at.STEP_NODE, levels] == at.NONE:
        add_leaf(nodes, memory.edges, count, step, work.reward[at.LEAF], settings.uses.hash, levels, leaf)
    note_rewards(memory.extremes, count, reward, memory.rows.won, settings.uses.rows)
    if settings.uses.by_code:
        for i in range(leaf, length):
            step[at.STEP_CODE, i] = number_of(codes, count, step[at.STEP_RAW, i], True, settings.playouts.first_g)
    learn(memory, settings, work, start, levels, length)
    back_up(nodes, memory.edges, step, work.reward, settings.largest_reward, levels, settings.selection.minimax > 0.0)
    return end_walk(memory, settings, work, levels, length)


@inlined
def restart(memory, settings):
    """Begin a new top-level search: an empty tree at the first root, and playouts that have learned nothing."""
    memory.tally.searches[0] += 1
    memory.root[at.START] = memory.root[at.ORIGIN]
    clear(memory.nodes.table, memory.rows.segment, memory.halving, memory.count, memory.root, settings.uses.hash)
    for code in range(memory.codes.number.shape[0]):
        memory.codes.number[code, at.G] = settings.playouts.first_g
        memory.codes.number[code, at.G + 1] = 0.0
        memory.codes.number[code, at.G + 2] = 0.0


@internal
def clear(table, segment, halving, count, root, by_hash):
    """Make the tree empty; what is known of codes apart from nodes stays."""
    if by_hash:
        for slot in range(table.word.shape[0] // 2):
            table.word[2 * slot] = FREE
    for code in range(segment.shape[0]):
        for column in range(segment.shape[1]):
            segment[code, column] = 0
    count[at.NODES] = count[at.EDGES] = count[at.BLOCKS] = count[at.CELLS] = 0
    count[at.PLAYOUTS] = count[at.ENTRIES] = count[at.LINKED] = count[at.FULL] = 0
    count[at.SEGMENTS] = 1
    count[at.FREED] = at.NONE
    root[at.COMMITTED] = root[at.SINCE] = 0
    halving[at.BEGUN] = halving[at.PASSES] = 0


@jit
def begin_walk(position, root, made):
    """Make the state of the root of the tree; return 0 or a negative status."""
    instance, state, moves = position
    reset(instance, state)
    for step in range(root[at.START]):
        # A state is asked for its moves before one of them is played.
        count = all_moves(instance, state, moves)
        if count < 0:
            return count
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        made[step] = root[at.PREFIX + step]
        play(instance, state, made[step])
    return 0


@inlined
def descend(position, memory, work, settings, start):
    """Walk from the root of the tree to a node that is not there yet; return a status and the edges walked."""
    instance, state, moves = position
    nodes, edges, counts, step = memory.nodes, memory.edges, memory.count, work.step
    whole, committed = nodes.whole, memory.root[at.COMMITTED]
    step[at.STEP_NODE, 0] = at.NONE
    # No literal 0, for which numba would compile the selection another time.
    node = reference = np.int64(0)
    status, level = BUDGET_USED, 0
    walking = counts[at.NODES] > 0
    if not walking:
        counts[at.HASH] = np.int64(hash(instance, state))
    while walking:
        depth = start + level
        step[at.STEP_NODE, level] = node
        count = all_moves(instance, state, moves)
        expansion = visit(position, memory, work, settings, node, count, depth)
        if expansion != EXPANDED:
            status = BUDGET_USED if expansion == FULL_UP else expansion
            break
        if settings.uses.amaf:
            refers = whole[node, at.VISITS] > settings.ref
            if whole[node, at.BLOCK] < 0 and (refers or level <= committed):
                log, most = memory.log, settings.most
                if not begin_block(memory.amaf, log, whole[node], counts, settings.codes, most.blocks, most.cells):
                    status = LACKS_ROOM
                    break
            if refers and whole[node, at.BLOCK] >= 0:
                reference = node
        edge = choose_edge(memory, work, settings, node, reference, level, start)
        move = edges.whole[edge, at.MOVE]
        step[at.STEP_EDGE, level] = edge
        step[at.STEP_MOVE, depth] = move
        step[at.STEP_CODE, depth] = edges.whole[edge, at.CODE]
        step[at.STEP_MOVER, depth] = whole[node, at.MOVER]
        play(instance, state, move)
        level += 1
        if edges.whole[edge, at.CHILD] < 0 and settings.uses.hash:
            counts[at.HASH] = np.int64(hash(instance, state))
            edges.whole[edge, at.CHILD] = node_of(nodes.table, counts[at.HASH])
        node = edges.whole[edge, at.CHILD]
        step[at.STEP_NODE, level] = at.NONE
        if node < 0:
            break
        if whole[node, at.OPEN] == 0:
            close_path(nodes, edges, step, settings.largest_reward, level)
            status = FINISHED if level <= committed and whole[0, at.OPEN] != 0 else AGAIN
            break
    return status, level


@inlined
def visit(position, memory, work, settings, node, count, depth):
    """Give a node its edges, if it has none, when ``count`` moves are listed; return EXPANDED or why it has none."""
    instance, state, moves = position
    status = EXPANDED
    if count < 0:
        status = count
    elif count > moves.move.shape[0]:
        status = TOO_MANY_MOVES_AT_ONCE
    elif depth == work.step.shape[1] - 1:
        status = TOO_MANY_STEPS
    elif memory.nodes.whole[node, at.OPEN] == at.UNEXPANDED:
        mover = np.int64(player(instance, state))
        if 0 <= mover < work.reward.shape[1]:
            status = expand(memory, work.value, settings, moves, node, count, mover)
        else:
            status = NO_SUCH_PLAYER
    return status


@inlined
def choose_edge(memory, work, settings, node, reference, level, start):
    """Return the edge to walk: of a committed move, of Sequential Halving at the root, or that of the selection."""
    nodes, edges, amaf, extremes, depth = memory.nodes, memory.edges, memory.amaf, memory.extremes, start + level
    row, committed, selection = nodes.whole[node], memory.root[at.COMMITTED], settings.selection
    if level < committed:
        edge = edge_of(edges.whole, row[at.FIRST], memory.root[at.PREFIX + depth])
    elif level == committed and selection.halving != NEVER:
        edge = next_arm(memory.halving, nodes, edges, amaf, extremes, selection, node, work.value)
    else:
        if settings.uses.rows:
            low, high = extremes[0], extremes[1]
            path = work.step[at.STEP_CODE, start:depth]
            count_permutations(memory.rows, edges, memory.log.reward, row, memory.count, low, high, path, work.mask)
        block = nodes.whole[reference, at.BLOCK]
        total = nodes.number[node, 0]
        chosen = select(row, total, nodes.number, edges, amaf, extremes, selection, block, work.value, memory.random)
        edge = row[at.FIRST] + chosen
    return edge


@inlined
def expand(memory, value, settings, moves, node, count, mover):
    """Give a node its edges; return EXPANDED, LACKS_ROOM, FULL_UP, or NO_PROBABILITY where there is no prior."""
    edges, counts, by_code = memory.edges, memory.count, settings.uses.by_code
    needed = counts[at.EDGES] + count
    rows = edges.whole.shape[0]
    lacking = wants(counts, at.EDGES, needed, rows, settings.most.edges)
    if by_code and settings.codes == 0:
        lacking |= wants(counts, at.CODES, counts[at.CODES] + count, memory.codes.stamp.shape[0], settings.most.codes)
    status = EXPANDED
    if lacking:
        status = LACKS_ROOM
    elif needed > rows:
        counts[at.FULL] = 1
        status = FULL_UP
    elif not write_edges(edges, memory.codes, counts, moves, settings.playouts, by_code, count, value):
        status = NO_PROBABILITY
    else:
        row = memory.nodes.whole[node]
        row[at.FIRST] = counts[at.EDGES]
        row[at.COUNT] = row[at.OPEN] = count
        row[at.MOVER] = mover
        # No path has this fingerprint.
        row[at.PATH] = at.NONE
        row[at.COUNTED] = 0
        counts[at.EDGES] = needed
    return status


@internal
def write_edges(edges, codes, counts, moves, playouts, by_code, count, value):
    """Write the next edges, those of ``count`` moves; return False where β gives them no prior."""
    first = counts[at.EDGES]
    for m in range(count):
        edge = first + m
        edges.whole[edge, at.MOVE] = moves.move[m]
        edges.whole[edge, at.CODE] = at.NONE
        if by_code:
            edges.whole[edge, at.CODE] = number_of(codes, counts, moves.code[m], True, playouts.first_g)
        edges.whole[edge, at.CHILD] = at.NONE
        edges.whole[edge, at.CLOSED] = 0
        for column in range(edges.number.shape[1]):
            edges.number[edge, column] = 0.0
        edges.number[edge, at.BEST] = -np.inf
    # With one column more there is a prior; with two there are permutations.
    if edges.number.shape[1] == at.PRIOR + 1:
        total = 0.0 if write_exp_bias(playouts.bias, moves, count, value) == 0 else np.nan
        for m in range(count):
            total += value[m]
        if not 0.0 < total < np.inf:
            return False
        for m in range(count):
            edges.number[first + m, at.PRIOR] = value[m] / total
    return True


@inlined
def lacks_room(memory, work, settings):
    """Return whether arrays must grow before the next walk, for all that a walk adds but edges and blocks."""
    count, most, steps = memory.count, settings.most, work.step.shape[1] - 1
    lacking = wants(count, at.NODES, count[at.NODES] + 1, memory.nodes.whole.shape[0], most.nodes)
    if settings.uses.by_code and settings.codes == 0:
        more = steps + memory.legal.shape[1]
        lacking |= wants(count, at.CODES, count[at.CODES] + more, memory.codes.stamp.shape[0], most.codes)
    if settings.uses.amaf:
        log = memory.log
        lacking |= wants(count, at.PLAYOUTS, count[at.PLAYOUTS] + 2, log.playout.shape[0], most.playouts)
        lacking |= wants(count, at.ENTRIES, count[at.ENTRIES] + 2 * steps, log.entry.shape[0], most.entries)
        lacking |= wants(count, at.LINKED, count[at.LINKED] + steps + 1, log.link.shape[0], most.links)
    if settings.uses.rows:
        lacking |= wants(count, at.SEGMENTS, count[at.SEGMENTS] + steps, memory.rows.word.shape[0], most.segments)
    return lacking


@internal
def edge_of(edges, first, move):
    """Return the edge that makes a move, from ``first`` on."""
    edge = first
    while edges[edge, at.MOVE] != move:
        edge += 1
    return edge


@internal
def node_of(table, key):
    """Return the node of a state by its hash, NONE if there is none."""
    slot = find(table, key)
    return at.NONE if is_free(table, slot) else table.word[(slot << ONE) + ONE]


@internal
def check_rewards(reward, largest):
    """Return 0, or the negative status for rewards that are no scores, or larger than any may be."""
    for p in range(reward.shape[0]):
        if not is_score(reward[p]):
            return NO_SCORE if reward.shape[0] == 1 else NO_REWARD
        if reward[p] > largest and reward.shape[0] > 1:
            return REWARD_TOO_LARGE
    return 0


@inlined
def learn(memory, settings, work, start, levels, length):
    """Count a playout in the AMAF statistics, the bit rows and the means of codes."""
    codes, count, step, reward = memory.codes, memory.count, work.step, work.reward[0]
    if settings.uses.amaf:
        log = memory.log
        kept = has_room_in_log(log, count, step.shape[1] - 1, length - start)
        playout = write_playout(log, count, codes.stamp, memory.tally.playouts[0] + 1, step, reward, start, length)
        if kept:
            count[at.PLAYOUTS] += 1
            count[at.ENTRIES] += log.playout[playout, 1]
            if settings.uses.rows:
                write_bits(memory.rows, log, count, memory.extremes[1], playout)
        else:
            count[at.FULL] = 1
        for level in range(levels + 1):
            if step[at.STEP_NODE, level] >= 0:
                row, entries = memory.nodes.whole[step[at.STEP_NODE, level]], step[at.BEHIND, start + level]
                count_at(memory.amaf, log, row, count, playout, entries, kept)
    if settings.playouts.policy == MAST:
        low, scale = normalised(memory.extremes, settings.selection.normalise)
        mark, tau = -memory.tally.playouts[0] - 1, settings.playouts.tau
        learn_means(codes.stamp, codes.number, mark, tau, low, scale, step, reward, start, length)


@inlined
def end_walk(memory, settings, work, levels, length):
    """Count the playout, adapt to it, and go on with Sequential Halving and committed moves; return a status."""
    nodes, reward, count = memory.nodes, work.reward[at.RESULT], memory.count
    improved = False
    if reward.shape[0] == 1:
        improved = count_playout(memory.best, memory.tally, work.step[at.STEP_MOVE], length, reward[0])
    else:
        memory.tally.playouts[0] += 1
        memory.tally.last_score[0] = reward[0]
    if settings.playouts.policy == ADAPT:
        slot, winner = whom_to_follow(count, reward, memory.best.score[0])
        if winner != at.NONE:
            alpha = settings.playouts.alpha
            adapt(memory.codes, count, memory.legal[slot], memory.trace[slot], work.factor, alpha, winner)
    committed = memory.root[at.COMMITTED]
    if levels > committed:
        root = work.step[at.STEP_NODE, committed]
        if settings.selection.halving != NEVER and nodes.whole[root, at.OPEN] > 0:
            amaf, extremes, selection = memory.amaf, memory.extremes, settings.selection
            count_pull(memory.halving, nodes, memory.edges, amaf, extremes, selection, root, work.value)
        memory.root[at.SINCE] += 1
        if 0 < settings.commit <= memory.root[at.SINCE]:
            commit(memory.edges, nodes.whole[root], memory.root, memory.halving)
            if count[at.FULL]:
                memory.root[at.START] += memory.root[at.COMMITTED]
                clear(memory.nodes.table, memory.rows.segment, memory.halving, count, memory.root, settings.uses.hash)
    return IMPROVED if improved else BUDGET_USED


@internal
def whom_to_follow(count, reward, best):
    """Return which recorded playout to adapt to, and whose moves of it; NONE where nobody has won alone.

    With one player it is the best playout so far, also the last one if it is as good.
    """
    slot = count[at.SLOT]
    if reward.shape[0] == 1:
        if reward[0] >= best:
            count[at.SLOT] = 1 - slot
        return 1 - count[at.SLOT], 0
    winner, ties = 0, 0
    for p in range(1, reward.shape[0]):
        if reward[p] > reward[winner]:
            winner, ties = p, 0
        elif reward[p] == reward[winner]:
            ties += 1
    return slot, (winner if ties == 0 else at.NONE)


@internal
def commit(edges, node, root, halving):
    """Commit the move of the root with the best score behind it; of several, the one with most visits, then the first.

    The tree stays, and walks begin with the committed moves. Where it is full, the caller begins a new one behind them.
    """
    chosen = node[at.FIRST]
    for edge in range(node[at.FIRST] + 1, node[at.FIRST] + node[at.COUNT]):
        better = edges.number[edge, at.BEST] > edges.number[chosen, at.BEST]
        equal = edges.number[edge, at.BEST] == edges.number[chosen, at.BEST]
        if better or (equal and edges.number[edge, at.TRIED] > edges.number[chosen, at.TRIED]):
            chosen = edge
    root[at.PREFIX + root[at.START] + root[at.COMMITTED]] = edges.whole[chosen, at.MOVE]
    root[at.COMMITTED] += 1
    root[at.SINCE] = 0
    halving[at.BEGUN] = 0
