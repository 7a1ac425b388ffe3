"""What a playout records: all that Adapt needs (``InSequence``), or the moves only (``InPath``)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.by_type import implements
from nrpa.engine.jit import jit
from nrpa.engine.sequence import Sequences
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_STEPS


class InSequence(NamedTuple):
    """Record all that Adapt needs in sequence ``slot``: the moves, with the codes of all legal moves."""

    sequences: Sequences
    slot: int


class InPath(NamedTuple):
    """Record the moves only.

    - ``path``, int64[rows, steps]: Where the moves go.
    - ``length``, int64[rows]: Set to the number of moves, with those before the playout.
    - ``score``, float64[rows]: Set to the score.
    - ``row``: The row of all three.
    - ``first``: The number of moves before the playout, which are in ``path`` already.
    """

    path: np.ndarray
    length: np.ndarray
    score: np.ndarray
    row: int
    first: int


def first_step(record):
    """Return the number of moves that were made before the playout."""
    raise NotImplementedError


def lacks_place(record, step, total):
    """Return a negative status where one more step, with ``total`` legal moves by then, has no room; else 0."""
    raise NotImplementedError


def records_bias(record):
    """Return whether e^β of each legal move is recorded."""
    raise NotImplementedError


def record_legal(record, place, moves, m):
    """Record the code of legal move ``m`` as number ``place`` of the playout's legal moves."""
    raise NotImplementedError


def record_bias(record, place, moves, m):
    """Record e^β of a legal move, where that is recorded; the parameters are those of ``record_legal``."""
    raise NotImplementedError


def record_move(record, step, total, chosen, move):
    """Record the chosen move and its place among the step's legal moves; with these, ``total`` legal moves were met."""
    raise NotImplementedError


def record_end(record, steps, result):
    """Record the number of moves and the score."""
    raise NotImplementedError


@jit
def record_moves(record, total, moves, count):
    """Record the legal moves of a step, for which there must be room; ``total`` were met before."""
    for m in range(np.uint64(count)):
        record_legal(record, np.uint64(total) + m, moves, m)
        record_bias(record, np.uint64(total) + m, moves, m)


@implements(first_step, InSequence, inline=True)
def _sequence_first_step(record):
    return 0


@implements(lacks_place, InSequence, inline=True)
def _sequence_lacks_place(record, step, total):
    if total > record.sequences.code.shape[1]:
        return TOO_MANY_MOVES
    return TOO_MANY_STEPS if step == record.sequences.move.shape[1] else 0


@implements(records_bias, InSequence, inline=True)
def _sequence_records_bias(record):
    return record.sequences.exp_bias.shape[1] > 0


@implements(record_legal, InSequence, inline=True)
def _sequence_record_legal(record, place, moves, m):
    record.sequences.code[record.slot, place] = moves.code[m]


@implements(record_bias, InSequence, inline=True)
def _sequence_record_bias(record, place, moves, m):
    if record.sequences.exp_bias.shape[1] > 0:
        record.sequences.exp_bias[record.slot, place] = moves.exp_bias[m]


@implements(record_move, InSequence, inline=True)
def _sequence_record_move(record, step, total, chosen, move):
    record.sequences.chosen[record.slot, step] = chosen
    record.sequences.move[record.slot, step] = move
    record.sequences.offset[record.slot, step + 1] = total


@implements(record_end, InSequence, inline=True)
def _sequence_record_end(record, steps, result):
    record.sequences.length[record.slot] = steps
    record.sequences.score[record.slot] = result


@implements(first_step, InPath, inline=True)
def _path_first_step(record):
    return record.first


@implements(lacks_place, InPath, inline=True)
def _path_lacks_place(record, step, total):
    return TOO_MANY_STEPS if step == record.path.shape[1] else 0


@implements(records_bias, InPath, inline=True)
def _path_records_bias(record):
    return False


@implements(record_legal, InPath, inline=True)
def _path_record_legal(record, place, moves, m):
    pass


@implements(record_bias, InPath, inline=True)
def _path_record_bias(record, place, moves, m):
    pass


@implements(record_move, InPath, inline=True)
def _path_record_move(record, step, total, chosen, move):
    record.path[record.row, step] = move


@implements(record_end, InPath, inline=True)
def _path_record_end(record, steps, result):
    record.length[record.row] = steps
    record.score[record.row] = result
