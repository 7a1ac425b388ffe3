"""What is recorded of a playout, in which arrays; the best sequence of all, and how far a search is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_STEPS
from nrpa.machine.jit import by_type, jit


class Incumbent(NamedTuple):
    """The best sequence of all."""

    found: np.ndarray  # bool[1]: whether there is one
    move: np.ndarray  # int64[steps]: its moves
    length: np.ndarray  # int64[1]: the number of its moves
    score: np.ndarray  # float64[1]: its score, -inf where there is none


class Tally(NamedTuple):
    """How far a search is."""

    playouts: np.ndarray  # int64[1]: the playouts done
    searches: np.ndarray  # int64[1]: the top-level searches finished
    last_score: np.ndarray  # float64[1]: the score of the last playout; NaN before the first


def allocate_incumbent(steps: int) -> Incumbent:
    """Return the record of a search that has found nothing yet."""
    return Incumbent(np.zeros(1, np.bool_), np.zeros(steps, np.int64), np.zeros(1, np.int64), np.full(1, -np.inf))


def allocate_tally() -> Tally:
    """Return the tally of a search that has not begun."""
    return Tally(np.zeros(1, np.int64), np.zeros(1, np.int64), np.full(1, np.nan))


@jit
def count_playout(best, tally, move, length, score):
    """Count a playout, keep its sequence (``move``, int64) if it is the best of all, and return whether it is."""
    tally.playouts[0] += 1
    tally.last_score[0] = score
    if score <= best.score[0] and best.found[0]:
        return False
    keep_best(best, move, length, score)
    return True


@jit
def keep_best(best, move, length, score):
    """Keep a sequence (``move``, int64) as the best of all."""
    best.found[0] = True
    best.score[0] = score
    best.length[0] = length
    for i in range(length):
        best.move[i] = move[i]


class Sequences(NamedTuple):
    """One sequence a slot. Step i of slot s has the legal moves ``code[s, offset[s, i] : offset[s, i + 1]]``."""

    code: np.ndarray  # int64[slots, total]: the codes of the legal moves, step after step
    exp_bias: np.ndarray  # float64[slots, total] or [slots, 0]: their e^β; empty where the problem has none by move
    offset: np.ndarray  # int64[slots, steps + 1]: where each step begins
    chosen: np.ndarray  # int64[slots, steps]: the index of the chosen move among the legal moves of its step
    move: np.ndarray  # int64[slots, steps]: the chosen move
    length: np.ndarray  # int64[slots]: the number of steps
    score: np.ndarray  # float64[slots]


def allocate_sequences(slots: int, steps: int, total: int, exp_bias: bool) -> Sequences:
    """Return empty sequences, of score -inf."""
    return Sequences(
        code=np.zeros((slots, total), np.int64),
        exp_bias=np.zeros((slots, total if exp_bias else 0)),
        offset=np.zeros((slots, steps + 1), np.int64),
        chosen=np.zeros((slots, steps), np.int64),
        move=np.zeros((slots, steps), np.int64),
        length=np.zeros(slots, np.int64),
        score=np.full(slots, -np.inf),
    )


class InSequence(NamedTuple):
    """Record all that Adapt needs in sequence ``slot``: the moves, with the codes of all legal moves."""

    sequences: Sequences
    slot: int


class InPath(NamedTuple):
    """Record the moves only, in one row of each array."""

    path: np.ndarray  # int64[rows, steps]
    length: np.ndarray  # int64[rows]: with the moves before the playout
    score: np.ndarray  # float64[rows]
    row: int
    first: int  # the number of moves before the playout, which are in ``path`` already


@by_type(inline=True)
def first_step(record):
    """Return the number of moves that were made before the playout."""
    return 0


@first_step.case(InPath)
def _path_first_step(record):
    return record.first


@by_type(inline=True)
def no_room(record, step, total):
    """Return a negative status where one more step, with ``total`` legal moves by then, has no room; else 0."""
    if total > record.sequences.code.shape[1]:
        return TOO_MANY_MOVES
    return TOO_MANY_STEPS if step == record.sequences.move.shape[1] else 0


@no_room.case(InPath)
def _path_no_room(record, step, total):
    return TOO_MANY_STEPS if step == record.path.shape[1] else 0


@by_type(inline=True)
def records_bias(record):
    """Return whether e^β of each legal move is recorded."""
    return record.sequences.exp_bias.shape[1] > 0


@records_bias.case(InPath)
def _path_records_bias(record):
    return False


@by_type(inline=True)
def record_legal(record, number, moves, m):
    """Record the code of legal move ``m`` as that of a ``number`` among the playout's legal moves."""
    record.sequences.code[record.slot, number] = moves.code[m]


@record_legal.case(InPath)
def _path_record_legal(record, number, moves, m):
    pass


@by_type(inline=True)
def record_bias(record, number, moves, m):
    """Record e^β of a legal move, where that is recorded."""
    if record.sequences.exp_bias.shape[1] > 0:
        record.sequences.exp_bias[record.slot, number] = moves.exp_bias[m]


@record_bias.case(InPath)
def _path_record_bias(record, number, moves, m):
    pass


@by_type(inline=True)
def record_move(record, step, total, chosen, move):
    """Record the chosen move and its index among the step's legal moves; with these, ``total`` legal moves were met."""
    record.sequences.chosen[record.slot, step] = chosen
    record.sequences.move[record.slot, step] = move
    record.sequences.offset[record.slot, step + 1] = total


@record_move.case(InPath)
def _path_record_move(record, step, total, chosen, move):
    record.path[record.row, step] = move


@by_type(inline=True)
def record_end(record, steps, result):
    """Record the number of moves and the score."""
    record.sequences.length[record.slot] = steps
    record.sequences.score[record.slot] = result


@record_end.case(InPath)
def _path_record_end(record, steps, result):
    record.length[record.row] = steps
    record.score[record.row] = result


@jit
def record_moves(record, total, moves, count):
    """Record the legal moves of a step, for which there must be room; ``total`` were met before."""
    for m in range(np.uint64(count)):
        record_legal(record, np.uint64(total) + m, moves, m)
        record_bias(record, np.uint64(total) + m, moves, m)
