"""Graph colouring as the search plays it: nodes in the order of DSatur, a colour for each.

A move is node · colours + colour, and so is its code.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.engine.status import UNFINISHED
from nrpa.machine.jit import jit
from nrpa.problems.coloring.improving import search_fewer

RARELY = 1e-9
COLOURED, USED, CLASHES = 0, 1, 2
HAS_A_COLOUR = -(2**40)


class Instance(NamedTuple):
    """The graph, and what is asked for."""

    start: np.ndarray  # int64[nodes + 1]
    neighbour: np.ndarray  # int32[2 edges], the neighbours of node v are neighbour[start[v]:start[v + 1]]
    rank: np.ndarray  # int64[nodes], ties of saturation are broken by the least rank
    ranked: np.ndarray  # int64[nodes], the nodes by rank
    shift: int  # a block of ranks is rank >> shift; about as many blocks as ranks in one
    colours: int  # the most there can be
    most: np.ndarray  # int64[nodes], the most there can be once the node has taken a new one
    given: bool  # whether exactly so many are given and clashes counted; else the colours are
    forced: bool  # whether a new colour is taken only where no other is free
    rarely: bool  # whether else it may be taken always, but has a small e^β


def reset(instance, state):
    """Begin with no node coloured."""
    state.colour[:] = -1
    state.saturation[:] = 0
    state.highest[:] = 0
    state.near[:] = 0
    state.size[:] = 0
    state.counts[:] = 0


def legal_moves(instance, state, moves):
    """Write the colours that the most saturated node can have."""
    nodes = state.colour.shape[0]
    if state.counts[COLOURED] == nodes:
        return 0
    node = most_saturated(instance, state)
    used = state.counts[USED]
    count = 0
    for colour in range(used):
        if state.near[node, colour] == 0:
            count = write_colour(instance, moves, count, node, colour)
    if used < instance.most[node] and (count == 0 or not instance.forced):
        count = write_colour(instance, moves, count, node, used)
        if instance.rarely and count > 1:
            moves.exp_bias[count - 1] = RARELY
    if count == 0:
        return least_clashing(instance, state, moves, node)
    if instance.given and count > 1:
        return leaving_a_colour(instance, state, moves, node, count)
    return count


@jit
def write_colour(instance, moves, count, node, colour):
    """Write a move, and return the number of moves."""
    moves.move[count] = node * instance.colours + colour
    moves.code[count] = node * instance.colours + colour
    moves.exp_bias[count] = 1.0
    return count + 1


@jit
def most_saturated(instance, state):
    """Return the node without a colour whose neighbours have the most colours; of equal ones that of least rank."""
    block, most = 0, state.highest[0]
    for each in range(1, state.highest.shape[0]):
        if state.highest[each] > most:
            block, most = each, state.highest[each]
    rank = block << instance.shift
    while state.saturation[rank] != most:
        rank += 1
    return instance.ranked[rank]


@jit
def leave_out(instance, state, node):
    """Let a node that gets a colour count no longer among the saturated ones."""
    state.saturation[instance.rank[node]] = HAS_A_COLOUR
    block = instance.rank[node] >> instance.shift
    first = block << instance.shift
    most = state.saturation[first]
    for rank in range(first + 1, min(first + (1 << instance.shift), state.saturation.shape[0])):
        most = max(most, state.saturation[rank])
    state.highest[block] = most


@jit
def least_clashing(instance, state, moves, node):
    """Write the colours that fewest neighbours have; return their number."""
    fewest = state.near[node, 0]
    for colour in range(1, instance.colours):
        fewest = min(fewest, state.near[node, colour])
    count = 0
    for colour in range(instance.colours):
        if state.near[node, colour] == fewest:
            count = write_colour(instance, moves, count, node, colour)
    return count


@jit
def leaving_a_colour(instance, state, moves, node, count):
    """Drop the colours that would leave a neighbour none, unless all would; return how many moves are left."""
    last = instance.colours - 1
    kept = 0
    for k in range(count):
        colour = moves.move[k] - node * instance.colours
        takes = False
        for place in range(instance.start[node], instance.start[node + 1]):
            other = instance.neighbour[place]
            takes |= state.saturation[instance.rank[other]] == last and state.near[other, colour] == 0
        if not takes:
            moves.move[kept] = moves.move[k]
            moves.code[kept] = moves.code[k]
            moves.exp_bias[kept] = moves.exp_bias[k]
            kept += 1
    return kept if kept > 0 else count


def play(instance, state, move):
    """Give a node its colour."""
    node = move // instance.colours
    colour = move % instance.colours
    state.counts[CLASHES] += state.near[node, colour]
    state.colour[node] = colour
    state.size[colour] += 1
    state.counts[COLOURED] += 1
    state.counts[USED] = max(state.counts[USED], colour + 1)
    leave_out(instance, state, node)
    for place in range(instance.start[node], instance.start[node + 1]):
        other = instance.neighbour[place]
        if state.near[other, colour] == 0:
            rank = instance.rank[other]
            state.saturation[rank] += 1
            block = rank >> instance.shift
            state.highest[block] = max(state.highest[block], state.saturation[rank])
        state.near[other, colour] += 1


def score(instance, state):
    """Return minus the clashing edges, or minus the colours with the better half for uneven classes."""
    if instance.given:
        return -np.float64(state.counts[CLASHES])
    nodes = state.colour.shape[0]
    squares = 0
    for colour in range(state.counts[USED]):
        squares += state.size[colour] * state.size[colour]
    return -state.counts[USED] - 0.5 + 0.5 * squares / (nodes * nodes)


reset_inside, play_inside = jit(reset), jit(play)


def improve(instance, state, sequence, steps):
    """Colour with fewer colours, or without clashes where colours are given; return 0 if that is not found."""
    found = search_fewer(instance, state, sequence, steps)
    if state.stop[0]:
        return UNFINISHED
    if not found:
        return 0
    reset_inside(instance, state)
    state.tabu[: instance.colours] = -1
    for step in range(steps):
        node = most_saturated(instance, state)
        colour = state.wanted[node]
        if state.tabu[colour] < 0:
            state.tabu[colour] = state.counts[USED]
        sequence[step] = node * instance.colours + state.tabu[colour]
        play_inside(instance, state, sequence[step])
    return 1


def copy(instance, source, target):
    """Copy a partial colouring, without the work areas of ``improve``."""
    for node in range(source.colour.shape[0]):
        target.colour[node] = source.colour[node]
        target.saturation[node] = source.saturation[node]
        for colour in range(instance.colours):
            target.near[node, colour] = source.near[node, colour]
    for block in range(source.highest.shape[0]):
        target.highest[block] = source.highest[block]
    for colour in range(instance.colours):
        target.size[colour] = source.size[colour]
    for k in range(3):
        target.counts[k] = source.counts[k]


@kernels(reset, legal_moves, play, score, improve, copy)
class State(NamedTuple):
    """A partial colouring."""

    colour: NDArray[np.int64]  # [nodes], -1 for none
    near: NDArray[np.int32]  # [nodes, colours], how many neighbours have the colour
    # [nodes], by rank, how many colours the neighbours have; far below 0 for a node with a colour
    saturation: NDArray[np.int64]
    highest: NDArray[np.int64]  # [blocks], the highest saturation of a block of ranks
    size: NDArray[np.int64]  # [colours], nodes of each colour
    counts: NDArray[np.int64]  # [3], nodes coloured, colours used, clashing edges
    # Work areas of ``improve``; beside and tabu by node · colours + colour, for the colours that are tried.
    wanted: NDArray[np.int64]  # [nodes], a whole colouring
    beside: NDArray[np.int32]  # as near
    tabu: NDArray[np.int32]  # until which turn the node must not have the colour again
    work: NDArray[np.int64]  # [ROWS, nodes], see ``improving``
    stream: NDArray[np.uint64]  # [2], its random numbers
    stop: NDArray[np.bool_]  # [1], set from outside where the search shall stop
