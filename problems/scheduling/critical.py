"""Operations on machines, made to end earlier by moves on a critical path; compiled with the class that calls it.

``previous`` and ``following`` are an operation's neighbours in its job; the number of operations stands for none.
``row`` has the operations machine by machine, in the order in which each does them, and ``place`` where each stands.

References
----------
E. Balas, A. Vazacopoulos, *Guided local search with shifting bottleneck for job shop scheduling*, Management Science
44, 1998: an operation goes to an end of its critical block, and how long the schedule then is gets estimated.

É. D. Taillard, *Parallel taboo search techniques for the job shop scheduling problem*, ORSA Journal on Computing 6,
1994.
"""

# mypy: ignore-errors

import numpy as np

# Moves for each operation; the most moves times operations; for how many moves one is not turned back, at least.
MOVES, WORK, TABU = 50, 4_000_000, 10
_NEVER = 1 << 60


def improved(order, machine, hours, previous, following, number):
    """Return a better order of operations, if tabu search finds one; random numbers follow from ``number``."""
    none = len(order)
    row = order[np.argsort(machine[order], kind="stable")]
    place = np.argsort(row, kind="stable")
    end, tail, begins = np.zeros(none + 1, np.int64), np.zeros(none + 1, np.int64), np.zeros(none, np.int64)
    at_first, most = place.copy(), 0
    for at in range(none):
        if at > 0 and machine[row[at]] == machine[row[at - 1]]:
            at_first[row[at]] = at_first[row[at - 1]] + 1
        else:
            at_first[row[at]] = 0
        most = max(most, at_first[row[at]] + 1)
    forbidden = np.zeros((none, most), np.int64)  # until when one must not come before another of its machine
    best, least = order, _NEVER
    for now in range(min(MOVES * none, 1 + WORK // none)):
        order, longest = _timed(row, place, machine, hours, previous, following, end, tail)
        if longest < 0:
            break
        if longest < least:
            best, least = order, longest
        number = _next(number)
        path = _critical_path(order, longest, row, place, machine, hours, following, end, tail, number)
        chosen, target, cheapest, allowed, seen = -1, -1, _NEVER, False, 0
        first = 0
        for k in range(len(path)):
            if (
                k + 1 < len(path)
                and place[path[k + 1]] == place[path[k]] + 1
                and machine[path[k + 1]] == machine[path[k]]
            ):
                continue
            low, high = place[path[first]], place[path[k]]
            first = k + 1
            for at in range(low, high + 1):
                for to in (low, high):
                    if at == to or not _is_possible(row, at, to, hours, previous, following, end, tail):
                        continue
                    cost = _estimate(row, at, to, machine, hours, previous, following, end, tail, begins)
                    number = _next(number)
                    is_free = cost < least or not _is_forbidden(row, at, to, at_first, forbidden, now)
                    if is_free and not allowed:
                        allowed, cheapest = True, _NEVER
                    if is_free:
                        if 64 * cost + (number >> 26) < cheapest:
                            chosen, target, cheapest = at, to, 64 * cost + (number >> 26)
                    elif not allowed:
                        seen += 1
                        if (number >> 8) % seen == 0:
                            chosen, target = at, to
        if chosen < 0:
            break
        number = _next(number)
        until = now + 1 + TABU + (number >> 8) % (TABU // 2 + 1)
        _move(row, place, chosen, target, at_first, forbidden, until)
    return best


def _next(number):
    """Return the next random number, below 2^32; only its upper bits are random enough (linear congruences)."""
    return (1_664_525 * number + 1_013_904_223) % (1 << 32)


def _timed(row, place, machine, hours, previous, following, end, tail):
    """Return the operations so that each comes after those it waits for, and when the last ends; write ends and tails.

    A tail is the time from the start of an operation to the end of all. Where operations wait for each other, -1.
    """
    none = len(row)
    waits, order, known, longest = np.zeros(none, np.int64), np.zeros(none, np.int64), 0, 0
    for each in range(none):
        at = place[each]
        if previous[each] < none:
            waits[each] += 1
        if at > 0 and machine[row[at - 1]] == machine[each]:
            waits[each] += 1
        if waits[each] == 0:
            order[known] = each
            known += 1
    done = 0
    while done < known:
        each = order[done]
        done += 1
        at = place[each]
        start = end[previous[each]]
        if at > 0 and machine[row[at - 1]] == machine[each]:
            start = max(start, end[row[at - 1]])
        end[each] = start + hours[each]
        longest = max(longest, end[each])
        after = row[at + 1] if at + 1 < none and machine[row[at + 1]] == machine[each] else none
        for other in (following[each], after):
            if other < none:
                waits[other] -= 1
                if waits[other] == 0:
                    order[known] = other
                    known += 1
    if known < none:
        return order, -1
    for each in order[::-1]:
        at, rest = place[each], tail[following[each]]
        if at + 1 < none and machine[row[at + 1]] == machine[each]:
            rest = max(rest, tail[row[at + 1]])
        tail[each] = rest + hours[each]
    return order, longest


def _critical_path(order, longest, row, place, machine, hours, following, end, tail, number):
    """Return the operations of a longest way, of several one at random."""
    none, path, length, here, seen = len(order), order.copy(), 0, -1, 0
    for each in order:
        if tail[each] == longest and end[each] == hours[each]:
            seen += 1
            if here < 0 or (number >> 8) % seen == 0:
                here = each
    while here < none:
        path[length] = here
        length += 1
        at, then, other = place[here] + 1, following[here], none
        if then < none and not (end[then] - hours[then] == end[here] and end[here] + tail[then] == longest):
            then = none
        if at < none and machine[row[at]] == machine[here]:
            other = row[at]
            if not (end[other] - hours[other] == end[here] and end[here] + tail[other] == longest):
                other = none
        number = _next(number)
        here = other if other < none and (then == none or number >> 31 == 0) else then
    return path[:length]


def _is_possible(row, at, to, hours, previous, following, end, tail):
    """Return whether no operation can come to wait for itself; some moves are left out of which that is not known."""
    one, other = row[at], row[to]
    if at < to:
        job = following[one]
        return job == len(row) or tail[other] > tail[job] or (to == at + 1 and job != other and hours[job] > 0)
    job = previous[one]
    return job == len(row) or end[other] > end[job] or (at == to + 1 and job != other and hours[job] > 0)


def _moved(row, at, to, k):
    """Return the operation at place ``k`` once that ``at`` a place has gone ``to`` another."""
    if k == to:
        return row[at]
    if at <= k < to:
        return row[k + 1]
    return row[k - 1] if to < k <= at else row[k]


def _estimate(row, at, to, machine, hours, previous, following, end, tail, begins):
    """Return the longest way through an operation between two places once one has moved from one to the other."""
    low, high, mine = min(at, to), max(at, to), machine[row[at]]
    free = end[row[low - 1]] if low > 0 and machine[row[low - 1]] == mine else 0
    rest = tail[row[high + 1]] if high + 1 < len(row) and machine[row[high + 1]] == mine else 0
    for k in range(low, high + 1):
        each = _moved(row, at, to, k)
        begins[k] = max(free, end[previous[each]])
        free = begins[k] + hours[each]
    longest = 0
    for k in range(high, low - 1, -1):
        each = _moved(row, at, to, k)
        rest = max(rest, tail[following[each]]) + hours[each]
        longest = max(longest, begins[k] + rest)
    return longest


def _is_forbidden(row, at, to, at_first, forbidden, now):
    """Return whether a move makes one operation come before another that it has come after not long ago."""
    for k in range(min(at, to), max(at, to) + 1):
        one, other = (row[k], row[at]) if at < to else (row[at], row[k])
        if k != at and forbidden[one, at_first[other]] > now:
            return True
    return False


def _move(row, place, at, to, at_first, forbidden, until):
    """Move an operation along its machine, and forbid to turn the pairs back until later."""
    one, step = row[at], 1 if at < to else -1
    for k in range(at, to, step):
        other = row[k + step]
        if step > 0:
            forbidden[one, at_first[other]] = until
        else:
            forbidden[other, at_first[one]] = until
        row[k], place[other] = other, k
    row[to], place[one] = one, to
