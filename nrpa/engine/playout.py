"""The playout: from a given state to the end, one move after the other.

What chooses the moves and what is recorded of them are NamedTuples; their classes decide which functions are meant.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import is_a
from nrpa.engine.jit import OPTIONS, jit
from nrpa.engine.kernels import Moves, legal_moves, play, score
from nrpa.engine.policy import weight
from nrpa.engine.random import uniform
from nrpa.engine.sequence import Sequences
from nrpa.engine.status import NO_PROBABILITY, SCORE_IS_NAN, TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS

INLINED = {**OPTIONS, "forceinline": True}

UNIFORM, BIASED, GREEDY = 0, 1, 2


class Position(NamedTuple):
    """Where a game stands: the instance, the state, and room for the legal moves."""

    instance: NamedTuple
    state: NamedTuple
    moves: Moves


class ByPolicy(NamedTuple):
    """Moves are drawn with probability g(code) e^β / Σ (Algorithms 1 and 4 of the GNRPA paper).

    policy, row: where g is. use_bias: whether β comes with the moves.
    """

    policy: NamedTuple
    row: int
    use_bias: bool


class ByRule(NamedTuple):
    """Moves are drawn without a policy.

    rule: UNIFORM, BIASED (in proportion to e^β) or GREEDY (the largest β, ties at random).
    use_bias: whether β comes with the moves. exp_bias: e^β by code, float64[codes] or [0].
    """

    rule: int
    use_bias: bool
    exp_bias: np.ndarray


class InSequence(NamedTuple):
    """All that Adapt needs is recorded: a sequence with its codes goes into ``slot`` of ``sequences``."""

    sequences: Sequences
    slot: int


class InPath(NamedTuple):
    """The moves are recorded: in row ``row`` of ``path`` (int64[rows, steps]), from step ``first`` on.

    length: int64[rows], set to the number of moves with those before. score: float64[rows], set to the score.
    """

    path: np.ndarray
    length: np.ndarray
    score: np.ndarray
    row: int
    first: int


@jit
def playout(position, choice, record, random, weights):
    """Play the state of ``position`` to its end.

    choice: ByPolicy or ByRule. record: InSequence or InPath. random: uint64[2]. weights: a work area,
    float64[max_moves].
    Returns 0, or a negative status (``nrpa.engine.status``); the random numbers are then as they were.
    """
    before = random[0], random[1]
    status = try_playout(position, choice, record, random, weights)
    if status < 0:
        random[0], random[1] = before
    return status


@jit
def try_playout(position, choice, record, random, weights):
    """Do what ``playout`` does, except for the random numbers of one that fails."""
    instance, state, moves = position
    step = first_step(record)
    total = 0
    while True:
        count = legal_moves(instance, state, moves)
        if count <= 0:
            if count < 0:
                return count
            break
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        status = record_moves(record, step, total, moves, count)
        if status < 0:
            return status
        chosen = choose(choice, moves, count, random, weights)
        if chosen < 0:
            return chosen
        move = moves.move[chosen]
        total += count
        record_move(record, step, total, chosen, move)
        step += 1
        play(instance, state, move)
    result = score(instance, state)
    if result != result:
        return SCORE_IS_NAN
    record_end(record, step, result)
    return 0


def choose(choice, moves, count, random, weights):
    """Return the index of one of the first ``count`` of ``moves``, or a negative status."""
    raise NotImplementedError


def first_step(record):
    """Return the number of moves that were made before the playout."""
    raise NotImplementedError


def record_moves(record, step, total, moves, count):
    """Record the legal moves of a step, ``total`` having been met before; return 0 or a negative status."""
    raise NotImplementedError


def record_move(record, step, total, chosen, move):
    """Record the move that was chosen; ``total`` legal moves have been met so far."""
    raise NotImplementedError


def record_end(record, steps, result):
    """Record the number of steps and the score."""
    raise NotImplementedError


@overload(choose, jit_options=INLINED)
def _choose_by_policy(choice, moves, count, random, weights):
    def choose(choice, moves, count, random, weights):
        for m in range(np.uint64(count)):
            weights[m] = weight(choice.policy, choice.row, moves.code[m])
        if choice.use_bias:
            for m in range(np.uint64(count)):
                weights[m] *= moves.exp_bias[m]
        return draw(weights, count, random)

    if is_a(choice, ByPolicy):
        return choose


@overload(choose, jit_options=INLINED)
def _choose_by_rule(choice, moves, count, random, weights):
    def choose(choice, moves, count, random, weights):
        if choice.rule == UNIFORM:
            return min(np.int64(uniform(random) * count), count - 1)
        for m in range(count):
            weights[m] = choice.exp_bias[moves.code[m]] if len(choice.exp_bias) > 0 else 1.0
        if choice.use_bias:
            for m in range(count):
                weights[m] *= moves.exp_bias[m]
        if choice.rule == GREEDY:
            largest = 0.0
            for m in range(count):
                largest = max(largest, weights[m])
            for m in range(count):
                weights[m] = 1.0 if weights[m] == largest else 0.0
        return draw(weights, count, random)

    if is_a(choice, ByRule):
        return choose


@overload(first_step, jit_options=INLINED)
def _first_step(record):
    if is_a(record, InSequence):
        return lambda record: 0
    if is_a(record, InPath):
        return lambda record: record.first


@overload(record_moves, jit_options=INLINED)
def _record_moves_in_sequence(record, step, total, moves, count):
    def record_moves(record, step, total, moves, count):
        sequences = record.sequences
        slot = record.slot
        if total + count > sequences.code.shape[1]:
            return TOO_MANY_MOVES
        if step == sequences.move.shape[1]:
            return TOO_MANY_STEPS
        for m in range(np.uint64(count)):
            sequences.code[slot, np.uint64(total) + m] = moves.code[m]
        if sequences.exp_bias.shape[1] > 0:
            for m in range(np.uint64(count)):
                sequences.exp_bias[slot, np.uint64(total) + m] = moves.exp_bias[m]
        return 0

    if is_a(record, InSequence):
        return record_moves


@overload(record_moves, jit_options=INLINED)
def _record_moves_in_path(record, step, total, moves, count):
    if is_a(record, InPath):
        return lambda record, step, total, moves, count: TOO_MANY_STEPS if step == record.path.shape[1] else 0


@overload(record_move, jit_options=INLINED)
def _record_move_in_sequence(record, step, total, chosen, move):
    def record_move(record, step, total, chosen, move):
        record.sequences.chosen[record.slot, step] = chosen
        record.sequences.move[record.slot, step] = move
        record.sequences.offset[record.slot, step + 1] = total

    if is_a(record, InSequence):
        return record_move


@overload(record_move, jit_options=INLINED)
def _record_move_in_path(record, step, total, chosen, move):
    def record_move(record, step, total, chosen, move):
        record.path[record.row, step] = move

    if is_a(record, InPath):
        return record_move


@overload(record_end, jit_options=INLINED)
def _record_end_in_sequence(record, steps, result):
    def record_end(record, steps, result):
        record.sequences.length[record.slot] = steps
        record.sequences.score[record.slot] = result

    if is_a(record, InSequence):
        return record_end


@overload(record_end, jit_options=INLINED)
def _record_end_in_path(record, steps, result):
    def record_end(record, steps, result):
        record.length[record.row] = steps
        record.score[record.row] = result

    if is_a(record, InPath):
        return record_end


@jit
def draw(weights, count, random):
    """Return m with probability proportional to ``weights[m]``, m < ``count``; ``weights`` is overwritten.

    Returns NO_PROBABILITY where the sum of the weights is 0, infinite or NaN.
    """
    total = cumulate(weights, np.uint64(count))
    if not 0.0 < total < np.inf:
        return NO_PROBABILITY
    threshold = uniform(random) * total
    chosen = 0
    for m in range(np.uint64(count - 1)):
        chosen += weights[m] <= threshold
    return chosen


@jit
def cumulate(x, count):
    """Replace ``x[:count]`` by its running sums and return the total.

    Four at a time, so that one addition in four has to wait for the one before.
    """
    total = 0.0
    m = np.uint64(0)
    while m + np.uint64(3) < count:
        two = x[m] + x[m + np.uint64(1)]
        three = two + x[m + np.uint64(2)]
        four = two + (x[m + np.uint64(2)] + x[m + np.uint64(3)])
        x[m] = total + x[m]
        x[m + np.uint64(1)] = total + two
        x[m + np.uint64(2)] = total + three
        total += four
        x[m + np.uint64(3)] = total
        m += np.uint64(4)
    while m < count:
        total += x[m]
        x[m] = total
        m += np.uint64(1)
    return total
