"""A shortest path of a robot that meets none of those planned before; compiled for the search and for Python."""

from nrpa.machine.jit import jit

PROBE = 3


@jit
def is_free(taken, mark, time, cell, other):
    """Return whether a robot can go from a cell to another, where no mark of this search is, and meets none."""
    there, rival = taken[time + 1, other], taken[time, other]
    return there <= 0 and there != mark and not (rival > 0 and taken[time + 1, cell] == rival)


@jit
def arrival(near, far, robot, goal, free_from, taken, counts, layers):
    """Return when a robot can be at its goal to stay, by a search breadth first; the number of steps if never."""
    steps, side, count = taken.shape[0], 0, 1
    counts[0] -= 1
    for time in range(steps):
        more = 0
        for k in range(count):
            cell = layers[side, k]
            if cell == goal and time >= free_from[goal]:
                return time
            for turn in range(near.shape[1]):
                other = near[cell, turn]
                if time + 1 + far[robot, other] < steps and is_free(taken, counts[0], time, cell, other):
                    taken[time + 1, other] = counts[0]
                    layers[1 - side, more] = other
                    more += 1
        side, count = 1 - side, more
    return steps


@jit
def planned(near, far, robot, goal, free_from, taken, counts, layers, path, turn):
    """Write the cells of a shortest path, the first in the order of letters, from ``layers[0, 0]`` on; return how many.

    Depth first, below a limit of the cost that rises. A mark says that there is no way on from a cell at a time. Where
    the limit rises often, a search breadth first says what it is.
    """
    steps, start = taken.shape[0], layers[0, 0]
    path[0] = start
    limit, tries = max(far[robot, start], free_from[goal]), 0
    while limit < steps:
        counts[0] -= 1
        time, higher, tries = 0, steps, tries + 1
        turn[0] = 0
        while time >= 0:
            cell = path[time]
            if cell == goal and time >= free_from[goal]:
                return time + 1
            if turn[time] == near.shape[1]:
                time -= 1
                continue
            other = near[cell, turn[time]]
            turn[time] += 1
            cost = time + 1 + far[robot, other]
            if cost > limit:
                higher = min(higher, cost)
            elif is_free(taken, counts[0], time, cell, other):
                time += 1
                path[time], turn[time], taken[time, other] = other, 0, counts[0]
        limit = higher
        if tries == PROBE:
            limit = arrival(near, far, robot, goal, free_from, taken, counts, layers)
    return 0
