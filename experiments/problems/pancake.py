"""Pancakes beside IDA*, the textbook's search, which proves its answers.

The instances: stacks of 20, 60 and 100 pancakes, each drawn with seed 1; and 2 1 4 3 … 30 29, of a kind that T. Rokicki
found to be hard for such a search. No package that pip installs is known to sort pancakes; the peer is IDA* with the
gaps (Helmert 2010), compiled by numba.
"""

import time

import numba
import numpy as np

INSTANCES = "20-1", "60-1", "100-1", "pairs-30"
PEER = "IDA* with the gaps"
BASELINE = "the largest to its place"
NODES = 1_000_000


def answer(problem, seconds):
    """Return the fewest flips; the limit of flips grows by one."""
    end, limit, status = time.process_time() + seconds, problem.gaps, -1
    while status < 0:
        stack, levels = np.append(problem.stack, len(problem.stack) + 1), np.zeros((limit + 2, 2), np.int64)
        levels[0] = 2, problem.gaps  # at each depth: the flip to try, the gaps
        depth, status = 0, 0
        while status == 0:
            depth, status = searched(stack, limit, levels, depth, NODES)
            if status == 0 and time.process_time() > end:
                return None
        limit += 1
    return (levels[:depth, 0] - 1).tolist()


@numba.njit(cache=True)
def searched(stack, limit, levels, depth, nodes):
    """Search on depth first for some nodes; return the depth, and 1: sorted, -1: nothing left, 0: not yet."""
    for _ in range(nodes):
        flip, gaps = levels[depth]
        if gaps == 0:
            return depth, 1
        levels[depth, 0] += 1
        if flip == len(stack):
            if depth == 0:
                return depth, -1
            depth -= 1
            turn(stack, levels[depth, 0] - 1)
            continue
        below = stack[flip]
        after = gaps - (abs(stack[flip - 1] - below) != 1) + (abs(stack[0] - below) != 1)
        if depth + 1 + after <= limit:
            turn(stack, flip)
            depth += 1
            levels[depth] = 2, after
    return depth, 0


@numba.njit(cache=True)
def turn(stack, count):
    """Turn over so many from the top."""
    for k in range(count // 2):
        stack[k], stack[count - 1 - k] = stack[count - 1 - k], stack[k]


def baseline(problem):
    """Bring the largest that is not in its place to the top, then to its place: at most 2n - 3 flips."""
    stack, flips = problem.stack.tolist(), []
    for size in range(len(stack), 1, -1):
        at = stack.index(size) + 1
        for flip in (at, size) if at < size else ():
            if flip > 1:
                flips.append(flip)
                stack[:flip] = reversed(stack[:flip])
    return flips
