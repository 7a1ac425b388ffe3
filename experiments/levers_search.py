"""A copy of the search of GNRPA with more levers, for levers.py: playouts, Adapt and levels are the package's own.

With the levers left as they are, it is the package's search: the same playouts for the same seed.

References
----------
T. Cazenave, J.-B. Sevestre, M. Toulemont, *Stabilized Nested Rollout Policy Adaptation*, 2020: ``playouts``.

T. Cazenave, F. Teytaud, *Beam Nested Rollout Policy Adaptation*, 2012, and S. Edelkamp, T. Cazenave, *Improved
Diversity in Nested Rollout Policy Adaptation*, 2016, for the idea of ``keep``: several sequences for each level. Here
one policy is adapted to them by turns; a beam has a policy for each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from nrpa.base.errors import InputError
from nrpa.engine.adapt import learning_rate
from nrpa.engine.best import count_playout
from nrpa.engine.by_type import is_a
from nrpa.engine.improving import improve_playout
from nrpa.engine.jit import jit
from nrpa.engine.kernels import reset
from nrpa.engine.playout import INLINED, ByPolicy, InSequence, choose, draw_from_sums, playout, record_moves, weigh
from nrpa.engine.policy import lacks_room, leave, locate, weight
from nrpa.engine.random import mixed, uniform
from nrpa.engine.sequence import allocate_sequences
from nrpa.engine.status import BUDGET_USED, IMPROVED, LACKS_ROOM
from nrpa.modelling.base_problem import BaseProblem
from nrpa.solvers.compiled_nrpa import Memory, adapt, begin, count_repetition, is_finished, take_if_no_worse
from nrpa.solvers.nrpa import GNRPA
from nrpa.solvers.nrpa_search import NRPASearch, initial_memory

NO_MATTER, SKIP, EXPLORE, LEAVE = range(4)
SEEN = ("", "skip", "explore", "leave")
BINS = 10
LATEST = 256
SAMPLES, REPEATED, IMPROVING, ENTROPY, BRANCHING, STEPS = range(6)


class Choice(NamedTuple):
    """The levers of a variant.

    Attributes
    ----------
    playouts : int
        P, the playouts for each Adapt of level 1.
    first_iterations : int
        The iterations of level 1; 0 for those of all levels.
    first_alpha : float
        The learning rate of level 1; 0 for that of all levels.
    late : int
        Level 1 makes no Adapt in so many first iterations.
    good : float
        Level 1 makes an Adapt only if its best is at least as good as this share of the latest 256 playouts.
    keep : int
        How many sequences a level keeps; every second Adapt is towards one of those that are not the best, by turns.
    keep_from : int
        The lowest level that keeps more than one.
    seen : str
        What happens where a playout ends as one of the same search of level 1 did: ``skip`` the Adapt, ``explore`` in
        the next playout, or ``leave`` level 1 when an end was reached ``limit`` times more.
    share : float
        Of ``explore``: the share of moves that are drawn at random.
    limit : int
        Of ``leave``.
    """

    playouts: int = 1
    first_iterations: int = 0
    first_alpha: float = 0.0
    late: int = 0
    good: float = 0.0
    keep: int = 1
    keep_from: int = 1
    seen: str = ""
    share: float = 0.05
    limit: int = 10


class Levers(NamedTuple):
    """The levers as the compiled search has them, with what it must remember for them.

    Attributes
    ----------
    playouts, late, keep, keep_from, limit : int
        As in ``Choice``.
    good, share : float
        As in ``Choice``.
    seen : int
        The position in ``SEEN``.
    measures : bool
        Whether ``figures`` are measured.
    counter : ndarray of int64, shape (3,)
        The playouts of this iteration of level 1, those in ``latest`` so far, and whether the last one's end had been
        seen before.
    latest : ndarray of float64, shape (LATEST,)
        The scores of the latest playouts.
    end : ndarray of uint64, shape (ends,)
        A hash table of the ends in this search of level 1; 0 where a slot is free.
    times : ndarray of int64, shape (ends,)
        How often each was reached.
    ends : ndarray of uint64, shape (slots,)
        The end of each sequence.
    kept : ndarray of int64, shape (levels + 1, keep - 1)
        The slots of the sequences that each level keeps beside its best.
    count : ndarray of int64, shape (levels + 1,)
        How many of them hold one.
    figures : ndarray of float64, shape (6, BINS)
        Sums over the playouts of each tenth of level 1: playouts; those whose end had been seen; those that improved
        the best of level 1; entropy of their moves; legal moves; and steps.
    """

    playouts: int
    late: int
    keep: int
    keep_from: int
    limit: int
    good: float
    share: float
    seen: int
    measures: bool
    counter: np.ndarray
    latest: np.ndarray
    end: np.ndarray
    times: np.ndarray
    ends: np.ndarray
    kept: np.ndarray
    count: np.ndarray
    figures: np.ndarray


PLAYED, RECORDED, KNOWN = range(3)


class ByMixture(NamedTuple):
    """Draw each move by the policy, or with some probability any one.

    Attributes
    ----------
    policy, row, use_bias
        As in ``ByPolicy``.
    share : float
        The probability.
    """

    policy: NamedTuple
    row: int
    use_bias: bool
    share: float


@overload(choose, jit_options=INLINED)
def _choose_by_mixture(choice, record, total, moves, count, random, weights):
    def choose(choice, record, total, moves, count, random, weights):
        if uniform(random) < choice.share:
            record_moves(record, total, moves, count)
            return min(np.int64(uniform(random) * count), count - 1)
        sum_of_all = 0.0
        for m in range(np.uint64(count)):
            sum_of_all += weigh(choice, record, np.uint64(total), moves, m)
            weights[m] = sum_of_all
        return draw_from_sums(weights, count, sum_of_all, random)

    return choose if is_a(choice, ByMixture) else None


def advance_levers(position, memory, work, settings, first, levers, budget):
    """Search on as ``nrpa.solvers.compiled_nrpa.advance_nrpa`` does; ``first`` are the settings of level 1."""
    policy, sequences, levels = memory.policy, memory.sequences, memory.levels
    top = len(levels.slot) - 1
    for _ in range(budget.playouts):
        if lacks_room(policy, sequences.code.shape[1]):
            return LACKS_ROOM
        if not levels.begun[0]:
            levels.begun[0] = True
            for level in range(top, 0, -1):
                begin_level(memory, levers, level)
        reset(position.instance, position.state)
        slot = levels.slot[0]
        explores = levers.seen == EXPLORE and levers.counter[KNOWN] > 0
        failure = play_one(position, memory, work, settings, slot, levers.share if explores else 0.0)
        if failure:
            return failure
        improve_playout(work.improvement, position, sequences, slot, levels.slot[1])
        improved = count_playout(
            memory.best, memory.tally, sequences.move[slot], sequences.length[slot], sequences.score[slot]
        )
        times = remember(levers, sequences, slot)
        if levers.measures:
            measure(policy, levers, sequences, levels, slot, first)
        levers.counter[PLAYED] += 1
        level = 1
        while level <= top:
            if settings.repetitions > 0:
                count_repetition(sequences, levels, level)
            take_if_no_worse(sequences, levels, level)
            if levers.keep > 1 and level >= levers.keep_from:
                keep_another(levers, sequences, levels, level)
            if level == 1 and levers.counter[PLAYED] < levers.playouts:
                break
            levels.iteration[level] += 1
            if not has_ended(levers, levels, level, settings, first, times):
                break
            leave(policy, level)
            level += 1
        if level > top:
            memory.tally.searches[0] += 1
        elif shall_adapt(levers, sequences, levels, level, times):
            target = levels.slot[level]
            if levers.keep > 1 and levers.count[level] > 0 and levels.iteration[level] % 2 == 0:
                target = levers.kept[level, (levels.iteration[level] // 2) % levers.count[level]]
            locate(policy, level, sequences.code[target], 0, 0, -1)  # forgets where the last codes were
            if level == 1:
                adapt(position, policy, level, sequences, target, first, work.factors)
            else:
                adapt(position, policy, level, sequences, target, settings, work.factors)
        if levers.counter[PLAYED] >= levers.playouts:
            levers.counter[PLAYED] = 0
        for below in range(level - 1, 0, -1):
            begin_level(memory, levers, below)
        if improved:
            return IMPROVED
        if level > budget.level or memory.tally.searches[0] >= budget.searches:
            break
    return BUDGET_USED


@jit
def play_one(position, memory, work, settings, slot, share):
    """Play by the policy of level 1, with a share of moves drawn at random."""
    record = InSequence(memory.sequences, slot)
    if share > 0.0:
        mixture = ByMixture(memory.policy, 1, settings.bias.by_move, share)
        return playout(position, mixture, record, memory.random, work.weights)
    return playout(position, ByPolicy(memory.policy, 1, settings.bias.by_move), record, memory.random, work.weights)


@jit
def begin_level(memory, levers, level):
    """Start a search of ``level``, which has kept nothing."""
    begin(memory, level)
    levers.count[level] = 0
    if level == 1:
        levers.counter[PLAYED] = levers.counter[KNOWN] = 0
        for slot in range(len(levers.end)):
            levers.end[slot] = 0
            levers.times[slot] = 0


@jit
def remember(levers, sequences, slot):
    """Remember score and end of a playout; return how often this search of level 1 had reached the end before."""
    end = np.uint64(1)
    for step in range(sequences.length[slot]):
        code = sequences.code[slot, sequences.offset[slot, step] + sequences.chosen[slot, step]]
        end += mixed(np.uint64(code) + np.uint64(0x9E3779B97F4A7C15))
    levers.ends[slot] = end
    levers.latest[levers.counter[RECORDED] % LATEST] = sequences.score[slot]
    levers.counter[RECORDED] += 1
    last = np.uint64(len(levers.end) - 1)
    place = mixed(end) & last
    while levers.end[place] != 0 and levers.end[place] != end:
        place = (place + np.uint64(1)) & last
    before = levers.times[place]
    levers.end[place] = end
    levers.times[place] += 1
    levers.counter[KNOWN] = before
    return before


@jit
def has_ended(levers, levels, level, settings, first, times):
    """Return whether a search of ``level`` is over."""
    if level > 1:
        return is_finished(levels, level, settings)
    if levers.seen == LEAVE and times >= levers.limit:
        return True
    return is_finished(levels, 1, first)


@jit
def shall_adapt(levers, sequences, levels, level, times):
    """Return whether a level makes an Adapt now."""
    if level > 1:
        return True
    if levers.counter[PLAYED] < levers.playouts or levels.iteration[1] <= levers.late:
        return False
    if levers.seen == SKIP and times > 0:
        return False
    if levers.good > 0.0:
        known = min(levers.counter[RECORDED], LATEST)
        score, no_better = sequences.score[levels.slot[1]], 0
        for number in range(known):
            no_better += levers.latest[number] <= score
        return no_better >= levers.good * known
    return True


@jit
def keep_another(levers, sequences, levels, level):
    """Keep the sequence that is about to be given up, if it is a new one and no worse than one of those kept."""
    slot = levels.slot[level - 1]
    if sequences.score[slot] == -np.inf or levers.ends[slot] == levers.ends[levels.slot[level]]:
        return
    count, worst = levers.count[level], 0
    for number in range(count):
        kept = levers.kept[level, number]
        if levers.ends[kept] == levers.ends[slot]:
            return
        if sequences.score[kept] < sequences.score[levers.kept[level, worst]]:
            worst = number
    if count < levers.keep - 1:
        worst = count
        levers.count[level] = count + 1
    elif sequences.score[slot] < sequences.score[levers.kept[level, worst]]:
        return
    levels.slot[level - 1] = levers.kept[level, worst]
    levers.kept[level, worst] = slot


@jit
def measure(policy, levers, sequences, levels, slot, first):
    """Add the figures of the last playout to its tenth of level 1."""
    tenth = min(levels.iteration[1] * BINS // first.iterations, BINS - 1)
    steps = sequences.length[slot]
    levers.figures[SAMPLES, tenth] += 1
    levers.figures[REPEATED, tenth] += levers.counter[KNOWN] > 0
    levers.figures[IMPROVING, tenth] += sequences.score[slot] > sequences.score[levels.slot[1]]
    levers.figures[BRANCHING, tenth] += sequences.offset[slot, steps]
    levers.figures[STEPS, tenth] += steps
    for step in range(steps):
        begun, end = sequences.offset[slot, step], sequences.offset[slot, step + 1]
        total = logs = 0.0
        for m in range(begun, end):
            g = weight(policy, 1, sequences.code[slot, m])
            if first.bias.by_move:
                g *= sequences.exp_bias[slot, m]
            if g > 0.0:
                total += g
                logs += g * np.log(g)
        levers.figures[ENTROPY, tenth] += np.log(total) - logs / total


class LeversSearch(NRPASearch):
    """The search with levers.

    Parameters
    ----------
    problem : BaseProblem
        The problem.
    solver : GNRPA
        The options; ``level`` must be a number.
    choice : Choice
        The levers.
    seed : int
        The seed.
    measures : bool
        Whether figures of level 1 are measured.
    """

    def __init__(self, problem: BaseProblem, solver: GNRPA, choice: Choice, seed: int, measures: bool = False) -> None:
        if choice.seen not in SEEN:
            raise InputError(f"seen must be one of {', '.join(SEEN[1:])}, not {choice.seen!r}")
        memory = initial_memory(solver, problem, seed)
        levels, slots = solver.levels, solver.levels + 1
        steps, total, biases = (
            memory.sequences.move.shape[1],
            *memory.sequences.code.shape[1:],
            memory.sequences.exp_bias,
        )
        rooms = allocate_sequences(slots + levels * (choice.keep - 1), steps, total, biases.shape[1] > 0)
        super().__init__(problem, solver, memory._replace(sequences=rooms))
        iterations = choice.first_iterations or solver.iterations
        rate = learning_rate(choice.first_alpha or solver.alpha, solver.tau)
        self._first = self._settings._replace(iterations=iterations, rate=rate)
        ends = 1 << (2 * iterations * choice.playouts).bit_length()
        kept = np.zeros((slots, choice.keep - 1), np.int64)
        kept[1:] = slots + np.arange(levels * (choice.keep - 1)).reshape(levels, choice.keep - 1)
        self.levers = Levers(
            choice.playouts,
            choice.late,
            choice.keep,
            choice.keep_from,
            choice.limit,
            choice.good,
            choice.share,
            SEEN.index(choice.seen),
            measures,
            counter=np.zeros(3, np.int64),
            latest=np.zeros(LATEST),
            end=np.zeros(ends, np.uint64),
            times=np.zeros(ends, np.int64),
            ends=np.zeros(len(rooms.length), np.uint64),
            kept=kept,
            count=np.zeros(slots, np.int64),
            figures=np.zeros((6, BINS)),
        )

    memory: Memory

    def _function(self) -> Callable[..., Any]:
        return advance_levers

    def _work(self) -> tuple[Any, ...]:
        return *super()._work(), self._first, self.levers
