"""Pancakes in plain Python: a stack of sixteen is sorted by flips of its top.

The fewest flips are proven by the search below, which ends when it has found them.
"""

import random
import time

import nrpa

BEST = {"16": 14}
MOST = 40


class Pancakes(nrpa.Problem):
    """A move is how many pancakes are flipped, from the top; the cost is the flips.

    After 40 flips the game is over; each gap that is left, two neighbours whose sizes differ by more than 1, costs 10.
    """

    objective = nrpa.Objective("cost", sign=-1)

    def __init__(self, count):
        self.stack = tuple(random.Random(1).sample(range(count), count))

    def initial_state(self):
        """The stack from its top, and the flips."""
        return self.stack, 0

    def legal_moves(self, state):
        stack, flips = state
        if flips == MOST or gaps(stack) == 0:
            return []
        return list(range(2, len(stack) + 1))

    def play(self, state, move):
        stack, flips = state
        return stack[:move][::-1] + stack[move:], flips + 1

    def score(self, state):
        return -(state[1] + 10 * gaps(state[0]))


def gaps(stack):
    """Count the neighbours that do not belong together; the plate is a neighbour of the lowest."""
    return sum(abs(a - b) != 1 for a, b in zip(stack, (*stack[1:], len(stack)), strict=True))


def baseline(problem, seconds, seed):
    """Iterative deepening A* by gaps (Helmert 2010): the flips, and the moves; the largest first if time is over."""
    draw, end = random.Random(seed), time.process_time() + seconds

    def found(stack, path, most):
        left = gaps(stack)
        if left == 0 or len(path) + left > most or time.process_time() > end:
            return path if left == 0 else None
        moves = list(range(2, len(stack) + 1))
        draw.shuffle(moves)
        for move in moves:
            answer = found(stack[:move][::-1] + stack[move:], [*path, move], most)
            if answer is not None:
                return answer
        return None

    for most in range(gaps(problem.stack), MOST):
        path = found(problem.stack, [], most)
        if path is not None:
            return len(path), path
    return largest_first(problem.stack)


def largest_first(stack):
    """Bring the largest that is not in place to the top, then to its place: the flips, and the moves."""
    moves = []
    for size in range(len(stack) - 1, -1, -1):
        for move in (stack.index(size) + 1, size + 1):
            if stack[size] != size and move > 1:
                moves.append(move)
                stack = stack[:move][::-1] + stack[move:]
    return len(moves), moves
