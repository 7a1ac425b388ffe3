"""Fronts of sequences, which the levels of NRPA keep where there are several goals: what no other beats in all of them.

References
----------
N. Lallouet, T. Cazenave and C. Enderli, *Pareto-NRPA: A Novel Monte-Carlo Search Algorithm for Multi-Objective
Optimization*, ECAI 2025: a front on each level, and Adapt towards all of it. Here there is one policy for all, and the
sequences of a front share α equally.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nrpa.engine.kernels import goal
from nrpa.engine.status import NO_SCORE, is_score
from nrpa.machine.jit import held, jit
from nrpa.solvers.nrpa.adapt import Rate, adapt, rate_of
from nrpa.solvers.nrpa.improve import improve_playout, play_again

# Of a slot that holds no sequence, whose score stays -inf, and of those that are free.
RESERVED, FREE = -1, 0


class Fronts(NamedTuple):
    """To which fronts sequences belong.

    - ``goals``, float64[slots, goals]: How good each is, by each goal.
    - ``level``, int64[slots]: The level whose front it is in, FREE or RESERVED; above the top level is what earlier
      top-level searches have found.
    """

    goals: np.ndarray
    level: np.ndarray


@jit
def free_slot(fronts):
    """Return the first slot that is free; 0 where none is."""
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == FREE:
            return slot
    return 0


@jit
def codes_of_front(fronts, sequences):
    """Return how many codes an Adapt towards the sequences of all fronts may change, at most."""
    codes = 0
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] != FREE:
            codes += sequences.offset[slot, sequences.length[slot]]
    return codes


@jit
def note_goals(position, fronts, slot, radix):
    """Note how good the game is that has just ended, a packed score by its parts; return 0, or NO_SCORE.

    ``radix``: By what the parts of a packed score are divided, float64[goals - 1] or [0]
    (``nrpa.modelling.objective``).
    """
    for place in range(fronts.goals.shape[1]):
        fronts.goals[slot, place] = held(goal(position.instance, position.state, place))
        if not is_score(fronts.goals[slot, place]):
            return NO_SCORE
    for place in range(len(radix), 0, -1):
        rest = fronts.goals[slot, 0]
        fronts.goals[slot, 0] = np.rint(rest / radix[place - 1])
        fronts.goals[slot, place] = rest - fronts.goals[slot, 0] * radix[place - 1]
    return 0


@jit
def covers(fronts, one, other):
    """Return whether one sequence is as good as another one, by every goal."""
    as_good = True
    for place in range(fronts.goals.shape[1]):
        as_good &= fronts.goals[one, place] >= fronts.goals[other, place]
    return as_good


@jit
def is_covered(fronts, level, slot):
    """Return whether a sequence in the front of ``level`` is as good by every goal."""
    is_one = False
    for other in range(1, len(fronts.level)):
        is_one |= fronts.level[other] == level and covers(fronts, other, slot)
    return is_one


@jit
def take_in(fronts, level, slot):
    """Take a sequence into the front of ``level``, or free its slot; return whether it is taken."""
    fronts.level[slot] = FREE
    if is_covered(fronts, level, slot):
        return False
    for other in range(1, len(fronts.level)):
        if fronts.level[other] == level and covers(fronts, slot, other):
            fronts.level[other] = FREE
    fronts.level[slot] = level
    return True


@jit
def hand_front_up(fronts, level):
    """Take the front of ``level`` into that of the level above; return whether anything of it is new there."""
    is_new = False
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == level:
            is_new |= take_in(fronts, level + 1, slot)
    return is_new


@jit
def improve_for_front(fronts, work, position, sequences, slot):
    """Note the goals of a playout, and improve it where that is wanted; return 0 or a negative status."""
    status = note_goals(position, fronts, slot, work.radix)
    if work.improvement is None or status < 0 or is_covered(fronts, 1, slot):
        return status
    status = improve_playout(work.improvement, position, sequences, slot, 0)
    if status == 0:
        status = min(play_again(position, sequences, slot, sequences.move[slot], sequences.length[slot]), 0)
    if status == 0:
        status = note_goals(position, fronts, slot, work.radix)
    return status


@jit
def adapt_to_front(fronts, position, policy, sequences, level, settings, factors):
    """Move the policy of ``level`` towards each sequence of its front, by an equal share of the learning rate."""
    members = 0
    for slot in range(1, len(fronts.level)):
        members += fronts.level[slot] == level
    share = 1.0 / members
    own = rate_of(settings.rates, level)
    rate = Rate(own.scaled * share, own.squarings, own.up**share)
    for slot in range(1, len(fronts.level)):
        if fronts.level[slot] == level:
            adapt(position, policy, level, sequences, slot, settings, rate, factors)
