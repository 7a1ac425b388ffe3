"""The playout: from a given state to the end of the game, one move after the other.

What chooses the moves and what is recorded of them are NamedTuples; their classes decide which functions are called.

References
----------
T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 1 (playout) and 4 (generalized playout).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.engine.by_type import is_a
from nrpa.engine.intrinsics import as_int64
from nrpa.engine.jit import OPTIONS, inlined, jit
from nrpa.engine.kernels import Moves, legal_moves, play, score
from nrpa.engine.policy import has_slow_weights, weight
from nrpa.engine.random import uniform
from nrpa.engine.sequence import Sequences
from nrpa.engine.status import NO_PROBABILITY, SCORE_IS_NAN, TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS

INLINED = {**OPTIONS, "forceinline": True}

UNIFORM, BIASED, GREEDY = 0, 1, 2
# The bits of an infinite float64.
INFINITY = np.uint64(0x7FF0000000000000)
ZERO, ONE, TWO, THREE, FOUR = (np.uint64(number) for number in range(5))


class Position(NamedTuple):
    """Where a game stands.

    Attributes
    ----------
    instance : NamedTuple of arrays and numbers
        The instance.
    state : NamedTuple of arrays
        The state.
    moves : Moves
        Room for the legal moves of a state.
    """

    instance: NamedTuple
    state: NamedTuple
    moves: Moves


class ByPolicy(NamedTuple):
    """Draw each move with a probability proportional to g(code) e^β.

    Attributes
    ----------
    policy : DensePolicy or HashedPolicy
        The policy, which holds g = e^(w/τ), with β of the code if the problem has such.
    row : int
        The row of the policy.
    use_bias : bool
        Whether β comes with the moves; else e^β is 1 here.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 1 (without β) and 4.
    """

    policy: NamedTuple
    row: int
    use_bias: bool


class ByRule(NamedTuple):
    """Draw each move without a policy.

    Attributes
    ----------
    rule : {UNIFORM, BIASED, GREEDY}
        Uniform; in proportion to e^β; or a move of the largest β, drawn at random where several have it.
    use_bias : bool
        Whether β comes with the moves.
    exp_bias : ndarray of float64, shape (codes,) or (0,)
        e^β of each code; empty where β does not depend on the code alone.
    """

    rule: int
    use_bias: bool
    exp_bias: np.ndarray


class InSequence(NamedTuple):
    """Record all that Adapt needs: the moves with the codes of all legal moves.

    Attributes
    ----------
    sequences : Sequences
        Where the record goes.
    slot : int
        Which of the sequences it is.
    """

    sequences: Sequences
    slot: int


class InPath(NamedTuple):
    """Record the moves only.

    Attributes
    ----------
    path : ndarray of int64, shape (rows, steps)
        Where the moves go.
    length : ndarray of int64, shape (rows,)
        Set to the number of moves, with those before the playout.
    score : ndarray of float64, shape (rows,)
        Set to the score.
    row : int
        The row of all three.
    first : int
        The number of moves before the playout, which are in ``path`` already.
    """

    path: np.ndarray
    length: np.ndarray
    score: np.ndarray
    row: int
    first: int


@jit
def playout(position, choice, record, random, weights):
    """Play a game from its present state to its end.

    Parameters
    ----------
    position : Position
        Where the game stands; its state and its moves change.
    choice : ByPolicy or ByRule
        What chooses the moves.
    record : InSequence or InPath
        What is recorded, and where.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator; it changes, unless the playout fails.
    weights : ndarray of float64, shape (max_moves,)
        A work area.

    Returns
    -------
    int
        0, or a negative status (``nrpa.engine.status``) if the playout failed.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 1 and 4.
    """
    before = random[0], random[1]
    status = try_playout(position, choice, record, random, weights)
    if status < 0:
        random[0], random[1] = before
    return status


@inlined
def try_playout(position, choice, record, random, weights):
    """Do what ``playout`` does, but use up random numbers also in a playout that fails.

    Parameters
    ----------
    position, choice, record, random, weights
        As in ``playout``.

    Returns
    -------
    int
        As ``playout``.
    """
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
        status = lacks_place(record, step, total + count)
        if status < 0:
            return status
        chosen = choose(choice, record, total, moves, count, random, weights)
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


def choose(choice, record, total, moves, count, random, weights):
    """Record the legal moves of a step, and choose one of them: one pass over them does both.

    Parameters
    ----------
    choice : ByPolicy or ByRule
        How to choose.
    record : InSequence or InPath
        Where to record.
    total : int
        The number of legal moves met in the steps before.
    moves : Moves
        The legal moves.
    count : int
        Their number, at least 1.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator; it changes.
    weights : ndarray of float64, shape (max_moves,)
        A work area.

    Returns
    -------
    int
        The index of the move in ``moves``, from 0, or a negative status (``nrpa.engine.status``).
    """
    raise NotImplementedError


def first_step(record):
    """Return the number of moves that were made before the playout."""
    raise NotImplementedError


def lacks_place(record, step, total):
    """Return whether there is no room for one more step.

    Parameters
    ----------
    record : InSequence or InPath
        Where to record.
    step : int
        The number of the step, from 0.
    total : int
        The number of legal moves met so far, those of the step included.

    Returns
    -------
    int
        0, or a negative status (``nrpa.engine.status``) where there is no room.
    """
    raise NotImplementedError


def records_bias(record):
    """Return whether e^β of each legal move is recorded."""
    raise NotImplementedError


def record_bias(record, place, moves, m):
    """Record e^β of a legal move, where that is recorded; the parameters are those of ``record_legal``."""
    raise NotImplementedError


def record_legal(record, place, moves, m):
    """Record the code of a legal move.

    Parameters
    ----------
    record : InSequence or InPath
        Where to record.
    place : uint64
        The number of legal moves recorded before.
    moves : Moves
        The legal moves of the step.
    m : uint64
        Which of them it is.
    """
    raise NotImplementedError


@jit
def record_moves(record, total, moves, count):
    """Record the legal moves of a step, for which there must be room.

    Parameters
    ----------
    record : InSequence or InPath
        Where to record.
    total : int
        The number of legal moves met in the steps before.
    moves : Moves
        The legal moves.
    count : int
        Their number.
    """
    for m in range(np.uint64(count)):
        record_legal(record, np.uint64(total) + m, moves, m)
        record_bias(record, np.uint64(total) + m, moves, m)


def record_move(record, step, total, chosen, move):
    """Record the move that was chosen.

    Parameters
    ----------
    record : InSequence or InPath
        Where to record.
    step : int
        The number of the step, from 0.
    total : int
        The number of legal moves met so far, those of this step included.
    chosen : int
        The position of the move among the legal moves of its step.
    move : int
        The move.
    """
    raise NotImplementedError


def record_end(record, steps, result):
    """Record the end of the playout.

    Parameters
    ----------
    record : InSequence or InPath
        Where to record.
    steps : int
        The number of moves.
    result : float
        The score.
    """
    raise NotImplementedError


@overload(choose, jit_options=INLINED)
def _choose_by_policy(choice, record, total, moves, count, random, weights):
    def choose(choice, record, total, moves, count, random, weights):
        place = np.uint64(total)
        end = np.uint64(count)
        if choice.use_bias or records_bias(record):
            sum_of_all = sum_weights(weigh_with_bias, choice, record, place, moves, end, weights)
        else:
            sum_of_all = sum_weights(weigh, choice, record, place, moves, end, weights)
        return draw_from_sums(weights, count, sum_of_all, random)

    if is_a(choice, ByPolicy):
        return choose


@overload(choose, jit_options=INLINED)
def _choose_by_rule(choice, record, total, moves, count, random, weights):
    def choose(choice, record, total, moves, count, random, weights):
        record_moves(record, total, moves, count)
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


@jit
def sum_weights(weigh, choice, record, place, moves, end, weights):
    """Record the legal moves of a step, write the running sums of their weights, and return the sum of all.

    Four moves at a time. The one to three at the end are done together, without a branch that their number decides and
    the processor cannot predict: those that are not there are the last one over again, with weight 0. Where codes are
    hashes, to look them up again costs more than the branch.
    """
    sum_of_all = 0.0
    m = ZERO
    while m + THREE < end:
        first = weigh(choice, record, place, moves, m)
        second = weigh(choice, record, place, moves, m + ONE)
        third = weigh(choice, record, place, moves, m + TWO)
        fourth = weigh(choice, record, place, moves, m + THREE)
        sum_of_all = cumulate_four(weights, m, sum_of_all, first, second, third, fourth)
        m += FOUR
    while has_slow_weights(choice.policy) and m < end:
        sum_of_all += weigh(choice, record, place, moves, m)
        weights[m] = sum_of_all
        m += ONE
    if m < end:
        last = end - ONE
        next_but_one = min(m + TWO, last)
        next_one = min(m + ONE, last)
        sum_of_all += weigh(choice, record, place, moves, m)
        second = weigh(choice, record, place, moves, next_one)
        third = weigh(choice, record, place, moves, next_but_one)
        weights[m] = sum_of_all
        sum_of_all += second if m < last else 0.0
        weights[next_one] = sum_of_all
        sum_of_all += third if m + ONE < last else 0.0
        weights[next_but_one] = sum_of_all
    return sum_of_all


@jit
def weigh(choice, record, place, moves, m):
    """Record a legal move and return its weight under the policy, g."""
    record_legal(record, place + m, moves, m)
    return weight(choice.policy, choice.row, moves.code[m])


@jit
def weigh_with_bias(choice, record, place, moves, m):
    """Record a legal move with its bias and return its weight under the policy, g e^β."""
    g = weigh(choice, record, place, moves, m)
    record_bias(record, place + m, moves, m)
    return g * moves.exp_bias[m] if choice.use_bias else g


@overload(first_step, jit_options=INLINED)
def _first_step(record):
    if is_a(record, InSequence):
        return lambda record: 0
    if is_a(record, InPath):
        return lambda record: record.first


@overload(lacks_place, jit_options=INLINED)
def _sequence_lacks_place(record, step, total):
    def lacks_place(record, step, total):
        if total > record.sequences.code.shape[1]:
            return TOO_MANY_MOVES
        return TOO_MANY_STEPS if step == record.sequences.move.shape[1] else 0

    if is_a(record, InSequence):
        return lacks_place


@overload(lacks_place, jit_options=INLINED)
def _path_lacks_place(record, step, total):
    if is_a(record, InPath):
        return lambda record, step, total: TOO_MANY_STEPS if step == record.path.shape[1] else 0


@overload(records_bias, jit_options=INLINED)
def _records_bias(record):
    if is_a(record, InSequence):
        return lambda record: record.sequences.exp_bias.shape[1] > 0
    if is_a(record, InPath):
        return lambda record: False


@overload(record_legal, jit_options=INLINED)
def _record_legal_in_sequence(record, place, moves, m):
    def record_legal(record, place, moves, m):
        record.sequences.code[record.slot, place] = moves.code[m]

    if is_a(record, InSequence):
        return record_legal


@overload(record_legal, jit_options=INLINED)
def _record_legal_in_path(record, place, moves, m):
    if is_a(record, InPath):
        return lambda record, place, moves, m: None


@overload(record_bias, jit_options=INLINED)
def _record_bias_in_sequence(record, place, moves, m):
    def record_bias(record, place, moves, m):
        if record.sequences.exp_bias.shape[1] > 0:
            record.sequences.exp_bias[record.slot, place] = moves.exp_bias[m]

    if is_a(record, InSequence):
        return record_bias


@overload(record_bias, jit_options=INLINED)
def _record_bias_in_path(record, place, moves, m):
    if is_a(record, InPath):
        return lambda record, place, moves, m: None


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
    """Return a random index, with probabilities in proportion to weights.

    Parameters
    ----------
    weights : ndarray of float64
        The weights, 0 or more; overwritten.
    count : int
        How many there are, at least 1.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator; it changes.

    Returns
    -------
    int
        The index, 0 to ``count`` - 1, or NO_PROBABILITY where the sum of the weights is 0, infinite or NaN.
    """
    return draw_from_sums(weights, count, cumulate(weights, np.uint64(count)), random)


@jit
def draw_from_sums(sums, count, total, random):
    """Return a random index, with probabilities in proportion to weights whose running sums are given.

    Parameters
    ----------
    sums : ndarray of float64
        The running sums of the weights.
    count : int
        How many there are, at least 1.
    total : float64
        The sum of all.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator; it changes.

    Returns
    -------
    int
        As ``draw``.

    Notes
    -----
    The running sums grow, so that the moves passed over can be counted within four moves, without a branch. A float64
    is positive and finite where its bits, as a whole number, lie between those of 0 and of infinity.
    """
    if np.uint64(as_int64(total)) - ONE >= INFINITY - ONE:
        return NO_PROBABILITY
    threshold = uniform(random) * total
    last = np.uint64(count - 1)
    first = ZERO
    while first + THREE < last and sums[first + THREE] <= threshold:
        first += FOUR
    second = min(first + ONE, last)
    third = min(first + TWO, last)
    chosen = first + np.uint64((first < last) & (sums[first] <= threshold))
    chosen += np.uint64((second < last) & (sums[second] <= threshold))
    chosen += np.uint64((third < last) & (sums[third] <= threshold))
    return np.int64(chosen)


@jit
def cumulate(x, count):
    """Replace numbers by their running sums.

    Parameters
    ----------
    x : ndarray of float64
        The numbers; overwritten by the sums.
    count : uint64
        How many there are.

    Returns
    -------
    float64
        The sum of all.

    Notes
    -----
    Four numbers are added at a time, so that only one addition in four has to wait for the one before.
    """
    total = 0.0
    m = ZERO
    while m + THREE < count:
        total = cumulate_four(x, m, total, x[m], x[m + ONE], x[m + TWO], x[m + THREE])
        m += FOUR
    while m < count:
        total += x[m]
        x[m] = total
        m += ONE
    return total


@inlined
def cumulate_four(sums, m, total, first, second, third, fourth):
    """Write the running sums of four more numbers, from entry ``m`` on; return the sum of all."""
    two = first + second
    sums[m] = total + first
    sums[m + ONE] = total + two
    sums[m + TWO] = total + (two + third)
    sums[m + THREE] = total + (two + (third + fourth))
    return sums[m + THREE]
