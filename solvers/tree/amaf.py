"""AMAF statistics: how playouts went that contain a code anywhere behind a node, whosever move it was.

A node gets a block of statistics when a descendant may refer to it. Until then its playouts are a list in the log. So
the many nodes with few visits cost a link a visit, and not a cell a move.

References
----------
S. Gelly and D. Silver, *Combining online and offline knowledge in UCT*, ICML 2007 (RAVE).

T. Cazenave, *Generalized Rapid Action Value Estimation*, IJCAI 2015 (GRAVE).
"""

from __future__ import annotations

import numpy as np

from nrpa.engine.random import GOLDEN
from nrpa.machine.jit import jit
from nrpa.machine.lock import fence
from nrpa.solvers.tree.memory import INCOMPLETE, LAST_MOVER, MOVER_BITS, NONE

LEAST_SIZE = 16


@jit
def is_short(needed, rows, most):
    """Return whether rows must be added before the search can go on."""
    return rows < needed and rows < most


@jit
def is_any(wanted):
    """Return whether any array must grow."""
    tree = wanted["nodes"] + wanted["edges"] + wanted["blocks"] + wanted["cells"] + wanted["codes"]
    return tree + wanted["playouts"] + wanted["entries"] + wanted["links"] + wanted["segments"] > 0


@jit
def cell_of(amaf, block, code):
    """Return the cell of a code, which is free where the code has not been counted."""
    start = amaf.blocks[block]["first"]
    if amaf.keys.shape[0] == 1:
        return start + code
    last = amaf.blocks[block]["size"] - 1
    cell = np.int64((np.uint64(code + 1) * GOLDEN) >> np.uint64(32)) & last
    while True:
        key = amaf.keys[start + cell]
        if key == code + 1 or key == 0:
            return start + cell
        cell = (cell + 1) & last


@jit
def amaf_of(amaf, block, start, code):
    """Return the playouts of a block with a code, and the sum of their rewards; 0 where there is no block or code.

    - ``start``: The first cell of the block if it has one for every code, or else NONE.
    """
    n, total = 0.0, 0.0
    if block >= 0 and code >= 0:
        cell = amaf.cells[start + code if start >= 0 else cell_of(amaf, block, code)]
        n, total = cell["tried"], cell["sum"]
    return n, total


@jit
def allot(amaf, count, block, size):
    """Give a block ``size`` free cells, the next ones."""
    first = count["cells"]
    count["cells"] = first + size
    row = amaf.blocks[block]
    row["first"], row["size"], row["used"] = first, size, 0
    for cell in range(first, first + size):
        amaf.cells[cell]["tried"] = amaf.cells[cell]["sum"] = 0.0
    if amaf.keys.shape[0] > 1:
        for cell in range(first, first + size):
            amaf.keys[cell] = 0


@jit
def reserve(memory, most_cells, block, more):
    """Make sure that a block has room for more codes, with at least half of its cells free."""
    amaf, count, wanted = memory.amaf, memory.count[0], memory.wanted[0]
    row = amaf.blocks[block]
    if amaf.keys.shape[0] == 1 or row["frozen"]:
        return True
    size = larger = row["size"]
    while larger < 2 * (row["used"] + more):
        larger *= 2
    if larger == size:
        return True
    needed = count["cells"] + larger
    wanted["cells"] = is_short(needed, amaf.cells.shape[0], most_cells)
    if wanted["cells"]:
        return False
    if needed > amaf.cells.shape[0]:
        row["frozen"] = count["full"] = 1
        return True
    old = row["first"]
    allot(amaf, count, block, larger)
    for i in range(old, old + size):
        if amaf.keys[i] > 0:
            cell = cell_of(amaf, block, np.int64(amaf.keys[i]) - 1)
            amaf.keys[cell] = amaf.keys[i]
            amaf.cells[cell]["tried"] = amaf.cells[i]["tried"]
            amaf.cells[cell]["sum"] = amaf.cells[i]["sum"]
            row["used"] += 1
    return True


@jit
def begin_block(memory, settings, node):
    """Give a node its statistics, from its playouts in the log."""
    amaf, log, count, wanted = memory.amaf, memory.log, memory.count[0], memory.wanted[0]
    if node["links"] == INCOMPLETE:
        return True
    entries = 0
    link = node["links"]
    while link != NONE:
        entries += log.links[link]["entries"]
        link = log.links[link]["next"]
    size = settings.codes
    if amaf.keys.shape[0] > 1:
        size = LEAST_SIZE
        while size < 2 * entries:
            size *= 2
    block = count["blocks"]
    blocks, cells = block + 1, count["cells"] + size
    wanted["blocks"] = is_short(blocks, amaf.blocks.shape[0], settings.most.blocks)
    wanted["cells"] = is_short(cells, amaf.cells.shape[0], settings.most.cells)
    if is_any(wanted):
        return False
    if blocks > amaf.blocks.shape[0] or cells > amaf.cells.shape[0]:
        give_up(log.links, node, count)
        return True
    count["blocks"] = blocks
    amaf.blocks[block]["frozen"] = 0
    allot(amaf, count, block, size)
    link = node["links"]
    while link != NONE:
        count_playout_of(amaf, log, block, log.links[link]["playout"], log.links[link]["entries"])
        link = free_link(log.links, count, link)
    node["links"] = NONE
    # Others see the statistics before they see that there are any.
    fence()
    node["block"] = block
    return True


@jit
def free_link(links, count, link):
    """Give a link back; return the next one of its list."""
    following = links[link]["next"]
    links[link]["next"] = count["freed"]
    count["freed"] = link
    return following


@jit
def give_up(links, node, count):
    """Let a node go without statistics for good: there is no room for them."""
    count["full"] = 1
    link = node["links"]
    while link >= 0:
        link = free_link(links, count, link)
    node["links"] = INCOMPLETE


@jit
def count_playout_of(amaf, log, block, playout, entries):
    """Count the last ``entries`` codes of a playout in the log, which are those behind a node, in its block."""
    first = log.playouts[playout]["first"]
    start, numbered = amaf.blocks[block]["first"], amaf.keys.shape[0] == 1
    for i in range(first, first + entries):
        entry = np.int64(log.entries[i])
        code = entry >> MOVER_BITS
        if numbered:
            cell = start + code
        else:
            cell = cell_of(amaf, block, code)
            if amaf.keys[cell] == 0:
                amaf.keys[cell] = code + 1
                amaf.blocks[block]["used"] += 1
        amaf.cells[cell]["tried"] += 1.0
        amaf.cells[cell]["sum"] += log.rewards[playout, entry & LAST_MOVER]


@jit
def has_room_in_log(log, count, steps, codes):
    """Return whether one more playout of so many codes can stay in the log, whose last ``steps`` rows are kept free."""
    entries, playouts = log.entries.shape[0] - steps, log.playouts.shape[0] - 1
    return count["entries"] + codes <= entries and count["playouts"] < playouts


@jit
def write_playout(memory, steps, worth, first, length):
    """Write a playout into the log: its codes from the end to the beginning, each where it occurs last."""
    log, count, stamps = memory.log, memory.count[0], memory.codes.stamps
    most = steps.shape[0] - 1
    playout, entry = count["playouts"], count["entries"]
    if not has_room_in_log(log, count, most, length - first):
        # The last rows of the log are kept free, as a work area.
        playout, entry = log.playouts.shape[0] - 1, log.entries.shape[0] - most
    start = entry
    steps[length]["behind"] = 0
    for step in range(length - 1, first - 1, -1):
        code = steps[step]["code"]
        if code >= 0 and stamps[code] != count["learned"]:
            stamps[code] = count["learned"]
            log.entries[entry] = (code << MOVER_BITS) + steps[step]["mover"]
            entry += 1
        steps[step]["behind"] = entry - start
    log.playouts[playout]["first"] = start
    log.playouts[playout]["entries"] = entry - start
    for player in range(worth.shape[0]):
        log.rewards[playout, player] = worth[player]
    return playout


@jit
def count_at(memory, node, playout, entries, kept):
    """Count a playout at a node on its path: in its block if it has one, else in its list."""
    amaf, log, count, block = memory.amaf, memory.log, memory.count[0], node["block"]
    if block >= 0:
        if not amaf.blocks[block]["frozen"]:
            count_playout_of(amaf, log, block, playout, entries)
        return
    if node["links"] == INCOMPLETE:
        return
    link = count["freed"]
    if link != NONE:
        count["freed"] = log.links[link]["next"]
    elif count["links"] < log.links.shape[0]:
        link = count["links"]
        count["links"] += 1
    if link == NONE or not kept:
        give_up(log.links, node, count)
        return
    row = log.links[link]
    row["playout"], row["entries"], row["next"] = playout, entries, node["links"]
    node["links"] = link
