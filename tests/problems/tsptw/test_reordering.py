"""The dynamic program against all orders, in plain Python."""

from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest
from naive_tsptw import random_instance, random_matrix

import nrpa
from nrpa.machine.jit import jit
from nrpa.problems.tsptw import local_search, reordering


@jit
def begin(instance, state, sequence, steps):
    local_search.begin(instance, state, sequence, steps)


@jit
def reorder(instance, state, first, end, k, most):
    return reordering.reorder(instance, state, first, end, k, most)


def with_tour(distances, width, seed):
    """Return a problem whose windows are so wide around the times of a random tour, and that tour."""
    rng, cities = np.random.default_rng(seed), len(distances)
    tour = (1 + rng.permutation(cities - 1)).tolist()
    times = np.cumsum(np.asarray(distances)[[0, *tour[:-1]], tour])
    windows = np.full((cities, 2), [0.0, 1e6])
    windows[tour] = np.stack([np.maximum(times - width * rng.random(cities - 1), 0.0), times + width], axis=1)
    return nrpa.TSPTW(distances, windows, near=True), tour


def begun(problem, tour):
    """Return a state in which a tour is written, with what is known of it."""
    state = problem.new_state()
    state.search[local_search.WORK] = 10**6
    begin(problem.instance, state, np.array(tour, np.int64), len(tour))
    return state


@cache
def orders(count, k):
    """Return the orders of so many places in which none comes after one that is k places behind it, or more."""
    return [
        order
        for order in permutations(range(count))
        if all(order.index(i) < order.index(j) for i in order for j in range(i + k, count))
    ]


def cost_of(distances, windows, tour):
    """Return the cost of a tour, infinite where it misses a window."""
    time, cost = windows[0][0], 0.0
    for here, there in pairwise([0, *tour, 0]):
        cost += distances[here][there]
        time = max(time + distances[here][there], windows[there][0])
        if time > windows[there][1]:
            return np.inf
    return cost


def best_order(problem, tour, first, end, k):
    """Return the least cost of tours that keep their windows, and that have no city k places before one it follows."""
    arrays, part = (problem.distances.tolist(), problem.windows.tolist()), tour[first - 1 : end - 1]
    return min(
        cost_of(*arrays, [*tour[: first - 1], *(part[place] for place in order), *tour[end - 1 :]])
        for order in orders(end - first, k)
    )


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("make", [random_instance, random_matrix])
def test_the_best_order_is_found(make, k):
    """Of the beginning and of the end of a tour, so that the rest stays in time; what is no better is left alone."""
    gains = []
    for seed in range(24):
        problem, tour = with_tour(make(10, seed=seed)[0], (1.0, 8.0, 20.0, 60.0)[seed % 4], seed)
        verdict = problem.check(tour)
        for first, end in ((1, 7), (4, 10)):
            state = begun(problem, tour)
            gain, labels = reorder(problem.instance, state, first, end, k, 10**5)
            assert 0 < labels < 10**5
            assert verdict.figures["cost"] - gain == pytest.approx(best_order(problem, tour, first, end, k))
            changed = [*tour[: first - 1], *state.kept[first:end].tolist(), *tour[end - 1 :]]
            if gain > 0:
                assert problem.check(changed).figures["cost"] == pytest.approx(verdict.figures["cost"] - gain)
                assert problem.check(changed).valid
            gains.append(gain)
    assert max(gains) > 0
    assert min(gains) == 0


def test_too_many_labels_are_given_up():
    """The work is what was allowed, and there is no gain."""
    problem, tour = with_tour(random_instance(30, seed=1)[0], 60.0, 1)
    state = begun(problem, tour)
    assert reorder(problem.instance, state, 1, 30, 8, 50) == (0.0, 50)
