"""The best order of a tour in which no city comes k places or more before one that it follows now.

A state of the dynamic program is, after so many cities: the first place of the tour that is left out, which of the
k - 1 next places are not, and the last city. It is numbered: these places, as bits, times 2k, and how far the last one
is from the first that is left out, and k. It has several labels, each a way to come to it.

References
----------
E. Balas, N. Simonetti, *Linear time dynamic-programming algorithms for new classes of restricted TSPs: a computational
study*, INFORMS Journal on Computing 13, 2001. Here a state has several pairs of cost and time, none of which is worse
than another in both, so that the cost is least and windows are kept.
"""

import numpy as np

from nrpa.machine.jit import jit, popcount, trailing_zeros

OF_A_STATE = 4  # the most labels; of more, the costliest is dropped
NEAREST, FARTHEST = 4, 10
STATES = 2 * FARTHEST << (FARTHEST - 1)
MOST_LABELS = 300_000
SHORTEST_GAIN = 1e-7
# Of ``stops``, see ``local_search``.
WAY, START, LATEST = 0, 3, 4
# Of a label: its cost, and when service starts in its last city; the label before it, and the place of that city.
COST, TIME, BEFORE, PLACE = 0, 1, 0, 1


@jit
def reorder(instance, state, first, end, k, most):
    """Put the cities at places ``first`` to ``end`` - 1 into their best order, in time; return the gain, and the work.

    The work is the number of labels. Where it is ``most``, nothing is done. The new order stands in ``kept``.
    """
    state.ways[0, COST], state.ways[0, TIME] = 0.0, state.stops[first - 1, START]
    state.links[0, BEFORE], state.links[0, PLACE] = -1, first - 1
    state.reached[:, -1], state.labelled[:, : 2 * k << (k - 1)] = 0, 0
    state.reached[0, 0], state.reached[0, -1] = k - 1, 1
    state.labels[0, k - 1, 0], state.labelled[0, k - 1] = 0, 1
    used = 1
    for step in range(end - first):
        used = extend(instance, state, first, end, k, step, used, most)
        if used == most:
            return 0.0, used
    return write_best(instance, state, first, end), used


@jit
def extend(instance, state, start, end, k, step, used, most):
    """Let each label after so many cities go on to all that may come next; return how many there are, or ``most``."""
    now, then = step % 2, 1 - step % 2
    state.reached[then, -1] = 0
    for each in range(state.reached[now, -1]):
        node = state.reached[now, each]
        mask = node // (2 * k)
        first = start + step - popcount(np.uint64(mask))
        for j in range(min(k, end - first)):
            if j > 0 and mask >> (j - 1) & 1:
                continue
            target, left_out = target_of(mask, j, k), end if j == 0 else first
            if state.labelled[then, target] == 0:
                state.reached[then, state.reached[then, -1]] = target
                state.reached[then, -1] += 1
            for one in range(state.labelled[now, node]):
                if used == most:
                    return used
                if goes_on(instance, state, state.labels[now, node, one], used, first + j, left_out):
                    used += add(state, then, target, used)
            state.reached[then, -1] -= state.labelled[then, target] == 0
        state.labelled[now, node] = 0
    return used


@jit
def target_of(mask, j, k):
    """Return the state that follows where the city ``j`` places after the first that is left out is next."""
    if j > 0:
        return (mask | 1 << (j - 1)) * 2 * k + j + k
    shift = trailing_zeros(~np.uint64(mask)) + 1
    return (mask >> shift) * 2 * k + k - shift


@jit
def goes_on(instance, state, label, new, place, left_out):
    """Write the label of going on to a place; return whether it is in time, and the one left out can be, by any way."""
    last, city, waiting = state.tour[state.links[label, PLACE]], state.tour[place], state.tour[left_out]
    way = instance.distance[last, city]
    time = max(state.ways[label, TIME] + way, instance.ready[city])
    state.ways[new, COST], state.ways[new, TIME] = state.ways[label, COST] + way, time
    state.links[new, BEFORE], state.links[new, PLACE] = label, place
    return time <= state.closes[city] and time + instance.shortest[city, waiting] <= state.closes[waiting]


@jit
def add(state, layer, node, new):
    """Add a label to a state unless another is as good; return whether it is added. Those that are worse go."""
    cost, time, kept, costliest = state.ways[new, COST], state.ways[new, TIME], 0, 0
    for one in range(state.labelled[layer, node]):
        label = state.labels[layer, node, one]
        if state.ways[label, COST] <= cost and state.ways[label, TIME] <= time:
            return False
        if state.ways[label, COST] < cost or state.ways[label, TIME] < time:
            state.labels[layer, node, kept] = label
            if state.ways[label, COST] > state.ways[state.labels[layer, node, costliest], COST]:
                costliest = kept
            kept += 1
    if kept == OF_A_STATE:
        if state.ways[state.labels[layer, node, costliest], COST] <= cost:
            return False
        kept -= 1
        state.labels[layer, node, costliest] = state.labels[layer, node, kept]
    state.labels[layer, node, kept] = new
    state.labelled[layer, node] = kept + 1
    return True


@jit
def write_best(instance, state, first, end):
    """Write the cheapest order that leaves the rest in time, if it is better, into ``kept``; return the gain or 0."""
    layer, found, cost, least = (end - first) % 2, -1, 0.0, -SHORTEST_GAIN
    for place in range(first, end + 1):
        cost += state.stops[place, WAY]
    least += cost
    for each in range(state.reached[layer, -1]):
        node = state.reached[layer, each]
        for one in range(state.labelled[layer, node]):
            label = state.labels[layer, node, one]
            way = instance.distance[state.tour[state.links[label, PLACE]], state.tour[end]]
            if state.ways[label, COST] + way < least and state.ways[label, TIME] + way <= state.stops[end, LATEST]:
                least, found = state.ways[label, COST] + way, label
    if found < 0:
        return 0.0
    for place in range(end - 1, first - 1, -1):
        state.kept[place] = state.tour[state.links[found, PLACE]]
        found = state.links[found, BEFORE]
    return cost - least
