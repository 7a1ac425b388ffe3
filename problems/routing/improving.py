"""Ruin and recreate under an allowance: first vehicles are saved, then routes become shorter.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: acceptance as in simulated annealing, and fleets made smaller by how often customers were left out.
"""

import numpy as np

from nrpa.engine.random import uniform
from nrpa.machine.jit import jit
from nrpa.problems.routing.insertion import recreate
from nrpa.problems.routing.routes import (
    ABSENT,
    ALLOWED,
    LENGTH,
    LOST,
    USED,
    bring_back,
    cost,
    hardness,
    is_whole,
    keep,
    let_wait,
    prizes,
)
from nrpa.problems.routing.ruin import begin_change, dissolve, is_sound, ruin, undo

SHORTEST_GAIN = 1e-7
FOR_VEHICLES, LONGER, FEW_PLACES = 0.5, 4.0, 1200
HOTTEST, HOT, COLD = 3.0, 1.0, 0.01


@jit
def improve_routes(rules, routes, stop, is_again):
    """Make routes better for as long as the allowance lasts, and return whether all are served who must be."""
    keep(routes)
    leg = routes.sums[LENGTH] / (rules.due.shape[0] + routes.work[USED])
    spent = save_vehicles(rules, routes, stop, HOTTEST * leg, is_again)
    if not is_whole(rules, routes):
        return False
    routes.work[ALLOWED] = max(rules.allowance - spent, spent)
    shorten(rules, routes, stop, HOT * leg, COLD * leg)
    return True


@jit
def save_vehicles(rules, routes, stop, temperature, is_again):
    """Serve all, then dissolve routes, of those left out least often first, while others find room for theirs.

    Routes of few places that were improved before get longer, at random, until a vehicle is saved. Returns the work.
    """
    most, least = routes.size.shape[0], np.inf
    if is_whole(rules, routes):
        most, least = routes.work[USED], cost(rules, routes)
    usual = rules.allowance * (FOR_VEHICLES if least < np.inf else 1.0)
    drawn = min(LONGER, 1.0 / (1.0 - uniform(routes.stream)))
    begin = np.int64(usual * drawn**2 if is_again and rules.due.shape[0] <= FEW_PLACES else usual)
    routes.work[ALLOWED], end = begin, 0
    while routes.work[ALLOWED] > end and not stop[0]:
        if is_whole(rules, routes):
            if routes.work[USED] <= rules.fewest:
                break
            dissolve(rules, routes)
            most = routes.work[USED]
        change(rules, routes, temperature, most)
        if is_whole(rules, routes) and cost(rules, routes) < least:
            least = cost(rules, routes)
            keep(routes)
            end = max(end, routes.work[ALLOWED] - np.int64(usual))
    spent = begin - routes.work[ALLOWED]
    bring_back(rules, routes)
    return spent


@jit
def shorten(rules, routes, stop, hot, cold):
    """Ruin and recreate routes, at a temperature that falls, and end with the best."""
    least, begin = cost(rules, routes), max(routes.work[ALLOWED], 1)
    while routes.work[ALLOWED] > 0 and not stop[0]:
        spent = 1.0 - routes.work[ALLOWED] / begin
        change(rules, routes, hot * (cold / hot) ** spent, routes.size.shape[0])
        if cost(rules, routes) < least - SHORTEST_GAIN:
            least = cost(rules, routes)
            keep(routes)
    bring_back(rules, routes)


@jit
def change(rules, routes, temperature, most):
    """Ruin and recreate once; undo it where that is too much worse at this temperature, or a route is not sound.

    Where distances break the triangle inequality, a route can be late without a customer.
    """
    begin_change(routes)
    was, waited = cost(rules, routes), routes.work[ABSENT]
    out = ruin(rules, routes)
    left = recreate(rules, routes, out, most)
    worse = hardness(rules, routes, routes.order, left) - hardness(rules, routes, routes.waiting, waited)
    limit = was - temperature * np.log(1.0 - uniform(routes.stream))
    now = cost(rules, routes) - routes.sums[LOST] + prizes(rules, routes.order, left)
    for k in range(left):
        routes.hard[routes.order[k]] += 1
    if is_sound(routes) and (worse < 0 or (worse == 0 and now < limit)):
        let_wait(rules, routes, routes.order, left)
    else:
        undo(rules, routes)
