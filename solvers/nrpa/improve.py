"""Playouts that the problem's kernel ``improve`` changes before they count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import all_moves, improve, legal_moves, play, reset, score
from nrpa.engine.recording import InSequence, no_room, record_end, record_move, record_moves
from nrpa.engine.status import (
    EXCEPTION,
    INTERRUPTED,
    NO_SCORE,
    STOPPED,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
    UNFINISHED,
    is_score,
)
from nrpa.machine.jit import by_type, held, jit

NOT_LEGAL = 1


class ByKernel(NamedTuple):
    """Let the problem's kernel ``improve`` change a sequence."""

    changed: np.ndarray  # int64[steps]: room for the moves that the kernel changes
    kept: np.ndarray  # int64[steps]: room for the moves as they were
    cut: np.ndarray  # bool[1]: whether the search was stopped, and ``changed`` holds what the kernel had by then
    codes: int  # the number of codes if they are 0 to codes - 1, else 0
    again: bool  # whether the best sequence is improved on in place of one that is not better


@by_type()
def improve_playout(how, position, sequences, slot, best):
    """Improve the sequence in ``slot``, if ``how`` says so and its score is above that of the one in ``best``.

    If it is not above, and ``how`` says so, the one in ``best`` is improved again, and what comes out goes to ``slot``;
    the moves in ``slot`` follow it then, by which the kernel can draw other random numbers than before. Returns 0, or a
    negative status: of what the problem raised, or of room that the improved game lacks; UNFINISHED where it was
    stopped, before anything has changed in the slots.
    """
    return 0


@improve_playout.case(ByKernel)
def _improve_by_kernel(how, position, sequences, slot, best):
    is_better = sequences.score[slot] > sequences.score[best]
    if not (is_better or how.again):
        return 0
    source = slot if is_better else best
    played, steps, before = sequences.length[slot], sequences.length[source], sequences.score[source]
    for step in range(played):
        how.kept[step] = sequences.move[slot, step]
    for step in range(steps):
        how.changed[step] = sequences.move[source, step]
    most = how.changed.shape[0]
    for step in range(steps, most):
        follows = not is_better and step - steps < played
        how.changed[step] = sequences.move[slot, step - steps] if follows else -1
    status, how.cut[0] = UNFINISHED, False
    while status == UNFINISHED and not position.stop[0]:
        status = improve(position.instance, position.state, how.changed, steps)
    if status in (TOO_MANY_STEPS, EXCEPTION, INTERRUPTED):
        return status
    if position.stop[0]:
        how.cut[0] = status > 0
        return UNFINISHED
    if status == 0:
        return 0
    status = play_again(position, sequences, slot, how.changed, most)
    if status != STOPPED and (
        status == NOT_LEGAL or has_wrong_code(how, sequences, slot) or sequences.score[slot] < before
    ):
        status = play_again(position, sequences, slot, how.kept, played)
    return min(status, 0)


@jit
def play_again(position, sequences, slot, wanted, steps):
    """Play and record the first ``steps`` of ``wanted``, or up to the game's end; return 0, NOT_LEGAL or a status."""
    instance, state, moves, stop = position
    record = InSequence(sequences, slot)
    reset(instance, state)
    total = 0
    for step in range(steps):
        count = STOPPED if stop[0] else legal_moves(instance, state, moves)
        if count <= 0:
            return end_again(position, record, step, count)
        if count <= moves.move.shape[0] and index_in(moves.move, count, wanted[step]) < 0:
            count = all_moves(instance, state, moves)
            if count < 0:
                return count
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        chosen = index_in(moves.move, count, wanted[step])
        if chosen < 0:
            return NOT_LEGAL
        status = no_room(record, step, total + count)
        if status < 0:
            return status
        record_moves(record, total, moves, count)
        total += count
        record_move(record, step, total, chosen, wanted[step])
        play(instance, state, wanted[step])
    count = legal_moves(instance, state, moves)
    return NOT_LEGAL if count > 0 else end_again(position, record, steps, count)


@jit
def end_again(position, record, steps, count):
    """Record the end of a game that was played again, with ``count`` legal moves; return 0, or a negative status."""
    if count < 0:
        return count
    result = held(score(position.instance, position.state))
    record_end(record, steps, result)
    return 0 if is_score(result) else NO_SCORE


@jit
def has_wrong_code(how, sequences, slot):
    """Return whether a code of a sequence is out of range, so that Adapt would write beyond the policy."""
    if how.codes > 0:
        for k in range(sequences.offset[slot, sequences.length[slot]]):
            if not 0 <= sequences.code[slot, k] < how.codes:
                return True
    return False


@jit
def index_in(move, count, wanted):
    """Return where ``wanted`` is among the first ``count`` of ``move``; -1 where it is not."""
    for m in range(count):
        if move[m] == wanted:
            return m
    return -1
