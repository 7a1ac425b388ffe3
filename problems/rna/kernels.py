"""Inverse folding as the search plays it: a pair of bases a move, then an unpaired base a move.

The folding is ViennaRNA's: ``score`` calls back into Python with the finished sequence, ``improve`` with the moves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nrpa.engine.kernels import kernels
from nrpa.machine.callback import call
from nrpa.problems.rna.structure import BASES, CLOSING, OPENING, WIDTH

_BASE, _OPENING, _CLOSING = (np.frombuffer(letters.encode(), np.uint8) for letters in (BASES, OPENING, CLOSING))


class Instance(NamedTuple):
    """A target of n positions, decided in ``steps`` moves: its pairs from left to right, then its unpaired bases."""

    position: np.ndarray  # int64[steps], the base (the first of its pair) that a step decides
    partner: np.ndarray  # int64[steps], the other base of the pair, -1 for an unpaired base
    context: np.ndarray  # int64[steps], an earlier decided position that the bias depends on, -1 for none
    # float64[steps, 1 + 6, 6], e^β by step, context (0 for none, else 1 + what was chosen there) and move
    exp_bias: np.ndarray
    allowed: np.ndarray  # bool[steps, 6], the moves of a step that the constraints allow
    address: int  # of the callback that scores a sequence
    improver: int  # of the callback that changes moves


def reset(instance, state):
    """Decide nothing yet."""
    state.step[0] = 0


def legal_moves(instance, state, moves):
    """Write the pairs of bases, or the bases, for the next step that the constraints allow."""
    step = state.step[0]
    if step == len(instance.position):
        return 0
    near = instance.context[step]
    given = 0 if near < 0 else 1 + state.choice[near]
    count = 0
    for m in range(WIDTH):
        if instance.allowed[step, m]:
            moves.move[count] = m
            moves.code[count] = step * WIDTH + m
            moves.exp_bias[count] = instance.exp_bias[step, given, m]
            count += 1
    return count


def play(instance, state, move):
    """Write the base, or both bases of the pair."""
    step = state.step[0]
    i = instance.position[step]
    j = instance.partner[step]
    state.choice[i] = move
    if j < 0:
        state.letters[i] = _BASE[move]
    else:
        state.letters[i] = _OPENING[move]
        state.letters[j] = _CLOSING[move]
        state.choice[j] = move ^ 1
    state.step[0] = step + 1


def score(instance, state):
    """Return the fitness of the sequence."""
    return call(instance.address, state.letters)


def improve(instance, state, sequence, steps):
    """Change the moves so that their sequence folds better; return 0 if none was found, or Python code failed."""
    return int(call(instance.improver, sequence) == 1.0)


@kernels(reset, legal_moves, play, score, improve)
class State(NamedTuple):
    """A partial sequence."""

    letters: NDArray[np.uint8]  # [n], the bases as ASCII
    choice: NDArray[np.int64]  # [n], the move that decided each (pairs seen from that end)
    step: NDArray[np.int64]  # [1], moves made
