"""Playouts of a tree search: how they choose, and what they learn.

References
----------
Y. Björnsson and H. Finnsson, *CadiaPlayer: A Simulation-Based General Game Player*, 2009 (MAST).

T. Cazenave, *Playout Policy Adaptation for Games*, ACG 2015; *Playout Policy Adaptation with Move Features*, 2016.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.hash_table import ONE, find, is_free, occupy
from nrpa.engine.kernels import legal_moves, play, player, rewards
from nrpa.engine.kernels import value as value_of
from nrpa.engine.playout import ExpBias, write_exp_bias
from nrpa.engine.policy import HIGHEST, LOWEST
from nrpa.engine.random import random_index, uniform
from nrpa.engine.status import NO_PROBABILITY, NO_SUCH_PLAYER, TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.machine.jit import internal, jit
from nrpa.solvers.tree import memory as at
from nrpa.solvers.tree.selection import largest

# In the order of ``nrpa.solvers.tree.options.POLICIES``.
UNIFORM, BIASED, GREEDY, MAST, ADAPT = range(5)


class Playouts(NamedTuple):
    """How playouts choose."""

    policy: int  # what they follow
    # epsilon, tau, alpha: ε of GREEDY, the temperature of MAST, the learning rate of ADAPT
    epsilon: float
    tau: float
    alpha: float
    first_g: float  # the weight of a code that a learned policy has not met
    cut: int  # the moves after which the state is valued instead of played on
    values: bool  # whether leaves are valued
    result_share: float  # λ, the share of the playout's result in what a leaf is worth; the rest is its value
    bias: ExpBias  # β, for BIASED and GREEDY, and for priors


@internal
def number_of(codes, count, code, adds, first_g):
    """Return the number of a code; NONE if it has and gets none (``adds``, no room), or is out of range."""
    table = codes.table
    if table.word.shape[0] == 4:
        return code if np.uint64(code) < np.uint64(codes.stamp.shape[0]) else at.NONE
    slot = find(table, code)
    if not is_free(table, slot):
        return table.word[(slot << ONE) + ONE]
    if not adds:
        return at.NONE
    number = count[at.CODES]
    if number >= codes.stamp.shape[0]:
        count[at.FULL] = 1
        return at.NONE
    count[at.CODES] += 1
    occupy(table, slot, code)
    table.word[(slot << ONE) + ONE] = number
    codes.stamp[number] = 0
    codes.number[number, at.G] = first_g
    codes.number[number, at.MET] = 0.0
    codes.number[number, at.GAINED] = 0.0
    return number


@internal
def is_out_of_range(codes, code):
    """Return whether a code has no place among codes that are their own numbers; none has where none are counted."""
    known = codes.stamp.shape[0]
    return codes.table.word.shape[0] == 4 and known > 0 and np.uint64(code) >= np.uint64(known)


@jit
def play_out(position, playouts, codes, count, legal, trace, random, value, step_rows, gained, step):  # noqa: PLR0911
    """Play from the present state to the end of the game, or until the playout is cut; return its end, or a status."""
    instance, state, moves = position
    adapts, slot, players = playouts.policy == ADAPT, count[at.SLOT], gained.shape[1]
    ended = np.int64(at.NONE)
    first, total, last = step, 0, min(step + playouts.cut, step_rows.shape[1] - 1)
    while True:
        listed = legal_moves(instance, state, moves)
        if listed <= 0:
            if listed < 0:
                return listed
            rewards(instance, state, gained[at.RESULT])
            break
        if listed > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        who = np.int64(player(instance, state))
        if not 0 <= who < players:
            return NO_SUCH_PLAYER
        if playouts.values and step == first:
            value_of(instance, state, gained[at.LEAF])
        if step == last:
            if step - first < playouts.cut:
                return TOO_MANY_STEPS
            value_of(instance, state, gained[at.RESULT])
            ended = who
            break
        # Not in ``choose``: handing it so many arrays would take longer than a step of a simple game.
        if playouts.policy == UNIFORM:
            chosen = min(np.int64(uniform(random) * listed), listed - 1)
        else:
            chosen = choose(playouts, codes, count, moves, listed, value, random)
        if chosen >= 0 and is_out_of_range(codes, moves.code[chosen]):
            chosen = NO_PROBABILITY
        if chosen < 0:
            return chosen
        if adapts:
            if total + listed > legal.shape[1]:
                return TOO_MANY_MOVES
            for m in range(listed):
                legal[slot, total + m] = moves.code[m]
            total += listed
            trace[slot, at.OFFSET, step - first + 1] = total
            trace[slot, at.CHOSEN, step - first] = chosen
            trace[slot, at.WHO, step - first] = who
        step_rows[at.STEP_MOVE, step] = moves.move[chosen]
        step_rows[at.STEP_RAW, step] = moves.code[chosen]
        step_rows[at.STEP_MOVER, step] = who
        step += 1
        play(instance, state, moves.move[chosen])
    if adapts:
        trace[slot, at.CHOSEN, trace.shape[2] - 1] = step - first
    step_rows[at.STEP_MOVER, step] = ended
    weigh_leaf(gained, playouts.values and (step > first or ended != at.NONE), playouts.result_share)
    return step


@internal
def weigh_leaf(gained, valued, share):
    """Write what a leaf is worth: (1 - λ) v + λ z, of its value and the playout's result; of a final state, the result.

    Source: D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016.
    """
    for p in range(gained.shape[1]):
        if valued:
            gained[at.WORTH, p] = (1.0 - share) * gained[at.LEAF, p] + share * gained[at.RESULT, p]
        else:
            gained[at.WORTH, p] = gained[at.LEAF, p] = gained[at.RESULT, p]


@internal
def choose(playouts, codes, count, moves, listed, value, random):
    """Return the index of the next move of a playout that is not uniform, or the negative status NO_PROBABILITY."""
    policy = playouts.policy
    if policy == GREEDY and uniform(random) < playouts.epsilon:
        return min(np.int64(uniform(random) * listed), listed - 1)
    if policy <= GREEDY:
        if write_exp_bias(playouts.bias, moves, listed, value) < 0:
            return NO_PROBABILITY
        if policy == GREEDY:
            return largest(value, listed, random)
    else:
        for m in range(listed):
            if is_out_of_range(codes, moves.code[m]):
                return NO_PROBABILITY
            code = number_of(codes, count, moves.code[m], False, 0.0)
            value[m] = codes.number[code, at.G] if code >= 0 else playouts.first_g
    return random_index(value, listed, random)


@internal
def learn_means(stamp, numbers, mark, tau, low, scale, rows, reward, first, length):
    """MAST: count a playout for each of its codes, once, and make their weights e^(mean / τ) of normalised means."""
    for step in range(length - 1, first - 1, -1):
        number = rows[at.STEP_CODE, step]
        if number < 0 or stamp[number] == mark:
            continue
        stamp[number] = mark
        numbers[number, at.MET] += 1.0
        numbers[number, at.GAINED] += reward[rows[at.STEP_MOVER, step]]
        mean = (numbers[number, at.GAINED] / numbers[number, at.MET] - low) * scale
        numbers[number, at.G] = math.exp(mean / tau)


@internal
def adapt(codes, count, legal, trace, factor, alpha, winner):
    """Move the playout policy towards the moves of the winner of a playout: Adapt of NRPA for this player's steps."""
    length = trace[at.CHOSEN, trace.shape[1] - 1]
    for step in range(length):
        first, end = trace[at.OFFSET, step], trace[at.OFFSET, step + 1]
        total = 0.0
        if trace[at.WHO, step] == winner:
            for k in range(first, end):
                code = number_of(codes, count, legal[k], True, 1.0)
                factor[k] = codes.number[code, at.G] if code >= 0 else 1.0
                total += factor[k]
        for k in range(first, end):
            chosen = 1.0 if k - first == trace[at.CHOSEN, step] else 0.0
            factor[k] = math.exp(alpha * (chosen - factor[k] / total)) if total > 0.0 else 1.0
    for k in range(trace[at.OFFSET, length]):
        code = number_of(codes, count, legal[k], False, 1.0)
        if code >= 0:
            codes.number[code, at.G] = min(max(codes.number[code, at.G] * factor[k], LOWEST), HIGHEST)
