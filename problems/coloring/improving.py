"""The kernel ``improve`` of graph colouring: a tabu search for a colouring with one colour less, or without clashes.

References
----------
A. Hertz and D. de Werra, *Using tabu search techniques for graph coloring*, Computing 39, 1987: TabuCol. The length of
the tabu is that of P. Galinier and J.-K. Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of
Combinatorial Optimization 3, 1999.
"""

import numpy as np

from nrpa.engine.jit import jit

EXCHANGES_PER_NODE = 100
SHORTEST, SHARE = 10, 0.6


@jit
def search_fewer(instance, state, sequence, steps):
    """Write a colouring with fewer colours into ``state.wanted``; where they are given, one without clashes.

    The search goes down one colour at a time, with 100 exchanges a node for each; its random numbers come from the
    sequence. Returns whether one was found.
    """
    colours = instance.colours
    used, seed = 0, np.uint64(88172645463325252)
    for step in range(steps):
        node, colour = sequence[step] // colours, sequence[step] % colours
        state.wanted[node] = colour
        used = max(used, colour + 1)
        seed = next_random(seed + np.uint64(sequence[step]))
    first = used
    if instance.given:
        begin(instance, state, used)
        if not search(instance, state, used, seed):
            return False
        keep(state)
        return True
    while used > 1:
        leave_out_smallest(state, used)
        begin(instance, state, used - 1)
        if not search(instance, state, used - 1, seed):
            break
        keep(state)
        used -= 1
    return used < first


@jit
def next_random(seed):
    """Return the number after a 64-bit number (xorshift); 0 is followed by 1."""
    seed ^= seed << np.uint64(13)
    seed ^= seed >> np.uint64(7)
    seed ^= seed << np.uint64(17)
    return max(seed, np.uint64(1))


@jit
def keep(state):
    """Take the colouring of the search as the wanted one."""
    for node in range(state.wanted.shape[0]):
        state.wanted[node] = state.colour[node]


@jit
def leave_out_smallest(state, used):
    """Give the last of so many colours to the class of the fewest nodes, and these nodes none."""
    for colour in range(used):
        state.size[colour] = 0
    for node in range(state.wanted.shape[0]):
        state.size[state.wanted[node]] += 1
    smallest = 0
    for colour in range(1, used):
        if state.size[colour] < state.size[smallest]:
            smallest = colour
    for node in range(state.wanted.shape[0]):
        colour = state.wanted[node]
        state.colour[node] = -1 if colour == smallest else smallest if colour == used - 1 else colour


@jit
def begin(instance, state, colours):
    """Count the neighbours of each colour, give nodes without a colour the one of fewest, and forbid nothing."""
    nodes = state.wanted.shape[0]
    for node in range(nodes):
        if instance.given:
            state.colour[node] = state.wanted[node]
        for colour in range(colours):
            state.near[node, colour] = 0
            state.tabu[node, colour] = 0
    for node in range(nodes):
        if state.colour[node] >= 0:
            count_at_neighbours(instance, state, node, state.colour[node], 1)
    for node in range(nodes):
        if state.colour[node] < 0:
            best = 0
            for colour in range(1, colours):
                if state.near[node, colour] < state.near[node, best]:
                    best = colour
            state.colour[node] = best
            count_at_neighbours(instance, state, node, best, 1)


@jit
def count_at_neighbours(instance, state, node, colour, by):
    """Count a node that has, or no longer has, a colour."""
    for place in range(instance.start[node], instance.start[node + 1]):
        state.near[instance.neighbour[place], colour] += by


@jit
def search(instance, state, colours, seed):
    """Exchange colours of clashing nodes until none clash; return whether that was reached."""
    nodes = state.wanted.shape[0]
    twice = 0
    for node in range(nodes):
        twice += state.near[node, state.colour[node]]
    clashes = twice // 2
    fewest = clashes
    for turn in range(1, EXCHANGES_PER_NODE * nodes + 1):
        if clashes == 0:
            return True
        best, equal, chosen, taken, clashing = nodes, 0, -1, 0, 0
        for node in range(nodes):
            own = state.near[node, state.colour[node]]
            if own == 0:
                continue
            clashing += 1
            for colour in range(colours):
                change = state.near[node, colour] - own
                allowed = state.tabu[node, colour] < turn or clashes + change < fewest
                if colour == state.colour[node] or change > best or not allowed:
                    continue
                equal = 1 if change < best else equal + 1
                best = change
                seed = next_random(seed)
                if seed % np.uint64(equal) == 0:
                    chosen, taken = node, colour
        if chosen < 0:
            continue
        seed = next_random(seed)
        before = state.colour[chosen]
        state.tabu[chosen, before] = turn + np.int64(SHARE * clashing) + np.int64(seed % np.uint64(SHORTEST))
        count_at_neighbours(instance, state, chosen, before, -1)
        count_at_neighbours(instance, state, chosen, taken, 1)
        state.colour[chosen] = taken
        clashes += best
        fewest = min(fewest, clashes)
    return clashes == 0
