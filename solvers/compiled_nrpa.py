"""The compiled search of NRPA and GNRPA: an explicit stack of levels that can be stopped after any playout.

References
----------
C. D. Rosin, *Nested Rollout Policy Adaptation for Monte Carlo Tree Search*, IJCAI 2011.

T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 3.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.adapt import MEMOIZED, OPTIMIZED, Bias, Rate, adapt_memoized, adapt_optimized, adapt_plain
from nrpa.engine.best import Best, Tally, count_playout
from nrpa.engine.hashed_policy import HashedPolicy
from nrpa.engine.improving import AsPlayed, ByKernel, improve_playout
from nrpa.engine.jit import jit
from nrpa.engine.kernels import reset
from nrpa.engine.playout import ByPolicy, InSequence, playout
from nrpa.engine.policy import DensePolicy, enter, lacks_room, leave
from nrpa.engine.random import stream_of_child
from nrpa.engine.sequence import Sequences
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM


class Levels(NamedTuple):
    """The levels of a search, in place of recursion.

    Attributes
    ----------
    begun : ndarray of bool, shape (1,)
        Whether the levels have been entered.
    slot : ndarray of int64, shape (levels + 1,)
        Which sequence belongs to a level: its best; for level 0 the last playout.
    iteration : ndarray of int64, shape (levels + 1,)
        How many iterations of its current search a level has done.
    repeated : ndarray of int64, shape (levels + 1,)
        How often a level's best sequence was found again; not counted without limited repetitions.
    """

    begun: np.ndarray
    slot: np.ndarray
    iteration: np.ndarray
    repeated: np.ndarray


def allocate_levels(levels: int) -> Levels:
    """Return the levels of a search that has not begun.

    Parameters
    ----------
    levels : int
        The top level, 1 or more.

    Returns
    -------
    Levels
        The levels.
    """
    counters = np.zeros((2, levels + 1), np.int64)
    return Levels(np.zeros(1, np.bool_), np.arange(levels + 1), counters[0].copy(), counters[1].copy())


class Memory(NamedTuple):
    """All that a search needs to go on.

    Attributes
    ----------
    policy : DensePolicy or HashedPolicy
        The policy of all levels.
    sequences : Sequences
        One sequence for each level, and one for the playout.
    levels : Levels
        The stack.
    best : Best
        The best sequence of all.
    tally : Tally
        How far the search is.
    random : ndarray of uint64, shape (2,)
        The state of the random number generator.
    room : ndarray of int64, shape (3,)
        What work areas must hold: the moves of a playout, the legal moves of a state, and those of a whole playout.
    nodes : ndarray of uint64, shape (levels + 2, 2) or (0, 2)
        The streams of the nodes of the call tree that are being searched: row n is that of the search of level n, the
        row above the top level that of the seed. Each search of level 1 begins with the stream of its node. Empty where
        all playouts draw from one stream.
    """

    policy: DensePolicy | HashedPolicy
    sequences: Sequences
    levels: Levels
    best: Best
    tally: Tally
    random: np.ndarray
    room: np.ndarray
    nodes: np.ndarray


class Work(NamedTuple):
    """Work areas. Their content does not matter between calls.

    Attributes
    ----------
    weights : ndarray of float64, shape (max_moves,)
        For a playout.
    factors : ndarray of float64, shape (max_total,)
        For Adapt.
    improvement : AsPlayed or ByKernel
        Whether playouts that beat the best of their level are improved, and room for it.
    """

    weights: np.ndarray
    factors: np.ndarray
    improvement: AsPlayed | ByKernel


class Settings(NamedTuple):
    """The options of the algorithm.

    Attributes
    ----------
    iterations : int
        N, the iterations of each level.
    repetitions : int
        R: a level ends when its best sequence was found again so often; 0 for never.
    adapt : {PLAIN, MEMOIZED, OPTIMIZED}
        Which of the three Adapts is used (``nrpa.engine.adapt``).
    bias : Bias
        Whether β comes with the moves, and γ.
    rate : Rate
        The learning rate.
    """

    iterations: int
    repetitions: int
    adapt: int
    bias: Bias
    rate: Rate


def advance_nrpa(position, memory, work, settings, budget):
    """Search on by NRPA or GNRPA, from where the last call ended.

    Parameters
    ----------
    position : Position
        The instance, a state, and room for its legal moves; state and moves change.
    memory : Memory
        The search; it changes.
    work : Work
        The work areas.
    settings : Settings
        The options.
    budget : Budget
        How far the search may go.

    Returns
    -------
    int
        IMPROVED after the playout that improved the best score of all; BUDGET_USED after ``budget.playouts`` more
        playouts, when ``budget.searches`` top-level searches are finished in all, or when a search of ``budget.level``
        has ended; LACKS_ROOM before a playout if the policy must be enlarged first; or the negative status of a playout
        that failed (``nrpa.engine.status``).

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithm 3.
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
                begin(memory, level)
            sequences.score[levels.slot[top]] = memory.best.score[0]
        reset(position.instance, position.state)
        slot = levels.slot[0]
        choice = ByPolicy(policy, 1, settings.bias.by_move)
        failure = playout(position, choice, InSequence(sequences, slot), memory.random, work.weights)
        if failure:
            return failure
        improve_playout(work.improvement, position, sequences, slot, levels.slot[1])
        improved = count_playout(
            memory.best, memory.tally, sequences.move[slot], sequences.length[slot], sequences.score[slot]
        )
        level = 1
        while level <= top:
            if settings.repetitions > 0:
                count_repetition(sequences, levels, level)
            take_if_no_worse(sequences, levels, level)
            levels.iteration[level] += 1
            if not is_finished(levels, level, settings):
                break
            leave(policy, level)
            level += 1
        if level > top:
            memory.tally.searches[0] += 1
        else:
            adapt(position, policy, level, sequences, levels.slot[level], settings, work.factors)
        for below in range(level - 1, 0, -1):
            begin(memory, below)
        if improved:
            return IMPROVED
        if level > budget.level or memory.tally.searches[0] >= budget.searches:
            break
    return BUDGET_USED


@jit
def begin(memory, level):
    """Start a search of ``level`` with its caller's policy and no best sequence."""
    levels = memory.levels
    enter(memory.policy, level)
    levels.iteration[level] = 0
    levels.repeated[level] = 0
    memory.sequences.score[levels.slot[level]] = -np.inf
    if memory.nodes.shape[0] > 0:
        enter_node(memory, level)


@jit
def enter_node(memory, level):
    """Give a search of ``level`` the stream of its node; playouts draw from that of the search of level 1."""
    nodes, levels = memory.nodes, memory.levels
    top = len(levels.slot) - 1
    child = memory.tally.searches[0] if level == top else levels.iteration[level + 1]
    stream_of_child(nodes[level + 1], child, nodes[level])
    if level == 1:
        memory.random[0] = nodes[1, 0]
        memory.random[1] = nodes[1, 1]


@jit
def is_finished(levels, level, settings):
    """Return whether a search of ``level`` has done its iterations, or has found its best sequence often enough."""
    if levels.iteration[level] >= settings.iterations:
        return True
    return settings.repetitions > 0 and levels.repeated[level] >= settings.repetitions


@jit
def count_repetition(sequences, levels, level):
    """Count the result of the level below if it is the best sequence of ``level``; begin anew if it replaces that.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024.
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


@jit
def take_if_no_worse(sequences, levels, level):
    """Make the result of the level below the best of ``level`` if its score is at least as high."""
    below = levels.slot[level - 1]
    best = levels.slot[level]
    if sequences.score[below] >= sequences.score[best]:
        levels.slot[level] = below
        levels.slot[level - 1] = best


@jit
def adapt(position, policy, level, sequences, slot, settings, factors):
    """Move the policy of a level towards a sequence.

    Parameters
    ----------
    position : Position
        Where the plain Adapt plays the sequence again.
    policy : DensePolicy or HashedPolicy
        The policy of all levels; the row of ``level`` changes.
    level : int
        The level, 1 or more.
    sequences : Sequences
        The sequences.
    slot : int
        The sequence to move towards.
    settings : Settings
        The options; they say which Adapt is used.
    factors : ndarray of float64, shape (max_total,)
        A work area.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation*, 2020: Algorithms 2, 5 and 6.
    """
    if settings.adapt == OPTIMIZED:
        adapt_optimized(policy, level, sequences, slot, settings.bias, settings.rate, factors)
    elif settings.adapt == MEMOIZED:
        adapt_memoized(policy, level, sequences, slot, settings.bias, settings.rate, factors)
    else:
        adapt_plain(position, policy, level, sequences, slot, settings.bias, settings.rate, factors)
