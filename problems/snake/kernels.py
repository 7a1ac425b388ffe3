"""Snakes and coils as the search plays them: the head goes along a dimension of the hypercube, which is the move."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import NEVER, NOT_NOW, kernels
from nrpa.machine.jit import jit

HEAD, USED, EDGES, CLOSED = 0, 1, 2, 3


class Instance(NamedTuple):
    """What the kernels know."""

    dimensions: int  # of the hypercube
    coil: bool  # whether the path has to close
    images: np.ndarray  # int64[symmetries, vertices], where symmetries of the cube, which paths have, take a vertex
    end: int  # the vertex beside which a coil closes
    begin: np.ndarray  # int64[edges], the dimensions along which every path begins


def reset(instance, state):
    """Begin at vertex 0, and go along the edges that every path has."""
    state.near[:] = 0
    state.counts[:] = 0
    state.near[0] = 1
    if len(instance.images):
        state.counts[USED] = instance.dimensions
    occupy_images(instance, state, 0)
    for k in range(len(instance.begin)):
        go(instance, state, instance.begin[k])


@jit
def occupy_images(instance, state, vertex):
    """Put the images of a vertex under the symmetries, and their neighbours, out of bounds."""
    for k in range(len(instance.images)):
        image = instance.images[k, vertex]
        if image != vertex:
            state.near[image] += 1
            for dimension in range(instance.dimensions):
                state.near[image ^ (1 << dimension)] += 1


def legal_moves(instance, state, moves):
    """Write the dimensions along which the head meets nothing; of unused ones, which are alike, only the lowest."""
    if state.counts[CLOSED]:
        return 0
    head = state.counts[HEAD]
    count = 0
    for dimension in range(min(instance.dimensions, state.counts[USED] + 1)):
        if is_open(instance, state, head ^ (1 << dimension)):
            moves.move[count] = dimension
            moves.code[count] = head * instance.dimensions + dimension
            count += 1
    return count


@jit
def is_open(instance, state, vertex):
    """Return whether the head may go to a vertex beside it; the one that closes a coil is beside its end."""
    for k in range(len(instance.images)):
        if is_beside(vertex, instance.images[k, vertex]):
            return False
    return state.near[vertex] == 0 or (instance.coil and state.near[vertex] == 1 and closes(instance, vertex))


@jit
def is_beside(vertex, other):
    """Return whether two vertices are neighbours, or the same."""
    across = vertex ^ other
    return across & (across - 1) == 0


@jit
def closes(instance, vertex):
    """Return whether a vertex is beside that where a coil ends."""
    return vertex != instance.end and is_beside(vertex, instance.end)


def find(instance, state, name):
    """Return the dimension of a code; the head comes to a vertex once, and never to one that is out of bounds."""
    vertex, dimension = name // instance.dimensions, name % instance.dimensions
    if vertex != state.counts[HEAD]:
        return NOT_NOW if state.near[vertex] == 0 else NEVER
    if state.counts[CLOSED] or dimension > state.counts[USED]:
        return NEVER
    return dimension if is_open(instance, state, vertex ^ (1 << dimension)) else NEVER


def play(instance, state, move):
    """Go along a dimension; beside the old head is then out of bounds. Beside the start of a coil, the path closes."""
    head = state.counts[HEAD]
    for dimension in range(instance.dimensions):
        state.near[head ^ (1 << dimension)] += 1
    head ^= 1 << move
    state.near[head] += 1
    state.counts[HEAD] = head
    state.counts[USED] = max(state.counts[USED], move + 1)
    state.counts[EDGES] += 1
    occupy_images(instance, state, head)
    begun = len(instance.images) > 0 or state.counts[EDGES] > 1
    state.counts[CLOSED] = instance.coil and begun and closes(instance, head)


def score(instance, state):
    """Return the number of edges; of a coil that is not closed, a fraction that grows with them."""
    times = len(instance.images) + 1
    if not instance.coil:
        return np.float64(times * state.counts[EDGES] + (times - 1) * (instance.dimensions & 1))
    if state.counts[CLOSED]:
        return times * (state.counts[EDGES] + 1.0)
    return state.counts[EDGES] / state.near.shape[0]


go = jit(play)


@kernels(reset, legal_moves, play, score, find)
class State(NamedTuple):
    """A path."""

    # [2^dimensions], how many vertices of the path before the head each equals or is beside; one more for the head
    near: NDArray[np.uint8]
    counts: NDArray[np.int64]  # [4], the head, the dimensions used, the edges, whether it is closed
