"""The compiled search of NRPA and GNRPA: an explicit stack of levels that can be stopped after any playout."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.adapt import MEMOIZED, OPTIMIZED, Rate, adapt_memoized, adapt_optimized, adapt_plain
from nrpa.engine.best import Best, Tally, count_playout
from nrpa.engine.hashed_policy import HashedPolicy
from nrpa.engine.jit import jit
from nrpa.engine.kernels import reset
from nrpa.engine.playout import ByPolicy, InSequence, playout
from nrpa.engine.policy import DensePolicy, enter, lacks_room, leave
from nrpa.engine.sequence import Sequences
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM


class Levels(NamedTuple):
    """The levels of a search, in place of recursion.

    begun: bool[1], whether the levels have been entered.
    slot: int64[levels + 1], which sequence belongs to a level: its best; for level 0 the last playout.
    iteration: int64[levels + 1], how many iterations of its current search a level has done.
    """

    begun: np.ndarray
    slot: np.ndarray
    iteration: np.ndarray


def allocate_levels(levels: int) -> Levels:
    """Return the levels of a search that has not begun."""
    return Levels(np.zeros(1, np.bool_), np.arange(levels + 1), np.zeros(levels + 1, np.int64))


class Memory(NamedTuple):
    """All that a search needs to go on.

    policy: of all levels. sequences: levels + 1 of them. levels: the stack. best, tally: what was found so far, and
    how far the search is. random: uint64[2], the state of the random numbers.
    room: int64[3], the steps, legal moves of a state and legal moves of a playout that work areas must hold.
    """

    policy: DensePolicy | HashedPolicy
    sequences: Sequences
    levels: Levels
    best: Best
    tally: Tally
    random: np.ndarray
    room: np.ndarray


class Work(NamedTuple):
    """Work areas: weights, float64[max_moves], of a playout; factors, float64[max_total], of Adapt."""

    weights: np.ndarray
    factors: np.ndarray


class Settings(NamedTuple):
    """The options of the algorithm.

    iterations: N. adapt: PLAIN, MEMOIZED or OPTIMIZED. use_bias: whether β comes with the moves. rate: of learning.
    """

    iterations: int
    adapt: int
    use_bias: bool
    rate: Rate


def advance_nrpa(position, memory, work, settings, budget):
    """Search on (Algorithm 3 of the GNRPA paper) from where the last call ended.

    Returns IMPROVED after the playout that improved the best score of all; BUDGET_USED after ``budget.playouts`` more
    playouts, or when ``budget.searches`` top-level searches are finished in all; LACKS_ROOM before a playout if the
    policy must be enlarged first; or the negative status of ``playout``.
    """
    policy = memory.policy
    sequences = memory.sequences
    levels = memory.levels
    top = len(levels.slot) - 1
    for _ in range(budget.playouts):
        if lacks_room(policy, sequences.code.shape[1]):
            return LACKS_ROOM
        if not levels.begun[0]:
            levels.begun[0] = True
            for level in range(top, 0, -1):
                begin(policy, sequences, levels, level)
            sequences.score[levels.slot[top]] = memory.best.score[0]
        reset(position.instance, position.state)
        slot = levels.slot[0]
        choice = ByPolicy(policy, 1, settings.use_bias)
        failure = playout(position, choice, InSequence(sequences, slot), memory.random, work.weights)
        if failure:
            return failure
        improved = count_playout(
            memory.best, memory.tally, sequences.move[slot], sequences.length[slot], sequences.score[slot]
        )
        level = 1
        while level <= top:
            take_if_no_worse(sequences, levels, level)
            levels.iteration[level] += 1
            if levels.iteration[level] < settings.iterations:
                break
            leave(policy, level)
            level += 1
        if level > top:
            memory.tally.searches[0] += 1
        else:
            adapt(position, policy, level, sequences, levels.slot[level], settings, work.factors)
        for below in range(level - 1, 0, -1):
            begin(policy, sequences, levels, below)
        if improved:
            return IMPROVED
        if memory.tally.searches[0] >= budget.searches:
            break
    return BUDGET_USED


@jit
def begin(policy, sequences, levels, level):
    """Start a search of ``level`` with its caller's policy and no best sequence."""
    enter(policy, level)
    levels.iteration[level] = 0
    sequences.score[levels.slot[level]] = -np.inf


@jit
def take_if_no_worse(sequences, levels, level):
    """Make the result of the level below the best of ``level`` if it is at least as good."""
    below = levels.slot[level - 1]
    best = levels.slot[level]
    if sequences.score[below] >= sequences.score[best]:
        levels.slot[level] = below
        levels.slot[level - 1] = best


@jit
def adapt(position, policy, level, sequences, slot, settings, factors):
    """Move the policy of ``level`` towards the sequence in ``slot``."""
    if settings.adapt == OPTIMIZED:
        adapt_optimized(policy, level, sequences, slot, settings.use_bias, settings.rate, factors)
    elif settings.adapt == MEMOIZED:
        adapt_memoized(policy, level, sequences, slot, settings.use_bias, settings.rate, factors)
    else:
        adapt_plain(position, policy, level, sequences, slot, settings.use_bias, settings.rate, factors)
