"""The tree of a search in arrays: nodes, their moves, and what is counted of them.

A node is a row of ``Nodes``. Its moves are allotted side by side in ``Edges`` when the node is visited for the second
time; until then nothing depends on them. AMAF statistics of a node are counted in a block of ``Amaf``, which it gets
when it can be the reference of a descendant (more than ``ref`` visits): the playouts until then are in ``Log``.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from nrpa.engine.best import Best, Tally, allocate_best, allocate_tally
from nrpa.engine import hash_table as hash_table_module
from nrpa.engine.hash_table import FREE, ONE, HashTable, find, hash_table
from nrpa.engine.jit import load
from nrpa.engine.sequence import Sequences, allocate_sequences
from nrpa.solvers.capacity import Capacity, enlarged_arrays

_SOURCES = [Path(__file__), Path(hash_table_module.__file__)]

# The columns of ``Nodes.whole``.
FIRST, COUNT, OPEN, VISITS, MOVER, BLOCK, LINKS, COUNTED = range(8)
UNEXPANDED = -1
NONE = -1
# What happened to the playouts of a node when the log was full: it never gets a block.
INCOMPLETE = -2

# The columns of ``Memory.count``.
NODES, EDGES, BLOCKS, CELLS, CODES, PLAYOUTS, ENTRIES, LINKED, FREED, SEGMENTS, FULL, WANTED, PROVEN, MANY_VALUES, SLOT = (
    range(15)
)
COUNTS = 16

# The columns of ``Memory.root``: the moves before the tree, at first and now, the moves committed since, and the
# playouts since the last of them.
ORIGIN, START, COMMITTED, SINCE = range(4)

# The columns of ``Halving.info``.
ALIVE, PLACE, PULLED, PULLS, BEGUN, PASSES, SURVIVOR = range(7)

# The words of a segment of a bit row: 1,024 playouts.
WORDS = 16
SEGMENT = 64 * WORDS


class Nodes(NamedTuple):
    """One row a node.

    Attributes
    ----------
    whole : ndarray of int64, shape (nodes, 8)
        FIRST, the first of its edges, and COUNT, their number; OPEN, how many of them are not solved (UNEXPANDED before
        there are any, 0 if the node is solved); VISITS; MOVER, whose turn it is; BLOCK, its AMAF statistics or NONE;
        LINKS, the list of its playouts, NONE or INCOMPLETE; COUNTED, how many playouts its permutation statistics cover.
    number : ndarray of float64, shape (nodes, 1 + players)
        The sum of the rewards of the player to move; then, if the node is solved, what each player gets.
    path : ndarray of int64, shape (nodes,) or (1,)
        For MCPS: a fingerprint of the codes on the path that the permutation statistics belong to.
    table : HashTable
        The nodes by the hash of their state.
    """

    whole: np.ndarray
    number: np.ndarray
    path: np.ndarray
    table: HashTable


class Edges(NamedTuple):
    """One row a move of a node.

    Attributes
    ----------
    move : ndarray of int64, shape (edges,)
        The move.
    code : ndarray of int32, shape (edges,)
        The number of its code, NONE where there is no room for it or it is not needed.
    child : ndarray of int32, shape (edges,)
        The node that it leads to, NONE if there is none.
    closed : ndarray of bool, shape (edges,)
        Whether that node is solved.
    stat : ndarray of float64, shape (edges, 2)
        Visits, and the sum of the rewards of the player who makes the move.
    more : ndarray of float64, shape (edges, 2)
        The sum of their squares, and the largest.
    prior : ndarray of float64, shape (edges,) or (1,)
        For PUCT: the probability of the move.
    permuted : ndarray of float64, shape (edges, 2) or (1, 2)
        For MCPS: n̂ and the sum of the rewards over these playouts.
    """

    move: np.ndarray
    code: np.ndarray
    child: np.ndarray
    closed: np.ndarray
    stat: np.ndarray
    more: np.ndarray
    prior: np.ndarray
    permuted: np.ndarray


class Amaf(NamedTuple):
    """All moves as first: statistics of codes, a block a node.

    Attributes
    ----------
    block : ndarray of int64, shape (blocks, 4)
        The first cell of the block, their number, how many are in use, and whether it is frozen for want of memory.
    cell : ndarray of float64, shape (cells, 2)
        Playouts with the code, and the sum of the rewards of the player who made the move.
    key : ndarray of int32, shape (cells,) or (1,)
        The number of the code plus 1, 0 where the cell is free; not used where a block has a cell for every code.
    """

    block: np.ndarray
    cell: np.ndarray
    key: np.ndarray


class Log(NamedTuple):
    """The playouts so far.

    Attributes
    ----------
    entry : ndarray of int32, shape (entries,)
        For each playout, from its end to its beginning, the codes where they occur last: code · players + player.
    playout : ndarray of int64, shape (playouts, 2)
        The first entry of a playout, and their number.
    reward : ndarray of float64, shape (playouts, players)
        What each player got.
    link : ndarray of int64, shape (links, 3)
        The lists of nodes without a block: a playout, how many of its entries lie behind the node, the next link.
    """

    entry: np.ndarray
    playout: np.ndarray
    reward: np.ndarray
    link: np.ndarray


class Rows(NamedTuple):
    """For MCPS: a bit row a code and a bit a playout, in segments, of which those without a bit are left out.

    Attributes
    ----------
    segment : ndarray of int32, shape (codes, segments)
        Where the segment of a code is, 0 if it has no bit.
    word : ndarray of uint64, shape (allotted, 16)
        The segments.
    won : ndarray of uint64, shape (segments, players, 16)
        The playouts in which a player got the higher of two rewards; of use while there have been no more than two.
    """

    segment: np.ndarray
    word: np.ndarray
    won: np.ndarray


class Codes(NamedTuple):
    """The numbers of codes, and what is known of them apart from nodes.

    Attributes
    ----------
    table : HashTable
        The numbers of codes that are hashes; where codes are 0 to C - 1 they are their own numbers.
    stamp : ndarray of int64, shape (codes,)
        The playout that a code was met in last.
    g : ndarray of float64, shape (codes,)
        The weight of the code in a learned playout policy.
    mean : ndarray of float64, shape (codes, 2)
        For MAST: playouts with the code, and the sum of the rewards of the player who made the move.
    """

    table: HashTable
    stamp: np.ndarray
    g: np.ndarray
    mean: np.ndarray


class Halving(NamedTuple):
    """Where Sequential Halving stands.

    Attributes
    ----------
    arm : ndarray of int64, shape (moves,)
        The edges of the root, those that are still in first.
    info : ndarray of int64, shape (8,)
        How many are in, which is next, its playouts in this round, those that it gets, whether a pass has begun, the
        passes finished, and the edge that survived the last.
    """

    arm: np.ndarray
    info: np.ndarray


class Memory(NamedTuple):
    """All that a search needs to go on.

    Attributes
    ----------
    nodes, edges, amaf, log, rows, codes, halving : NamedTuple of arrays
        The tree, and what is counted.
    trace : Sequences
        For playouts that adapt: the legal codes of the last playout and of the best.
    count : ndarray of int64, shape (16,)
        How many nodes, edges, … there are; FULL, whether leaves are no longer added; WANTED, what must grow; PROVEN.
    root : ndarray of int64, shape (4,)
        ORIGIN, START, COMMITTED and SINCE.
    prefix : ndarray of int64, shape (steps,)
        The moves before the tree, then those committed.
    extremes : ndarray of float64, shape (2,)
        The lowest and the highest reward so far.
    best : Best
        The best sequence of all.
    tally : Tally
        How far the search is.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator.
    room : ndarray of int64, shape (3,)
        What work areas must hold: the moves of a playout, the legal moves of a state, and those of a whole playout.
    """

    nodes: Nodes
    edges: Edges
    amaf: Amaf
    log: Log
    rows: Rows
    codes: Codes
    halving: Halving
    trace: Sequences
    count: np.ndarray
    root: np.ndarray
    prefix: np.ndarray
    extremes: np.ndarray
    best: Best
    tally: Tally
    random: np.ndarray
    room: np.ndarray


class Sizes(NamedTuple):
    """The rows of the arrays that grow: at first, or at the most.

    Attributes
    ----------
    nodes, edges, blocks, cells, codes, playouts, entries, links, segments : int
        Their numbers.
    """

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
    """Which parts a search uses; the arrays of the others stay as small as can be.

    Attributes
    ----------
    players : int
        The number of players.
    hash : bool
        Whether nodes are found by the hash of their state.
    numbers : bool
        Whether codes are 0 to C - 1.
    amaf, rows, prior, adapt : bool
        Whether there are AMAF statistics, bit rows, priors, and playouts that adapt.
    """

    players: int
    hash: bool
    numbers: bool
    amaf: bool
    rows: bool
    prior: bool
    adapt: bool


def allocate_memory(sizes: Sizes, uses: Uses, capacity: Capacity, random: np.ndarray, codes: int) -> Memory:
    """Return the memory of a search that has not begun.

    Parameters
    ----------
    sizes : Sizes
        The rows of the arrays.
    uses : Uses
        What the search uses.
    capacity : Capacity
        The room of a playout.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator.
    codes : int
        The number of codes where they are 0 to codes - 1; else 0.

    Returns
    -------
    Memory
        The memory.
    """
    count = np.zeros(COUNTS, np.int64)
    count[CODES], count[SEGMENTS], count[FREED] = codes, 1, NONE
    return Memory(
        nodes=_nodes(sizes, uses),
        edges=_edges(sizes, uses),
        amaf=_amaf(sizes, uses),
        log=_log(sizes, uses),
        rows=_rows(sizes, uses),
        codes=_codes(sizes, uses),
        halving=Halving(np.zeros(capacity.moves, np.int64), np.zeros(8, np.int64)),
        trace=_trace(uses, capacity),
        count=count,
        root=np.zeros(4, np.int64),
        prefix=np.zeros(capacity.steps, np.int64),
        extremes=np.array([np.inf, -np.inf]),
        best=allocate_best(capacity.steps),
        tally=allocate_tally(),
        random=random,
        room=capacity.array(),
    )


def _nodes(sizes: Sizes, uses: Uses) -> Nodes:
    return Nodes(
        np.zeros((sizes.nodes, 8), np.int64),
        np.zeros((sizes.nodes, 1 + uses.players)),
        np.zeros(sizes.nodes if uses.rows else 1, np.int64),
        hash_table(2 * sizes.nodes if uses.hash else 2),
    )


def _edges(sizes: Sizes, uses: Uses) -> Edges:
    n = sizes.edges
    return Edges(
        np.zeros(n, np.int64),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.bool_),
        np.zeros((n, 2)),
        np.zeros((n, 2)),
        np.zeros(n if uses.prior else 1),
        np.zeros((n if uses.rows else 1, 2)),
    )


def _amaf(sizes: Sizes, uses: Uses) -> Amaf:
    blocks, cells = (sizes.blocks, sizes.cells) if uses.amaf else (1, 1)
    return Amaf(
        np.zeros((blocks, 4), np.int64), np.zeros((cells, 2)), np.zeros(1 if uses.numbers else cells, np.int32)
    )


def _log(sizes: Sizes, uses: Uses) -> Log:
    playouts, entries, links = (sizes.playouts, sizes.entries, sizes.links) if uses.amaf else (1, 1, 1)
    return Log(
        np.zeros(entries, np.int32),
        np.zeros((playouts, 2), np.int64),
        np.zeros((playouts, uses.players)),
        np.zeros((links, 3), np.int64),
    )


def _rows(sizes: Sizes, uses: Uses) -> Rows:
    if not uses.rows:
        return Rows(np.zeros((1, 1), np.int32), np.zeros((1, WORDS), np.uint64), np.zeros((1, 1, WORDS), np.uint64))
    columns = -(-sizes.playouts // SEGMENT)
    return Rows(
        np.zeros((sizes.codes, columns), np.int32),
        np.zeros((sizes.segments, WORDS), np.uint64),
        np.zeros((columns, uses.players, WORDS), np.uint64),
    )


def _codes(sizes: Sizes, uses: Uses) -> Codes:
    n = sizes.codes
    table = hash_table(2 if uses.numbers else 2 * n)
    return Codes(table, np.zeros(n, np.int64), np.ones(n), np.zeros((n, 2)))


def _trace(uses: Uses, capacity: Capacity) -> Sequences:
    steps, total = (capacity.steps, capacity.total) if uses.adapt else (1, 1)
    return allocate_sequences(2, steps, total, False)


def with_larger_playouts(memory: Memory, uses: Uses, capacity: Capacity) -> Memory:
    """Return a memory of equal content for longer playouts, or for more legal moves.

    Parameters
    ----------
    memory : Memory
        The memory.
    uses : Uses
        What the search uses.
    capacity : Capacity
        The room that is needed, nowhere less than that of ``memory``.

    Returns
    -------
    Memory
        The larger memory.
    """
    halving = Halving(np.zeros(capacity.moves, np.int64), np.zeros(8, np.int64))
    prefix = np.zeros(capacity.steps, np.int64)
    prefix[: len(memory.prefix)] = memory.prefix
    return memory._replace(
        halving=enlarged_arrays(memory.halving, halving),
        trace=enlarged_arrays(memory.trace, _trace(uses, capacity)),
        prefix=prefix,
        best=enlarged_arrays(memory.best, allocate_best(capacity.steps)),
        room=capacity.array(),
    )


def with_more(memory: Memory, uses: Uses, sizes: Sizes) -> Memory:
    """Return a memory of equal content with more rows.

    Parameters
    ----------
    memory : Memory
        The memory.
    uses : Uses
        What the search uses.
    sizes : Sizes
        The rows, nowhere fewer than those of ``memory``.

    Returns
    -------
    Memory
        The larger memory; parts whose size stays are the same arrays.
    """
    old = sizes_of(memory)
    changed: dict[str, object] = {}
    if old.nodes != sizes.nodes:
        nodes = _nodes(sizes, uses)
        changed["nodes"] = Nodes(
            *enlarged_arrays(memory.nodes[:3], nodes[:3]), _rehashed(memory.nodes.table, nodes.table)
        )
    if old.edges != sizes.edges:
        changed["edges"] = enlarged_arrays(memory.edges, _edges(sizes, uses))
    if (old.blocks, old.cells) != (sizes.blocks, sizes.cells):
        changed["amaf"] = enlarged_arrays(memory.amaf, _amaf(sizes, uses))
    if (old.playouts, old.entries, old.links) != (sizes.playouts, sizes.entries, sizes.links):
        changed["log"] = enlarged_arrays(memory.log, _log(sizes, uses))
    if (old.codes, old.playouts, old.segments) != (sizes.codes, sizes.playouts, sizes.segments):
        changed["rows"] = enlarged_arrays(memory.rows, _rows(sizes, uses))
    if old.codes != sizes.codes:
        codes = _codes(sizes, uses)
        changed["codes"] = Codes(
            _rehashed(memory.codes.table, codes.table), *enlarged_arrays(memory.codes[1:], codes[1:])
        )
    return memory._replace(**changed)  # type: ignore[arg-type]


def sizes_of(memory: Memory) -> Sizes:
    """Return the rows of the arrays of a memory."""
    return Sizes(
        len(memory.nodes.whole),
        len(memory.edges.move),
        len(memory.amaf.block),
        len(memory.amaf.cell),
        len(memory.codes.stamp),
        len(memory.log.playout),
        len(memory.log.entry),
        len(memory.log.link),
        len(memory.rows.word),
    )


def _rehashed(table: HashTable, larger: HashTable) -> HashTable:
    """Return ``larger`` with the keys and values of a table; the table itself where it is as large."""
    if len(table.word) == len(larger.word):
        return table
    load(_put_all, HashTable, [], _SOURCES, (table, larger))(table, larger)
    return larger


def _put_all(table, larger):  # type: ignore[no-untyped-def]
    for slot in range(table.word.shape[0] // 2):
        key = table.word[2 * slot]
        if key != FREE:
            place = find(larger, key)
            larger.word[place << ONE] = key
            larger.word[(place << ONE) + ONE] = table.word[2 * slot + 1]
