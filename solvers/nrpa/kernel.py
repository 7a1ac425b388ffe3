"""The compiled search of NRPA and GNRPA: an explicit stack of levels that can be stopped after any playout.

A level keeps its best sequence or, where there are ``memory.fronts``, a front. Which of them is known when this is
compiled.
"""

import numpy as np

from nrpa.engine.kernels import reset
from nrpa.engine.playout import ByPolicy, playout
from nrpa.engine.policy import enter, lacks_room, leave
from nrpa.engine.recording import InSequence, count_playout
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM, STOPPED, UNFINISHED
from nrpa.machine.jit import inlined, jit
from nrpa.solvers.nrpa.adapt import adapt, rate_of
from nrpa.solvers.nrpa.front import (
    adapt_to_front,
    codes_of_front,
    free_slot,
    hand_front_up,
    improve_for_front,
    take_in,
)
from nrpa.solvers.nrpa.improve import improve_playout


def advance_nrpa(position, memory, work, settings, budget):
    """Search on by NRPA or GNRPA from where the last call ended; return why it stopped (``nrpa.engine.status``).

    Source: C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011; T. Cazenave,
    *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 3.
    """
    fronts, sequences, levels = memory.fronts, memory.sequences, memory.levels
    top = len(levels.slot) - 1
    for _ in range(budget.playouts):
        if lacks_slot(fronts, memory.policy, sequences, levels):
            return LACKS_ROOM
        if not levels.begun[0]:
            levels.begun[0] = True
            begin_down_from(memory, top)
            forget_best(fronts, sequences, levels, top, memory.best.score[0])
        # Level 0: a playout.
        reset(position.instance, position.state)
        slot = levels.slot[0]
        choice = ByPolicy(memory.policy, 1, settings.bias.by_move)
        first, second = memory.random[0], memory.random[1]
        failure = playout(position, choice, InSequence(sequences, slot), memory.random, work.weights)
        if not failure:
            failure = improve_last(fronts, work, position, sequences, levels)
            # A first playout counts as it is, so that there is an answer.
            if failure == UNFINISHED:
                failure = STOPPED if memory.best.found[0] else 0
        if failure:
            memory.random[0], memory.random[1] = first, second
            return failure
        improved = count_playout(
            memory.best, memory.tally, sequences.move[slot], sequences.length[slot], sequences.score[slot]
        )
        level = 1
        while level <= top and end_iteration(position, memory, work, settings, level):
            level += 1
        if level > top:
            memory.tally.searches[0] += 1
        begin_down_from(memory, level - 1)
        if improved:
            return IMPROVED
        if memory.tally.searches[0] >= budget.searches:
            break
    return BUDGET_USED


@inlined
def end_iteration(position, memory, work, settings, level):
    """Keep what the level below has found and adapt the policy of ``level``; return True where no iteration is left."""
    fronts, sequences, levels = memory.fronts, memory.sequences, memory.levels
    keep(fronts, sequences, levels, settings.repetitions[level], level)
    levels.iteration[level] += 1
    if is_finished(levels, level, settings):
        leave(memory.policy, level)
        return True
    adapt_level(fronts, position, memory.policy, sequences, levels, level, settings, work.factors)
    return False


@inlined
def begin_down_from(memory, level):
    """Start a search of ``level`` and of each level below it, with its caller's policy and no best sequence."""
    levels = memory.levels
    for each in range(level, 0, -1):
        enter(memory.policy, each)
        levels.iteration[each] = 0
        levels.repeated[each] = 0
        forget_best(memory.fronts, memory.sequences, levels, each, -np.inf)


@jit
def is_finished(levels, level, settings):
    """Return whether a search of ``level`` has done its iterations, or has found its best sequence often enough."""
    if levels.iteration[level] >= settings.iterations[level]:
        return True
    return settings.repetitions[level] > 0 and levels.repeated[level] >= settings.repetitions[level]


@jit
def lacks_slot(fronts, policy, sequences, levels):
    """Let ``levels.slot[0]`` be where the next playout goes; return whether there is no room for it and its Adapts."""
    codes = sequences.code.shape[1]
    if len(fronts) > 0:
        levels.slot[0] = free_slot(fronts)
        codes += codes_of_front(fronts, sequences)
    return (len(fronts) > 0 and levels.slot[0] == 0) or lacks_room(policy, codes)


@jit
def forget_best(fronts, sequences, levels, level, score):
    """Begin a search of ``level``, whose best sequence shall have at least this score."""
    if len(fronts) == 0:
        sequences.score[levels.slot[level]] = score
    else:
        hand_front_up(fronts, level)


@jit
def improve_last(fronts, work, position, sequences, levels):
    """Improve the last playout where that is wanted; return 0 or a negative status."""
    if len(fronts) == 0:
        return improve_playout(work.improvement, position, sequences, levels.slot[0], levels.slot[1])
    return improve_for_front(fronts, work, position, sequences, levels.slot[0])


@jit
def keep(fronts, sequences, levels, repetitions, level):
    """Make the result of the level below the best of ``level`` if its score is at least as high."""
    if len(fronts) > 0:
        is_new = take_in(fronts, 1, levels.slot[0]) if level == 1 else hand_front_up(fronts, level - 1)
        levels.repeated[level] = 0 if is_new else levels.repeated[level] + 1
        return
    if repetitions > 0:
        count_repetition(sequences, levels, level)
    below, best = levels.slot[level - 1], levels.slot[level]
    if sequences.score[below] >= sequences.score[best]:
        levels.slot[level] = below
        levels.slot[level - 1] = best


@jit
def adapt_level(fronts, position, policy, sequences, levels, level, settings, factors):
    """Move the policy of ``level`` towards its best sequence."""
    if len(fronts) == 0:
        adapt(position, policy, level, sequences, levels.slot[level], settings, rate_of(settings.rates, level), factors)
    else:
        adapt_to_front(fronts, position, policy, sequences, level, settings, factors)


@jit
def count_repetition(sequences, levels, level):
    """Count the result of the level below if it is the best sequence of ``level``; begin anew if it replaces that.

    Source: T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420,
    2024.
    """
    below = levels.slot[level - 1]
    best = levels.slot[level]
    if sequences.score[below] == sequences.score[best] and has_same_moves(sequences, below, best):
        levels.repeated[level] += 1
    elif sequences.score[below] >= sequences.score[best]:
        levels.repeated[level] = 0


@jit
def has_same_moves(sequences, one, other):
    """Return whether two sequences consist of the same moves."""
    same = sequences.length[one] == sequences.length[other]
    for step in range(sequences.length[one] if same else 0):
        same &= sequences.move[one, step] == sequences.move[other, step]
    return same
