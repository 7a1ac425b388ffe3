"""Whether the memory of a tree search that was read from a file can be gone on with.

The moves of edges are checked when a walk first comes to one that its state does not list: a tree may have millions.
"""

from __future__ import annotations

import numpy as np

from nrpa.base.values import MOST_PLAYOUTS
from nrpa.engine.game import Game
from nrpa.engine.legal import require_played
from nrpa.engine.sound import require, require_finite, require_shapes, require_table, within
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.capacity import Capacity
from nrpa.solvers.tree_amaf import FROZEN, LEAST_SIZE, SIZE, USED
from nrpa.solvers.tree_amaf import START as FIRST_CELL
from nrpa.solvers.tree_memory import (
    ALIVE,
    ARM,
    BEGUN,
    BEST,
    BLOCK,
    BLOCKS,
    CELLS,
    CHILD,
    CHOSEN,
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
    INCOMPLETE,
    LAST_MOVER,
    LINKED,
    LINKS,
    MANY_VALUES,
    MOVE,
    MOVER,
    MOVER_BITS,
    NODES,
    NONE,
    OFFSET,
    OPEN,
    ORIGIN,
    PLACE,
    PLAYOUTS,
    PREFIX,
    PROVEN,
    PULLED,
    PULLS,
    SEGMENTS,
    SINCE,
    SLOT,
    START,
    SURVIVOR,
    TRIED,
    UNEXPANDED,
    VISITS,
    WANTED,
    WHO,
    Memory,
    Sizes,
    Uses,
    allocate_memory,
    sizes_of,
)


def require_sound_tree(memory: Memory, own: Memory, uses: Uses, problem: BaseProblem) -> None:
    """Raise UnsoundError unless a search whose fresh memory is ``own`` can go on with a memory that was read."""
    sizes, count = sizes_of(memory), memory.count
    require_shapes("memory/count", count, own.count)
    require(min(sizes) > 0, "memory/nodes", "room in all arrays")
    codes = int(own.count[CODES]) if uses.numbers else 0
    require(not uses.numbers or sizes.codes == len(own.codes.stamp), "memory/codes/stamp", "room for the codes")
    wanted = allocate_memory(sizes, uses, Capacity(*memory.room.tolist()), memory.random, codes)
    require_shapes("memory", memory, wanted)
    _require_counts(memory, sizes, codes if uses.numbers else None)
    _require_nodes(memory, uses)
    _require_edges(memory)
    _require_root(memory, Game(problem.model))
    if uses.amaf:
        _require_log(memory, uses)
        _require_blocks(memory, codes if uses.numbers else None)
    within("memory/rows/segment", memory.rows.segment, 0, count[SEGMENTS] - 1)
    require_finite("memory/codes/number", memory.codes.number)
    if not uses.numbers:
        require_table("memory/codes/table/word", memory.codes.table, count[CODES], count[CODES])
    if uses.adapt:
        _require_trace(memory, uses)


def _require_counts(memory: Memory, sizes: Sizes, codes: int | None) -> None:
    """Raise UnsoundError unless what is counted fits into its room."""
    count = memory.count
    most = {NODES: sizes.nodes, EDGES: sizes.edges, BLOCKS: sizes.blocks, CELLS: sizes.cells, CODES: sizes.codes}
    most |= {PLAYOUTS: sizes.playouts, ENTRIES: sizes.entries, LINKED: sizes.links, SEGMENTS: sizes.segments}
    most |= {FULL: 1, WANTED: 2 ** len(sizes) - 1, PROVEN: 1, MANY_VALUES: 1, SLOT: 1, FREED: count[LINKED] - 1}
    for place, highest in most.items():
        within("memory/count", count[place], {FREED: NONE, SEGMENTS: 1}.get(place, 0), highest)
    require(codes is None or count[CODES] == codes, "memory/count", "the number of codes")
    if memory.tally.playouts[0]:
        require_finite("memory/extremes", memory.extremes)
        require(memory.extremes[0] <= memory.extremes[1], "memory/extremes", "the lowest first")


def _require_nodes(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless nodes have their own edges, and know how many of them are not solved."""
    count, name = memory.count, "memory/nodes/whole"
    whole = memory.nodes.whole[: count[NODES]]
    closed = memory.edges.whole[: count[EDGES], CLOSED]
    within("memory/edges/whole", closed, 0, 1)
    within(name, whole[:, COUNT], 0, memory.room[1])
    within(name, whole[:, FIRST], 0, count[EDGES] - whole[:, COUNT])
    within(name, whole[:, OPEN], UNEXPANDED, whole[:, COUNT])
    within(name, whole[:, VISITS], 1, MOST_PLAYOUTS)
    within(name, whole[:, MOVER], 0, uses.players - 1)
    within(name, whole[:, BLOCK], NONE, count[BLOCKS] - 1)
    within(name, whole[:, LINKS], INCOMPLETE, count[LINKED] - 1)
    within(name, whole[:, COUNTED], 0, count[PLAYOUTS])
    until = np.concatenate([[0], np.cumsum(closed)])
    solved = until[whole[:, FIRST] + whole[:, COUNT]] - until[whole[:, FIRST]]
    opened = whole[:, OPEN]
    fits = np.where(opened > 0, opened == whole[:, COUNT] - solved, (whole[:, COUNT] == 0) | (solved > 0))
    fits &= (opened != UNEXPANDED) | (whole[:, COUNT] == 0)
    require(fits.all(), name, "as many open edges as are not solved")
    require_finite("memory/nodes/number", memory.nodes.number[: count[NODES]])
    if uses.hash:
        require_table("memory/nodes/table/word", memory.nodes.table, count[NODES], count[NODES])


def _require_edges(memory: Memory) -> None:
    """Raise UnsoundError unless edges lead to nodes, those that are solved to solved ones."""
    count, name = memory.count, "memory/edges/whole"
    whole, number = memory.edges.whole[: count[EDGES]], memory.edges.number[: count[EDGES]]
    within(name, whole[:, CODE], NONE, count[CODES] - 1)
    within(name, whole[:, CHILD], NONE, count[NODES] - 1)
    solved = whole[whole[:, CLOSED] == 1, CHILD]
    require((solved >= 0).all() and not memory.nodes.whole[solved, OPEN].any(), name, "solved nodes at closed edges")
    within("memory/edges/number", number[:, TRIED], 0, MOST_PLAYOUTS)
    require_finite("memory/edges/number", np.delete(number, BEST, axis=1))
    within("memory/edges/number", number[:, BEST], -np.inf, np.finfo(float).max)


def _require_root(memory: Memory, game: Game) -> None:
    """Raise UnsoundError unless the tree begins behind legal moves, and the moves that are in are those of its root."""
    root, halving, count, steps = memory.root, memory.halving, memory.count, len(memory.root) - PREFIX
    whole, edges = memory.nodes.whole, memory.edges.whole
    within("memory/root", root[START], 0, steps)
    within("memory/root", root[ORIGIN], 0, root[START])
    within("memory/root", root[COMMITTED], 0, steps - root[START])
    within("memory/root", root[SINCE], 0, MOST_PLAYOUTS)
    end = PREFIX + root[START] + root[COMMITTED]
    require_played("memory/root", game, root[PREFIX:end])
    is_proven = count[NODES] and whole[0, OPEN] == 0 and root[START] == root[ORIGIN]
    require(is_proven or not count[PROVEN], "memory/count", "a tree that is solved")
    node = 0 if count[NODES] else NONE
    for move in root[end - root[COMMITTED] : end]:
        edge = np.flatnonzero(edges[whole[node, FIRST] : whole[node, FIRST] + whole[node, COUNT], MOVE] == move)
        require(node != NONE and len(edge), "memory/root", "moves of the tree")
        node = edges[whole[node, FIRST] + edge[0], CHILD]
    if not halving[BEGUN]:
        return
    require(node != NONE and whole[node, COUNT], "memory/halving", "moves of the root")
    first, moves = whole[node, [FIRST, COUNT]]
    within("memory/halving", halving[ALIVE], 1, moves)
    within("memory/halving", halving[PLACE], 0, halving[ALIVE])
    within("memory/halving", halving[PULLED], 0, halving[PULLS])
    within("memory/halving", halving[PULLS], 1, MOST_PLAYOUTS)
    within("memory/halving", halving[ARM : ARM + halving[ALIVE]], first, first + moves - 1)
    within("memory/halving", halving[SURVIVOR], 0, max(count[EDGES] - 1, 0))


def _require_log(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless playouts in the log have entries, and its lists an end."""
    log, count = memory.log, memory.count
    playout, link, entry = log.playout[: count[PLAYOUTS]], log.link[: count[LINKED]], log.entry[: count[ENTRIES]]
    within("memory/log/playout", playout[:, 1], 0, count[ENTRIES])
    within("memory/log/playout", playout[:, 0], 0, count[ENTRIES] - playout[:, 1])
    within("memory/log/entry", entry >> MOVER_BITS, 0, count[CODES] - 1)
    within("memory/log/entry", entry & LAST_MOVER, 0, uses.players - 1)
    within("memory/log/link", link[:, 0], 0, count[PLAYOUTS] - 1)
    within("memory/log/link", link[:, 1], 0, playout[link[:, 0], 1])
    within("memory/log/link", link[:, 2], NONE, count[LINKED] - 1)
    # A list in which no link is named twice ends.
    named = np.concatenate([link[:, 2], memory.nodes.whole[: count[NODES], LINKS], count[[FREED]]])
    times = np.bincount(named[named >= 0], minlength=1)
    require(times.max() <= 1, "memory/log/link", "lists that share no link")
    require_finite("memory/log/reward", log.reward[: count[PLAYOUTS]])


def _require_blocks(memory: Memory, codes: int | None) -> None:
    """Raise UnsoundError unless blocks have cells of their own, one of them free where they are looked up by keys."""
    amaf, count, name = memory.amaf, memory.count, "memory/amaf/block"
    block = amaf.block[: count[BLOCKS]]
    within(name, block[:, SIZE], LEAST_SIZE if codes is None else codes, count[CELLS] if codes is None else codes)
    within(name, block[:, FIRST_CELL], 0, count[CELLS] - block[:, SIZE])
    within(name, block[:, FROZEN], 0, 1)
    ordered = block[np.argsort(block[:, FIRST_CELL])]
    apart = ordered[1:, FIRST_CELL] >= ordered[:-1, FIRST_CELL] + ordered[:-1, SIZE]
    require(apart.all(), name, "blocks that share no cell")
    require_finite("memory/amaf/cell", amaf.cell[: count[CELLS]])
    within("memory/amaf/cell", amaf.cell[: count[CELLS], 0], 0, MOST_PLAYOUTS)
    if codes is None:
        require((block[:, SIZE] & (block[:, SIZE] - 1) == 0).all(), name, "powers of two of cells")
        keys = amaf.key[: count[CELLS]]
        within("memory/amaf/key", keys, 0, count[CODES])
        until = np.concatenate([[0], np.cumsum(keys > 0)])
        used = until[block[:, FIRST_CELL] + block[:, SIZE]] - until[block[:, FIRST_CELL]]
        within(name, block[:, USED], used, np.minimum(used, block[:, SIZE] - 1))


def _require_trace(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless the best playout that was recorded has moves among its legal ones."""
    # The other one is recorded anew before anything adapts to it.
    slot = 1 - memory.count[SLOT]
    legal, trace, name = memory.legal[slot], memory.trace[slot], "memory/trace"
    length = trace[CHOSEN, -1]
    within(name, length, 0, trace.shape[1] - 1)
    offset = trace[OFFSET, : length + 1]
    require(offset[0] == 0 and (np.diff(offset) > 0).all(), name, "at least one move a step, from 0 on")
    within(name, offset, 0, len(legal))
    within(name, trace[CHOSEN, :length], 0, np.diff(offset) - 1)
    within(name, trace[WHO, :length], 0, uses.players - 1)
    if uses.numbers:
        within("memory/legal", legal[: offset[-1]], 0, memory.count[CODES] - 1)
