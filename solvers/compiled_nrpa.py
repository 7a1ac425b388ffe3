"""The compiled search of NRPA and GNRPA: an explicit stack of levels that can be stopped after any playout."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.adapt import MEMOIZED, OPTIMIZED, adapt_memoized, adapt_optimized, adapt_plain
from nrpa.engine.hashed_policy import lacks_room
from nrpa.engine.jit import jit
from nrpa.engine.kernels import reset
from nrpa.engine.playout import playout
from nrpa.engine.policy import enter, leave
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM


class Stack(NamedTuple):
    """The levels of a search, in place of recursion.

    slot: int64[levels + 1], which sequence belongs to a level: its best; for level 0 the last playout.
    iteration: int64[levels + 1], how many iterations of its current search a level has done.
    best_move: int64[max_steps], the best sequence of all.
    best_length: int64[1], its length, -1 before the first playout. best_score: float64[1].
    last_score: float64[1], of the last playout.
    warm_score: float64[1], of the sequence that the first top-level search has as its best when it begins, or -inf.
    counter: int64[2], playouts done and top-level searches finished.
    started: bool[1], whether the levels have been entered.
    """

    slot: np.ndarray
    iteration: np.ndarray
    best_move: np.ndarray
    best_length: np.ndarray
    best_score: np.ndarray
    last_score: np.ndarray
    warm_score: np.ndarray
    counter: np.ndarray
    started: np.ndarray


def allocate_stack(levels: int, steps: int) -> Stack:
    """Return the stack of a search that has not begun."""
    return Stack(
        slot=np.arange(levels + 1),
        iteration=np.zeros(levels + 1, np.int64),
        best_move=np.zeros(steps, np.int64),
        best_length=np.full(1, -1),
        best_score=np.full(1, -np.inf),
        last_score=np.full(1, np.nan),
        warm_score=np.full(1, -np.inf),
        counter=np.zeros(2, np.int64),
        started=np.zeros(1, np.bool_),
    )


class Settings(NamedTuple):
    """What one call of the search needs to know.

    iterations: N. adapt: PLAIN, MEMOIZED or OPTIMIZED. use_bias: whether β comes with the moves.
    """

    iterations: int
    adapt: int
    use_bias: bool


def advance_nrpa(
    instance, state, moves, policy, sequences, stack, settings, rate, random, cumulated, factors, playouts, searches
):
    """Run up to ``playouts`` playouts of Algorithm 3, resuming where the last call ended.

    Returns IMPROVED after the playout that improved the best score of all, BUDGET_USED after the last playout or when
    ``searches`` top-level searches are finished in all, LACKS_ROOM before a playout if the policy must be enlarged
    first, or the negative status of ``playout``.
    """
    levels = len(stack.slot) - 1
    for _ in range(playouts):
        if lacks_room(policy, sequences.code.shape[1]):
            return LACKS_ROOM
        if not stack.started[0]:
            stack.started[0] = True
            for level in range(levels, 0, -1):
                begin(policy, sequences, stack, level)
            sequences.score[stack.slot[levels]] = stack.warm_score[0]
        reset(instance, state)
        slot = stack.slot[0]
        failure = playout(instance, state, moves, policy, 1, sequences, slot, settings.use_bias, random, cumulated)
        if failure:
            return failure
        stack.counter[0] += 1
        stack.last_score[0] = sequences.score[slot]
        improved = remember(sequences, stack, slot)
        level = 1
        while level <= levels:
            take_if_no_worse(sequences, stack, level)
            stack.iteration[level] += 1
            if stack.iteration[level] < settings.iterations:
                break
            leave(policy, level)
            level += 1
        if level > levels:
            stack.counter[1] += 1
        else:
            best = stack.slot[level]
            if settings.adapt == OPTIMIZED:
                adapt_optimized(policy, level, sequences, best, settings.use_bias, rate, factors)
            elif settings.adapt == MEMOIZED:
                adapt_memoized(policy, level, sequences, best, settings.use_bias, rate, factors)
            else:
                adapt_plain(instance, state, moves, policy, level, sequences, best, settings.use_bias, rate, factors)
        for below in range(level - 1, 0, -1):
            begin(policy, sequences, stack, below)
        if improved:
            return IMPROVED
        if stack.counter[1] >= searches:
            break
    return BUDGET_USED


@jit
def begin(policy, sequences, stack, level):
    """Start a search of ``level`` with its caller's policy and no best sequence."""
    enter(policy, level)
    stack.iteration[level] = 0
    sequences.score[stack.slot[level]] = -np.inf


@jit
def take_if_no_worse(sequences, stack, level):
    """Make the result of the level below the best of ``level`` if it is at least as good."""
    below = stack.slot[level - 1]
    best = stack.slot[level]
    if sequences.score[below] >= sequences.score[best]:
        stack.slot[level] = below
        stack.slot[level - 1] = best


@jit
def remember(sequences, stack, slot):
    """Keep the sequence in ``slot`` if it is the best of all; return whether it is."""
    if sequences.score[slot] <= stack.best_score[0] and stack.best_length[0] >= 0:
        return False
    stack.best_score[0] = sequences.score[slot]
    stack.best_length[0] = sequences.length[slot]
    for i in range(sequences.length[slot]):
        stack.best_move[i] = sequences.move[slot, i]
    return True
