"""A container yard in plain Python: containers arrive and leave in a known order; one crane stacks them.

The best time is that of the longest runs of all solvers and of the annealing below.
"""

import random

from annealing import annealed

import nrpa

BEST = {"60": 2042}
STACKS, HEIGHT = 8, 5
LIFT, STEP = 10, 2


class Yard(nrpa.Problem):
    """A move is the stack on which the crane puts the container that it holds; the cost is the seconds of all its work.

    It lifts a container in 10 seconds and carries it in 2 for each stack; containers arrive and leave at stack 0.
    Before a container leaves, those above it are put on other stacks, the topmost first.
    """

    objective = nrpa.Objective("seconds", sign=-1)

    def __init__(self, count):
        draw = random.Random(1)
        times = sorted((draw.uniform(0, 100), container) for container in range(count))
        leaves = [arrival + draw.expovariate(1 / 35) for arrival, _ in times]
        events = sorted((when, container, 0) for container, (when, _) in enumerate(times))
        events += sorted((when, container, 1) for container, when in enumerate(leaves))
        self.events = [(container, out) for _, container, out in sorted(events)]
        rank = sorted(range(count), key=lambda container: leaves[container])
        self.leaving = [rank.index(container) for container in range(count)]

    def initial_state(self):
        """The stacks, the events that are over, the container held, the stack that it is from, the seconds."""
        return self.worked_on(((),) * STACKS, 0, 0)

    def worked_on(self, stacks, event, seconds):
        """Let the crane work until it holds a container for which there is a choice."""
        stacks = list(stacks)
        while event < len(self.events):
            container, out = self.events[event]
            if not out:
                return tuple(stacks), event + 1, container, -1, seconds + LIFT
            k = next(k for k, stack in enumerate(stacks) if container in stack)
            held, stacks[k] = stacks[k][-1], stacks[k][:-1]
            if held != container:
                return tuple(stacks), event, held, k, seconds + LIFT
            seconds += LIFT + STEP * (k + 1)
            event += 1
        return tuple(stacks), event, -1, -1, seconds

    def legal_moves(self, state):
        stacks, _, held, origin, _ = state
        if held < 0:
            return []
        return [k for k, stack in enumerate(stacks) if len(stack) < HEIGHT and k != origin]

    def play(self, state, move):
        stacks, event, held, origin, seconds = state
        stacks = [(*stack, held) if k == move else stack for k, stack in enumerate(stacks)]
        return self.worked_on(stacks, event, seconds + STEP * abs(move - origin))

    def score(self, state):
        return -state[4]


def followed(problem, plan):
    """Follow the plan, by the usual rule where it says nothing that can be done: the seconds, and the moves."""
    state, moves = problem.initial_state(), []
    while legal := problem.legal_moves(state):
        wanted = plan[len(moves)] if len(moves) < len(plan) else None
        moves.append(wanted if wanted in legal else usual(problem, state, legal))
        state = problem.play(state, moves[-1])
    return state[4], moves


def usual(problem, state, legal):
    """The stack where all leave later, the soonest of these; else the one whose first leaves last (Caserta et al.)."""
    mine, last = problem.leaving[state[2]], len(problem.leaving)
    first = {k: min((problem.leaving[each] for each in state[0][k]), default=last) for k in legal}
    return min(legal, key=lambda k: (first[k] < mine, first[k] if first[k] > mine else -first[k]))


def baseline(problem, seconds, seed):
    """Simulated annealing from the usual rule, one choice of the plan changed at a time: the seconds, and the moves."""
    draw = random.Random(seed)

    def changed(plan):
        other = plan[1][:]
        other[draw.randrange(len(other))] = draw.randrange(STACKS)
        return followed(problem, other)

    return annealed(lambda plan: plan[0], changed, followed(problem, []), seconds, draw, 10, 0.1)[1]
