"""Containers in stacks are retrieved in a known order, in plain Python: as few as can be are put elsewhere meanwhile.

Known as the block relocation problem (Caserta, Schwarze and Voß 2012). The best number is that of the longest runs of
all solvers and of the sampling below.
"""

import random
import time

import nrpa

BEST = {"50": 35}
STACKS, HEIGHT = 10, 7


class Relocation(nrpa.Problem):
    """A move is the stack on which the topmost container goes that is above the next one to retrieve."""

    objective = nrpa.Objective("relocations", sign=-1)

    def __init__(self, count):
        order = random.Random(1).sample(range(count), count)
        self.stacks = tuple(tuple(order[k::STACKS]) for k in range(STACKS))
        self.count = count

    def initial_state(self):
        """The stacks, the next container to retrieve, the relocations."""
        return self.retrieved(self.stacks, 0, 0)

    def retrieved(self, stacks, following, relocations):
        """Retrieve what is on top in its turn."""
        tops = [stack[-1] if stack else -1 for stack in stacks]
        while following in tops:
            k = tops.index(following)
            stacks = (*stacks[:k], stacks[k][:-1], *stacks[k + 1 :])
            tops[k] = stacks[k][-1] if stacks[k] else -1
            following += 1
        return stacks, following, relocations

    def legal_moves(self, state):
        stacks, following, _ = state
        if following == self.count:
            return []
        return [k for k, stack in enumerate(stacks) if len(stack) < HEIGHT and following not in stack]

    def play(self, state, move):
        stacks, following, relocations = state
        origin = next(k for k, stack in enumerate(stacks) if following in stack)
        changed = list(stacks)
        changed[move], changed[origin] = (*stacks[move], stacks[origin][-1]), stacks[origin][:-1]
        return self.retrieved(tuple(changed), following, relocations + 1)

    def score(self, state):
        return -state[2]


def ranked(problem, state, legal):
    """The stacks, the best first (Caserta): where all leave later, the soonest; else where the first leaves last."""
    stacks, following, _ = state
    mine = next(stack[-1] for stack in stacks if following in stack)
    first = {k: min(stacks[k], default=problem.count) for k in legal}
    return sorted(legal, key=lambda k: (first[k] < mine, first[k] if first[k] > mine else -first[k]))


def baseline(problem, seconds, seed):
    """Random games by the rule, one choice in twenty the second best: the relocations, and the stacks."""
    draw, best, start = random.Random(seed), None, time.process_time()
    while best is None or time.process_time() - start < seconds:
        state, moves = problem.initial_state(), []
        while legal := problem.legal_moves(state):
            moves.append(ranked(problem, state, legal)[: 1 + (draw.random() < 0.05)][-1])
            state = problem.play(state, moves[-1])
        if best is None or state[2] < best[0]:
            best = state[2], moves
    return best
