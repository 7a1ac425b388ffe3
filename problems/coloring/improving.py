"""The kernel ``improve`` of graph colouring: a search for a colouring with one colour less, or without clashes.

References
----------
I. Blöchliger and N. Zufferey, *A graph coloring heuristic using partial solutions and a reactive tabu scheme*,
Computers & Operations Research 35, 2008: PartialCol; the length of the tabu here is that of Galinier and Hao.

P. Galinier and J.-K. Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of Combinatorial Optimization 3,
1999: the crossing of colourings by their largest classes.

L. Moalic and A. Gondran, *Variations on memetic algorithms for graph coloring problems*, Journal of Heuristics 24,
2018: HEAD, the crossing of two colourings alone, with elites of cycles that come back.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.exchanges import seed

SHORT, LONG, MOST_WORK = 160, 8_000, 1_500_000_000
CROSSED, SEARCHES, CYCLE = 0.125, 200, 10
# Of graphs with more nodes than MANY: the work of a short and a long call for each node and end of an edge, the share
# of long calls, which do not cross, and how many nodes a turn looks at.
MANY, SHORT_OF_MANY, LONG_OF_MANY, MANY_LONG, LOOKED_OF_MANY = 1_000, 20, 400, 0.25, 2
SHORTEST, SHARE = 10, 0.6
# The rows of ``State.work``. By node: its colour, -1 for none, in the two parents, in their children, in the best child
# of the cycle before and of this cycle; where it is in the list of nodes without colours; that list; a list of nodes
# whose colours have changed. By colour: nodes.
PARENTS, CHILDREN, ELITES, PLACE, LIST, CHANGED, SIZES = 0, 2, 4, 6, 7, 8, 9
ROWS = 11


@jit
def search_fewer(instance, state, sequence, steps):
    """Write a colouring with fewer colours into ``state.wanted``; where they are given, one without clashes.

    The search goes down one colour at a time, with one budget of work for all. One call in eight is long, and crosses
    colourings. With many nodes, a number of colours has at most about twice the work that those before took, so that
    what was found is not held back for long. The search ends where ``state.stop`` is set. Random numbers come from the
    sequence. Returns whether a colouring was found.
    """
    nodes, used = state.wanted.shape[0], 0
    for step in range(steps):
        node, colour = sequence[step] // instance.colours, sequence[step] % instance.colours
        state.wanted[node] = colour
        used = max(used, colour + 1)
    seed(state.stream, sequence, steps)
    crosses = uniform(state.stream) < (CROSSED if nodes <= MANY else MANY_LONG)
    work = allowance(nodes, instance.start[nodes], crosses)
    share = work // SEARCHES if crosses and nodes <= MANY else work
    found, spent = False, 0
    while used > 1 or instance.given:
        leave_out_class(instance, state, used)
        used -= not instance.given
        allowed = work
        if nodes > MANY and found:
            allowed = min(work, allowance(nodes, instance.start[nodes], False) + 2 * spent)
        row, left = evolve(instance, state, used, allowed, share)
        spent += allowed - left
        work -= allowed - left
        if row < 0:
            break
        for node in range(nodes):
            state.wanted[node] = state.work[row, node]
        found = True
        if instance.given:
            break
    return found


@jit
def allowance(nodes, ends, crosses):
    """Return the work of one call, for a graph with so many nodes and ends of edges."""
    if nodes > MANY:
        return min(MOST_WORK, (LONG_OF_MANY if crosses else SHORT_OF_MANY) * (nodes + ends))
    return min(MOST_WORK, (LONG if crosses else SHORT) * nodes * nodes)


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
def evolve(instance, state, colours, work, share):
    """Return the row of a whole colouring with so many colours, -1 if none was found, and what is left of the work.

    A search has the share of the work at most. Colourings are crossed until there is no work left.
    """
    left, work = search(instance, state, PARENTS, colours, work, share)
    if left == 0 or work <= 0:
        return PARENTS if left == 0 else -1, work
    second = PARENTS + 1
    colour_at_random(instance, state, second, colours)
    left, work = search(instance, state, second, colours, work, share)
    if left == 0:
        return second, work
    copy_colouring(state, PARENTS, ELITES)
    best, generation = state.wanted.shape[0], 0
    while work > 0 and not state.stop[0] and not are_equal(state, colours):
        generation += 1
        cross_colourings(state, PARENTS, second, CHILDREN, colours)
        cross_colourings(state, second, PARENTS, CHILDREN + 1, colours)
        for child in range(2):
            left, work = search(instance, state, CHILDREN + child, colours, work, share)
            if left == 0:
                return CHILDREN + child, work
            if left < best:
                best = left
                copy_colouring(state, CHILDREN + child, ELITES + 1)
            copy_colouring(state, CHILDREN + child, PARENTS + child)
        if generation % CYCLE == 0:
            copy_colouring(state, ELITES, PARENTS)
            copy_colouring(state, ELITES + 1, ELITES)
            best = state.wanted.shape[0]
    return -1, work


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
def search(instance, state, row, colours, work, share):
    """Colour one node a turn, whose neighbours of that colour lose theirs.

    The row becomes the best colouring that was seen. A turn takes the node and colour with the fewest such
    neighbours; these may not have that colour again for some turns. Work is counted in what a turn looks at, and ends
    after the share. Returns the fewest nodes without a colour, and the work that is left.
    """
    left = begin_search(instance, state, row, colours)
    nodes = state.colour.shape[0]
    looked_at = LOOKED_OF_MANY if nodes > MANY else nodes
    fewest, turn, changed, end = left, 0, 0, work - min(work, share)
    while left > 0 and work > end and not state.stop[0]:
        turn += 1
        work -= min(left, looked_at) * colours
        node, colour, lose = best_move(state, left, colours, turn, fewest, looked_at)
        if node < 0:
            continue
        last = state.work[LIST, left - 1]
        state.work[LIST, state.work[PLACE, node]] = last
        state.work[PLACE, last] = state.work[PLACE, node]
        left -= 1
        before = left
        until = turn + np.int64(SHARE * (left + lose)) + np.int64(SHORTEST * uniform(state.stream))
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
def best_move(state, left, colours, turn, fewest, looked_at):
    """Return a node without a colour, the colour with the fewest neighbours of it, and their number; -1 without one.

    So many are ``looked_at`` at most, from one at random on.
    """
    chosen, taken, least, equal = -1, 0, state.colour.shape[0], 0
    first = np.int64(uniform(state.stream) * left) if looked_at < left else 0
    for number in range(min(left, looked_at)):
        place = first + number
        node = state.work[LIST, place if place < left else place - left]
        for colour in range(colours):
            lose = state.beside[node * colours + colour]
            if lose > least:
                continue
            if state.tabu[node * colours + colour] >= turn and left - 1 + lose >= fewest:
                continue
            equal = 1 if lose < least else equal + 1
            least = lose
            if equal == 1 or uniform(state.stream) * equal < 1.0:
                chosen, taken = node, colour
    return chosen, taken, least


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
