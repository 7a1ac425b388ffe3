"""AMAF statistics: how playouts went that contain a code anywhere behind a node, whosever move it was.

A node gets a block of statistics when a descendant may refer to it. Until then its playouts are a list in the log. So
the many nodes with few visits cost a link a visit, and not a cell a move.

The functions take the arrays that they need and no more: each array that is handed on costs time to compile.

References
----------
S. Gelly and D. Silver, *Combining online and offline knowledge in UCT*, ICML 2007 (RAVE).

T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015 (GRAVE).
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.random import GOLDEN
from nrpa.machine.jit import inlined, internal
from nrpa.solvers.tree import memory as at

LEAST_SIZE = 16


@internal
def wants(count, what, needed, rows, most):
    """Return whether rows must be added before the search can go on; if so, note which."""
    if needed <= rows or rows >= most:
        return False
    count[at.WANTED] |= np.int64(1) << np.int64(what)
    return True


@internal
def cell_of(amaf, block, code):
    """Return the cell of a code, which is free where the code has not been counted."""
    start = amaf.block[block, at.FIRST_CELL]
    if amaf.key.shape[0] == 1:
        return start + code
    last = amaf.block[block, at.SIZE] - 1
    cell = np.int64((np.uint64(code + 1) * GOLDEN) >> np.uint64(32)) & last
    while True:
        key = amaf.key[start + cell]
        if key == code + 1 or key == 0:
            return start + cell
        cell = (cell + 1) & last


@inlined
def amaf_of(amaf, block, start, code):
    """Return the playouts of a block with a code, and the sum of their rewards; 0 where there is no block or code.

    - ``start``: The first cell of the block if it has one for every code, or else NONE.
    """
    n, total = 0.0, 0.0
    if block >= 0 and code >= 0:
        cell = start + code if start >= 0 else cell_of(amaf, block, code)
        n, total = amaf.cell[cell, 0], amaf.cell[cell, 1]
    return n, total


@internal
def allot(amaf, count, block, size):
    """Give a block ``size`` free cells, the next ones."""
    first = count[at.CELLS]
    count[at.CELLS] = first + size
    amaf.block[block, at.FIRST_CELL] = first
    amaf.block[block, at.SIZE] = size
    amaf.block[block, at.USED] = 0
    for i in range(first, first + size):
        amaf.cell[i, 0] = 0.0
        amaf.cell[i, 1] = 0.0
    if amaf.key.shape[0] > 1:
        for i in range(first, first + size):
            amaf.key[i] = 0


@internal
def reserve(amaf, count, most_cells, block, more):
    """Make sure that a block has room for more codes, with at least half of its cells free."""
    if amaf.key.shape[0] == 1 or amaf.block[block, at.FROZEN]:
        return True
    used = amaf.block[block, at.USED]
    size = amaf.block[block, at.SIZE]
    if 2 * (used + more) <= size:
        return True
    larger = size
    while larger < 2 * (used + more):
        larger *= 2
    needed = count[at.CELLS] + larger
    if wants(count, at.CELLS, needed, amaf.cell.shape[0], most_cells):
        return False
    if needed > amaf.cell.shape[0]:
        amaf.block[block, at.FROZEN] = 1
        count[at.FULL] = 1
        return True
    old = amaf.block[block, at.FIRST_CELL]
    allot(amaf, count, block, larger)
    for i in range(old, old + size):
        if amaf.key[i] > 0:
            cell = cell_of(amaf, block, np.int64(amaf.key[i]) - 1)
            amaf.key[cell] = amaf.key[i]
            amaf.block[block, at.USED] += 1
            amaf.cell[cell, 0] = amaf.cell[i, 0]
            amaf.cell[cell, 1] = amaf.cell[i, 1]
    return True


@internal
def begin_block(amaf, log, node, count, codes, most_blocks, most_cells):
    """Give a node its statistics, from its playouts in the log."""
    if node[at.LINKS] == at.INCOMPLETE:
        return True
    entries = 0
    link = node[at.LINKS]
    while link != at.NONE:
        entries += log.link[link, 1]
        link = log.link[link, 2]
    size = codes
    if amaf.key.shape[0] > 1:
        size = LEAST_SIZE
        while size < 2 * entries:
            size *= 2
    cells = count[at.CELLS] + size
    blocks = count[at.BLOCKS] + 1
    lacking = wants(count, at.BLOCKS, blocks, amaf.block.shape[0], most_blocks)
    lacking |= wants(count, at.CELLS, cells, amaf.cell.shape[0], most_cells)
    if lacking:
        return False
    if blocks > amaf.block.shape[0] or cells > amaf.cell.shape[0]:
        give_up(log.link, node, count)
        return True
    block = count[at.BLOCKS]
    count[at.BLOCKS] = blocks
    amaf.block[block, at.FROZEN] = 0
    allot(amaf, count, block, size)
    link = node[at.LINKS]
    while link != at.NONE:
        count_playout_of(amaf, log, block, log.link[link, 0], log.link[link, 1])
        link = free_link(log.link, count, link)
    node[at.LINKS] = at.NONE
    node[at.BLOCK] = block
    return True


@internal
def free_link(links, count, link):
    """Give a link back; return the next one of its list."""
    following = links[link, 2]
    links[link, 2] = count[at.FREED]
    count[at.FREED] = link
    return following


@internal
def give_up(links, node, count):
    """Let a node go without statistics for good: there is no room for them."""
    count[at.FULL] = 1
    link = node[at.LINKS]
    while link >= 0:
        link = free_link(links, count, link)
    node[at.LINKS] = at.INCOMPLETE


@internal
def count_playout_of(amaf, log, block, playout, entries):
    """Count the last ``entries`` codes of a playout in the log, which are those behind a node, in its block."""
    first = log.playout[playout, 0]
    start, numbered = amaf.block[block, at.FIRST_CELL], amaf.key.shape[0] == 1
    for i in range(first, first + entries):
        entry = np.int64(log.entry[i])
        code = entry >> at.MOVER_BITS
        if numbered:
            cell = start + code
        else:
            cell = cell_of(amaf, block, code)
            if amaf.key[cell] == 0:
                amaf.key[cell] = code + 1
                amaf.block[block, at.USED] += 1
        amaf.cell[cell, 0] += 1.0
        amaf.cell[cell, 1] += log.reward[playout, entry & at.LAST_MOVER]


@internal
def has_room_in_log(log, count, steps, codes):
    """Return whether one more playout of so many codes can stay in the log, whose last ``steps`` rows are kept free."""
    return count[at.ENTRIES] + codes <= log.entry.shape[0] - steps and count[at.PLAYOUTS] < log.playout.shape[0] - 1


@internal
def write_playout(log, count, stamp, number, rows, reward, first, length):
    """Write a playout into the log: its codes from the end to the beginning, each where it occurs last."""
    code, mover, behind = rows[at.STEP_CODE], rows[at.STEP_MOVER], rows[at.BEHIND]
    steps = behind.shape[0] - 1
    playout, entry = count[at.PLAYOUTS], count[at.ENTRIES]
    if not has_room_in_log(log, count, steps, length - first):
        # The last rows of the log are kept free, as a work area.
        playout, entry = log.playout.shape[0] - 1, log.entry.shape[0] - steps
    start = entry
    behind[length] = 0
    for step in range(length - 1, first - 1, -1):
        if code[step] >= 0 and stamp[code[step]] != number:
            stamp[code[step]] = number
            log.entry[entry] = (code[step] << at.MOVER_BITS) + mover[step]
            entry += 1
        behind[step] = entry - start
    log.playout[playout, 0] = start
    log.playout[playout, 1] = entry - start
    for player in range(reward.shape[0]):
        log.reward[playout, player] = reward[player]
    return playout


@internal
def count_at(amaf, log, node, count, playout, entries, kept):
    """Count a playout at a node on its path: in its block if it has one, else in its list."""
    block = node[at.BLOCK]
    if block >= 0:
        if not amaf.block[block, at.FROZEN]:
            count_playout_of(amaf, log, block, playout, entries)
        return
    if node[at.LINKS] == at.INCOMPLETE:
        return
    link = count[at.FREED]
    if link != at.NONE:
        count[at.FREED] = log.link[link, 2]
    elif count[at.LINKED] < log.link.shape[0]:
        link = count[at.LINKED]
        count[at.LINKED] += 1
    if link == at.NONE or not kept:
        give_up(log.link, node, count)
        return
    log.link[link, 0] = playout
    log.link[link, 1] = entries
    log.link[link, 2] = node[at.LINKS]
    node[at.LINKS] = link
