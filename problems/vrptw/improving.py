"""The kernel ``improve`` of VRPTW: routes are ruined and recreated under an allowance, after routes are saved.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: acceptance as in simulated annealing, and fleets made smaller by how often customers were left out.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.engine.status import TOO_MANY_STEPS, UNFINISHED
from nrpa.machine.jit import jit
from nrpa.problems.exchanges import seed
from nrpa.problems.vrptw.routes import (
    ABSENT,
    ALLOWED,
    LENGTH,
    USED,
    bring_back,
    build,
    cost,
    keep,
    note,
    write_back,
)
from nrpa.problems.vrptw.ruin import begin_change, is_sound, recreate, ruin, take_out, undo

SHORTEST_GAIN = 1e-7
FOR_VEHICLES, LONGER, FEW_PLACES = 0.5, 4.0, 1200
HOTTEST, HOT, COLD = 3.0, 1.0, 0.01


def improve(instance, state, sequence, steps):
    """Make routes better for as long as the allowance lasts; return whether they are. Vehicles must be free to go home.

    First vehicles are saved, then routes become shorter. Return UNFINISHED where the search shall stop.
    """
    if sequence.shape[0] < 2 * instance.order.shape[0]:
        return TOO_MANY_STEPS
    if not (instance.free and build(instance, state, sequence, steps)):
        return 0
    seed(state.stream, sequence, sequence.shape[0])
    state.hard[:] = 1
    before = cost(instance, state)
    keep(state)
    leg = state.sums[LENGTH] / (instance.due.shape[0] + state.work[USED])
    is_again = steps < sequence.shape[0] and sequence[steps] >= 0
    spent = save_vehicles(instance, state, HOTTEST * leg, is_again)
    state.work[ALLOWED] = max(instance.allowance - spent, spent)
    shorten(instance, state, HOT * leg, COLD * leg)
    if state.stop[0]:
        return UNFINISHED
    if before - cost(instance, state) < SHORTEST_GAIN:
        return 0
    write_back(instance, state, sequence)
    return 1


@jit
def save_vehicles(instance, state, temperature, is_again):
    """Dissolve routes, those of the customers left out least often first, while others find room for theirs.

    Routes of few places that were improved before get longer, at random, until a vehicle is saved. Returns the work.
    """
    least, usual, most = cost(instance, state), FOR_VEHICLES * instance.allowance, state.work[USED]
    drawn = min(LONGER, 1.0 / (1.0 - uniform(state.stream)))
    begin = np.int64(usual * drawn**2 if is_again and instance.due.shape[0] <= FEW_PLACES else usual)
    state.work[ALLOWED], end = begin, 0
    while state.work[ALLOWED] > end and not state.stop[0]:
        if state.work[ABSENT] == 0:
            if state.work[USED] <= instance.fewest:
                break
            dissolve(instance, state)
            most = state.work[USED]
        change(instance, state, temperature, most)
        if state.work[ABSENT] == 0 and cost(instance, state) < least:
            least = cost(instance, state)
            keep(state)
            end = max(end, state.work[ALLOWED] - np.int64(usual))
    spent = begin - state.work[ALLOWED]
    bring_back(instance, state)
    return spent


@jit
def shorten(instance, state, hot, cold):
    """Ruin and recreate routes, at a temperature that falls, and end with the best."""
    least, begin, places = cost(instance, state), max(state.work[ALLOWED], 1), instance.due.shape[0]
    while state.work[ALLOWED] > 0 and not state.stop[0]:
        spent = 1.0 - state.work[ALLOWED] / begin
        change(instance, state, hot * (cold / hot) ** spent, places)
        if cost(instance, state) < least - SHORTEST_GAIN:
            least = cost(instance, state)
            keep(state)
    bring_back(instance, state)


@jit
def change(instance, state, temperature, most):
    """Ruin and recreate once; undo it where that is too much worse at this temperature, or a route is not sound.

    Where distances break the triangle inequality, a route can be late without a customer.
    """
    begin_change(state)
    was, waited = cost(instance, state), state.work[ABSENT]
    out = ruin(instance, state)
    left = recreate(instance, state, out, most)
    worse = hardness(state, state.order, left) - hardness(state, state.waiting, waited)
    limit = was - temperature * np.log(1.0 - uniform(state.stream))
    for k in range(left):
        state.hard[state.order[k]] += 1
    if is_sound(state) and (worse < 0 or (worse == 0 and cost(instance, state) < limit)):
        for k in range(left):
            state.waiting[k] = state.order[k]
        state.work[ABSENT] = left
    else:
        undo(instance, state)


@jit
def hardness(state, customers, number):
    """Return how often customers were left out, together."""
    total = 0
    for k in range(number):
        total += state.hard[customers[k]]
    return total


@jit
def dissolve(instance, state):
    """Let the customers of a route wait, of the route whose customers were left out least often."""
    places = instance.due.shape[0]
    best, least = 0, np.inf
    for route in range(places):
        if state.size[route] == 0:
            continue
        total, node = 0, state.after[places + route]
        while node < places:
            total += state.hard[node]
            node = state.after[node]
        if total < least:
            best, least = route, total
    state.work[ALLOWED] -= 2 * places
    begin_change(state)
    while state.size[best] > 0:
        state.work[ABSENT] = take_out(state, state.after[places + best], state.work[ABSENT])
    note(instance, state, best)
