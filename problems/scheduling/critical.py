"""Operations on machines, made to end earlier by swaps on the critical path; compiled with the class that calls it.

``previous`` and ``following`` are an operation's neighbours in its job; the number of operations stands for none.
"""

# mypy: ignore-errors

import numpy as np

SWAPS, WORK, TABU = 5_000, 2_000_000, 9
_NEVER = 1 << 60


def improved(order, machine, hours, previous, following):
    """Return a better order of operations, if tabu search finds one (Nowicki and Smutnicki, Manag. Sci. 42, 1996).

    Only the first two and the last two of a critical block are swapped.
    """
    best, least = order, _NEVER
    tabu = [(-1, -1)] * TABU
    for swap in range(min(SWAPS, 1 + WORK // len(order))):
        start, end, tail, before, after = _times(order, machine, hours, previous, following)
        longest = np.max(end)
        if longest < least:
            best, least = order, longest
        chosen, cheapest = -1, 2 * _NEVER
        for one in order:
            other = after[one]
            if other < len(order) and end[one] + tail[other] == longest:
                begins = before[one] == len(order) or end[before[one]] + tail[one] < longest
                if begins or after[other] == len(order) or end[other] + tail[after[other]] < longest:
                    # The longest way through the two, once swapped (Taillard 1994).
                    early = max(end[previous[other]], end[before[one]]) + hours[other]
                    late = max(end[previous[one]], early) + hours[one]
                    rest = max(tail[following[one]], tail[after[other]])
                    cost = max(late + rest, early + max(tail[following[other]], rest + hours[one]))
                    if cost >= least and (one, other) in tabu:
                        cost += _NEVER
                    if cost < cheapest:
                        chosen, cheapest = one, cost
        if chosen < 0:
            break
        other = after[chosen]
        tabu[swap % TABU] = (other, chosen)
        rank = 3 * len(order) * start + np.arange(len(order))
        rank[chosen], rank[other] = rank[other] - len(order), rank[other] - 2 * len(order)
        order = np.argsort(rank, kind="stable")
    return best


def _times(order, machine, hours, previous, following):
    """Return starts, ends, the times from each start to the end of all, and the neighbours on the machines."""
    none = len(order)
    start, end, tail = np.zeros(none, np.int64), np.zeros(none + 1, np.int64), np.zeros(none + 1, np.int64)
    before, after = np.full(none + 1, none), np.full(none + 1, none)
    last = np.full(np.max(machine) + 1, none)
    for each in order:
        before[each] = last[machine[each]]
        after[before[each]] = last[machine[each]] = each
        start[each] = max(end[previous[each]], end[before[each]])
        end[each] = start[each] + hours[each]
    for each in order[::-1]:
        tail[each] = max(tail[following[each]], tail[after[each]]) + hours[each]
    return start, end, tail, before, after
