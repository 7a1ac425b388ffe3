"""Pareto-NRPA for tours with windows and two costs, as published, for two_costs.py; it shares nothing with the package.

Lallouet, Cazenave and Enderli, ECAI 2025 (arXiv 2507.19109), after the authors' program (github.com/noual/pareto-nrpa):
several policies, of which each playout follows one, drawn evenly; on each level a front, with the best that each policy
without a part in it has found; Adapt moves the policy of each tour there towards it, α times its crowding distance.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

compiled = numba.njit(cache=True)
POLICIES, ALPHA, BIAS, MISSED, ENDS, ROOM = 4, 0.5, 10.0, 1e6, 2.0, 256


class Tours(NamedTuple):
    """The tours of a level: how many, the city of each step, which cities were legal, the costs, the policy."""

    held: np.ndarray
    city: np.ndarray
    legal: np.ndarray
    costs: np.ndarray
    policy: np.ndarray


def pareto_nrpa(distances, second, windows, level: int, iterations: int, seed: int) -> list[tuple[float, float]]:
    """Return the costs of all tours that no other beats, after ``iterations`` ** ``level`` playouts."""
    n = len(distances)
    bias = -BIAS * (distances - distances.min()) / (distances.max() - distances.min())
    given = distances, second, windows[:, 0].copy(), windows[:, 1].copy(), bias
    shapes = [(1, "i8"), ((ROOM, n), "i8"), ((ROOM, n, n), "?"), ((ROOM, 2), "f8"), (ROOM, "i8")]
    levels = tuple(Tours(*(np.zeros(*shape) for shape in shapes)) for _ in range(level + 1))
    weights = np.zeros((level + 1, POLICIES, n, n))
    start(seed)
    search(level, given, levels, weights, iterations)
    found = levels[level]
    return [(first, second) for first, second in found.costs[: found.held[0]][is_first(found)].tolist()]


@compiled
def start(seed):
    """Seed the random numbers."""
    np.random.seed(seed)


@compiled
def search(level, given, levels, weights, iterations):
    """Fill the tours of ``level`` by a search with its policies."""
    found = levels[level]
    found.held[0] = 0
    if level == 0:
        play(given, found, weights[1], np.random.randint(POLICIES))
        return
    for _ in range(iterations):
        if level > 1:
            weights[level - 1] = weights[level]
        search(level - 1, given, levels, weights, iterations)
        merge(found, levels[level - 1])
        adapt(given, found, weights[level])


@compiled
def play(given, found, weights, policy):
    """Play a tour by a policy and hold it; the legal cities are those of Cazenave's rule for TSPTW."""
    distances, second, ready, due, bias = given
    n = len(due)
    left = np.ones(n, np.bool_)
    left[0] = False
    found.costs[0] = 0.0
    found.policy[0] = policy
    chances = np.zeros(n)
    here, time, missed = 0, 0.0, 0
    for step in range(n - 1):
        legal = found.legal[0, step]
        write_legal(distances, ready, due, left, here, time, legal)
        city = draw(legal, write_chances(weights[policy, here], bias[here], legal, chances), chances)
        found.city[0, step] = city
        left[city] = False
        time = max(time + distances[here, city], ready[city])
        missed += time > due[city]
        found.costs[0, 0] += distances[here, city]
        found.costs[0, 1] += second[here, city]
        here = city
    found.costs[0, 0] += distances[here, 0]
    found.costs[0, 1] += second[here, 0]
    missed += time + distances[here, 0] > due[0]
    found.costs[0] += MISSED * missed
    found.held[0] = 1


@compiled
def write_legal(distances, ready, due, left, here, time, legal):
    """Write the cities that are too late already, else those that make no other too late, else all."""
    n = len(due)
    earliest, is_any = np.inf, False
    for city in range(n):
        legal[city] = left[city] and time + distances[here, city] > due[city]
        is_any |= legal[city]
        if left[city]:
            earliest = min(earliest, due[city])
    if not is_any:
        for city in range(n):
            legal[city] = left[city] and max(time + distances[here, city], ready[city]) <= earliest
            is_any |= legal[city]
    if not is_any:
        legal[:] = left


@compiled
def write_chances(weights, bias, legal, chances):
    """Write e^(w + β) of the legal cities; return their sum."""
    total = 0.0
    for city in range(len(legal)):
        if legal[city]:
            chances[city] = np.exp(weights[city] + bias[city])
            total += chances[city]
    return total


@compiled
def draw(legal, total, chances):
    """Draw a legal city in proportion to the chances."""
    left, city = np.random.random() * total, -1
    for other in range(len(legal)):
        if legal[other] and left >= 0.0:
            city = other
            left -= chances[other]
    return city


@compiled
def merge(found, others):
    """Take in other tours; keep the front, and of each policy without a part in it one tour of the next front."""
    held = found.held[0]
    for other in range(others.held[0]):
        if held == ROOM:
            break
        copy(others, other, found, held)
        held += 1
    found.held[0] = held
    rank = ranks(found)
    first = is_first(found)
    keep = first.copy()
    for policy in range(POLICIES):
        best, is_part = -1, False
        for k in range(held):
            if found.policy[k] == policy:
                is_part |= first[k]
                if rank[k] > 0 and (best < 0 or rank[k] < rank[best]):
                    best = k
        if best >= 0 and not is_part:
            keep[best] = True
    count = 0
    for k in range(held):
        if keep[k]:
            copy(found, k, found, count)
            count += 1
    found.held[0] = count


@compiled
def copy(source, k, target, place):
    """Copy a tour."""
    target.city[place] = source.city[k]
    target.legal[place] = source.legal[k]
    target.costs[place] = source.costs[k]
    target.policy[place] = source.policy[k]


@compiled
def ranks(found):
    """Return in which front each tour is: 0 if no other beats it, 1 if none does but those, and so on."""
    held = found.held[0]
    rank = np.full(held, -1)
    front = 0
    while (rank < 0).any():
        for k in range(held):
            if rank[k] < 0:
                rank[k] = front
                for other in range(held):
                    if (rank[other] < 0 or rank[other] == front) and beats(found.costs[other], found.costs[k]):
                        rank[k] = -1
        front += 1
    return rank


@compiled
def beats(one, other):
    """Return whether a tour's costs are at most those of another, and one is less."""
    return one[0] <= other[0] and one[1] <= other[1] and (one[0] < other[0] or one[1] < other[1])


@compiled
def is_first(found):
    """Return which tours are in the front, the first of those with equal costs."""
    held = found.held[0]
    first = np.ones(held, np.bool_)
    for k in range(held):
        for other in range(held):
            equal = found.costs[other, 0] == found.costs[k, 0] and found.costs[other, 1] == found.costs[k, 1]
            first[k] &= not (beats(found.costs[other], found.costs[k]) or (equal and other < k))
    return first


@compiled
def crowding(found):
    """Return the crowding distance of each tour within its front; ENDS for the outermost.

    Deb, Pratap, Agarwal and Meyarivan, NSGA-II, 2002; the mean over the costs, as in pymoo.
    """
    rank = ranks(found)
    distance = np.zeros(found.held[0])
    for front in range(rank.max() + 1):
        members = np.flatnonzero(rank == front)
        for cost in range(2):
            order = members[np.argsort(found.costs[members, cost])]
            values = found.costs[order, cost]
            spread = values[-1] - values[0]
            for k in range(len(order)):
                if k == 0 or k == len(order) - 1:
                    distance[order[k]] = np.inf
                elif spread > 0:
                    distance[order[k]] += (values[k + 1] - values[k - 1]) / spread / 2
    return np.where(distance == np.inf, ENDS, distance)


@compiled
def adapt(given, found, weights):
    """Move the policy of each tour towards it, one tour after the other."""
    bias = given[4]
    distance, chances = crowding(found), np.zeros(len(bias))
    for k in range(found.held[0]):
        of = weights[found.policy[k]]
        here, rate = 0, ALPHA * distance[k]
        for step in range(len(bias) - 1):
            legal = found.legal[k, step]
            total = write_chances(of[here], bias[here], legal, chances)
            for city in range(len(legal)):
                if legal[city]:
                    of[here, city] -= rate * chances[city] / total
            here, last = found.city[k, step], here
            of[last, here] += rate
