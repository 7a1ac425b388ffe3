"""A wanted packing built by legal moves: its bins as the rules open them, by the largest item left."""

from nrpa.machine.jit import jit
from nrpa.problems.binpacking.progress import WANTED
from nrpa.problems.binpacking.refilling import BIN, HEAD, NEXT, POOL, TYPE, UNUSED
from nrpa.problems.binpacking.remaining import FITTING, LAST, ROOM, next_present, waste_after

NOWHERE = -1


@jit
def list_wanted(instance, state):
    """List the items of each wanted bin, the largest first and of equal ones the last."""
    work, first = state.work, instance.items
    for b in range(work.shape[1]):
        work[HEAD, b] = NOWHERE
    for t in range(instance.size.shape[0] - 1, -1, -1):
        first -= instance.copies[t]
        work[UNUSED, t] = first
        for item in range(first, first + instance.copies[t]):
            push(work, work[BIN, item], item)
    state.progress[WANTED] = NOWHERE


@jit
def list_packing(instance, state, type_of, bin_of):
    """List the items of each bin of a packing in the given order."""
    work, first = state.work, 0
    for b in range(work.shape[1]):
        work[HEAD, b] = NOWHERE
    for t in range(instance.size.shape[0]):
        work[UNUSED, t] = first
        first += instance.copies[t]
    for k in range(instance.items):
        t = type_of[k]
        work[POOL, k] = item = work[UNUSED, t]
        work[UNUSED, t] += 1
        work[TYPE, item], work[BIN, item] = t, bin_of[k]
    for k in range(instance.items - 1, -1, -1):
        push(work, bin_of[k], work[POOL, k])
    for t in range(instance.size.shape[0]):
        work[UNUSED, t] -= instance.copies[t]


@jit
def push(work, b, item):
    """Let a list of a bin begin with an item."""
    work[NEXT, item] = work[HEAD, b]
    work[HEAD, b] = item


@jit
def cross_off(state, put):
    """Take an item that was put out of the wanted packing, and note which of its bins is the open one.

    Where the rules put one that belongs elsewhere, the items that the open bin lacks change places with it. They fit
    there: an item that is put without asking fills the room as well as any set could.
    """
    work, wanted = state.work, state.progress[WANTED]
    t = put if put >= 0 else ~put
    item = first_of(work, wanted, t) if wanted != NOWHERE else NOWHERE
    if item != NOWHERE:
        take_out(work, wanted, item)
    else:
        while work[BIN, work[UNUSED, t]] == NOWHERE:
            work[UNUSED, t] += 1
        item = work[UNUSED, t]
        b = work[BIN, item]
        take_out(work, b, item)
        if put >= 0:
            move_all(work, wanted, b)
        else:
            wanted = b
    work[BIN, item] = NOWHERE
    state.progress[WANTED] = wanted


@jit
def first_of(work, b, t):
    """Return the first item of a type in the list of a bin, NOWHERE if there is none."""
    item = work[HEAD, b]
    while item != NOWHERE and work[TYPE, item] != t:
        item = work[NEXT, item]
    return item


@jit
def take_out(work, b, item):
    """Take an item out of the list of its bin."""
    if work[HEAD, b] == item:
        work[HEAD, b] = work[NEXT, item]
        return
    before = work[HEAD, b]
    while work[NEXT, before] != item:
        before = work[NEXT, before]
    work[NEXT, before] = work[NEXT, item]


@jit
def move_all(work, b, other):
    """Move what is in the list of a bin to where it belongs in that of another."""
    item, work[HEAD, b], before = work[HEAD, b], NOWHERE, NOWHERE
    while item != NOWHERE:
        after = work[HEAD, other] if before == NOWHERE else work[NEXT, before]
        while after != NOWHERE and comes_before(work, after, item):
            before, after = after, work[NEXT, after]
        following = work[NEXT, item]
        work[BIN, item] = other
        work[NEXT, item] = after
        if before == NOWHERE:
            work[HEAD, other] = item
        else:
            work[NEXT, before] = item
        before, item = item, following


@jit
def comes_before(work, one, other):
    """Return whether an item comes before another in the list of a bin."""
    if work[TYPE, one] == work[TYPE, other]:
        return one > other
    return work[TYPE, one] < work[TYPE, other]


@jit
def next_wanted(instance, state):
    """Return the first type that the open bin lacks; where it lacks none, one that leaves the least room."""
    item = state.work[HEAD, state.progress[WANTED]]
    return state.work[TYPE, item] if item != NOWHERE else least_waste(instance, state)


@jit
def least_waste(instance, state):
    """Return a type after which the least room must be left, or the largest that fits; it is a legal move."""
    best = state.numbers[FITTING]
    if instance.tight:
        room = state.numbers[ROOM]
        best = t = max(best, next_present(state, state.numbers[LAST]))
        while t < instance.size.shape[0]:
            if waste_after(instance, state, t, room) < waste_after(instance, state, best, room):
                best = t
            t = next_present(state, t + 1)
    return best
