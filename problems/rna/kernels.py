"""Inverse folding as the search plays it: a pair of bases a move, then an unpaired base a move.

The folding is ViennaRNA's: ``score`` calls back into Python with the finished sequence, ``improve`` with the moves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call
from nrpa.machine.jit import jit
from nrpa.problems.rna.demands import STRONG
from nrpa.problems.rna.structure import BASES, CLOSING, OPENING, WIDTH

_BIT = np.zeros(128, np.uint8)
_BIT[[*BASES.encode()]] = [1 << bit for bit in range(len(BASES))]
_BASE, _OPENING, _CLOSING = (np.frombuffer(letters.encode(), np.uint8) for letters in (BASES, OPENING, CLOSING))


class Instance(NamedTuple):
    """A target of n positions, decided in ``steps`` moves: its pairs from left to right, then its unpaired bases."""

    position: np.ndarray  # int64[steps], the base (the first of its pair) that a step decides
    partner: np.ndarray  # int64[steps], the other base of the pair, -1 for an unpaired base
    context: np.ndarray  # int64[steps], an earlier decided position that the bias depends on, -1 for none
    # float64[steps, 1 + 6, 6], e^β by step, context (0 for none, else 1 + what was chosen there) and move
    exp_bias: np.ndarray
    allowed: np.ndarray  # bool[steps, 6], the moves of a step that the constraints allow
    strong: np.ndarray  # int64[steps + 1, 2], the fewest and the most G and C of each step and those after it
    few_to_many: np.ndarray  # int64[2], the fewest and the most G and C that are wanted
    motifs: np.ndarray  # uint8[motifs, longest], those that must not occur: bits of their bases
    sizes: np.ndarray  # int64[motifs], their lengths
    address: int  # of the callback that scores a sequence
    improver: int  # of the callback that changes moves


def reset(instance, state):
    """Decide nothing yet."""
    state.step[0] = 0
    state.strong[0] = 0
    state.letters[:] = 0


def legal_moves(instance, state, moves):
    """Write what breaks no demand; where there is nothing, all that the constraints allow."""
    count = write_moves(instance, state, moves, True)
    return count if count > 0 else write_moves(instance, state, moves, False)


def all_moves(instance, state, moves):
    """Write the pairs of bases, or the bases, for the next step that the constraints allow."""
    return write_moves(instance, state, moves, False)


@jit
def write_moves(instance, state, moves, keeping):
    """Write what the constraints allow, and if ``keeping`` only what breaks no demand; return the number."""
    step = state.step[0]
    if step == len(instance.position):
        return 0
    near = instance.context[step]
    given = 0 if near < 0 else 1 + state.choice[near]
    count = 0
    for m in range(WIDTH):
        if instance.allowed[step, m] and not (keeping and breaks(instance, state, step, m)):
            moves.move[count] = m
            moves.code[count] = step * WIDTH + m
            moves.exp_bias[count] = instance.exp_bias[step, given, m]
            count += 1
    return count


@jit
def breaks(instance, state, step, move):
    """Return whether a move leaves too few or too many G and C, or completes a motif."""
    i = instance.position[step]
    j = instance.partner[step]
    strong = state.strong[0] + STRONG[int(j >= 0), move]
    fewest, most = instance.few_to_many
    if strong + instance.strong[step + 1, 0] > most or strong + instance.strong[step + 1, 1] < fewest:
        return True
    if len(instance.motifs) == 0:
        return False
    write_bases(state, i, j, move)
    found = completes(instance, state, i) or (j >= 0 and completes(instance, state, j))
    state.letters[i] = state.letters[j if j >= 0 else i] = 0
    return found


@jit
def completes(instance, state, i):
    """Return whether the base at ``i`` belongs to a motif of which every base is decided."""
    for k, size in enumerate(instance.sizes):
        for first in range(max(i - size + 1, 0), min(i, len(state.letters) - size) + 1):
            found = 0
            while found < size and _BIT[state.letters[first + found]] & instance.motifs[k, found]:
                found += 1
            if found == size:
                return True
    return False


@jit
def write_bases(state, i, j, move):
    """Write the base, or both bases of the pair."""
    if j < 0:
        state.letters[i] = _BASE[move]
    else:
        state.letters[i] = _OPENING[move]
        state.letters[j] = _CLOSING[move]


def play(instance, state, move):
    """Decide a base, or both bases of a pair."""
    step = state.step[0]
    i = instance.position[step]
    j = instance.partner[step]
    write_bases(state, i, j, move)
    state.choice[i] = move
    if j >= 0:
        state.choice[j] = move ^ 1
    state.strong[0] += STRONG[int(j >= 0), move]
    state.step[0] = step + 1


def score(instance, state):
    """Return the fitness of the sequence."""
    return call(instance.address, state.letters)


def improve(instance, state, sequence, steps):
    """Change the moves so that their sequence folds better; return 0 if none was found, or Python code failed."""
    return int(call(instance.improver, sequence) == 1.0)


@kernels(reset, legal_moves, all_moves, play, score, improve)
class State(NamedTuple):
    """A partial sequence."""

    letters: NDArray[np.uint8]  # [n], the bases as ASCII, 0 before they are decided
    choice: NDArray[np.int64]  # [n], the move that decided each (pairs seen from that end)
    step: NDArray[np.int64]  # [1], moves made
    strong: NDArray[np.int64]  # [1], the number of G and C
