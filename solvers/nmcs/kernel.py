"""The compiled search of NMCS and the baselines: an explicit stack of levels that can be stopped after any playout."""

import numpy as np

from nrpa.engine.kernels import all_moves, copy, play, reset
from nrpa.engine.playout import Position, playout
from nrpa.engine.recording import InPath, count_playout
from nrpa.engine.status import BUDGET_USED, CUT, IMPROVED, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.machine.jit import jit, state_at

# The phases of a level: its state is new, and its legal moves are to be listed; or they are being tried; or, before
# that, each is judged by playouts.
LISTING, TRYING, JUDGING = 0, 1, 2


def advance_nmcs(position, memory, work, settings, budget):
    """Search on by nested Monte Carlo search from where the last call ended; return why it stopped.

    A search of level l tries each legal move by a search of level l - 1, remembers the best sequence, and plays its
    next move, until the game ends. A move into a final state counts as a playout.

    With ``prune``, a level from 2 on first judges each move by some playouts, and then leaves the worst out (Lazy
    NMCS).

    Source: T. Cazenave, *Nested Monte-Carlo Search*, IJCAI 2009; M. Roucairol and T. Cazenave, *Comparing search
    algorithms on the retrosynthesis problem*, Molecular Informatics 43, 2024.
    """
    levels = memory.levels
    top = len(levels.depth) - 1
    last = memory.tally.playouts[0] + budget.playouts
    if not levels.begun[0]:
        begin_nmcs(position, memory, work, top)
    elif not work.restored[0]:
        restore(position, levels, work)
    work.restored[0] = True
    while memory.tally.playouts[0] < last and memory.tally.searches[0] < budget.searches:
        level = levels.active[0]
        if level > 0 and levels.phase[level] == LISTING:
            count = list_moves(at_level(position, work, level), levels, settings, level)
            if count < 0:
                return count
            if count == 0 and levels.found[level]:
                hand_up(position, memory, work, level)
                continue
        above = level
        if level > 0 and levels.listed[level] > 0:
            level = 0 if levels.phase[level] == JUDGING else level - 1
            status = try_move(position, levels, work, above, level)
            if status < 0:
                return status
            if level > 0:
                levels.active[0] = level
                continue
        status = sample(at_level(position, work, level), memory, work, level, settings)
        if status < 0:
            if top == 0:
                restart(position, levels, work, 0)
            return status
        improved = False
        if status == CUT:
            memory.tally.playouts[0] += 1
        else:
            improved = count_playout(
                memory.best, memory.tally, levels.best[level], levels.length[level], levels.score[level]
            )
        if level < above and levels.phase[above] == JUDGING:
            judge(levels, settings, above)
        else:
            hand_up(position, memory, work, level)
        if improved:
            return IMPROVED
    return BUDGET_USED


@jit
def at_level(position, work, level):
    """Return the position with the state of ``level``."""
    return Position(position.instance, state_at(position.state, work.states, level), position.moves, position.stop)


@jit
def begin_nmcs(position, memory, work, top):
    """Begin the first search of the top level; if there is a best sequence of all, it is the best of this search."""
    levels = memory.levels
    levels.begun[0] = True
    restart(position, levels, work, top)
    if memory.best.found[0]:
        levels.found[top] = True
        levels.score[top] = memory.best.score[0]
        levels.length[top] = memory.best.length[0]
        for i in range(memory.best.length[0]):
            levels.best[top, i] = memory.best.move[i]


@jit
def restore(position, levels, work):
    """Make the states of the active level and of those above it again, from their paths."""
    for level in range(levels.active[0], len(levels.depth)):
        state = state_at(position.state, work.states, level)
        reset(position.instance, state)
        for i in range(levels.depth[level]):
            # As in the search itself: a state is asked for its moves before one of them is played.
            all_moves(position.instance, state, position.moves)
            play(position.instance, state, levels.path[level, i])
        if levels.phase[level] != LISTING:
            all_moves(position.instance, state, position.moves)


@jit
def restart(position, levels, work, level):
    """Begin a search of ``level``, the top level, at the root."""
    reset(position.instance, state_at(position.state, work.states, level))
    levels.depth[level] = 0
    levels.phase[level] = LISTING
    levels.found[level] = False
    levels.score[level] = -np.inf
    levels.active[0] = level


@jit
def list_moves(position, levels, settings, level):
    """Begin a step: list the moves to try in the state of a level."""
    count = all_moves(position.instance, position.state, position.moves)
    if count > levels.move.shape[1]:
        return TOO_MANY_MOVES_AT_ONCE
    if count < 0:
        return count
    for m in range(count):
        levels.move[level, m] = position.moves.move[m]
    levels.listed[level] = count
    levels.phase[level] = JUDGING if settings.prune > 0 and level > 1 else TRYING
    levels.judged[level, :count] = 0.0
    levels.tried[level] = 0
    if count > 0 and level <= settings.forget:
        levels.score[level] = -np.inf
    return count


@jit
def try_move(position, levels, work, level, below):
    """Begin a search of ``below``, a lower level, after the next move to try."""
    depth = levels.depth[level]
    if depth == levels.path.shape[1]:
        return TOO_MANY_STEPS
    move = levels.move[level, levels.tried[level] % levels.listed[level]]
    child = state_at(position.state, work.states, below)
    copy(position.instance, state_at(position.state, work.states, level), child)
    play(position.instance, child, move)
    for i in range(depth):
        levels.path[below, i] = levels.path[level, i]
    levels.path[below, depth] = move
    levels.depth[below] = depth + 1
    levels.phase[below] = LISTING
    levels.found[below] = False
    levels.score[below] = -np.inf
    return 0


@jit
def sample(position, memory, work, level, settings):
    """Play the state of a level to its end and make the sequence the level's best."""
    levels = memory.levels
    record = InPath(levels.path, levels.length, levels.score, level, levels.depth[level])
    status = playout(position, settings.choice, record, memory.random, work.weights)
    if status < 0:
        return status
    levels.found[level] = True
    for i in range(levels.length[level]):
        levels.best[level, i] = levels.path[level, i]
    return status


@jit
def judge(levels, settings, level):
    """Count a playout for the move of ``level`` that it judges; after the last, leave the worst moves out.

    Those are the moves whose sum of scores is below that at the share ``prune`` of all sums in order, the least first.
    """
    take_over(levels, 0, level)
    count = levels.listed[level]
    levels.judged[level, levels.tried[level] % count] += levels.score[0]
    levels.tried[level] += 1
    if levels.tried[level] < count * settings.judging:
        return
    place, kept = int(settings.prune * (count - 1)), 0
    for m in range(count):
        if not_above(levels.judged[level], count, levels.judged[level, m]) > place:
            levels.move[level, kept] = levels.move[level, m]
            kept += 1
    levels.listed[level] = kept
    levels.tried[level] = 0
    levels.phase[level] = TRYING


@jit
def not_above(values, count, value):
    """Return how many of the first values are not above another one."""
    found = 0
    for k in range(count):
        if values[k] <= value:
            found += 1
    return found


@jit
def take_over(levels, level, above):
    """Make the best sequence of a level that of one above, if it is better."""
    if not levels.found[above] or levels.score[level] > levels.score[above]:
        levels.found[above] = True
        levels.score[above] = levels.score[level]
        levels.length[above] = levels.length[level]
        for i in range(levels.length[level]):
            levels.best[above, i] = levels.best[level, i]


@jit
def hand_up(position, memory, work, level):
    """End the search of ``level``: its result goes to the level above, which goes on to its next move or step."""
    levels = memory.levels
    top = len(levels.depth) - 1
    if level == top:
        memory.tally.searches[0] += 1
        restart(position, levels, work, top)
        return
    above = level + 1
    depth = levels.depth[above]
    take_over(levels, level, above)
    levels.active[0] = above
    levels.tried[above] += 1
    if levels.tried[above] < levels.listed[above]:
        return
    move = levels.best[above, depth]
    play(position.instance, state_at(position.state, work.states, above), move)
    levels.path[above, depth] = move
    levels.depth[above] = depth + 1
    levels.phase[above] = LISTING
