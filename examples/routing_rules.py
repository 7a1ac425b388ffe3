"""Routing by rules of one's own: windows that may be missed, breaks, rush hours, skills, loads, reloads, charging.

Each class has all arrays that it is given as attributes. ``nrpa solve examples/routing_rules.py:soft_windows c101``
solves a file of any form that ``vrptw`` reads.
"""

from typing import NamedTuple

import nrpa


class Rules:
    def __init__(self, **arrays):
        vars(self).update(arrays)


def arrays_of(places):
    """Return what the problem of a file says of its places, by name."""
    opens, closes = places.windows.T.copy()
    arrays = {"distances": places.distances, "service": places.service, "demand": places.demand}
    return arrays | {"opens": opens, "closes": closes, "capacity": places.capacity}


class Stop(NamedTuple):
    here: int
    time: float
    load: float
    length: float


class Windows(Rules):
    """Hard windows and a capacity: the bundled problem vrptw."""

    def start(self, vehicle):
        return Stop(0, self.opens[0], 0.0, 0.0)

    def visit(self, state, customer):
        way = self.distances[state.here, customer]
        time = max(state.time + self.service[state.here] + way, self.opens[customer])
        load = state.load + self.demand[customer]
        if time > self.closes[customer] or load > self.capacity:
            return None
        return Stop(customer, time, load, state.length + way)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.length


class LateStop(NamedTuple):
    here: int
    time: float
    load: float
    length: float
    late: float


class Cost(NamedTuple):
    distance: float
    lateness: float


class SoftWindows(Rules):
    """A vehicle that comes too early waits; each minute too late costs two miles."""

    def start(self, vehicle):
        return LateStop(0, self.opens[0], 0.0, 0.0, 0.0)

    def visit(self, state, customer):
        way = self.distances[state.here, customer]
        time = max(state.time + self.service[state.here] + way, self.opens[customer])
        load = state.load + self.demand[customer]
        if load > self.capacity:
            return None
        late = state.late + self.late(max(time - self.closes[customer], 0.0))
        return LateStop(customer, time, load, state.length + way, late)

    def late(self, minutes):
        return 2.0 * minutes

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return Cost(state.length, state.late)


class SquaredLateness(SoftWindows):
    """Two customers late by ten minutes are better than one by twenty."""

    def late(self, minutes):
        return 0.1 * minutes * minutes


class Drive(NamedTuple):
    here: int
    time: float
    driven: float
    length: float


class Breaks(Rules):
    """Who has driven for ``most`` minutes, or would within the next leg, rests for ``rest`` before it."""

    def start(self, vehicle):
        return Drive(0, self.opens[0], 0.0, 0.0)

    def visit(self, state, customer):
        way = self.distances[state.here, customer]
        leaves, driven = state.time + self.service[state.here], state.driven
        if driven + way > self.most:
            leaves, driven = leaves + self.rest, 0.0
        time = max(leaves + way, self.opens[customer])
        if time > self.closes[customer] or way > self.most:
            return None
        return Drive(customer, time, driven + way, state.length + way)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.length


class Way(NamedTuple):
    here: int
    time: float
    travel: float


class RushHours(Rules):
    """Travel takes longer in rush hours: ``pace[h]`` minutes a mile in hour h, whatever part of the way falls in it."""

    def start(self, vehicle):
        return Way(0, self.opens[0], 0.0)

    def visit(self, state, customer):
        begin = time = state.time + self.service[state.here]
        miles = self.distances[state.here, customer]
        while miles > 0.0:
            hour = min(int(time / 60.0), len(self.pace) - 1)
            minutes = miles * self.pace[hour]
            if hour < len(self.pace) - 1:
                minutes = min(minutes, 60.0 * (hour + 1) - time)
            time, miles = time + minutes, miles - minutes / self.pace[hour]
            if miles < 1e-9:
                miles = 0.0
        arrival = max(time, self.opens[customer])
        if arrival > self.closes[customer]:
            return None
        return Way(customer, arrival, state.travel + time - begin)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.travel


class Crew(NamedTuple):
    here: int
    can: int
    time: float
    length: float


class Skills(Rules):
    """Crew ``vehicle`` has the skills ``skills[vehicle]``, a bit each, and ``shift`` minutes; visits need ``needs``."""

    def start(self, vehicle):
        return Crew(0, self.skills[vehicle], 0.0, 0.0)

    def visit(self, state, customer):
        way = self.distances[state.here, customer]
        time = state.time + self.service[state.here] + way
        if self.needs[customer] & ~state.can != 0 or time > self.shift:
            return None
        return Crew(customer, state.can, time, state.length + way)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.length


class Freight(NamedTuple):
    here: int
    weight: float
    volume: float
    cooled: int
    length: float


class SeveralLoads(Rules):
    """Weight and volume, each with a limit, and places for cooled goods."""

    def start(self, vehicle):
        return Freight(0, 0.0, 0.0, 0, 0.0)

    def visit(self, state, customer):
        weight = state.weight + self.weight[customer]
        volume = state.volume + self.volume[customer]
        cooled = state.cooled + self.cooled[customer]
        if weight > self.most_weight or volume > self.most_volume or cooled > self.most_cooled:
            return None
        length = state.length + self.distances[state.here, customer]
        return Freight(customer, weight, volume, cooled, length)

    def finish(self, state):
        return state._replace(here=0, length=state.length + self.distances[state.here, 0])

    def cost(self, state):
        return state.length


class Trip(NamedTuple):
    here: int
    time: float
    left: float
    length: float


class Reloads(Rules):
    """A vehicle that has too little left goes by way of the depot, where it is loaded again in ``loading`` minutes."""

    def start(self, vehicle):
        return Trip(0, 0.0, self.capacity, 0.0)

    def visit(self, state, customer):
        way = self.distances[state.here, customer]
        time, left = state.time + self.service[state.here], state.left
        if left < self.demand[customer]:
            way = self.distances[state.here, 0] + self.distances[0, customer]
            time, left = time + self.loading, self.capacity
        time = max(time + way, self.opens[customer])
        if time > self.closes[customer] or left < self.demand[customer]:
            return None
        return Trip(customer, time, left - self.demand[customer], state.length + way)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.length


class Charge(NamedTuple):
    here: int
    time: float
    miles: float
    length: float


class Charging(Rules):
    """Batteries last ``range`` miles; where the next charger is too far after a visit, a vehicle charges before it.

    ``detour[a, b]`` is the charger of the shortest way from a to b, ``chargers[c, a]`` how far charger c is from a, and
    ``nearest[a]`` the least of these; 0 for the depot.
    """

    def start(self, vehicle):
        return Charge(0, 0.0, self.range, 0.0)

    def visit(self, state, customer):
        here = state.here
        way, time, miles = self.distances[here, customer], state.time + self.service[here], state.miles
        if miles - way < self.nearest[customer]:
            charger = self.detour[here, customer]
            if miles < self.chargers[charger, here]:
                return None
            way = self.chargers[charger, here] + self.chargers[charger, customer]
            time, miles = time + self.charge_time, self.range + self.chargers[charger, here]
        time = max(time + way, self.opens[customer])
        if time > self.closes[customer] or miles - way < self.nearest[customer]:
            return None
        return Charge(customer, time, miles - way, state.length + way)

    def finish(self, state):
        return self.visit(state, 0)

    def cost(self, state):
        return state.length


def soft_windows(instance):
    """Return a file of any form of ``vrptw``, with windows that may be missed."""
    places = nrpa.VRPTW.load(instance)
    return nrpa.Routing(len(places.demand) - 1, SoftWindows(**arrays_of(places)))
