"""Playouts of a tree search: how they choose, and what they learn.

References
----------
Y. Björnsson and H. Finnsson, *CadiaPlayer: A Simulation-Based General Game Player*, 2009 (MAST).

T. Cazenave, *Playout Policy Adaptation for Games*, ACG 2015 (PPA); *Playout Policy Adaptation with Move Features*, 2016.
"""

from __future__ import annotations

import math

import numpy as np

from nrpa.engine.extremes import HIGHEST, LOWEST
from nrpa.engine.hash_table import ONE, find, is_free, occupy
from nrpa.engine.jit import jit
from nrpa.engine.kernels import legal_moves, play, player
from nrpa.engine.playout import draw
from nrpa.engine.random import uniform
from nrpa.engine.status import TOO_MANY_MOVES, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.solvers.tree_memory import CODES, FULL, NONE, SLOT
from nrpa.solvers.tree_selection import largest, normalised

UNIFORM, BIASED, GREEDY, MAST, ADAPT = range(5)


@jit
def number_of(memory, settings, code, adds):
    """Return the number of a code.

    Parameters
    ----------
    memory : Memory
        The search.
    settings : Settings
        The options.
    code : int
        The code.
    adds : bool
        Whether a code without a number gets the next one.

    Returns
    -------
    int
        The number; NONE if it has none, or there is no room for more.
    """
    if settings.numbers:
        return code
    table = memory.codes.table
    slot = find(table, code)
    if not is_free(table, slot):
        return table.word[(slot << ONE) + ONE]
    if not adds:
        return NONE
    number = memory.count[CODES]
    if number >= memory.codes.stamp.shape[0]:
        memory.count[FULL] = 1
        return NONE
    memory.count[CODES] += 1
    occupy(table, slot, code)
    table.word[(slot << ONE) + ONE] = number
    memory.codes.stamp[number] = 0
    memory.codes.g[number] = settings.first_g
    memory.codes.mean[number, 0] = 0.0
    memory.codes.mean[number, 1] = 0.0
    return number


@jit
def play_out(position, memory, work, settings, step):
    """Play from the present state to the end of the game.

    Parameters
    ----------
    position : Position
        The position; its state changes.
    memory : Memory
        The search; its random numbers change.
    work : Work
        The work areas; ``move``, ``raw`` (the codes) and ``mover`` of each step are written.
    settings : Settings
        The options.
    step : int
        The number of moves made before.

    Returns
    -------
    int
        The number of moves in all, or a negative status (``nrpa.engine.status``).
    """
    instance, state, moves = position
    trace, slot = memory.trace, memory.count[SLOT]
    adapts = settings.policy == ADAPT
    first, total = step, 0
    while True:
        count = legal_moves(instance, state, moves)
        if count <= 0:
            if adapts:
                trace.length[slot] = step - first
            return count if count < 0 else step
        if count > moves.move.shape[0]:
            return TOO_MANY_MOVES_AT_ONCE
        if step == work.move.shape[0]:
            return TOO_MANY_STEPS
        chosen = choose(memory, work, settings, moves, count)
        if chosen < 0:
            return chosen
        if adapts:
            if total + count > trace.code.shape[1]:
                return TOO_MANY_MOVES
            for m in range(count):
                trace.code[slot, total + m] = moves.code[m]
            total += count
            trace.offset[slot, step - first + 1] = total
            trace.chosen[slot, step - first] = chosen
        work.move[step] = moves.move[chosen]
        work.raw[step] = moves.code[chosen]
        work.mover[step] = player(instance, state)
        if adapts:
            trace.move[slot, step - first] = work.mover[step]
        step += 1
        play(instance, state, moves.move[chosen])


@jit
def choose(memory, work, settings, moves, count):
    """Choose a move of a playout.

    Parameters
    ----------
    memory : Memory
        The search; its random numbers change.
    work : Work
        The work areas; ``value`` changes.
    settings : Settings
        The options.
    moves : Moves
        The legal moves.
    count : int
        Their number.

    Returns
    -------
    int
        The index of the move, or the negative status NO_PROBABILITY.
    """
    policy, random = settings.policy, memory.random
    if policy == UNIFORM or (policy == GREEDY and uniform(random) < settings.playout_epsilon):
        return min(np.int64(uniform(random) * count), count - 1)
    if policy <= GREEDY:
        write_exp_bias(settings, moves, count, work.value)
        if policy == GREEDY:
            return largest(work.value, count, random)
    else:
        for m in range(count):
            code = number_of(memory, settings, moves.code[m], False)
            work.value[m] = memory.codes.g[code] if code >= 0 else settings.first_g
    return draw(work.value, count, random)


@jit
def write_exp_bias(settings, moves, count, value):
    """Write e^β of the legal moves."""
    for m in range(count):
        value[m] = settings.exp_bias[moves.code[m]] if settings.exp_bias.shape[0] > 0 else 1.0
    if settings.bias_by_move:
        for m in range(count):
            value[m] *= moves.exp_bias[m]


@jit
def learn_means(memory, settings, work, first, length):
    """MAST: count a playout for each of its codes, once, and make their weights e^(mean / τ) of normalised means.

    Parameters
    ----------
    memory : Memory
        The search; weights are as of the extremes known now, until the code is met again.
    settings : Settings
        The options.
    work : Work
        The work areas: ``code``, ``mover`` and ``reward`` of the playout.
    first, length : int
        The first step that counts, and the number of steps.
    """
    codes = memory.codes
    low, scale = normalised(memory, settings)
    mark = -memory.tally.playouts[0] - 1
    for step in range(length - 1, first - 1, -1):
        code = work.code[step]
        if code < 0 or codes.stamp[code] == mark:
            continue
        codes.stamp[code] = mark
        codes.mean[code, 0] += 1.0
        codes.mean[code, 1] += work.reward[work.mover[step]]
        mean = (codes.mean[code, 1] / codes.mean[code, 0] - low) * scale
        codes.g[code] = math.exp(mean / settings.playout_tau)


@jit
def adapt(memory, settings, work, slot, winner):
    """Move the playout policy towards the moves of the winner of a playout: Adapt of NRPA for this player's steps.

    Parameters
    ----------
    memory : Memory
        The search.
    settings : Settings
        The options: ``alpha``.
    work : Work
        The work areas; ``factor`` changes.
    slot : int
        The playout in ``memory.trace``.
    winner : int
        The player whose moves count.
    """
    trace, g = memory.trace, memory.codes.g
    for step in range(trace.length[slot]):
        if trace.move[slot, step] != winner:
            continue
        first, end = trace.offset[slot, step], trace.offset[slot, step + 1]
        total = 0.0
        for k in range(first, end):
            code = number_of(memory, settings, trace.code[slot, k], True)
            work.factor[k] = g[code] if code >= 0 else 1.0
            total += work.factor[k]
        for k in range(first, end):
            chosen = 1.0 if k - first == trace.chosen[slot, step] else 0.0
            work.factor[k] = math.exp(settings.alpha * (chosen - work.factor[k] / total))
    for step in range(trace.length[slot]):
        if trace.move[slot, step] != winner:
            continue
        for k in range(trace.offset[slot, step], trace.offset[slot, step + 1]):
            code = number_of(memory, settings, trace.code[slot, k], False)
            if code >= 0:
                g[code] = min(max(g[code] * work.factor[k], LOWEST), HIGHEST)
