"""The compiled search of NMCS: an explicit stack of levels that can be stopped after any playout.

Level 0 is one playout. Every level has its own state, the moves that led to it, and the legal moves still to be tried.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from nrpa.engine.jit import jit
from nrpa.engine.kernels import all_moves, copy, legal_moves, play, reset, score
from nrpa.engine.playout import draw
from nrpa.engine.random import uniform
from nrpa.engine.states import state_at
from nrpa.engine.status import (
    BUDGET_USED,
    IMPROVED,
    SCORE_IS_NAN,
    TOO_MANY_MOVES_AT_ONCE,
    TOO_MANY_STEPS,
)

UNIFORM = 0
BIASED = 1
GREEDY = 2
CHOICES = ("uniform", "biased", "greedy")


class Nest(NamedTuple):
    """The levels of a search, in place of recursion.

    depth: int64[levels + 1], how many moves lead from the root to a level's state.
    path: int64[levels + 1, steps], those moves.
    move: int64[levels + 1, moves], the legal moves of a level's state, and listed: int64[levels + 1], their number, -1
    where they have not been listed. tried: int64[levels + 1], how many of them have been tried.
    best: int64[levels + 1, steps], the best sequence of a level's current search, from the root; for level 0 the last
    playout. length: int64[levels + 1], its length, -1 if there is none. score: float64[levels + 1].
    best_move: int64[steps], the best sequence of all.
    best_length: int64[1], its length, -1 if there is none yet: a search may begin
    with one. best_score: float64[1].
    last_score: float64[1], of the last playout.
    level: int64[1], the level that is to try its next move, -1 before the search begins.
    counter: int64[2], playouts done and top-level searches finished.
    """

    depth: np.ndarray
    path: np.ndarray
    move: np.ndarray
    listed: np.ndarray
    tried: np.ndarray
    best: np.ndarray
    length: np.ndarray
    score: np.ndarray
    best_move: np.ndarray
    best_length: np.ndarray
    best_score: np.ndarray
    last_score: np.ndarray
    level: np.ndarray
    counter: np.ndarray


def allocate_nest(levels: int, steps: int, moves: int) -> Nest:
    """Return the levels of a search that has not begun."""
    rows = levels + 1
    return Nest(
        depth=np.zeros(rows, np.int64),
        path=np.zeros((rows, steps), np.int64),
        move=np.zeros((rows, moves), np.int64),
        listed=np.full(rows, -1),
        tried=np.zeros(rows, np.int64),
        best=np.zeros((rows, steps), np.int64),
        length=np.full(rows, -1),
        score=np.full(rows, -np.inf),
        best_move=np.zeros(steps, np.int64),
        best_length=np.full(1, -1),
        best_score=np.full(1, -np.inf),
        last_score=np.full(1, np.nan),
        level=np.full(1, -1),
        counter=np.zeros(2, np.int64),
    )


class Rule(NamedTuple):
    """How playouts choose and what a level follows.

    choice: UNIFORM, BIASED (in proportion to e^β) or GREEDY (the largest β, ties at random).
    use_bias: whether β comes with the moves. memory: whether a level follows the best sequence of its whole search,
    or the best of its current step only.
    """

    choice: int
    use_bias: bool
    memory: bool


def advance_nested(instance, state, stacked, moves, nest, rule, bias, random, weights, playouts, searches):
    """Run up to ``playouts`` playouts of nested Monte Carlo search, resuming where the last call ended.

    A search of level l tries each legal move by a search of level l - 1, remembers the best sequence, and plays its
    next move, until the game ends. A move into a final state counts as a playout. ``bias`` is e^β by code,
    float64[codes] or [0]; ``weights`` a work area, float64[max_moves].

    Returns IMPROVED after the playout that improved the best score of all, BUDGET_USED after the last playout or when
    ``searches`` top-level searches are finished in all, or a negative status.
    """
    top = len(nest.depth) - 1
    last = nest.counter[0] + playouts
    if nest.level[0] < 0:
        restart(instance, state_at(state, stacked, top), nest, top)
        if nest.best_length[0] >= 0:
            nest.score[top] = nest.best_score[0]
            nest.length[top] = nest.best_length[0]
            for i in range(nest.best_length[0]):
                nest.best[top, i] = nest.best_move[i]
    while nest.counter[0] < last and nest.counter[1] < searches:
        level = nest.level[0]
        if level > 0 and nest.listed[level] < 0:
            count = list_moves(instance, state_at(state, stacked, level), moves, nest, rule, level)
            if count < 0:
                return count
            if count == 0 and nest.length[level] >= 0:
                hand_up(instance, state, stacked, nest, level)
                continue
        if level > 0 and nest.listed[level] > 0:
            status = try_move(instance, state, stacked, nest, level)
            if status < 0:
                return status
            level -= 1
            if level > 0:
                nest.level[0] = level
                continue
        status = sample(instance, state_at(state, stacked, level), moves, nest, level, rule, bias, random, weights)
        if status < 0:
            if top == 0:
                restart(instance, state_at(state, stacked, 0), nest, 0)
            return status
        nest.counter[0] += 1
        nest.last_score[0] = nest.score[level]
        improved = remember(nest, level)
        hand_up(instance, state, stacked, nest, level)
        if improved:
            return IMPROVED
    return BUDGET_USED


@jit
def restart(instance, state, nest, level):
    """Begin a search of the top level at the root."""
    reset(instance, state)
    nest.depth[level] = 0
    nest.listed[level] = -1
    nest.length[level] = -1
    nest.score[level] = -np.inf
    nest.level[0] = level


@jit
def list_moves(instance, state, moves, nest, rule, level):
    """Begin a step: list the legal moves of a level's state; return their number or a negative status."""
    count = all_moves(instance, state, moves)
    if count > nest.move.shape[1]:
        return TOO_MANY_MOVES_AT_ONCE
    for m in range(count):
        nest.move[level, m] = moves.move[m]
    nest.listed[level] = count
    nest.tried[level] = 0
    if count > 0 and not rule.memory:
        nest.score[level] = -np.inf
    return count


@jit
def try_move(instance, state, stacked, nest, level):
    """Begin a search of the level below after the next move to try; return 0 or a negative status."""
    below = level - 1
    depth = nest.depth[level]
    if depth == nest.path.shape[1]:
        return TOO_MANY_STEPS
    move = nest.move[level, nest.tried[level]]
    child = state_at(state, stacked, below)
    copy(instance, state_at(state, stacked, level), child)
    play(instance, child, move)
    for i in range(depth):
        nest.path[below, i] = nest.path[level, i]
    nest.path[below, depth] = move
    nest.depth[below] = depth + 1
    nest.listed[below] = -1
    nest.length[below] = -1
    nest.score[below] = -np.inf
    return 0


@jit
def sample(instance, state, moves, nest, level, rule, bias, random, weights):
    """Play the state of ``level`` to its end and make the sequence the level's best; return 0 or a negative status.

    When it fails, the random numbers are as they were.
    """
    before = random[0], random[1]
    step = nest.depth[level]
    status = 0
    while status == 0:
        count = legal_moves(instance, state, moves)
        if count == 0:
            break
        if count < 0:
            status = count
        elif step == nest.path.shape[1]:
            status = TOO_MANY_STEPS
        else:
            move = moves.move[choose(moves, count, rule, bias, random, weights)]
            nest.path[level, step] = move
            step += 1
            play(instance, state, move)
    if status == 0:
        result = score(instance, state)
        if math.isnan(result):
            status = SCORE_IS_NAN
    if status < 0:
        random[0], random[1] = before
        return status
    nest.length[level] = step
    nest.score[level] = result
    for i in range(step):
        nest.best[level, i] = nest.path[level, i]
    return 0


@jit
def choose(moves, count, rule, bias, random, weights):
    """Return the index of the move that a playout makes."""
    if rule.choice == UNIFORM:
        return min(np.int64(uniform(random) * count), count - 1)
    for m in range(count):
        weights[m] = bias[moves.code[m]] if len(bias) > 0 else 1.0
    if rule.use_bias:
        for m in range(count):
            weights[m] *= moves.exp_bias[m]
    if rule.choice == GREEDY:
        largest = 0.0
        for m in range(count):
            largest = max(largest, weights[m])
        for m in range(count):
            weights[m] = 1.0 if weights[m] == largest else 0.0
    return draw(weights, count, random)


@jit
def hand_up(instance, state, stacked, nest, level):
    """End the search of ``level``: its result goes to the level above, which goes on to its next move or step."""
    top = len(nest.depth) - 1
    if level == top:
        nest.counter[1] += 1
        restart(instance, state_at(state, stacked, top), nest, top)
        return
    above = level + 1
    depth = nest.depth[above]
    if nest.length[above] < 0 or nest.score[level] > nest.score[above]:
        nest.score[above] = nest.score[level]
        nest.length[above] = nest.length[level]
        for i in range(nest.length[level]):
            nest.best[above, i] = nest.best[level, i]
    nest.level[0] = above
    nest.tried[above] += 1
    if nest.tried[above] < nest.listed[above]:
        return
    move = nest.best[above, depth]
    play(instance, state_at(state, stacked, above), move)
    nest.path[above, depth] = move
    nest.depth[above] = depth + 1
    nest.listed[above] = -1


@jit
def remember(nest, level):
    """Keep the sequence of ``level`` if it is the best of all; return whether it is."""
    if nest.score[level] <= nest.best_score[0] and nest.best_length[0] >= 0:
        return False
    nest.best_score[0] = nest.score[level]
    nest.best_length[0] = nest.length[level]
    for i in range(nest.length[level]):
        nest.best_move[i] = nest.best[level, i]
    return True
