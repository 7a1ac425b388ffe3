"""Where a search of NRPA or GNRPA would stand if those still running had ended with what they have found so far.

References
----------
A. Nagórko, *Parallel Nested Rollout Policy Adaptation*, 2019: the searches below a level seldom improve its best
sequence, so the state after them can be guessed before they end.
"""

from __future__ import annotations

from pathlib import Path

from nrpa.engine.adapt import adapt_optimized
from nrpa.engine.policy import lacks_room, leave
from nrpa.engine.status import BUDGET_USED, LACKS_ROOM
from nrpa.solvers.compiled_nrpa import begin, count_repetition, is_finished, take_if_no_worse

SOURCE = Path(__file__)


def assume_ended(memory, factors, settings, level):
    """End the searches of ``level`` and below as they stand, and begin those that follow.

    Parameters
    ----------
    memory : Memory
        The search; it changes. The searches of levels 1 to ``level + 1`` have found something, or ``level`` is the top.
    factors : ndarray of float64, shape (max_total,)
        A work area.
    settings : Settings
        The options. The optimized Adapt is used whatever they say, as all three give the same policy.
    level : int
        The level, 1 or more.

    Returns
    -------
    int
        LACKS_ROOM if the policy must be enlarged first, and nothing has changed; else BUDGET_USED.
    """
    policy, sequences, levels = memory.policy, memory.sequences, memory.levels
    top = len(levels.slot) - 1
    if lacks_room(policy, sequences.code.shape[1]):
        return LACKS_ROOM
    for ended in range(1, level + 1):
        if ended > 1:
            take_if_no_worse(sequences, levels, ended)
        leave(policy, ended)
    above = level + 1
    while above <= top:
        if settings.repetitions > 0:
            count_repetition(sequences, levels, above)
        take_if_no_worse(sequences, levels, above)
        levels.iteration[above] += 1
        if not is_finished(levels, above, settings):
            break
        leave(policy, above)
        above += 1
    if above > top:
        memory.tally.searches[0] += 1
    else:
        adapt_optimized(policy, above, sequences, levels.slot[above], settings.bias, settings.rate, factors)
    for below in range(above - 1, 0, -1):
        begin(memory, below)
    return BUDGET_USED
