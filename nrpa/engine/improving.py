"""A playout that beats the best of its level may be improved by the problem itself before it counts.

Whether it is depends on the class of what the search hands over: ByKernel, or None in a search that has no code for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.by_type import by_type
from nrpa.engine.incumbent import is_score
from nrpa.engine.jit import jit
from nrpa.engine.kernels import improve, legal_moves, play, reset, score
from nrpa.engine.recording import InSequence, no_room, record_end, record_move, record_moves
from nrpa.engine.status import EXCEPTION

NOT_LEGAL = 1


class ByKernel(NamedTuple):
    """Let the problem's kernel ``improve`` change a sequence."""

    changed: np.ndarray  # int64[steps]: room for the moves that the kernel changes
    kept: np.ndarray  # int64[steps]: room for the moves as they were
    codes: int  # the number of codes if they are 0 to codes - 1, else 0


@by_type()
def improve_playout(how, position, sequences, slot, best):
    """Improve the sequence in ``slot``, if ``how`` says so and its score is above that of the one in ``best``.

    Returns 0, or EXCEPTION where the problem raised one.
    """
    return 0


@improve_playout.case(ByKernel)
def _improve(how, position, sequences, slot, best):
    steps, before = sequences.length[slot], sequences.score[slot]
    if before <= sequences.score[best]:
        return 0
    for step in range(steps):
        how.kept[step] = how.changed[step] = sequences.move[slot, step]
    most = how.changed.shape[0]
    for step in range(steps, most):
        how.changed[step] = -1
    status = improve(position.instance, position.state, how.changed, steps)
    if status in (0, EXCEPTION):
        return status
    failed = play_again(position, sequences, slot, how.changed, most) != 0 or has_wrong_code(how, sequences, slot)
    if failed or not (is_score(sequences.score[slot]) and sequences.score[slot] >= before):
        play_again(position, sequences, slot, how.kept, steps)
    return 0


@jit
def play_again(position, sequences, slot, wanted, steps):
    """Play and record the first ``steps`` of ``wanted``, or up to the game's end; return 0, NOT_LEGAL or a status."""
    instance, state, moves = position
    record = InSequence(sequences, slot)
    reset(instance, state)
    total = 0
    for step in range(steps):
        count = legal_moves(instance, state, moves)
        if count == 0:
            record_end(record, step, score(instance, state))
            return 0
        if count > moves.move.shape[0]:
            return NOT_LEGAL
        chosen = index_of(moves.move, count, wanted[step])
        if chosen < 0:
            return NOT_LEGAL
        status = no_room(record, step, total + count)
        if status < 0:
            return status
        record_moves(record, total, moves, count)
        total += count
        record_move(record, step, total, chosen, wanted[step])
        play(instance, state, wanted[step])
    if legal_moves(instance, state, moves) != 0:
        return NOT_LEGAL
    record_end(record, steps, score(instance, state))
    return 0


@jit
def has_wrong_code(how, sequences, slot):
    """Return whether a code of a sequence is out of range, so that Adapt would write beyond the policy."""
    if how.codes > 0:
        for k in range(sequences.offset[slot, sequences.length[slot]]):
            if not 0 <= sequences.code[slot, k] < how.codes:
                return True
    return False


@jit
def index_of(move, count, wanted):
    """Return where ``wanted`` is among the first ``count`` of ``move``; -1 where it is not."""
    for m in range(count):
        if move[m] == wanted:
            return m
    return -1
