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
    MIDDLE,
    NEAR,
    STRING,
    USED,
    bring_back,
    cost,
    hardness,
    has_many,
    is_whole,
    keep,
    let_wait,
    prizes,
)
from nrpa.problems.routing.ruin import begin_change, dissolve, drawn_place, is_sound, ruin, undo

SHORTEST_GAIN = 1e-7
FOR_VEHICLES, LONGER, LONGER_BY_PLACE, FEW_PLACES = 0.5, 4.0, 0.016, 1200
HOTTEST, HOTTER, HOT, COLD = 3.0, 4.0, 1.0, 0.01
FOR_ALL_PLACES, LONG_STRING = 100_000, 30


@jit
def improve_routes(rules, routes, stop, is_again):
    """Make routes better for as long as the allowance lasts, and return whether all are served who must be."""
    keep(routes)
    leg = routes.sums[LENGTH] / (rules.due.shape[0] + routes.work[USED])
    spent = save_vehicles(rules, routes, stop, HOTTEST * leg, is_again)
    if not is_whole(rules, routes):
        return False
    routes.work[ALLOWED] = max(rules.allowance - spent, spent)
    if is_again and has_many(rules):
        shorten_many(rules, routes, stop, leg)
    else:
        shorten(rules, routes, stop, HOT * leg, COLD * leg)
    return True


@jit
def shorten_many(rules, routes, stop, leg):
    """Make routes of many places that were improved before shorter: for longer, at random; if not for long, near one.

    For long is 100,000 positions and nodes for each place. Then the temperature is higher.
    """
    routes.work[NEAR], routes.work[STRING] = rules.neighbours.shape[1], LONG_STRING
    routes.work[ALLOWED] = max(routes.work[ALLOWED], longer(rules, routes, FOR_VEHICLES * rules.allowance, True))
    if routes.work[ALLOWED] < FOR_ALL_PLACES * rules.due.shape[0]:
        routes.work[MIDDLE] = drawn_place(rules, routes)
        shorten(rules, routes, stop, HOT * leg, COLD * leg)
    else:
        shorten(rules, routes, stop, HOTTER * leg, COLD * leg)


@jit
def longer(rules, routes, usual, is_again):
    """Return the usual work; to improve few places again, k times as much or more with probability 1 / √k."""
    places = rules.due.shape[0]
    drawn = min(LONGER_BY_PLACE * places if has_many(rules) else LONGER, 1.0 / (1.0 - uniform(routes.stream)))
    return np.int64(usual * drawn**2 if is_again and places <= FEW_PLACES else usual)


@jit
def save_vehicles(rules, routes, stop, temperature, is_again):
    """Serve all, then dissolve routes, of those left out least often first, while others find room for theirs.

    Routes of few places that were improved before get longer, at random, until a vehicle is saved. Returns the work.
    """
    most, least = routes.size.shape[0], np.inf
    if is_whole(rules, routes):
        most, least = routes.work[USED], cost(rules, routes)
    usual = rules.allowance * (FOR_VEHICLES if least < np.inf else 1.0)
    begin = longer(rules, routes, usual, is_again)
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
