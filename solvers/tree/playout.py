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
from nrpa.engine.kernels import legal_moves, play_and_list, player, rewards
from nrpa.engine.kernels import value as value_of
from nrpa.engine.playout import ExpBias, write_exp_bias
from nrpa.engine.policy import HIGHEST, LOWEST
from nrpa.engine.random import random_index, uniform
from nrpa.engine.status import (
    NO_PROBABILITY,
    NO_SUCH_PLAYER,
    STOPPED,
    TOO_MANY_MOVES,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
)
from nrpa.machine.jit import jit
from nrpa.python.whole_games import InOneCall, play_evenly
from nrpa.solvers.tree.memory import NONE
from nrpa.solvers.tree.selection import largest

# In the order of ``nrpa.solvers.tree.options.POLICIES``.
UNIFORM, BIASED, GREEDY, MAST, ADAPT = range(5)


class Ends(NamedTuple):
    """What each player gets where a game ends for another reason than that no move is left; empty where none does."""

    # at_max_steps, at_repetition: float64[players] or [0]: after ``max_steps`` moves; where a state comes again
    at_max_steps: np.ndarray
    at_repetition: np.ndarray


class PlayoutSettings(NamedTuple):
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
    ends: Ends
    whole: InOneCall  # whole uniform playouts in plain Python; room for none elsewhere


@jit
def number_of_code(codes, count, code, adds, first_g):
    """Return the number of a code; NONE if it has and gets none (``adds``, no room), or is out of range."""
    table = codes.table
    if table.word.shape[0] == 4:
        return code if np.uint64(code) < np.uint64(codes.stamps.shape[0]) else NONE
    slot = find(table, code)
    if not is_free(table, slot):
        return table.word[(slot << ONE) + ONE]
    if not adds:
        return NONE
    number = count["codes"]
    if number >= codes.stamps.shape[0]:
        count["full"] = 1
        return NONE
    count["codes"] += 1
    occupy(table, slot, code)
    table.word[(slot << ONE) + ONE] = number
    codes.stamps[number] = 0
    learned = codes.learned[number]
    learned["g"], learned["tried"], learned["sum"] = first_g, 0.0, 0.0
    return number


@jit
def is_out_of_range(codes, code):
    """Return whether a code has no place among codes that are their own numbers; none has where none are counted."""
    known = codes.stamps.shape[0]
    return codes.table.word.shape[0] == 4 and known > 0 and np.uint64(code) >= np.uint64(known)


@jit
def play_out(position, memory, playouts, work, step):  # noqa: PLR0911
    """Play from the present state to the end of the game, or until the playout is cut; return its end, or a status."""
    instance, state, moves, stop = position
    legal, trace, traced, random = memory.legal, memory.trace, memory.traced, memory.random
    steps, leaf, result = work.steps, work.leaf, work.result
    adapts, slot, players = playouts.policy == ADAPT, traced[2], result.shape[0]
    ended = np.int64(NONE)
    first, total, last = step, 0, min(step + playouts.cut, steps.shape[0] - 1)
    if playouts.whole.draw.shape[0] > 0:
        return play_at_once(position, playouts, random, work, step)
    listed = STOPPED if stop[0] else legal_moves(instance, state, moves)
    while True:
        if listed <= 0:
            if listed < 0:
                return listed
            rewards(instance, state, result)
            break
        if listed > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        who = np.int64(player(instance, state))
        if not 0 <= who < players:
            return NO_SUCH_PLAYER
        if playouts.values and step == first:
            value_of(instance, state, leaf)
        if step == last:
            if step - first >= playouts.cut:
                value_of(instance, state, result)
            elif playouts.ends.at_max_steps.shape[0] == 0:
                return TOO_MANY_STEPS
            else:
                write_rewards(result, playouts.ends.at_max_steps)
            ended = who
            break
        if playouts.policy == UNIFORM:
            chosen = min(np.int64(uniform(random) * listed), listed - 1)
        else:
            chosen = choose_move(memory, playouts, moves, listed, work.values)
        if chosen >= 0 and is_out_of_range(memory.codes, moves.code[chosen]):
            chosen = NO_PROBABILITY
        if chosen < 0:
            return chosen
        if adapts:
            if total + listed > legal.shape[1]:
                return TOO_MANY_MOVES
            for m in range(listed):
                legal[slot, total + m] = moves.code[m]
            total += listed
            trace[slot, step - first + 1]["offset"] = total
            trace[slot, step - first]["chosen"] = chosen
            trace[slot, step - first]["mover"] = who
        row = steps[step]
        row["move"], row["raw"], row["mover"] = moves.move[chosen], moves.code[chosen], who
        step += 1
        listed = STOPPED if stop[0] else play_and_list(instance, state, moves.move[chosen], moves)
    if adapts:
        traced[slot] = step - first
    steps[step]["mover"] = ended
    weigh_leaf(work.worth, leaf, result, playouts.values and (step > first or ended != NONE), playouts.result_share)
    return step


@jit
def write_rewards(result, rewards):
    """Write what each player gets."""
    for p in range(rewards.shape[0]):
        result[p] = rewards[p]


@jit
def play_at_once(position, playouts, random, work, step):
    """Do what ``play_out`` does for uniform playouts of a problem in plain Python."""
    instance, state, _, stop = position
    steps, whole, result, at_max_steps = work.steps, playouts.whole, work.result, playouts.ends.at_max_steps
    whole.most[0] = steps.shape[0] - 1 - step
    count = np.int64(STOPPED if stop[0] else play_evenly(instance, state, whole, random))
    is_cut = count == TOO_MANY_STEPS and at_max_steps.shape[0] > 0
    if is_cut:
        count = whole.most[0]
        write_rewards(result, at_max_steps)
    elif count < 0:
        return count
    else:
        rewards(instance, state, result)
    for k in range(count):
        row = steps[step + k]
        row["move"], row["raw"], row["mover"] = whole.made[k], whole.code[k], whole.mover[k]
        uniform(random)
    steps[step + count]["mover"] = NONE
    weigh_leaf(work.worth, work.leaf, result, False, 1.0)
    return step + count


@jit
def weigh_leaf(worth, leaf, result, valued, share):
    """Write what a leaf is worth: (1 - λ) v + λ z, of its value and the playout's result; of a final state, the result.

    Source: D. Silver et al., *Mastering the game of Go with deep neural networks and tree search*, 2016.
    """
    for p in range(worth.shape[0]):
        if valued:
            worth[p] = (1.0 - share) * leaf[p] + share * result[p]
        else:
            worth[p] = leaf[p] = result[p]


@jit
def choose_move(memory, playouts, moves, listed, values):
    """Return the index of the next move of a playout that is not uniform, or the negative status NO_PROBABILITY."""
    policy, codes, count, random = playouts.policy, memory.codes, memory.count[0], memory.random
    if policy == GREEDY and uniform(random) < playouts.epsilon:
        return min(np.int64(uniform(random) * listed), listed - 1)
    if policy <= GREEDY:
        if write_exp_bias(playouts.bias, moves, listed, values) < 0:
            return NO_PROBABILITY
        if policy == GREEDY:
            return largest(values, listed, random)
    else:
        for m in range(listed):
            if is_out_of_range(codes, moves.code[m]):
                return NO_PROBABILITY
            code = number_of_code(codes, count, moves.code[m], False, 0.0)
            values[m] = codes.learned[code]["g"] if code >= 0 else playouts.first_g
    return random_index(values, listed, random)


@jit
def learn_means(codes, mark, tau, low, scale, steps, worth, first, length):
    """MAST: count a playout for each of its codes, once, and make their weights e^(mean / τ) of normalised means."""
    for step in range(length - 1, first - 1, -1):
        number = steps[step]["code"]
        if number < 0 or codes.stamps[number] == mark:
            continue
        codes.stamps[number] = mark
        learned = codes.learned[number]
        learned["tried"] += 1.0
        learned["sum"] += worth[steps[step]["mover"]]
        learned["g"] = math.exp((learned["sum"] / learned["tried"] - low) * scale / tau)


@jit
def adapt_codes(memory, slot, factors, alpha, winner):
    """Move the playout policy towards the moves of the winner of a playout: Adapt of NRPA for this player's steps."""
    codes, count, length = memory.codes, memory.count[0], memory.traced[slot]
    legal, trace = memory.legal[slot], memory.trace[slot]
    for step in range(length):
        first, end = trace[step]["offset"], trace[step + 1]["offset"]
        total = 0.0
        if trace[step]["mover"] == winner:
            for k in range(first, end):
                code = number_of_code(codes, count, legal[k], True, 1.0)
                factors[k] = codes.learned[code]["g"] if code >= 0 else 1.0
                total += factors[k]
        for k in range(first, end):
            chosen = 1.0 if k - first == trace[step]["chosen"] else 0.0
            factors[k] = math.exp(alpha * (chosen - factors[k] / total)) if total > 0.0 else 1.0
    for k in range(trace[length]["offset"]):
        code = number_of_code(codes, count, legal[k], False, 1.0)
        if code >= 0:
            learned = codes.learned[code]
            learned["g"] = min(max(learned["g"] * factors[k], LOWEST), HIGHEST)
