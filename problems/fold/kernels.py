"""Folding as the search plays it: one helix after the other, until it stops.

A helix may be added when its bases are free and it crosses none. With pseudoknots one that crosses is added to a second
layer, in which again none cross. The energy is ViennaRNA's: ``score`` calls back into Python with the structure.

The bias is β = -ΔE/RT, with a rough ΔE of adding the helix here: its stacks, and the loops that it makes and breaks.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call
from nrpa.machine.jit import jit, trailing_zeros

STEP, STOPPED = 0, 1
STEEPEST = 30.0
LARGEST = 30
LOGARITHM = 1.07856
"""1.75 RT: loops grow by this times the logarithm of their size (Jacobson & Stockmayer)."""
UNPAIRED, ROUND_OPEN, ROUND_CLOSE, SQUARE_OPEN, SQUARE_CLOSE = map(ord, ".()[]")


class Loops(NamedTuple):
    """Loop energies in kcal/mol, as of loops of A closed by GC pairs."""

    hairpin: np.ndarray  # float64[31], by the number of bases in the loop
    # float64[31, 31], by the bases on each side, at most 30 in all; also of bulges, and without bases the mean stack
    interior: np.ndarray
    multi: np.ndarray  # float64[2], with two helices inside, and for each further one


class Instance(NamedTuple):
    """H helices over n positions; sets of helices are bits of W = ⌈H / 64⌉ words."""

    # int64[H], the pairs (first + k, last - k) for k < length
    first: np.ndarray
    last: np.ndarray
    length: np.ndarray
    sharing: np.ndarray  # uint64[H, W], the helices that have a base in common with each (itself too)
    crossing: np.ndarray  # uint64[H, W], the helices that cross it and share no base
    missing: np.ndarray  # uint64[W], the bits beyond H
    energy: np.ndarray  # float64[H], of each helix alone, kcal/mol
    loops: Loops  # rough energies of loops
    pseudoknot: float  # the price of crossing
    beta: float  # β per kcal/mol
    stop: float  # β of the stop
    dearest: float  # helices that cost more, roughly, are not offered, kcal/mol
    layers: int  # 2 with pseudoknots, else 1
    address: int  # of the callback that scores a structure


def reset(instance, state):
    """Pair nothing yet."""
    state.counts[:] = 0
    state.symbols[:] = UNPAIRED
    state.partner[:] = -1
    state.over_round[:] = 0
    state.over_square[:] = np.uint64(0) if instance.layers == 2 else ~np.uint64(0)
    for w in range(len(state.used)):
        state.used[w] = instance.missing[w]


def legal_moves(instance, state, moves):
    """Write the helices that fit and are not too dear, and the stop (move and code H)."""
    if state.counts[STOPPED]:
        return 0
    survey(state)
    count = 0
    for w in range(len(state.used)):
        left = ~(state.used[w] | (state.over_round[w] & state.over_square[w]))
        while left != np.uint64(0):
            helix = 64 * w + trailing_zeros(left)
            left &= left - np.uint64(1)
            square = (state.over_round[w] >> np.uint64(helix % 64)) & np.uint64(1)
            if square != np.uint64(0):
                change = instance.energy[helix] + instance.pseudoknot
            else:
                change = energy_change(instance, state, helix)
            if change <= instance.dearest:
                moves.move[count] = helix
                moves.code[count] = helix
                moves.exp_bias[count] = math.exp(min(max(-instance.beta * change, -STEEPEST), STEEPEST))
                count += 1
    moves.move[count] = len(instance.first)
    moves.code[count] = len(instance.first)
    moves.exp_bias[count] = math.exp(instance.stop)
    return count + 1


@jit
def survey(state):
    """Find the loops of the round layer, for ``energy_change``."""
    n = len(state.partner)
    around = -1
    state.branches[:] = 0
    for i in range(n):
        j = state.partner[i]
        if j > i:
            state.around[i] = around
            state.branches[around if around >= 0 else n] += 1
            around = i
        else:
            if j >= 0:
                around = state.around[j]
            state.around[i] = around
    state.following[n] = n
    for i in range(n - 1, -1, -1):
        state.following[i] = i if state.partner[i] >= 0 else state.following[i + 1]


@jit
def loop_energy(loops, i, j, branches, k, m):
    """Return the rough energy of the loop that the pair (i, j) closes, with (k, m) its only branch if it has one."""
    if branches > 1:
        return loops.multi[0] + (branches - 2) * loops.multi[1]
    left, right = (k - i - 1, j - m - 1) if branches == 1 else (j - i - 1, 0)
    size, half = left + right, LARGEST // 2
    if size <= LARGEST:
        return loops.interior[left, right] if branches == 1 else loops.hairpin[size]
    longest = loops.interior[half, half] if branches == 1 else loops.hairpin[LARGEST]
    return longest + LOGARITHM * math.log(size / LARGEST)


@jit
def energy_change(instance, state, helix):
    """Return the rough change of energy when ``helix`` is added to the round layer."""
    i = instance.first[helix]
    j = instance.last[helix]
    p = i + instance.length[helix] - 1
    q = j - instance.length[helix] + 1
    inside = 0
    k = state.following[p + 1]
    first = k
    while k < q:
        inside += 1
        k = state.following[state.partner[k] + 1]
    partner = state.partner[first] if inside else -1
    change = instance.energy[helix] + loop_energy(instance.loops, p, q, inside, first, partner)
    a = state.around[i]
    if a < 0:
        return change
    b = state.partner[a]
    before = state.branches[a]
    k = state.following[a + 1]
    change -= loop_energy(instance.loops, a, b, before, k, state.partner[k] if before else -1)
    return change + loop_energy(instance.loops, a, b, before - inside + 1, i, j)


def play(instance, state, move):
    """Add the helix ``move``, or stop."""
    if move == len(instance.first):
        state.counts[STOPPED] = 1
        return
    word = move // 64
    bit = np.uint64(1) << np.uint64(move % 64)
    square = (state.over_round[word] & bit) != np.uint64(0)
    opening = SQUARE_OPEN if square else ROUND_OPEN
    closing = SQUARE_CLOSE if square else ROUND_CLOSE
    for k in range(instance.length[move]):
        i = instance.first[move] + k
        j = instance.last[move] - k
        state.symbols[i] = opening
        state.symbols[j] = closing
        if not square:
            state.partner[i] = j
            state.partner[j] = i
    for w in range(len(state.used)):
        state.used[w] |= instance.sharing[move, w]
        if square:
            state.over_square[w] |= instance.crossing[move, w]
        else:
            state.over_round[w] |= instance.crossing[move, w]
    state.counts[STEP] += 1


def score(instance, state):
    """Return minus the energy of the structure."""
    return -call(instance.address, state.symbols)


@kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    """A partial structure."""

    symbols: NDArray[np.uint8]  # [n], dot-bracket as ASCII
    used: NDArray[np.uint64]  # [W], the helices without room
    # [W], the helices that cross one of that layer (all, where there is no such layer)
    over_round: NDArray[np.uint64]
    over_square: NDArray[np.uint64]
    counts: NDArray[np.int64]  # [2], helices added, and whether it has stopped
    partner: NDArray[np.int64]  # [n], in the round layer, -1 for none
    around: NDArray[np.int64]  # [n], the first base of the pair around each, -1 for none
    branches: NDArray[np.int64]  # [n + 1], the pairs directly inside the pair of each, and at n outside of all
    following: NDArray[np.int64]  # [n + 1], the next paired base from each on, n for none
