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
from nrpa.engine.kernels import all_moves, copy, hash, play, player, reset  # noqa: A004
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
from nrpa.machine.jit import into_caller, jit
from nrpa.machine.lock import acquire, add, fence, peek, release, wait
from nrpa.solvers.tree.amaf import begin_block, count_at, has_room_in_log, is_any, is_short, reserve, write_playout
from nrpa.solvers.tree.backup import add_leaf, back_up, close_path, note_rewards
from nrpa.solvers.tree.memory import NONE, PASSED, UNEXPANDED, Sizes, Uses, record
from nrpa.solvers.tree.permutations import count_permutations, write_bits
from nrpa.solvers.tree.playout import ADAPT, MAST, PlayoutSettings, adapt_codes, learn_means, number_of_code, play_out
from nrpa.solvers.tree.selection import NEVER, Selection, count_pull, next_arm, normalised, select

# Why a walk ended without a playout: it came to a solved node, or the whole sequence has been committed.
AGAIN, FINISHED = 10, 11
# Why a worker that follows another has no more to do.
ENDED = 13
# Of workers that play from the same leaf: the number of the leaf, or NO_MORE; the playouts left; how many workers play
# from this leaf, have played, and have counted; whether any has failed; the edges to the leaf.
TICKET, LEFT, PLAYERS, PLAYED, COUNTED, FAILED, LEVELS = range(7)
NO_MORE = -1
# A walk goes on at an expanded node; there may be no more edges.
EXPANDED, FULL_UP = 0, 12
# Of a step: the move, its code, the number of the code, and who makes it; how many entries of the log belong to it and
# to those after it. From the root of the tree on: the nodes of the walk, and the edges between them; the hash of the
# state where a node may be missing.
STEP = record("move raw code mover behind node edge hash")


class TreeWork(NamedTuple):
    """Work areas. Their content does not matter between walks."""

    steps: np.ndarray  # STEP[steps + 1]
    values: np.ndarray  # float64[max_moves]: for selections and playouts
    factors: np.ndarray  # float64[max_total] or [1]: for Adapt
    # worth, backed, leaf, result: float64[players]: what the leaf is worth for each player; what is handed up the tree;
    # the value of the leaf where leaves are valued, else as the last; what the playout came to
    worth: np.ndarray
    backed: np.ndarray
    leaf: np.ndarray
    result: np.ndarray
    mask: np.ndarray  # uint64[16]: for bit rows
    # int64[1]: held by the worker that reads or writes the tree; int64[0] where there is one worker
    lock: np.ndarray
    gate: np.ndarray  # int64[7] where workers play from the same leaf, which the first of them finds; else int64[0]
    place: np.ndarray  # int64[2]: the number of the worker, from 0; the last ticket that it has seen
    path: np.ndarray  # int64[steps]: the moves to the leaf
    led: np.ndarray  # STEP[steps + 1]: the steps of the first worker
    states: np.ndarray  # int64[steps + 1]: where a state that comes again ends a game, the hashes of those on the way
    first_state: NamedTuple  # the state at which walks begin


class TreeSettings(NamedTuple):
    """The options of the algorithm, and what the problem has."""

    # selection, playouts: how the search chooses in the tree, and behind it
    selection: Selection
    playouts: PlayoutSettings
    uses: Uses  # which parts of the memory are in use
    ref: int  # the visits that a node must have more of to be the reference of those below it
    commit: int  # the playouts after which a move is committed; 0 for never
    codes: int  # the number of codes where they are 0 to codes - 1; else 0
    largest_reward: float  # what no player can get more of
    most: Sizes  # the most rows that arrays may have


def advance_tree(position, memory, work, settings, budget):
    """Search on from where the last call ended; return why it stopped (``nrpa.engine.status``)."""
    tally, count, root, random = memory.tally, memory.count[0], memory.root[0], memory.random
    last, begun = tally.playouts[0] + budget.playouts, np.int64(NONE)
    while tally.playouts[0] < last and tally.searches[0] < budget.searches:
        if count["nodes"] > 0 and memory.nodes[0]["open"] == 0 and root["start"] == root["origin"]:
            count["proven"] = 1
            return SOLVED
        if begun != root["start"]:
            begun = root["start"]
            status = begin_tree(position, begun, memory.prefix, work, settings)
            if status < 0:
                return status
        before = random[0], random[1]
        status = walk(position, memory, work, settings)
        if status == LACKS_ROOM or status < 0:
            random[0], random[1] = before
            return status
        if status == FINISHED:
            # What a game has come to is solved, but not all of the tree that was kept.
            if work.worth.shape[0] > 1:
                count["proven"] = 1
                return SOLVED
            if work.lock.shape[0] == 0:
                restart_tree(memory, settings)
        if status == IMPROVED or status == ENDED:  # noqa: PLR1714, SIM109
            return status
    return BUDGET_USED


@jit
def walk(position, memory, work, settings):
    """Walk down the tree, play to the end, and count what came of it; return IMPROVED, BUDGET_USED, or why not.

    Where workers share the tree, its arrays are read and written under a lock; they play without it. Where they share
    the leaf, too, the first of them finds it, all play from it at once, and count in turn.
    """
    start, shares_leaf = memory.root[0]["start"], work.gate.shape[0] > 0
    follows = shares_leaf and work.place[0] > 0
    if follows:
        status, levels = follow_to_leaf(position, work, start)
    else:
        status, levels = find_leaf(position, memory, work, settings, start)
    if status == ENDED:
        return status
    length, together = np.int64(0), follows or (shares_leaf and status == BUDGET_USED)
    if status == BUDGET_USED:
        status, length = play_from_leaf(position, memory, work, settings, start, levels)
    if together:
        await_turn(work.gate, work.place)
    acquire(work.lock)
    if work.lock.shape[0] > 0 and not follows:
        land(memory.flying, work.steps, levels)
    if status == BUDGET_USED:
        status = count_walk(memory, work, settings, start, levels, length)
    release(work.lock)
    return end_turn(work.gate, follows, status) if together else status


@into_caller
def find_leaf(position, memory, work, settings, start):
    """Walk down the tree to a leaf, and show it to workers that share it; return a status and the edges walked."""
    status, levels = BUDGET_USED, 0
    acquire(work.lock)
    if memory.count[0]["nodes"] > 0 and memory.nodes[0]["open"] == 0:
        status = FINISHED
    elif lacks_rows(memory, work, settings):
        status = LACKS_ROOM
    release(work.lock)
    if status == BUDGET_USED:
        begin_walk(position, start, work)
        status, levels = descend(position, memory, work, settings, start)
        if status == BUDGET_USED and work.gate.shape[0] > 0:
            show_leaf(work.gate, work.path, work.steps, start, levels)
    return status, levels


@into_caller
def follow_to_leaf(position, work, start):
    """Go to the next leaf that the first worker has found; return a status and the edges to it."""
    status, levels = await_leaf(work.gate, work.place, work.steps, work.led, start)
    if status == BUDGET_USED:
        begin_walk(position, start, work)
        status = go_to_leaf(position, work, start, levels)
    return status, levels


@into_caller
def play_from_leaf(position, memory, work, settings, start, levels):
    """Play from a leaf to the end, or end the game where it comes round again; return a status and all moves."""
    playouts, depth = settings.playouts, start + levels
    if work.steps[levels]["node"] == PASSED and playouts.ends.at_repetition.shape[0] > 0:
        length = end_by_repetition(playouts.ends.at_repetition, memory.traced, work, depth)
    else:
        length = play_out(position, memory, playouts, work, depth)
    return check_rewards(work.worth, settings.largest_reward) if length >= 0 else length, length


@jit
def begin_walk(position, start, work):
    """Make the state at which walks begin."""
    if start > 0:
        copy(position.instance, work.first_state, position.state)
    else:
        reset(position.instance, position.state)


@jit
def go_to_leaf(position, work, start, levels):
    """Make the moves that lead to the leaf of another worker; return a status."""
    instance, state, moves, _ = position
    for step in range(start, start + levels):
        # A state is asked for its moves before one of them is played.
        listed = all_moves(instance, state, moves)
        if listed < 0:
            return listed
        play(instance, state, work.path[step])
    return BUDGET_USED


@jit
def show_leaf(gate, path, steps, start, levels):
    """Let the other workers play from the leaf that the first one has come to."""
    for step in range(start + levels):
        path[step] = steps[step]["move"]
    # The last one may have fewer playouts left than there are workers.
    gate[LEVELS], gate[PLAYED], gate[COUNTED] = levels, 0, 0
    gate[PLAYERS] = min(gate[PLAYERS], gate[LEFT])
    gate[LEFT] -= gate[PLAYERS]
    add(gate, TICKET, 1)


@jit
def await_leaf(gate, place, steps, led, start):
    """Wait for a leaf to play from, and take over the steps that lead there; return a status and the edges to it."""
    while True:
        wait(gate, TICKET, place[1], False)
        place[1] = peek(gate, TICKET)
        if place[1] == NO_MORE:
            return ENDED, np.int64(0)
        if place[0] < gate[PLAYERS]:
            break
    levels = gate[LEVELS]
    for step in range(start + levels + 1):
        steps[step] = led[step]
    return BUDGET_USED, levels


@jit
def await_turn(gate, place):
    """Wait until all workers have played from the leaf, and those before this one have counted."""
    add(gate, PLAYED, 1)
    wait(gate, PLAYED, gate[PLAYERS], True)
    wait(gate, COUNTED, place[0], True)


@jit
def end_turn(gate, follows, status):
    """Let the next worker count; return the status, of the first worker when all have, ENDED where one has failed."""
    has_failed = status != BUDGET_USED and status != IMPROVED  # noqa: PLR1714
    if has_failed:
        gate[FAILED] = 1
    add(gate, COUNTED, 1)
    if not follows:
        wait(gate, COUNTED, gate[PLAYERS], True)
        if gate[FAILED] and not has_failed:
            return ENDED
    return status


@jit
def land(flying, steps, levels):
    """Note that a walk is no longer under way."""
    for level in range(levels):
        add(flying, steps[level]["edge"], -1)


@jit
def count_walk(memory, work, settings, start, levels, length):
    """Count what came of a walk; return IMPROVED, BUDGET_USED, or LACKS_ROOM."""
    codes, count, steps, uses, depth = memory.codes, memory.count[0], work.steps, settings.uses, start + levels
    lacks = False
    if work.lock.shape[0] > 0:
        # Others may have taken the room that there was.
        lacks = lacks_rows(memory, work, settings)
        if steps[levels]["node"] == NONE:
            steps[levels]["node"] = leaf_of_others(memory, steps, levels, uses.hash)
    if uses.amaf:
        for level in range(levels + 1):
            block = NONE if steps[level]["node"] < 0 else memory.nodes[steps[level]["node"]]["block"]
            lacks |= block >= 0 and not reserve(memory, settings.most.cells, block, length - start)
    status = LACKS_ROOM
    if not lacks:
        if steps[levels]["node"] == NONE:
            add_leaf(memory, steps, work.leaf, uses.hash, levels, depth)
        note_rewards(memory, work.worth, uses.bits)
        if uses.by_code:
            for step in range(depth, length):
                steps[step]["code"] = number_of_code(codes, count, steps[step]["raw"], True, settings.playouts.first_g)
        learn_from(memory, settings, work, start, levels, length)
        back_up(memory, work, settings.largest_reward, levels, settings.selection.minimax > 0.0)
        status = end_walk(memory, settings, work, levels, length)
    return status


@jit
def leaf_of_others(memory, steps, levels, by_hash):
    """Return the node that another worker has added where a walk has led to; NONE without one."""
    if levels == 0:
        return np.int64(NONE if memory.count[0]["nodes"] == 0 else 0)
    edge = memory.edges[steps[levels - 1]["edge"]]
    if edge["child"] < 0 and by_hash:
        edge["child"] = node_of(memory.node_table, steps[levels]["hash"])
    return edge["child"]


@jit
def restart_tree(memory, settings):
    """Begin a new top-level search: an empty tree at the first root, and playouts that have learned nothing."""
    memory.tally.searches[0] += 1
    memory.root[0]["start"] = memory.root[0]["origin"]
    empty_tree(memory, settings)
    for code in range(memory.codes.learned.shape[0]):
        learned = memory.codes.learned[code]
        learned["g"], learned["tried"], learned["sum"] = settings.playouts.first_g, 0.0, 0.0


@jit
def empty_tree(memory, settings):
    """Make the tree empty; what is known of codes apart from nodes stays."""
    word, segments, halving = memory.node_table.word, memory.bits.segments, memory.halving[0]
    count, root = memory.count[0], memory.root[0]
    if settings.uses.hash:
        for slot in range(word.shape[0] // 2):
            word[2 * slot] = FREE
    for code in range(segments.shape[0]):
        for column in range(segments.shape[1]):
            segments[code, column] = 0
    count["nodes"] = count["edges"] = count["blocks"] = count["cells"] = 0
    count["playouts"] = count["entries"] = count["links"] = count["full"] = 0
    count["segments"] = 1
    count["freed"] = NONE
    root["committed"] = root["since"] = 0
    halving["begun"] = halving["passes"] = 0


@jit
def begin_tree(position, start, prefix, work, settings):
    """Make the state at which walks begin; return 0 or a negative status."""
    instance, state, moves, _ = position
    steps, told = work.steps, settings.playouts.ends.at_repetition.shape[0] > 0
    reset(instance, state)
    for step in range(start):
        if told:
            work.states[step] = np.int64(hash(instance, state))
        # A state is asked for its moves before one of them is played.
        listed = all_moves(instance, state, moves)
        if listed < 0:
            return listed
        if listed > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        steps[step]["move"] = prefix[step]
        play(instance, state, prefix[step])
    if told:
        work.states[start] = np.int64(hash(instance, state))
    copy(instance, state, work.first_state)
    return 0


@jit
def end_by_repetition(rewards, traced, work, depth):
    """End a walk at a state that has come again; return the number of moves."""
    for p in range(rewards.shape[0]):
        work.worth[p] = work.leaf[p] = work.result[p] = rewards[p]
    traced[traced[2]] = 0
    return depth


@jit
def comes_again(position, work, told, depth):
    """Return whether the state at a depth has come before, where that ends a game."""
    if not told:
        return False
    work.states[depth] = np.int64(hash(position.instance, position.state))
    return is_repeated(work.states, depth)


@jit
def is_repeated(states, depth):
    """Return whether the hash of the state at a depth has come before on the way."""
    for earlier in range(depth - 1, -1, -1):  # noqa: SIM110
        if states[earlier] == states[depth]:
            return True
    return False


@jit
def was_passed(nodes, count, steps, node, level, alone):
    """Return whether a walk has come by a node before; of workers that share the tree, each looks at its own steps."""
    if node < 0 or alone:
        return node >= 0 and nodes[node]["walk"] == count["walk"]
    for earlier in range(level):  # noqa: SIM110
        if steps[earlier]["node"] == node:
            return True
    return False


@jit
def descend(position, memory, work, settings, start):
    """Walk from the root of the tree to a node that is not there yet; return a status and the edges walked."""
    instance, state, moves, _ = position
    nodes, edges, count, steps = memory.nodes, memory.edges, memory.count[0], work.steps
    committed = memory.root[0]["committed"]
    steps[0]["node"] = NONE
    # No literal 0, for which numba would compile the selection another time.
    node = reference = np.int64(0)
    status, level = BUDGET_USED, 0
    told = settings.playouts.ends.at_repetition.shape[0] > 0
    walking = count["nodes"] > 0
    alone = work.lock.shape[0] == 0
    if alone:
        count["walk"] += 1
    if not walking:
        steps[0]["hash"] = np.int64(hash(instance, state))
    while walking:
        depth, row = start + level, nodes[node]
        steps[level]["node"] = node
        if alone:
            row["walk"] = count["walk"]
        listed = all_moves(instance, state, moves)
        expansion, reference = leave_node(position, memory, work, settings, node, reference, listed, level)
        if expansion != EXPANDED:
            status = BUDGET_USED if expansion == FULL_UP else expansion
            break
        edge, step = edges[steps[level]["edge"]], steps[depth]
        step["move"], step["code"], step["mover"] = edge["move"], edge["code"], row["mover"]
        play(instance, state, edge["move"])
        level += 1
        if edge["child"] < 0 and settings.uses.hash:
            steps[level]["hash"] = np.int64(hash(instance, state))
            acquire(work.lock)
            edge["child"] = node_of(memory.node_table, steps[level]["hash"])
            release(work.lock)
        node = edge["child"]
        steps[level]["node"] = NONE
        # A walk that comes back to where it was does not go round: the playout begins there, or the game ends.
        if comes_again(position, work, told, start + level) or was_passed(nodes, count, steps, node, level, alone):
            steps[level]["node"] = PASSED
            break
        if node < 0:
            break
        if nodes[node]["open"] == 0:
            acquire(work.lock)
            close_path(memory, steps, settings.largest_reward, level)
            status = FINISHED if level <= committed and nodes[0]["open"] != 0 else AGAIN
            release(work.lock)
            break
    return status, level


@jit
def leave_node(position, memory, work, settings, node, reference, listed, level):
    """Choose the edge by which to leave a node; return EXPANDED or why there is none, and the reference from here on.

    Workers that share the tree choose without the lock where nothing is written, and nothing moves that is read.
    """
    row, uses, depth = memory.nodes[node], settings.uses, memory.root[0]["start"] + level
    refers = uses.amaf and row["visits"] > settings.ref
    wants_block = uses.amaf and row["block"] < 0 and (refers or level <= memory.root[0]["committed"])
    writes = wants_block or row["open"] == UNEXPANDED or writes_to_choose(settings)
    if writes:
        acquire(work.lock)
    # Another worker may have solved it meanwhile.
    expansion = AGAIN if row["open"] == 0 else visit(position, memory, work, settings, row, listed, depth)
    if expansion == EXPANDED and wants_block and not begin_block(memory, settings, row):
        expansion = LACKS_ROOM
    if refers and row["block"] >= 0:
        reference = node
    if expansion == EXPANDED:
        fence()
        chosen = choose_edge(memory, work, settings, row, memory.nodes[reference]["block"], level)
        work.steps[level]["edge"] = chosen
        if work.lock.shape[0] > 0:
            add(memory.flying, chosen, 1)
    if writes:
        release(work.lock)
    return expansion, reference


@jit
def writes_to_choose(settings):
    """Return whether choosing a move may write, or read statistics that move when they grow."""
    uses, selection = settings.uses, settings.selection
    return uses.bits or selection.halving != NEVER or (uses.amaf and settings.codes == 0)


@jit
def visit(position, memory, work, settings, node, listed, depth):
    """Give a node its edges, if it has none, when ``listed`` moves are listed; return EXPANDED or why it has none."""
    instance, state, moves, _ = position
    status = EXPANDED
    if listed < 0:
        status = listed
    elif listed > moves.move.shape[0]:
        status = TOO_MANY_MOVES_AT_ONCE
    elif depth == work.steps.shape[0] - 1:
        status = TOO_MANY_STEPS if settings.playouts.ends.at_max_steps.shape[0] == 0 else FULL_UP
    elif node["open"] == UNEXPANDED:
        mover = np.int64(player(instance, state))
        if 0 <= mover < work.worth.shape[0]:
            status = expand(memory, work.values, settings, moves, node, listed, mover)
        else:
            status = NO_SUCH_PLAYER
    return status


@jit
def choose_edge(memory, work, settings, node, block, level):
    """Return the edge to walk: of a committed move, of Sequential Halving at the root, or that of the selection."""
    values, root, selection = work.values, memory.root[0], settings.selection
    start, committed = root["start"], root["committed"]
    if level < committed:
        edge = edge_of(memory.edges, node["first"], memory.prefix[start + level])
    elif level == committed and selection.halving != NEVER:
        edge = next_arm(memory, selection, node, values)
    else:
        if settings.uses.bits:
            count_permutations(memory, node, work.steps, start, start + level, work.mask)
        edge = node["first"] + select(memory, selection, node, block, values)
    return edge


@jit
def expand(memory, values, settings, moves, node, listed, mover):
    """Give a node its edges; return EXPANDED, LACKS_ROOM, FULL_UP, or NO_PROBABILITY where there is no prior."""
    edges, codes, count, wanted = memory.edges, memory.codes, memory.count[0], memory.wanted[0]
    needed = count["edges"] + listed
    wanted["edges"] = is_short(needed, edges.shape[0], settings.most.edges)
    if settings.uses.by_code and settings.codes == 0:
        wanted["codes"] = is_short(count["codes"] + listed, codes.stamps.shape[0], settings.most.codes)
    status = EXPANDED
    if is_any(wanted):
        status = LACKS_ROOM
    elif needed > edges.shape[0]:
        count["full"] = 1
        status = FULL_UP
    elif not write_edges(edges, memory.priors, codes, count, moves, settings.playouts, settings.uses, listed, values):
        status = NO_PROBABILITY
    else:
        node["first"], node["count"], node["mover"] = count["edges"], listed, mover
        # No path has this fingerprint.
        node["path"] = NONE
        node["counted"] = 0
        count["edges"] = needed
        # Others see the moves before they see that there are any.
        fence()
        node["open"] = listed
    return status


@jit
def write_edges(edges, priors, codes, count, moves, playouts, uses, listed, values):
    """Write the next edges, those of ``listed`` moves; return False where β gives them no prior."""
    first = count["edges"]
    for m in range(listed):
        edge = edges[first + m]
        edge["move"] = moves.move[m]
        edge["code"] = number_of_code(codes, count, moves.code[m], True, playouts.first_g) if uses.by_code else NONE
        edge["child"] = NONE
        edge["closed"] = 0
        edge["tried"] = edge["sum"] = edge["squares"] = 0.0
        edge["best"] = -np.inf
    if uses.prior:
        total = 0.0 if write_exp_bias(playouts.bias, moves, listed, values) == 0 else np.nan
        for m in range(listed):
            total += values[m]
        if not 0.0 < total < np.inf:
            return False
        for m in range(listed):
            priors[first + m] = values[m] / total
    return True


@jit
def lacks_rows(memory, work, settings):
    """Return whether arrays must grow before the next walk, for all that a walk adds but edges and blocks."""
    count, wanted, most, steps = memory.count[0], memory.wanted[0], settings.most, work.steps.shape[0] - 1
    wanted["nodes"] = is_short(count["nodes"] + 1, memory.nodes.shape[0], most.nodes)
    if settings.uses.by_code and settings.codes == 0:
        more = steps + memory.legal.shape[1]
        wanted["codes"] = is_short(count["codes"] + more, memory.codes.stamps.shape[0], most.codes)
    if settings.uses.amaf:
        log = memory.log
        wanted["playouts"] = is_short(count["playouts"] + 2, log.playouts.shape[0], most.playouts)
        wanted["entries"] = is_short(count["entries"] + 2 * steps, log.entries.shape[0], most.entries)
        wanted["links"] = is_short(count["links"] + steps + 1, log.links.shape[0], most.links)
    if settings.uses.bits:
        wanted["segments"] = is_short(count["segments"] + steps, memory.bits.words.shape[0], most.segments)
    return is_any(wanted)


@jit
def edge_of(edges, first, move):
    """Return the edge that makes a move, from ``first`` on."""
    edge = first
    while edges[edge]["move"] != move:
        edge += 1
    return edge


@jit
def node_of(node_table, key):
    """Return the node of a state by its hash, NONE if there is none."""
    slot = find(node_table, key)
    return NONE if is_free(node_table, slot) else node_table.word[(slot << ONE) + ONE]


@jit
def check_rewards(worth, largest_reward):
    """Return 0, or the negative status for rewards that are no scores, or larger than any may be."""
    for p in range(worth.shape[0]):
        if not is_score(worth[p]):
            return NO_SCORE if worth.shape[0] == 1 else NO_REWARD
        if worth[p] > largest_reward and worth.shape[0] > 1:
            return REWARD_TOO_LARGE
    return 0


@jit
def learn_from(memory, settings, work, start, levels, length):
    """Count a playout in the AMAF statistics, the bit rows and the means of codes."""
    codes, count, extremes = memory.codes, memory.count[0], memory.extremes[0]
    steps, worth = work.steps, work.worth
    count["learned"] += 1
    if settings.uses.amaf:
        log = memory.log
        kept = has_room_in_log(log, count, steps.shape[0] - 1, length - start)
        playout = write_playout(memory, steps, worth, start, length)
        if kept:
            count["playouts"] += 1
            count["entries"] += log.playouts[playout]["entries"]
            if settings.uses.bits:
                write_bits(memory.bits, log, count, extremes["high"], playout)
        else:
            count["full"] = 1
        for level in range(levels + 1):
            if steps[level]["node"] >= 0:
                node, entries = memory.nodes[steps[level]["node"]], steps[start + level]["behind"]
                count_at(memory, node, playout, entries, kept)
    if settings.playouts.policy == MAST:
        low, scale = normalised(extremes, settings.selection.normalise)
        mark, tau = -count["learned"], settings.playouts.tau
        learn_means(codes, mark, tau, low, scale, steps, worth, start, length)


@jit
def end_walk(memory, settings, work, levels, length):
    """Count the playout, adapt to it, and go on with Sequential Halving and committed moves; return a status."""
    result, count, root, halving = work.result, memory.count[0], memory.root[0], memory.halving[0]
    improved = False
    if result.shape[0] == 1:
        improved = count_playout(memory.best, memory.tally, work.steps["move"], length, result[0])
    else:
        memory.tally.playouts[0] += 1
        memory.tally.last_score[0] = result[0]
    if settings.playouts.policy == ADAPT:
        slot, winner = whom_to_follow(memory.traced, result, memory.best.score[0])
        if winner != NONE:
            adapt_codes(memory, slot, work.factors, settings.playouts.alpha, winner)
    committed = root["committed"]
    if levels > committed:
        node = memory.nodes[work.steps[committed]["node"]]
        if settings.selection.halving != NEVER and node["open"] > 0:
            count_pull(memory, settings.selection, node, work.values)
        root["since"] += 1
        if 0 < settings.commit <= root["since"]:
            commit(memory.edges, node, root, memory.prefix, halving)
            if count["full"]:
                root["start"] += root["committed"]
                empty_tree(memory, settings)
    return IMPROVED if improved else BUDGET_USED


@jit
def whom_to_follow(traced, result, best):
    """Return which recorded playout to adapt to, and whose moves of it; NONE where nobody has won alone.

    With one player it is the best playout so far, also the last one if it is as good.
    """
    slot = traced[2]
    if result.shape[0] == 1:
        if result[0] >= best:
            traced[2] = 1 - slot
        return 1 - traced[2], 0
    winner, ties = 0, 0
    for p in range(1, result.shape[0]):
        if result[p] > result[winner]:
            winner, ties = p, 0
        elif result[p] == result[winner]:
            ties += 1
    return slot, (winner if ties == 0 else NONE)


@jit
def commit(edges, node, root, prefix, halving):
    """Commit the move of the root with the best score behind it; of several, the one with most visits, then the first.

    The tree stays, and walks begin with the committed moves. Where it is full, the caller begins a new one behind them.
    """
    chosen = edges[node["first"]]
    for k in range(node["first"] + 1, node["first"] + node["count"]):
        edge = edges[k]
        equal = edge["best"] == chosen["best"]
        if edge["best"] > chosen["best"] or (equal and edge["tried"] > chosen["tried"]):
            chosen = edge
    prefix[root["start"] + root["committed"]] = chosen["move"]
    root["committed"] += 1
    root["since"] = 0
    halving["begun"] = 0
