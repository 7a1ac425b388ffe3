"""A playout that beats the best of its level may be improved by the problem itself before it counts.

Whether it is depends on the class of what the search hands over, so that a search without it has no code for it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import is_a
from nrpa.engine.jit import OPTIONS, jit
from nrpa.engine.kernels import improve, legal_moves, play, reset, score
from nrpa.engine.playout import InSequence, lacks_place, record_end, record_move, record_moves

NOT_LEGAL = 1


class AsPlayed(NamedTuple):
    """Take playouts as they are.

    Attributes
    ----------
    rooms : int
        0: it needs no room.
    """

    rooms: int


class ByKernel(NamedTuple):
    """Let the problem's kernel ``improve`` change a sequence.

    Attributes
    ----------
    changed : ndarray of int64, shape (steps,)
        Room for the moves that the kernel changes.
    kept : ndarray of int64, shape (steps,)
        Room for the moves as they were.
    """

    changed: np.ndarray
    kept: np.ndarray


def improvement(uses_kernel: bool, steps: int) -> AsPlayed | ByKernel:
    """Return what a search hands over.

    Parameters
    ----------
    uses_kernel : bool
        Whether the kernel ``improve`` is used.
    steps : int
        The most moves of a playout.

    Returns
    -------
    AsPlayed or ByKernel
        Its class says whether playouts are improved.
    """
    if not uses_kernel:
        return AsPlayed(0)
    return ByKernel(np.zeros(steps, np.int64), np.zeros(steps, np.int64))


def improve_playout(how, position, sequences, slot, best):
    """Improve a sequence if its score is above that of another one.

    Parameters
    ----------
    how : AsPlayed or ByKernel
        Whether, and with which room.
    position : Position
        Where the game is played again; its state and its moves change.
    sequences : Sequences
        The sequences.
    slot : int
        The sequence that has just been played. It stays as it is where the kernel finds nothing better, or what it
        finds is no whole game of legal moves.
    best : int
        The other one.
    """
    raise NotImplementedError


@overload(improve_playout, jit_options=OPTIONS)
def _leave(how, position, sequences, slot, best):
    if is_a(how, AsPlayed):
        return lambda how, position, sequences, slot, best: None


@overload(improve_playout, jit_options=OPTIONS)
def _improve(how, position, sequences, slot, best):
    def improve_by_kernel(how, position, sequences, slot, best):
        steps, before = sequences.length[slot], sequences.score[slot]
        if before <= sequences.score[best]:
            return
        for step in range(steps):
            how.kept[step] = how.changed[step] = sequences.move[slot, step]
        most = how.changed.shape[0]
        for step in range(steps, most):
            how.changed[step] = -1
        if improve(position.instance, position.state, how.changed, steps) == 0:
            return
        if play_again(position, sequences, slot, how.changed, most) != 0 or not sequences.score[slot] >= before:
            play_again(position, sequences, slot, how.kept, steps)

    if is_a(how, ByKernel):
        return improve_by_kernel


@jit
def play_again(position, sequences, slot, wanted, steps):
    """Play given moves, and record them as a playout does.

    Parameters
    ----------
    position : Position
        Where the game is played; its state and its moves change.
    sequences : Sequences
        The sequences.
    slot : int
        Where the game is recorded.
    wanted : ndarray of int64
        The moves. Those that are left when the game is over are of no account.
    steps : int
        Their number.

    Returns
    -------
    int
        0; NOT_LEGAL where they are no whole game of legal moves; or a negative status (``nrpa.engine.status``).
    """
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
        chosen = place_of(moves.move, count, wanted[step])
        if chosen < 0:
            return NOT_LEGAL
        status = lacks_place(record, step, total + count)
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
def place_of(move, count, wanted):
    """Return where a move is among so many; -1 where it is not."""
    for m in range(count):
        if move[m] == wanted:
            return m
    return -1
