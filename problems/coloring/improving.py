"""The kernel ``improve`` of graph colouring: a search for a colouring with one colour less, or without clashes.

References
----------
I. Blöchliger and N. Zufferey, *A graph coloring heuristic using partial solutions and a reactive tabu scheme*,
Computers & Operations Research 35, 2008: PartialCol; the length of the tabu here is that of Galinier and Hao.

A. Hertz and D. de Werra, *Using tabu search techniques for graph coloring*, Computing 39, 1987: TabuCol.

P. Galinier and J.-K. Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of Combinatorial Optimization 3,
1999: the crossing of colourings by their largest classes.

L. Moalic and A. Gondran, *Variations on memetic algorithms for graph coloring problems*, Journal of Heuristics 24,
2018: HEAD, the crossing of two colourings alone, with elites of cycles that come back.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.exchanges import seed

# Of graphs with up to MANY nodes: the work of a short call for each pair of nodes, and the share of long calls, less
# where FEW nodes or less are left without a colour. CROSSED of the long calls cross colourings, at most GENERATIONS
# times for each node, WHOLE of them whole ones by TabuCol, the others by PartialCol; in the rest one search has ALONE
# shares. A share is the work of each search of those that cross: the nodes times the ends of edges, by PART. Classes of
# less than OF_A_CLASS nodes in the mean are not crossed.
SHORT, MOST_WORK, LONGER, FEW = 160, 1_500_000_000, 0.25, 4
PART, GENERATIONS, CYCLE, WHOLE, CROSSED, ALONE, OF_A_CLASS = 3, 2, 10, 0.5, 0.75, 100, 8
# Of graphs with more nodes than MANY: the work of a short and a long call for each node and end of an edge, the share
# of long calls, and how many nodes a turn looks at.
MANY, SHORT_OF_MANY, LONG_OF_MANY, MANY_LONG, LOOKED_OF_MANY = 1_000, 20, 400, 0.25, 2
# The length of the tabu: up to SHORTEST turns, and SHARE for each node on the list; alone up to 2^DOUBLED times that.
SHORTEST, SHARE, DOUBLED = 10, 0.6, 3.0
TABU, ALWAYS = 1 << 29, 1 << 30
# The rows of ``State.work``. By node: its colour, -1 for none, in the two parents, in their children, in the best child
# of the cycle before and of this cycle; where it is in the list of nodes without colours, or that clash; that list; a
# list of nodes whose colours have changed; what the best move of a node on the list is worth. By colour: nodes.
PARENTS, CHILDREN, ELITES, PLACE, LIST, CHANGED, WORTH, SIZES = 0, 2, 4, 6, 7, 8, 9, 10
ROWS = 12


@jit
def search_fewer(instance, state, sequence, steps):
    """Write a colouring with fewer colours into ``state.wanted``; where they are given, one without clashes.

    The search goes down one colour at a time, with one budget of work for all. A long call of up to MANY nodes then
    crosses colourings or searches on, and ends with what it finds, so that this is not held back. With more nodes, a
    number of colours has at most about twice the work that those before took. The search ends where ``state.stop`` is
    set. Random numbers come from the sequence and what follows it. Returns whether a colouring was found.
    """
    nodes, used = state.wanted.shape[0], 0
    for step in range(steps):
        node, colour = sequence[step] // instance.colours, sequence[step] % instance.colours
        state.wanted[node] = colour
        used = max(used, colour + 1)
    seed(state.stream, sequence, sequence.shape[0])
    is_long = uniform(state.stream) < (LONGER if nodes <= MANY else MANY_LONG)
    work = allowance(nodes, instance.start[nodes], is_long)
    found, spent = False, 0
    while used > 1 or instance.given:
        leave_out_class(instance, state, used)
        used -= not instance.given
        allowed = work
        if nodes > MANY and found:
            allowed = min(work, allowance(nodes, instance.start[nodes], False) + 2 * spent)
        left, rest = search(instance, state, PARENTS, used, allowed, allowed, SHARE)
        row = PARENTS if left == 0 else -1
        if row < 0 and is_long and nodes <= MANY and uniform(state.stream) * FEW * FEW < left * left:
            row = search_long(instance, state, used)
            rest = 0
        spent += allowed - rest
        work -= allowed - rest
        if row < 0:
            break
        for node in range(nodes):
            state.wanted[node] = state.work[row, node]
        found = True
        if instance.given or work <= 0:
            break
    return found


@jit
def allowance(nodes, ends, is_long):
    """Return the work of one call, for a graph with so many nodes and ends of edges; of a long one its beginning."""
    if nodes > MANY:
        return min(MOST_WORK, (LONG_OF_MANY if is_long else SHORT_OF_MANY) * (nodes + ends))
    return min(MOST_WORK, SHORT * nodes * nodes)


@jit
def leave_out_class(instance, state, used):
    """Write the wanted colouring as the first parent, without its smallest class; or, with given colours, clashes."""
    work = state.work
    for node in range(state.wanted.shape[0]):
        work[PARENTS, node] = state.wanted[node]
    if instance.given:
        for node in range(state.wanted.shape[0]):
            for place in range(instance.start[node], instance.start[node + 1]):
                if work[PARENTS, instance.neighbour[place]] == state.wanted[node]:
                    work[PARENTS, node] = -1
        return
    count_classes(state, PARENTS, 0, used)
    smallest = 0
    for colour in range(used):
        if work[SIZES, colour] < work[SIZES, smallest]:
            smallest = colour
    for node in range(state.wanted.shape[0]):
        if state.wanted[node] == smallest:
            work[PARENTS, node] = -1
        elif state.wanted[node] == used - 1:
            work[PARENTS, node] = smallest


@jit
def search_long(instance, state, colours):
    """Return the row of a whole colouring with so many colours that crossing or a longer search found; -1 without."""
    nodes = state.wanted.shape[0]
    share = nodes * instance.start[nodes] // PART
    kind = uniform(state.stream)
    if kind < CROSSED and colours * OF_A_CLASS <= nodes:
        return evolve(instance, state, colours, share, kind < WHOLE)
    longer = SHARE * 2.0 ** (DOUBLED * uniform(state.stream))
    left, _ = search(instance, state, PARENTS, colours, ALONE * share, ALONE * share, longer)
    return PARENTS if left == 0 else -1


@jit
def evolve(instance, state, colours, share, whole):
    """Return the row of a whole colouring with so many colours, -1 if none was found.

    Two colourings are crossed, and the children searched from, until they are equal or GENERATIONS by node are over.
    These are whole colourings, with clashes, or some nodes lack a colour.
    """
    first, second = PARENTS, PARENTS + 1
    for parent in range(PARENTS, PARENTS + 2):
        colour_at_random(instance, state, parent, colours)
        if shortfall(instance, state, parent, colours, share, whole) == 0:
            return parent
    copy_colouring(state, first, ELITES)
    best = MOST_WORK
    for generation in range(1, GENERATIONS * state.wanted.shape[0] + 1):
        if state.stop[0] or are_equal(state, colours):
            break
        cross_colourings(state, first, second, CHILDREN, colours)
        cross_colourings(state, second, first, CHILDREN + 1, colours)
        for child in range(2):
            short = shortfall(instance, state, CHILDREN + child, colours, share, whole)
            if short == 0:
                return CHILDREN + child
            if short < best:
                best = short
                copy_colouring(state, CHILDREN + child, ELITES + 1)
            copy_colouring(state, CHILDREN + child, PARENTS + child)
        if generation % CYCLE == 0:
            copy_colouring(state, ELITES, PARENTS)
            copy_colouring(state, ELITES + 1, ELITES)
            best = MOST_WORK
    return -1


@jit
def shortfall(instance, state, row, colours, share, whole):
    """Search from the colouring of a row; return the fewest clashes of whole ones, or nodes without a colour."""
    if whole:
        return recolour(instance, state, row, colours, share)
    left, _ = search(instance, state, row, colours, share, share, SHARE)
    return left


@jit
def begin_search(instance, state, row, colours):
    """Take the colouring of a row, count the neighbours of each colour; return how many nodes have none."""
    left = 0
    entries = state.colour.shape[0] * colours
    state.beside[:entries] = 0
    state.tabu[:entries] = 0
    for node in range(state.colour.shape[0]):
        state.colour[node] = state.work[row, node]
        if state.colour[node] >= 0:
            count_at_neighbours(instance, state, node, state.colour[node], colours, 1)
        else:
            left = put_on_list(state, node, left)
    return left


@jit
def put_on_list(state, node, left):
    """Add a node to those without a colour; return their number."""
    state.work[LIST, left] = node
    state.work[PLACE, node] = left
    return left + 1


@jit
def count_at_neighbours(instance, state, node, colour, colours, by):
    """Count a node that has, or no longer has, a colour."""
    for place in range(instance.start[node], instance.start[node + 1]):
        state.beside[instance.neighbour[place] * colours + colour] += by


@jit
def take_off_list(state, node, left):
    """Take a node off the list; return how many are left."""
    last = state.work[LIST, left - 1]
    state.work[LIST, state.work[PLACE, node]] = last
    state.work[PLACE, last] = state.work[PLACE, node]
    state.work[PLACE, node] = -1
    return left - 1


@jit
def search(instance, state, row, colours, work, share, longer):
    """Colour one node a turn, whose neighbours of that colour lose theirs: PartialCol.

    The row becomes the best colouring that was seen. A turn takes the node and colour with the fewest such
    neighbours; these may not have that colour again for some turns, ``longer`` by the nodes without a colour. Work is
    counted in what a turn looks at, and ends after the share. Returns the fewest nodes without a colour, and the work
    that is left.
    """
    left = begin_search(instance, state, row, colours)
    nodes = state.colour.shape[0]
    looked_at = LOOKED_OF_MANY if nodes > MANY else nodes
    fewest, turn, changed, end = left, 0, 0, work - min(work, share)
    while left > 0 and work > end and not state.stop[0]:
        turn += 1
        work -= min(left, looked_at) * colours
        node, colour, more = best_move(state, left, colours, turn, fewest - left, looked_at)
        if node < 0:
            continue
        left = take_off_list(state, node, left)
        before, lose = left, more + 1
        until = turn + np.int64(longer * (left + lose)) + np.int64(SHORTEST * uniform(state.stream))
        for place in range(instance.start[node], instance.start[node + 1]):
            other = instance.neighbour[place]
            state.beside[other * colours + colour] += 1
            if state.colour[other] == colour:
                state.colour[other] = -1
                state.tabu[other * colours + colour] = until
                left = put_on_list(state, other, left)
        state.colour[node] = colour
        changed = note_change(state, node, changed)
        for place in range(before, left):
            changed = note_change(state, state.work[LIST, place], changed)
            count_at_neighbours(instance, state, state.work[LIST, place], colour, colours, -1)
        work -= (lose + 1) * (instance.start[node + 1] - instance.start[node])
        if left < fewest:
            fewest = left
            keep_changes(state, row, changed)
            changed = 0
    return fewest, work


@jit
def begin_whole(instance, state, row, colours):
    """Take the colouring of a row, other nodes at random; list those that clash. Returns how many, and the clashes."""
    nodes, clashing, clashes = state.colour.shape[0], 0, 0
    for node in range(nodes):
        if state.work[row, node] < 0:
            state.work[row, node] = np.int64(uniform(state.stream) * colours)
    begin_search(instance, state, row, colours)
    for node in range(nodes):
        own = node * colours + state.colour[node]
        state.tabu[own] = ALWAYS
        state.work[PLACE, node] = -1
        if state.beside[own] > 0:
            clashes += state.beside[own]
            clashing = put_on_list(state, node, clashing)
    return clashing, clashes // 2


@jit
def recolour(instance, state, row, colours, work):
    """Give one node that clashes another colour each turn: TabuCol.

    The row becomes the best colouring that was seen. A turn takes the node and colour after which the fewest edges
    clash; the node may not have its old colour again for some turns. Returns the fewest clashes.
    """
    clashing, clashes = begin_whole(instance, state, row, colours)
    nodes = state.colour.shape[0]
    fewest, turn, changed = clashes, 0, 0
    while fewest > 0 and work > 0 and not state.stop[0]:
        turn += 1
        work -= clashing * colours
        node, colour, more = best_move(state, clashing, colours, turn, fewest - clashes, nodes)
        if node < 0:
            continue
        old = state.colour[node]
        state.colour[node] = colour
        clashes += more
        for place in range(instance.start[node], instance.start[node + 1]):
            other = np.int64(instance.neighbour[place])
            state.beside[other * colours + old] -= 1
            state.beside[other * colours + colour] += 1
            own = state.colour[other]
            if own == colour:
                if state.work[PLACE, other] < 0:
                    clashing = put_on_list(state, other, clashing)
            elif own == old and state.beside[other * colours + old] == 0:
                clashing = take_off_list(state, other, clashing)
        if state.beside[node * colours + colour] == 0:
            clashing = take_off_list(state, node, clashing)
        until = turn + np.int64(SHARE * clashing) + np.int64(SHORTEST * uniform(state.stream))
        state.tabu[node * colours + old] = until
        state.tabu[node * colours + colour] = ALWAYS
        changed = note_change(state, node, changed)
        work -= 2 * (instance.start[node + 1] - instance.start[node])
        if clashes < fewest:
            fewest = clashes
            keep_changes(state, row, changed)
            changed = 0
    return fewest


@jit
def note_change(state, node, changed):
    """Note a node whose colour may no longer be that in a row; return how many were noted, though only some may be."""
    if changed < state.colour.shape[0]:
        state.work[CHANGED, changed] = node
    return changed + 1


@jit
def keep_changes(state, row, changed):
    """Write the colours that may have changed to a row: those of the nodes noted, or all where there were more."""
    nodes = state.colour.shape[0]
    for place in range(min(changed, nodes)):
        node = state.work[CHANGED, place] if changed < nodes else place
        state.work[row, node] = state.colour[node]


@jit
def best_move(state, listed, colours, turn, short, looked_at):
    """Return a node of the list, a colour, and by how much what is counted grows, the least there is; -1 without one.

    Counted are nodes without a colour, or clashes: a node that has none counts as one, else as many as it clashes with.
    What is tabu counts only where less than ``short`` is added, so that there are fewer than ever. So many nodes are
    ``looked_at`` at most, from one at random on.
    """
    first = np.int64(uniform(state.stream) * listed) if looked_at < listed else 0
    looked_at, least = min(listed, looked_at), TABU
    for number in range(looked_at):
        place = first + number
        node = state.work[LIST, place if place < listed else place - listed]
        own = counted(state, node, colours)
        worth = least_in_row(state, node, colours, turn, short + own) - own
        state.work[WORTH, number] = worth
        least = min(least, worth)
    chosen, taken, equal = -1, 0, 0
    if least >= TABU - state.colour.shape[0]:
        return chosen, taken, least
    for number in range(looked_at):
        if state.work[WORTH, number] > least:
            continue
        place = first + number
        node = state.work[LIST, place if place < listed else place - listed]
        own = counted(state, node, colours)
        for colour in range(colours):
            at = node * colours + colour
            if state.beside[at] == least + own and (state.tabu[at] < turn or least < short):
                equal += 1
                if equal == 1 or uniform(state.stream) * equal < 1.0:
                    chosen, taken = node, colour
    return chosen, taken, least


@jit
def counted(state, node, colours):
    """Return what a node of the list counts: 1 without a colour, else the neighbours that have its colour."""
    return np.int64(state.beside[node * colours + state.colour[node]]) if state.colour[node] >= 0 else 1


@jit
def least_in_row(state, node, colours, turn, below):
    """Return the fewest neighbours of any colour that is not tabu, or of which there are fewer than so many."""
    least = np.int32(TABU)
    place = np.uint64(node * colours)
    end = place + np.uint64(colours)
    now, most = np.int32(turn), np.int32(below)
    while place < end:
        beside = state.beside[place]
        is_tabu = (state.tabu[place] >= now) & (beside >= most)
        least = min(least, np.int32(TABU) if is_tabu else beside)
        place += np.uint64(1)
    return np.int64(least)


@jit
def count_classes(state, row, parent, colours):
    """Count the nodes of each colour in a row."""
    for colour in range(colours):
        state.work[SIZES + parent, colour] = 0
    for node in range(state.wanted.shape[0]):
        if state.work[row, node] >= 0:
            state.work[SIZES + parent, state.work[row, node]] += 1


@jit
def copy_colouring(state, source, target):
    """Copy a row of ``state.work``."""
    for node in range(state.wanted.shape[0]):
        state.work[target, node] = state.work[source, node]


@jit
def colour_at_random(instance, state, row, colours):
    """Give nodes in a random order the first colour that no neighbour has, and those that lack one none."""
    work, nodes = state.work, state.wanted.shape[0]
    for node in range(nodes):
        work[LIST, node] = node
        work[SIZES, node] = work[row, node] = -1
    for last in range(nodes - 1, -1, -1):
        other = np.int64(uniform(state.stream) * (last + 1))
        node = work[LIST, other]
        work[LIST, other] = work[LIST, last]
        for place in range(instance.start[node], instance.start[node + 1]):
            taken = work[row, instance.neighbour[place]]
            if taken >= 0:
                work[SIZES, taken] = node
        for colour in range(colours):
            if work[SIZES, colour] != node:
                work[row, node] = colour
                break


@jit
def are_equal(state, colours):
    """Return whether each class of the first parent lies in one class of the second."""
    work = state.work
    for colour in range(colours):
        work[SIZES, colour] = -1
    for node in range(state.wanted.shape[0]):
        one, other = work[PARENTS, node], work[PARENTS + 1, node]
        if one < 0 or other < 0:
            continue
        if work[SIZES, one] >= 0 and work[SIZES, one] != other:
            return False
        work[SIZES, one] = other
    return True


@jit
def cross_colourings(state, first, second, row, colours):
    """Take the largest class that is left of one parent and of the other in turn; nodes in none have no colour."""
    work = state.work
    for node in range(state.wanted.shape[0]):
        work[row, node] = -1
    count_classes(state, first, 0, colours)
    count_classes(state, second, 1, colours)
    for colour in range(colours):
        turn = colour % 2
        own, other = (first, second) if turn == 0 else (second, first)
        largest = 0
        for each in range(colours):
            if work[SIZES + turn, each] > work[SIZES + turn, largest]:
                largest = each
        work[SIZES + turn, largest] = -1
        for node in range(state.wanted.shape[0]):
            if work[own, node] == largest and work[row, node] < 0:
                work[row, node] = colour
                if work[other, node] >= 0:
                    work[SIZES + 1 - turn, work[other, node]] -= 1
