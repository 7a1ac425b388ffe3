"""The tree of a search in arrays: nodes, their moves, and what is counted of them.

A node is a row of ``Nodes``. Its moves are allotted side by side in ``Edges`` when the node is visited for the second
time; until then nothing depends on them. AMAF statistics of a node are counted in a block of ``Amaf``, which it gets
when it can be the reference of a descendant (more than ``ref`` visits): the playouts until then are in ``Log``.

The other modules of the tree search import this one as ``at``, for the columns. What they call ``count``, ``extremes``,
``halving`` or ``root`` is that array of ``Memory``, ``step``, ``value`` or ``mask`` that of ``Work``, ``node``,
int64[9], a row of ``Nodes.whole``, and ``reward``, float64[players], what a playout gave each player.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import FREE, HashTable, hash_table
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, Tally
from nrpa.solvers.search import Capacity, common_parts, enlarged

# The columns of ``Nodes.whole``.
FIRST, COUNT, OPEN, VISITS, MOVER, BLOCK, LINKS, COUNTED, PATH = range(9)
UNEXPANDED = -1
NONE = -1
# What happened to the playouts of a node when the log was full: it never gets a block.
INCOMPLETE = -2

# The columns of ``Edges.whole`` and of ``Edges.number``.
MOVE, CODE, CHILD, CLOSED = range(4)
TRIED, SUM, SQUARES, BEST, PRIOR, PERMUTED_SUM = range(6)
PERMUTED = PRIOR

# The columns of ``Amaf.block``.
FIRST_CELL, SIZE, USED, FROZEN = range(4)

# The columns of ``Memory.count``; ``ROWS`` are those of what grows, in the order of ``Sizes``.
NODES, EDGES, BLOCKS, CELLS, CODES, PLAYOUTS, ENTRIES, LINKED, FREED, SEGMENTS = range(10)
FULL, WANTED, PROVEN, MANY_VALUES, SLOT, HASH = range(10, 16)
ROWS = NODES, EDGES, BLOCKS, CELLS, CODES, PLAYOUTS, ENTRIES, LINKED, SEGMENTS
COUNTS = 16

# The first columns of ``Memory.root``: the moves before the tree, at first and now, the moves committed since, and the
# playouts since the last of them. The moves before the tree, and those committed, follow.
ORIGIN, START, COMMITTED, SINCE, PREFIX = range(5)

# The first columns of ``Memory.halving``; the moves of the root follow, those that are still in first.
ALIVE, NEXT, PULLED, PULLS, BEGUN, PASSES, SURVIVOR, ARM = range(8)

# The columns of ``Codes.number``.
G, MET, GAINED = range(3)

# The rows of ``Memory.trace``.
OFFSET, CHOSEN, WHO = range(3)

# The rows of ``Work.step``.
STEP_MOVE, STEP_RAW, STEP_CODE, STEP_MOVER, STEP_NODE, STEP_EDGE, BEHIND = range(7)

# The rows of ``Work.reward``.
WORTH, BACKED, LEAF, RESULT = range(4)

# An entry of the log is a code, shifted, and the player who made the move.
MOVER_BITS = 6
LAST_MOVER = 2**MOVER_BITS - 1

# The words of a segment of a bit row: 1,024 playouts.
WORDS = 16
SEGMENT = 64 * WORDS


class Nodes(NamedTuple):
    """One row a node."""

    # int64[nodes, 9]: FIRST, the first of its edges, and COUNT, their number; OPEN, how many of them are not solved
    # (UNEXPANDED before there are any, 0 if the node is solved); VISITS; MOVER, whose turn it is; BLOCK, its AMAF
    # statistics or NONE; LINKS, the list of its playouts, NONE or INCOMPLETE; COUNTED, how many playouts its
    # permutation statistics cover, and PATH, a fingerprint of the codes that they belong to
    whole: np.ndarray
    # float64[nodes, 1 + players]: the sum of the rewards of the player to move; then, if the node is solved, what each
    # player gets
    number: np.ndarray
    table: HashTable  # the nodes by the hash of their state


class Edges(NamedTuple):
    """One row a move of a node."""

    # int64[edges, 4]: MOVE; CODE, the number of its code, NONE where there is no room for it or it is not needed;
    # CHILD, the node that it leads to or NONE; CLOSED, whether that node is solved
    whole: np.ndarray
    # float64[edges, 4, 5 or 6]: TRIED, the visits; SUM of the rewards of the player who makes the move, of their
    # SQUARES, and the BEST of them; for PUCT the PRIOR; for MCPS n̂ and the sum of the rewards over these playouts,
    # PERMUTED and PERMUTED_SUM
    number: np.ndarray


class Amaf(NamedTuple):
    """All moves as first: statistics of codes, a block a node."""

    # int64[blocks, 4]: the first cell of the block, their number, how many are in use, and whether it is frozen for
    # want of memory
    block: np.ndarray
    # float64[cells, 2]: playouts with the code, and the sum of the rewards of the player who made the move
    cell: np.ndarray
    # int32[cells,) or (1]: the number of the code plus 1, 0 where the cell is free; not used where a block has a cell
    # for every code
    key: np.ndarray


class Log(NamedTuple):
    """The playouts so far."""

    # int32[entries]: for each playout, from its end to its beginning, the codes where they occur last: the player who
    # made the move in the lowest bits
    entry: np.ndarray
    playout: np.ndarray  # int64[playouts, 2]: the first entry of a playout, and their number
    reward: np.ndarray  # float64[playouts, players]: what each player got
    # int64[links, 3]: the lists of nodes without a block: a playout, how many of its entries lie behind the node, the
    # next link
    link: np.ndarray


class Rows(NamedTuple):
    """For MCPS: a bit row a code and a bit a playout, in segments, of which those without a bit are left out."""

    segment: np.ndarray  # int32[codes, segments]: where the segment of a code is, 0 if it has no bit
    word: np.ndarray  # uint64[allotted, 16]: the segments
    # uint64[segments, players, 16]: the playouts in which a player got the higher of two rewards; of use while there
    # have been no more than two
    won: np.ndarray


class Codes(NamedTuple):
    """The numbers of codes, and what is known of them apart from nodes."""

    table: HashTable  # the numbers of codes that are hashes; where codes are 0 to C - 1 they are their own numbers
    stamp: np.ndarray  # int64[codes]: the playout that a code was met in last
    # float64[codes, 3]: g, the weight of the code in a learned playout policy; for MAST the playouts with the code, and
    # the sum of the rewards of the player who made the move
    number: np.ndarray


class Memory(NamedTuple):
    """All that a search needs to go on."""

    # nodes, edges, amaf, log, rows, codes: the tree, and what is counted
    nodes: Nodes
    edges: Edges
    amaf: Amaf
    log: Log
    rows: Rows
    codes: Codes
    # int64[2, total]: for playouts that adapt: the legal codes of the last playout and of the best, step after step
    legal: np.ndarray
    # int64[2, 3, steps + 1]: of the same playouts: where the legal codes of each step begin (OFFSET), which one was
    # chosen (CHOSEN), and by whom (WHO); the number of steps is the last of CHOSEN
    trace: np.ndarray
    # int64[7 + moves]: where Sequential Halving stands: how many moves are in, which is next, its playouts in this
    # round, those that it gets, whether a pass has begun, the passes finished, and the edge that survived the last;
    # then the edges of the root, those that are in first
    halving: np.ndarray
    # int64[16]: how many nodes, edges, … there are; FULL, whether leaves are no longer added; WANTED, what must grow;
    # PROVEN
    count: np.ndarray  # type: ignore[assignment]
    # int64[4 + steps]: ORIGIN, START, COMMITTED and SINCE; then the moves before the tree, and those committed
    root: np.ndarray
    extremes: np.ndarray  # float64[2]: the lowest and the highest reward so far
    # best, tally, random, room: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    room: np.ndarray


class Sizes(NamedTuple):
    """The numbers of rows of the arrays that grow: at first, or at the most."""

    nodes: int
    edges: int
    blocks: int
    cells: int
    codes: int
    playouts: int
    entries: int
    links: int
    segments: int


class Uses(NamedTuple):
    """Which parts a search uses; the arrays of the others stay as small as can be."""

    players: int
    hash: bool  # whether nodes are found by the hash of their state
    numbers: bool  # whether codes are their own numbers, 0 to C - 1
    # amaf, rows, prior, adapt: whether there are AMAF statistics, bit rows, priors, and playouts that adapt
    amaf: bool
    rows: bool
    prior: bool
    adapt: bool
    by_code: bool  # whether anything is counted by code


def allocate_memory(sizes: Sizes, uses: Uses, capacity: Capacity, seed: Seed = 0) -> Memory:
    """Return a memory of zeros; ``make_empty`` begins a search in it."""
    if not uses.amaf:
        sizes = sizes._replace(blocks=1, cells=1, playouts=1, entries=1, links=1)
    players, codes = uses.players, sizes.codes
    steps, total = (capacity.steps, capacity.total) if uses.adapt else (1, 1)
    columns, winners = (-(-sizes.playouts // SEGMENT), players) if uses.rows else (1, 1)
    return Memory(
        nodes=Nodes(
            np.zeros((sizes.nodes, 9), np.int64),
            np.zeros((sizes.nodes, 1 + players)),
            hash_table(2 * sizes.nodes if uses.hash else 2),
        ),
        edges=Edges(np.zeros((sizes.edges, 4), np.int64), np.zeros((sizes.edges, 4 + uses.prior + 2 * uses.rows))),
        amaf=Amaf(
            np.zeros((sizes.blocks, 4), np.int64),
            np.zeros((sizes.cells, 2)),
            np.zeros(1 if uses.numbers else sizes.cells, np.int32),
        ),
        log=Log(
            np.zeros(sizes.entries, np.int32),
            np.zeros((sizes.playouts, 2), np.int64),
            np.zeros((sizes.playouts, players)),
            np.zeros((sizes.links, 3), np.int64),
        ),
        rows=Rows(
            np.zeros((codes if uses.rows else 1, columns), np.int32),
            np.zeros((sizes.segments if uses.rows else 1, WORDS), np.uint64),
            np.zeros((columns, winners, WORDS), np.uint64),
        ),
        codes=Codes(hash_table(2 if uses.numbers else 2 * codes), np.zeros(codes, np.int64), np.zeros((codes, 3))),
        legal=np.zeros((2, total), np.int64),
        trace=np.zeros((2, 3, steps + 1), np.int64),
        halving=np.zeros(ARM + capacity.moves, np.int64),
        count=np.zeros(COUNTS, np.int64),
        root=np.zeros(PREFIX + capacity.steps, np.int64),
        extremes=np.zeros(2),
        **common_parts(capacity, seed),
    )


def make_empty(memory: Memory, codes: int, first_g: float) -> None:
    """Make the tree empty, and forget all that was counted."""
    for array in (memory.count, memory.halving, memory.trace, memory.root, memory.rows.segment, memory.codes.stamp):
        array[:] = 0
    for table in (memory.nodes.table, memory.codes.table):
        table.word[::2] = FREE
    memory.count[[CODES, SEGMENTS, FREED]] = codes, 1, NONE
    memory.codes.number[:] = first_g, 0.0, 0.0
    memory.extremes[:] = np.inf, -np.inf


def with_room(memory: Memory, uses: Uses, sizes: Sizes, capacity: Capacity) -> Memory:
    """Return a memory of equal content with so much room."""
    larger: Memory = enlarged(memory, allocate_memory(sizes, uses, capacity))
    # The number of steps is the last of its row.
    larger.trace[:, CHOSEN, -1] = memory.trace[:, CHOSEN, -1]
    return larger


def sizes_of(memory: Memory) -> Sizes:
    """Return the rows of the arrays of a memory."""
    amaf, log = memory.amaf, memory.log
    tree = memory.nodes.whole, memory.edges.whole, amaf.block, amaf.cell, memory.codes.stamp
    return Sizes(*map(len, (*tree, log.playout, log.entry, log.link, memory.rows.word)))
