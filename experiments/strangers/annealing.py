"""Simulated annealing (Kirkpatrick et al. 1983), the baseline of most problems here; the temperature falls by time."""

import math
import time

import numba
import numpy as np


def annealed(cost, changed, first, seconds, draw, temperature, factor):
    """The least cost and the solution that has it; ``changed`` makes another solution, ``factor`` is of the end."""
    best, best_cost = now, now_cost = first, cost(first)
    start = time.process_time()
    while (used := (time.process_time() - start) / seconds) < 1:
        then = changed(now)
        then_cost = cost(then)
        if then_cost <= now_cost or draw.random() < math.exp((now_cost - then_cost) / (temperature * factor**used)):
            now, now_cost = then, then_cost
        if now_cost < best_cost:
            best, best_cost = now, now_cost
    return best_cost, best


def one_moved(draw):
    """A change of a list: an element goes to another place."""

    def changed(sequence):
        other = sequence[:]
        other.insert(draw.randrange(len(other)), other.pop(draw.randrange(len(other))))
        return other

    return changed


def two_exchanged(draw):
    """A change of a list: two elements change places."""

    def changed(sequence):
        other, (i, j) = sequence[:], draw.sample(range(len(sequence)), 2)
        other[i], other[j] = other[j], other[i]
        return other

    return changed


def annealed_in_place(anneal, solution, seconds, seed, temperature, factor, sign, tries=1000):
    """The best value and its solution, which ``anneal(solution, temperature, tries)`` changes; it returns the value."""
    set_seed(seed)
    best, most = solution.copy(), -math.inf
    start = time.process_time()
    while (used := (time.process_time() - start) / seconds) < 1:
        value = sign * anneal(solution, temperature * factor**used, tries)
        if value > most:
            best, most = solution.copy(), value
    return sign * most, best.tolist()


@numba.njit(cache=True)
def set_seed(seed):
    np.random.seed(seed)
