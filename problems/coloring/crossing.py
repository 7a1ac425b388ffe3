"""Colourings are crossed by their largest classes; some nodes may have no colour.

References
----------
P. Galinier and J.-K. Hao, *Hybrid evolutionary algorithms for graph coloring*, Journal of Combinatorial Optimization 3,
1999: the crossing of colourings by their largest classes.

L. Moalic and A. Gondran, *Variations on memetic algorithms for graph coloring problems*, Journal of Heuristics 24,
2018: HEAD, the crossing of two colourings alone, with elites of cycles that come back.
"""

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.random import uniform

# The rows of ``State.work``. By node: its colour, -1 for none, in the two parents, in their children, in the best child
# of the cycle before and of this cycle; where it is in the list of nodes without colours; that list. By colour: nodes.
PARENTS, CHILDREN, ELITES, PLACE, LIST, SIZES = 0, 2, 4, 6, 7, 8
ROWS = 10


@jit
def count_classes(state, row, parent, colours):
    """Count the nodes of each colour in a row."""
    for colour in range(colours):
        state.work[SIZES + parent, colour] = 0
    for node in range(state.wanted.shape[0]):
        if state.work[row, node] >= 0:
            state.work[SIZES + parent, state.work[row, node]] += 1


@jit
def copy_row(state, source, target):
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
def cross(state, first, second, row, colours):
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
