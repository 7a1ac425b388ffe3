"""The tree of a search in arrays: nodes, their moves, and what is counted of them.

Arrays of records have named fields: ``nodes[node]["visits"]``. The moves of a node are allotted side by side in
``edges`` when the node is visited for the second time; until then nothing depends on them. AMAF statistics of a node
are counted in a block of ``amaf``, which it gets when it can be the reference of a descendant (more than ``ref``
visits): the playouts until then are in ``log``.

An array keeps its name wherever it is handed to; of one with a single record, functions take that record.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import FREE, HashTable, hash_table
from nrpa.engine.random import Seed
from nrpa.engine.recording import Incumbent, Tally
from nrpa.solvers.search import Capacity, common_parts, enlarged

UNEXPANDED = -1
NONE = -1
# In place of the node at the end of a walk that has come back to where it was: no leaf is added.
PASSED = -3
# What happened to the playouts of a node when the log was full: it never gets a block.
INCOMPLETE = -2
# An entry of the log is a code, shifted, and the player who made the move.
MOVER_BITS = 6
LAST_MOVER = 2**MOVER_BITS - 1
# The words of a segment of a bit row: 1,024 playouts.
WORDS = 16
SEGMENT = 64 * WORDS


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


def record(whole: str, real: str = "") -> np.dtype:
    """Return the type of records of whole and real numbers with these names."""
    return np.dtype([(name, np.int64) for name in whole.split()] + [(name, np.float64) for name in real.split()])


# - first, count: its edges; open: how many of them are not solved, UNEXPANDED before there are any, 0 if it is solved
# - mover: whose turn it is; block: its AMAF statistics or NONE; links: the list of its playouts, NONE or INCOMPLETE
# - counted: how many playouts its permutation statistics cover; path: a fingerprint of the codes that they belong to
# - walk: the last walk that came by; distance: of a solved node, the moves to the end as far as that is proven
# - sum: of the rewards of the player to move
NODE = record("first count open visits mover block links counted path walk distance", "sum")
# - code: the number of its code, NONE where there is no room for it or it is not needed
# - child: the node that it leads to or NONE; closed: whether that is solved
# - tried: the visits; sum, squares, best: of the rewards of the player who makes the move
EDGE = record("move code child closed", "tried sum squares best")
# - tried: playouts; sum: of the rewards of the player who made the move
STATISTICS = record("", "tried sum")
# - first, size: its cells; used: how many of them are in use; frozen: whether it does not grow, for want of memory
BLOCK = record("first size used frozen")
# - first, entries: its entries in the log
PLAYOUT = record("first entries")
# - playout; entries: how many of its entries lie behind the node; next: the next link of the node
LINK = record("playout entries next")
# - g: its weight in a learned playout policy; tried, sum: for MAST, as in STATISTICS
CODE = record("", "g tried sum")
# - offset: where the legal codes of a step begin; chosen: which one was chosen, by mover
TRACE = record("offset chosen mover")
# - alive: how many moves are in; next: which one is next
# - pulled: its playouts in this round; pulls: those that it gets
# - begun: whether a pass has begun; passes: those finished; survivor: the edge that the last one left
HALVING = record("alive next pulled pulls begun passes survivor")
# - nodes to segments: how many rows are in use; freed: the first link that was given back
# - full: whether leaves are no longer added; proven: whether the root is solved
# - many_values: whether there have been more than two rewards
# - learned: how many playouts have been counted by code; walk: the number of the walk
COUNT = record(" ".join(Sizes._fields) + " freed full proven many_values learned walk")
# - origin, start: the moves before the tree, at first and now; committed: those since; since: playouts since the last
ROOT = record("origin start committed since")
EXTREMES = record("", "low high")


class Amaf(NamedTuple):
    """All moves as first: statistics of codes, a block a node."""

    blocks: np.ndarray  # BLOCK[blocks]
    cells: np.ndarray  # STATISTICS[cells]
    # int32[cells] or [1]: the number of the code plus 1, 0 where the cell is free; not used where a block has one for
    # every code
    keys: np.ndarray


class Log(NamedTuple):
    """The playouts so far."""

    # int32[entries]: for each playout, from its end to its beginning, the codes where they occur last: the player who
    # made the move in the lowest bits
    entries: np.ndarray
    playouts: np.ndarray  # PLAYOUT[playouts]
    rewards: np.ndarray  # float64[playouts, players]: what each player got
    links: np.ndarray  # LINK[links]: the lists of nodes without a block


class Bits(NamedTuple):
    """For MCPS: a bit row a code and a bit a playout, in segments, of which those without a bit are left out."""

    segments: np.ndarray  # int32[codes, segments]: where the segment of a code is, 0 if it has no bit
    words: np.ndarray  # uint64[allotted, 16]: the segments
    # uint64[segments, players, 16]: the playouts in which a player got the higher of two rewards; of use while there
    # have been no more than two
    won: np.ndarray


class Codes(NamedTuple):
    """The numbers of codes, and what is known of them apart from nodes."""

    table: HashTable  # the numbers of codes that are hashes; where codes are 0 to C - 1 they are their own numbers
    stamps: np.ndarray  # int64[codes]: the playout, by ``learned``, that a code was met in last
    learned: np.ndarray  # CODE[codes]


class TreeMemory(NamedTuple):
    """All that a search needs to go on."""

    nodes: np.ndarray  # NODE[nodes]
    outcomes: np.ndarray  # float64[nodes, players]: of a solved node what each player gets, before the leaf's value
    node_table: HashTable  # the nodes by the hash of their state
    edges: np.ndarray  # EDGE[edges]
    flying: np.ndarray  # int64[edges] or [1]: where workers share the tree, how many of their walks are under way
    priors: np.ndarray  # float64[edges] or [1]: for PUCT
    permuted: np.ndarray  # STATISTICS[edges] or [1]: for MCPS, n̂ and the sum over these playouts
    # amaf, log, bits, codes: what is counted
    amaf: Amaf
    log: Log
    bits: Bits
    codes: Codes
    # legal, trace, traced: for playouts that adapt, of the last playout and of the best
    legal: np.ndarray  # int64[2, total]: the legal codes, step after step
    trace: np.ndarray  # TRACE[2, steps + 1]
    traced: np.ndarray  # int64[3]: the number of steps of both, and which is that of the last playout
    halving: np.ndarray  # HALVING[1]
    arms: np.ndarray  # int64[moves]: of Sequential Halving: the edges of the root, those that are in first
    count: np.ndarray  # type: ignore[assignment]  # COUNT[1]
    wanted: np.ndarray  # record[1]: which arrays must grow, by the names of ``Sizes``
    root: np.ndarray  # ROOT[1]
    prefix: np.ndarray  # int64[steps]: the moves before the tree, and those committed
    extremes: np.ndarray  # EXTREMES[1]: the lowest and the highest reward so far
    # best, tally, random, capacity: as in every search (``nrpa.solvers.search.CompiledSearch``)
    best: Incumbent
    tally: Tally
    random: np.ndarray
    capacity: np.ndarray


class Uses(NamedTuple):
    """Which parts a search uses; the arrays of the others stay as small as can be."""

    players: int
    hash: bool  # whether nodes are found by the hash of their state
    numbers: bool  # whether codes are their own numbers, 0 to C - 1
    # amaf, bits, prior, adapt: whether there are AMAF statistics, bit rows, priors, and playouts that adapt
    amaf: bool
    bits: bool
    prior: bool
    adapt: bool
    by_code: bool  # whether anything is counted by code
    shared: bool  # whether several workers may walk at once


def tree_memory(sizes: Sizes, uses: Uses, capacity: Capacity, seed: Seed = 0) -> TreeMemory:
    """Return a memory of zeros; ``make_empty`` begins a search in it."""
    if not uses.amaf:
        sizes = sizes._replace(blocks=1, cells=1, playouts=1, entries=1, links=1)
    players, codes = uses.players, sizes.codes
    steps, total = (capacity.steps, capacity.total) if uses.adapt else (1, 1)
    columns, winners = (-(-sizes.playouts // SEGMENT), players) if uses.bits else (1, 1)
    return TreeMemory(
        nodes=np.zeros(sizes.nodes, NODE),
        outcomes=np.zeros((sizes.nodes, players)),
        node_table=hash_table(2 * sizes.nodes if uses.hash else 2),
        edges=np.zeros(sizes.edges, EDGE),
        flying=np.zeros(sizes.edges if uses.shared else 1, np.int64),
        priors=np.zeros(sizes.edges if uses.prior else 1),
        permuted=np.zeros(sizes.edges if uses.bits else 1, STATISTICS),
        amaf=Amaf(
            np.zeros(sizes.blocks, BLOCK),
            np.zeros(sizes.cells, STATISTICS),
            np.zeros(1 if uses.numbers else sizes.cells, np.int32),
        ),
        log=Log(
            np.zeros(sizes.entries, np.int32),
            np.zeros(sizes.playouts, PLAYOUT),
            np.zeros((sizes.playouts, players)),
            np.zeros(sizes.links, LINK),
        ),
        bits=Bits(
            np.zeros((codes if uses.bits else 1, columns), np.int32),
            np.zeros((sizes.segments if uses.bits else 1, WORDS), np.uint64),
            np.zeros((columns, winners, WORDS), np.uint64),
        ),
        codes=Codes(hash_table(2 if uses.numbers else 2 * codes), np.zeros(codes, np.int64), np.zeros(codes, CODE)),
        legal=np.zeros((2, total), np.int64),
        trace=np.zeros((2, steps + 1), TRACE),
        traced=np.zeros(3, np.int64),
        halving=np.zeros(1, HALVING),
        arms=np.zeros(capacity.moves, np.int64),
        count=np.zeros(1, COUNT),
        wanted=np.zeros(1, record(" ".join(Sizes._fields))),
        root=np.zeros(1, ROOT),
        prefix=np.zeros(capacity.steps, np.int64),
        extremes=np.zeros(1, EXTREMES),
        **common_parts(capacity, seed),
    )


def make_empty(memory: TreeMemory, codes: int, first_g: float) -> None:
    """Make the tree empty, and forget all that was counted."""
    count, halving, root, extremes = memory.count, memory.halving, memory.root, memory.extremes
    for array in (count, halving, memory.traced, root, memory.bits.segments, memory.codes.stamps):
        array[:] = 0
    for table in (memory.node_table, memory.codes.table):
        table.word[::2] = FREE
    count["codes"], count["segments"], count["freed"] = codes, 1, NONE
    memory.codes.learned[:] = first_g, 0.0, 0.0
    extremes[0] = np.inf, -np.inf


def with_sizes(memory: TreeMemory, uses: Uses, sizes: Sizes, capacity: Capacity) -> TreeMemory:
    """Return a memory of equal content with arrays of these sizes."""
    larger: TreeMemory = enlarged(memory, tree_memory(sizes, uses, capacity))
    return larger


def sizes_of(memory: TreeMemory) -> Sizes:
    """Return the rows of the arrays of a memory."""
    amaf, log = memory.amaf, memory.log
    tree = memory.nodes, memory.edges, amaf.blocks, amaf.cells, memory.codes.stamps
    return Sizes(*map(len, (*tree, log.playouts, log.entries, log.links, memory.bits.words)))
