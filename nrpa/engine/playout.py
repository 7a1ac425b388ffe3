"""The playout: from a given state to the end of the game, one move after the other.

What chooses the moves (``ByPolicy``, ``ByRule``) and what is recorded of them (``InSequence``, ``InPath``) are
NamedTuples; their classes decide at compile time which functions are called.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import Moves, legal_moves, play_and_list, score, value
from nrpa.engine.policy import has_slow_weights, weight
from nrpa.engine.random import FOUR, ONE, THREE, TWO, ZERO, cumulate_four, index_from_sums, random_index, uniform
from nrpa.engine.recording import (
    first_step,
    no_room,
    record_bias,
    record_end,
    record_legal,
    record_move,
    record_moves,
    records_bias,
)
from nrpa.engine.status import (
    CUT,
    NO_PROBABILITY,
    NO_SCORE,
    STOPPED,
    TOO_MANY_MOVES_AT_ONCE,
    is_score,
)
from nrpa.machine.jit import by_type, held, inlined, jit

UNIFORM, BIASED, GREEDY = 0, 1, 2


class Position(NamedTuple):
    """Where a game stands, with room for its legal moves."""

    instance: NamedTuple
    state: NamedTuple
    moves: Moves
    stop: np.ndarray  # bool[1]: set from outside where a game shall be given up; then a playout returns STOPPED


def unset() -> np.ndarray:
    """Return a ``Position.stop`` that is not set."""
    return np.zeros(1, np.bool_)


class ByPolicy(NamedTuple):
    """Draw each move with a probability proportional to g(code) e^β, where g = e^(w/τ).

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 1 (without β) and 4.
    """

    policy: NamedTuple  # holds g, which includes β where that depends on the code alone
    row: int  # the row of the policy
    by_move: bool  # whether β comes with the moves; else e^β is 1 here


class ExpBias(NamedTuple):
    """The bias β of moves, where no policy includes it."""

    by_move: bool  # whether β comes with the moves
    by_code: np.ndarray  # float64[codes] or [0]: e^β of each code; empty where β does not depend on the code alone


class ByRule(NamedTuple):
    """Draw each move without a policy."""

    rule: int  # UNIFORM; BIASED, in proportion to e^β; or GREEDY, a move of the largest β, ties broken at random
    bias: ExpBias  # β


class Cut(NamedTuple):
    """Choose by a rule, and end playouts early: after so many ``moves`` the state is valued."""

    rule: ByRule
    moves: int
    found: np.ndarray  # bool[1]: whether a whole game has been found; until then no playout is cut


@by_type(index=1)
def playout(position, choice, record, random, weights):
    """Play a game from its present state to its end; return 0, CUT, or a negative status (``nrpa.engine.status``).

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 1 and 4.
    """
    before = random[0], random[1]
    status = try_playout(position, choice, record, random, weights)
    if status < 0:
        random[0], random[1] = before
    return status


@inlined
def try_playout(position, choice, record, random, weights):
    """Do what ``playout`` does, but use up random numbers also in a playout that fails."""
    instance, state, moves, stop = position
    step = first = first_step(record)
    status = 0
    total = 0  # of the legal moves met so far
    count = STOPPED if stop[0] else legal_moves(instance, state, moves)
    while True:
        if count < 0:
            return count
        if count == 0:
            result = held(score(instance, state))
            break
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        status = no_room(record, step, total + count)
        if status < 0:
            return status
        if is_cut(choice, instance, state, step - first, weights):
            result, status = weights[0], CUT
            break
        chosen = chosen_by(choice, record, total, moves, count, random, weights)
        if chosen < 0:
            return chosen
        move = moves.move[chosen]
        total += count
        record_move(record, step, total, chosen, move)
        step += 1
        count = STOPPED if stop[0] else play_and_list(instance, state, move, moves)
    if not is_score(result):
        return NO_SCORE
    record_end(record, step, result)
    return status


@by_type(inline=True)
def is_cut(choice, instance, state, made, weights):
    """Return whether a playout ends early, after ``made`` moves; ``weights[0]`` is then the value of the state."""
    return False


@is_cut.case(Cut)
def _cut_is_cut(choice, instance, state, made, weights):
    if made < choice.moves or not choice.found[0]:
        return False
    value(instance, state, weights[:1])
    return True


@by_type(inline=True)
def chosen_by(choice, record, total, moves, count, random, weights):
    """Record the legal moves of a step in one pass, and return the index of one drawn by the policy, or a status.

    The step has ``count`` >= 1 legal moves, before which ``total`` were met.
    """
    first = np.uint64(total)
    end = np.uint64(count)
    if choice.by_move or records_bias(record):
        sum_of_all = sum_weights(weigh_with_bias, choice, record, first, moves, end, weights)
    else:
        sum_of_all = sum_weights(weigh, choice, record, first, moves, end, weights)
    return index_from_sums(weights, count, sum_of_all, random)


@chosen_by.case(ByRule)
def _choose_by_rule(choice, record, total, moves, count, random, weights):
    record_moves(record, total, moves, count)
    if choice.rule == UNIFORM:
        return min(np.int64(uniform(random) * count), count - 1)
    if write_exp_bias(choice.bias, moves, count, weights) < 0:
        return NO_PROBABILITY
    if choice.rule == GREEDY:
        largest = 0.0
        for m in range(count):
            largest = max(largest, weights[m])
        for m in range(count):
            weights[m] = 1.0 if weights[m] == largest else 0.0
    return random_index(weights, count, random)


@chosen_by.case(Cut)
def _choose_until_cut(choice, record, total, moves, count, random, weights):
    return chosen_by(choice.rule, record, total, moves, count, random, weights)


@jit
def write_exp_bias(bias, moves, count, weights):
    """Write e^β of the ``count`` legal moves; return 0, or NO_PROBABILITY for a code that is out of range."""
    known = np.uint64(len(bias.by_code))
    for m in range(count):
        weights[m] = 1.0
        if known > 0:
            code = np.uint64(moves.code[m])
            if code >= known:
                return NO_PROBABILITY
            weights[m] = bias.by_code[code]
    if bias.by_move:
        for m in range(count):
            weights[m] *= moves.exp_bias[m]
    return 0


@jit
def weigh(choice, record, number, moves, m):
    """Record a legal move and return its weight under the policy, g."""
    record_legal(record, number + m, moves, m)
    return weight(choice.policy, choice.row, moves.code[m])


@jit
def weigh_with_bias(choice, record, number, moves, m):
    """Record a legal move with its bias and return its weight under the policy, g e^β."""
    g = weigh(choice, record, number, moves, m)
    record_bias(record, number + m, moves, m)
    return g * moves.exp_bias[m] if choice.by_move else g


@jit
def sum_weights(weigh, choice, record, number, moves, end, weights):
    """Record the legal moves of a step, write the running sums of their weights, and return the sum of all.

    Four moves at a time, and the one to three at the end together: the processor cannot predict a branch on their
    number. In place of a missing move the last one is taken again, with weight 0. Where codes are hashes, they are
    taken one by one, as another look-up would cost more than the branch.
    """
    sum_of_all = 0.0
    m = ZERO
    while m + THREE < end:
        first = weigh(choice, record, number, moves, m)
        second = weigh(choice, record, number, moves, m + ONE)
        third = weigh(choice, record, number, moves, m + TWO)
        fourth = weigh(choice, record, number, moves, m + THREE)
        sum_of_all = cumulate_four(weights, m, sum_of_all, first, second, third, fourth)
        m += FOUR
    while has_slow_weights(choice.policy) and m < end:
        sum_of_all += weigh(choice, record, number, moves, m)
        weights[m] = sum_of_all
        m += ONE
    if m < end:
        last = end - ONE
        next_but_one = min(m + TWO, last)
        next_one = min(m + ONE, last)
        sum_of_all += weigh(choice, record, number, moves, m)
        second = weigh(choice, record, number, moves, next_one)
        third = weigh(choice, record, number, moves, next_but_one)
        weights[m] = sum_of_all
        sum_of_all += second if m < last else 0.0
        weights[next_one] = sum_of_all
        sum_of_all += third if m + ONE < last else 0.0
        weights[next_but_one] = sum_of_all
    return sum_of_all
