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
from nrpa.solvers import tree_memory as at
from nrpa.solvers.memory import Capacity
from nrpa.solvers.tree_amaf import LEAST_SIZE
from nrpa.solvers.tree_memory import Memory, Sizes, Uses, allocate_memory, sizes_of


def require_sound_tree(memory: Memory, own: Memory, uses: Uses, problem: BaseProblem) -> None:
    """Raise UnsoundError unless a search whose fresh memory is ``own`` can go on with a memory that was read."""
    sizes, count = sizes_of(memory), memory.count
    require_shapes("memory/count", count, own.count)
    require(min(sizes) > 0, "memory/nodes", "room in all arrays")
    codes = int(own.count[at.CODES]) if uses.numbers else 0
    require(not uses.numbers or sizes.codes == len(own.codes.stamp), "memory/codes/stamp", "room for the codes")
    wanted = allocate_memory(sizes, uses, Capacity(*memory.room.tolist()))
    require_shapes("memory", memory, wanted)
    _require_counts(memory, sizes, codes if uses.numbers else None)
    _require_nodes(memory, uses)
    _require_edges(memory)
    _require_root(memory, Game(problem.model))
    if uses.amaf:
        _require_log(memory, uses)
        _require_blocks(memory, codes if uses.numbers else None)
    within("memory/rows/segment", memory.rows.segment, 0, count[at.SEGMENTS] - 1)
    require_finite("memory/codes/number", memory.codes.number)
    if not uses.numbers:
        require_table("memory/codes/table/word", memory.codes.table, count[at.CODES], count[at.CODES])
    if uses.adapt:
        _require_trace(memory, uses)


def _require_counts(memory: Memory, sizes: Sizes, codes: int | None) -> None:
    """Raise UnsoundError unless what is counted fits into its room."""
    count = memory.count
    most = dict(zip(at.ROWS, sizes, strict=True)) | {at.FREED: count[at.LINKED] - 1, at.WANTED: 2**at.FULL - 1}
    most |= dict.fromkeys((at.FULL, at.PROVEN, at.MANY_VALUES, at.SLOT), 1)
    for column, highest in most.items():
        within("memory/count", count[column], {at.FREED: at.NONE, at.SEGMENTS: 1}.get(column, 0), highest)
    require(codes is None or count[at.CODES] == codes, "memory/count", "the number of codes")
    if memory.tally.playouts[0]:
        require_finite("memory/extremes", memory.extremes)
        require(memory.extremes[0] <= memory.extremes[1], "memory/extremes", "the lowest first")


def _require_nodes(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless nodes have their own edges, and know how many of them are not solved."""
    count, name = memory.count, "memory/nodes/whole"
    whole = memory.nodes.whole[: count[at.NODES]]
    closed = memory.edges.whole[: count[at.EDGES], at.CLOSED]
    within("memory/edges/whole", closed, 0, 1)
    within(name, whole[:, at.COUNT], 0, memory.room[1])
    within(name, whole[:, at.FIRST], 0, count[at.EDGES] - whole[:, at.COUNT])
    within(name, whole[:, at.OPEN], at.UNEXPANDED, whole[:, at.COUNT])
    within(name, whole[:, at.VISITS], 1, MOST_PLAYOUTS)
    within(name, whole[:, at.MOVER], 0, uses.players - 1)
    within(name, whole[:, at.BLOCK], at.NONE, count[at.BLOCKS] - 1)
    within(name, whole[:, at.LINKS], at.INCOMPLETE, count[at.LINKED] - 1)
    within(name, whole[:, at.COUNTED], 0, count[at.PLAYOUTS])
    until = np.concatenate([[0], np.cumsum(closed)])
    solved = until[whole[:, at.FIRST] + whole[:, at.COUNT]] - until[whole[:, at.FIRST]]
    opened = whole[:, at.OPEN]
    fits = np.where(opened > 0, opened == whole[:, at.COUNT] - solved, (whole[:, at.COUNT] == 0) | (solved > 0))
    fits &= (opened != at.UNEXPANDED) | (whole[:, at.COUNT] == 0)
    require(fits.all(), name, "as many open edges as are not solved")
    require_finite("memory/nodes/number", memory.nodes.number[: count[at.NODES]])
    if uses.hash:
        require_table("memory/nodes/table/word", memory.nodes.table, count[at.NODES], count[at.NODES])


def _require_edges(memory: Memory) -> None:
    """Raise UnsoundError unless edges lead to nodes, those that are solved to solved ones."""
    count, name = memory.count, "memory/edges/whole"
    whole, number = memory.edges.whole[: count[at.EDGES]], memory.edges.number[: count[at.EDGES]]
    within(name, whole[:, at.CODE], at.NONE, count[at.CODES] - 1)
    within(name, whole[:, at.CHILD], at.NONE, count[at.NODES] - 1)
    solved = whole[whole[:, at.CLOSED] == 1, at.CHILD]
    require((solved >= 0).all() and not memory.nodes.whole[solved, at.OPEN].any(), name, "solved nodes at closed edges")
    within("memory/edges/number", number[:, at.TRIED], 0, MOST_PLAYOUTS)
    require_finite("memory/edges/number", np.delete(number, at.BEST, axis=1))
    within("memory/edges/number", number[:, at.BEST], -np.inf, np.finfo(float).max)


def _require_root(memory: Memory, game: Game) -> None:
    """Raise UnsoundError unless the tree begins behind legal moves, and the moves that are in are those of its root."""
    root, halving, count, steps = memory.root, memory.halving, memory.count, len(memory.root) - at.PREFIX
    whole, edges = memory.nodes.whole, memory.edges.whole
    within("memory/root", root[at.START], 0, steps)
    within("memory/root", root[at.ORIGIN], 0, root[at.START])
    within("memory/root", root[at.COMMITTED], 0, steps - root[at.START])
    within("memory/root", root[at.SINCE], 0, MOST_PLAYOUTS)
    end = at.PREFIX + root[at.START] + root[at.COMMITTED]
    require_played("memory/root", game, root[at.PREFIX : end])
    is_proven = count[at.NODES] and whole[0, at.OPEN] == 0 and root[at.START] == root[at.ORIGIN]
    require(is_proven or not count[at.PROVEN], "memory/count", "a tree that is solved")
    node = 0 if count[at.NODES] else at.NONE
    for move in root[end - root[at.COMMITTED] : end]:
        edge = np.flatnonzero(
            edges[whole[node, at.FIRST] : whole[node, at.FIRST] + whole[node, at.COUNT], at.MOVE] == move
        )
        require(node != at.NONE and len(edge), "memory/root", "moves of the tree")
        node = edges[whole[node, at.FIRST] + edge[0], at.CHILD]
    if not halving[at.BEGUN]:
        return
    require(node != at.NONE and whole[node, at.COUNT], "memory/halving", "moves of the root")
    first, moves = whole[node, [at.FIRST, at.COUNT]]
    within("memory/halving", halving[at.ALIVE], 1, moves)
    within("memory/halving", halving[at.NEXT], 0, halving[at.ALIVE])
    within("memory/halving", halving[at.PULLED], 0, halving[at.PULLS])
    within("memory/halving", halving[at.PULLS], 1, MOST_PLAYOUTS)
    within("memory/halving", halving[at.ARM : at.ARM + halving[at.ALIVE]], first, first + moves - 1)
    within("memory/halving", halving[at.SURVIVOR], 0, max(count[at.EDGES] - 1, 0))


def _require_log(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless playouts in the log have entries, and its lists an end."""
    log, count = memory.log, memory.count
    playout, link, entry = (
        log.playout[: count[at.PLAYOUTS]],
        log.link[: count[at.LINKED]],
        log.entry[: count[at.ENTRIES]],
    )
    within("memory/log/playout", playout[:, 1], 0, count[at.ENTRIES])
    within("memory/log/playout", playout[:, 0], 0, count[at.ENTRIES] - playout[:, 1])
    within("memory/log/entry", entry >> at.MOVER_BITS, 0, count[at.CODES] - 1)
    within("memory/log/entry", entry & at.LAST_MOVER, 0, uses.players - 1)
    within("memory/log/link", link[:, 0], 0, count[at.PLAYOUTS] - 1)
    within("memory/log/link", link[:, 1], 0, playout[link[:, 0], 1])
    within("memory/log/link", link[:, 2], at.NONE, count[at.LINKED] - 1)
    # A list in which no link is named twice ends.
    named = np.concatenate([link[:, 2], memory.nodes.whole[: count[at.NODES], at.LINKS], count[[at.FREED]]])
    times = np.bincount(named[named >= 0], minlength=1)
    require(times.max() <= 1, "memory/log/link", "lists that share no link")
    require_finite("memory/log/reward", log.reward[: count[at.PLAYOUTS]])


def _require_blocks(memory: Memory, codes: int | None) -> None:
    """Raise UnsoundError unless blocks have cells of their own, one of them free where they are looked up by keys."""
    amaf, count, name = memory.amaf, memory.count, "memory/amaf/block"
    block = amaf.block[: count[at.BLOCKS]]
    within(name, block[:, at.SIZE], LEAST_SIZE if codes is None else codes, count[at.CELLS] if codes is None else codes)
    within(name, block[:, at.FIRST_CELL], 0, count[at.CELLS] - block[:, at.SIZE])
    within(name, block[:, at.FROZEN], 0, 1)
    ordered = block[np.argsort(block[:, at.FIRST_CELL])]
    apart = ordered[1:, at.FIRST_CELL] >= ordered[:-1, at.FIRST_CELL] + ordered[:-1, at.SIZE]
    require(apart.all(), name, "blocks that share no cell")
    require_finite("memory/amaf/cell", amaf.cell[: count[at.CELLS]])
    within("memory/amaf/cell", amaf.cell[: count[at.CELLS], 0], 0, MOST_PLAYOUTS)
    if codes is None:
        require((block[:, at.SIZE] & (block[:, at.SIZE] - 1) == 0).all(), name, "powers of two of cells")
        keys = amaf.key[: count[at.CELLS]]
        within("memory/amaf/key", keys, 0, count[at.CODES])
        until = np.concatenate([[0], np.cumsum(keys > 0)])
        used = until[block[:, at.FIRST_CELL] + block[:, at.SIZE]] - until[block[:, at.FIRST_CELL]]
        within(name, block[:, at.USED], used, np.minimum(used, block[:, at.SIZE] - 1))


def _require_trace(memory: Memory, uses: Uses) -> None:
    """Raise UnsoundError unless the best playout that was recorded has moves among its legal ones."""
    # The other one is recorded anew before anything adapts to it.
    slot = 1 - memory.count[at.SLOT]
    legal, trace, name = memory.legal[slot], memory.trace[slot], "memory/trace"
    length = trace[at.CHOSEN, -1]
    within(name, length, 0, trace.shape[1] - 1)
    offset = trace[at.OFFSET, : length + 1]
    require(offset[0] == 0 and (np.diff(offset) > 0).all(), name, "at least one move a step, from 0 on")
    within(name, offset, 0, len(legal))
    within(name, trace[at.CHOSEN, :length], 0, np.diff(offset) - 1)
    within(name, trace[at.WHO, :length], 0, uses.players - 1)
    if uses.numbers:
        within("memory/legal", legal[: offset[-1]], 0, memory.count[at.CODES] - 1)
