"""Jobs one after the other, compiled, with and without the kernel ``rest``: what is left follows from the jobs done.

A move is one job or two at once, so that games that do the same jobs differ in their lengths. Its number says, too,
what was done before, so that one move has many numbers. What is done, or too late, is never legal again.
"""

from typing import NamedTuple

import numpy as np

import nrpa
from nrpa.engine.kernels import kernels_of

DONE, LAST, HOUR, WON = range(4)


class Instance(NamedTuple):
    """The jobs of each move, those that must be done before it, its hours, worth and last hour to begin (int64).

    Moves are hidden from ``legal_moves`` where ``hidden`` is 1. The score is -inf as long as a job of ``must`` is left,
    and NaN once all of ``spoilt`` are done.
    """

    jobs: np.ndarray
    before: np.ndarray
    hours: np.ndarray
    worth: np.ndarray
    due: np.ndarray
    hidden: np.ndarray
    must: int
    spoilt: int


def reset(instance, state):
    for k in range(4):
        state.sums[k] = 0


@nrpa.jit
def standing(instance, state, kind):
    """Return 0 where a move may be made, hidden or not, else NOT_NOW or NEVER."""
    done = state.sums[DONE]
    if done & instance.jobs[kind] != 0 or state.sums[HOUR] > instance.due[kind]:
        return nrpa.NEVER
    return 0 if instance.before[kind] & ~done == 0 else nrpa.NOT_NOW


@nrpa.jit
def listed(instance, state, moves, with_hidden):
    count, kinds = 0, len(instance.jobs)
    for kind in range(kinds):
        if standing(instance, state, kind) == 0 and (with_hidden or not instance.hidden[kind]):
            moves.move[count] = kind + kinds * state.sums[LAST]
            moves.code[count] = kind
            count += 1
    return count


def legal_moves(instance, state, moves):
    return listed(instance, state, moves, False)


def all_moves(instance, state, moves):
    return listed(instance, state, moves, True)


def play(instance, state, move):
    kind = move % len(instance.jobs)
    state.sums[DONE] |= instance.jobs[kind]
    state.sums[LAST] = kind + 1
    state.sums[HOUR] += instance.hours[kind]
    state.sums[WON] += instance.worth[kind] * (100 - state.sums[HOUR])


def score(instance, state):
    done = state.sums[DONE]
    if instance.spoilt != 0 and instance.spoilt & ~done == 0:
        return np.nan
    return -np.inf if instance.must & ~done != 0 else np.float64(state.sums[WON])


def name(instance, state, moves, place):
    return moves.move[place] % len(instance.jobs)


def find(instance, state, name):
    kinds = len(instance.jobs)
    if name < 0 or name >= kinds or instance.hidden[name]:
        return nrpa.NEVER
    found = standing(instance, state, name)
    return name + kinds * state.sums[LAST] if found == 0 else found


def rest(instance, state):
    return state.sums[DONE]


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find, rest)
class State(NamedTuple):
    """sums: int64[4], the jobs done as bits, the last move and 1 (0: none), the hour, the score so far."""

    sums: np.ndarray


@nrpa.kernels(reset, legal_moves, all_moves, play, score, name, find)
class StateWithoutRest(NamedTuple):
    """As above."""

    sums: np.ndarray


class Jobs(nrpa.CompiledProblem):
    """Jobs; their solution is the list of moves, one number each."""

    state_class = State

    def __init__(self, jobs=24, must=0, spoilt=0, hidden=0):
        rng = np.random.default_rng(5)
        each = 1 << np.arange(jobs)
        before = [
            sum(1 << int(x) for x in {*rng.integers(-jobs // 2, max(j, 1), 2)} if 0 <= x < j) for j in range(jobs)
        ]
        hours, worth = rng.integers(1, 9, (2, jobs))
        due = rng.integers(jobs, 9 * jobs, jobs)
        pairs = np.arange(0, jobs - 1, 2)
        both = each[pairs] | each[pairs + 1]
        before_both = np.array([before[j] | before[j + 1] for j in pairs]) & ~both
        instance = Instance(
            jobs=np.concatenate([each, both]),
            before=np.concatenate([before, before_both]),
            hours=np.concatenate([hours, hours[pairs] + hours[pairs + 1]]),
            worth=np.concatenate([worth, worth[pairs] + 2]),
            due=np.concatenate([due, np.minimum(due[pairs], due[pairs + 1])]),
            hidden=(np.arange(jobs + len(pairs)) % 7 < hidden).astype(np.int64),
            must=must,
            spoilt=spoilt,
        )
        super().__init__(instance, max_steps=jobs, max_moves=jobs + len(pairs))

    def new_state(self):
        return self.state_class(np.zeros(4, np.int64))

    def solution(self, moves):
        return moves.tolist()

    def check(self, solution):
        """Play it once more, with the numbers of moves as they are listed."""
        done, last, hour, won, kinds = 0, 0, 0, 0, len(self.instance.jobs)
        for number in solution:
            last_said, kind = divmod(number, kinds)
            jobs = int(self.instance.jobs[kind])
            late, unready = hour > self.instance.due[kind], int(self.instance.before[kind]) & ~done
            if last_said != last or jobs & done or late or unready:
                return nrpa.Verdict({}, [f"the move {number} is not legal"])
            hour += int(self.instance.hours[kind])
            won += int(self.instance.worth[kind]) * (100 - hour)
            done, last = done | jobs, kind + 1
        return nrpa.Verdict({"won": won}, score=float(won))


class JobsWithoutRest(Jobs):
    """The same, of which changed games are played to their ends."""

    state_class = StateWithoutRest


def jobs_with(*kernels):
    """Return such a problem of which some kernels are others."""
    changed = {**kernels_of(State), **{kernel.__name__: kernel for kernel in kernels}}

    @nrpa.kernels(*changed.values())
    class Mine(NamedTuple):
        sums: np.ndarray

    problem = Jobs()
    problem.state_class = Mine
    return problem
