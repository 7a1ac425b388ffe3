"""Ruin and recreate for requests of one stop or two, in routes from several depots.

References
----------
J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*, Transportation
Science 54, 2020: strings of adjacent routes are removed, and requests come back in several orders, with blinks.

T. Vidal, T. G. Crainic, M. Gendreau and C. Prins, *A hybrid genetic algorithm with adaptive diversity management for a
large class of vehicle routing problems with time-windows*, Computers & Operations Research 40, 2013: segments of
routes by their duration, and their earliest and latest start.
"""

from typing import NamedTuple

import numpy as np

from nrpa.modelling.problem import Problem

REMOVED, MOST_IN_STRING, BLINK = 10, 10, 0.01
HOT, COLD, FOR_VEHICLES = 1.0, 0.01, 0.5
ALLOWED_EACH, MOST_ALLOWED = 200, 2_500_000
LATE = 1e-6
# What ``count`` holds: what is left of the allowance, the random number, waiting requests, routes changed.
ALLOWED, RANDOM, WAITING, CHANGED = 0, 1, 2, 3
FACTOR, MODULUS = 48271, 2**31 - 1


class Routes(NamedTuple):
    """Routes that change: a slot for each vehicle, whose stops lie between its depots."""

    stops: np.ndarray  # int64[slots, width]
    size: np.ndarray  # int64[slots], the stops without depots
    length: np.ndarray  # float64[slots]
    load: np.ndarray  # float64[slots, 2], of those delivered to, and of backhauls
    sound: np.ndarray  # bool[slots], in time
    route: np.ndarray  # int64[n], the slot of a place; -1 for none
    before: np.ndarray  # float64[n, 4], the part of the route up to a place: a segment, and the load
    after: np.ndarray  # float64[n, 3], the part from there on
    waiting: np.ndarray  # int64[n], requests in no route
    hard: np.ndarray  # int64[n], how often no route was found for a request
    changed: np.ndarray  # int64[slots], the slots that a change has changed
    old: np.ndarray  # int64[slots, width + 1], the sizes and stops that these had
    was: np.ndarray  # int64[n + 1], the requests that waited, their number first
    kept: np.ndarray  # int64[slots, width + 1], the best routes, as ``old``
    count: np.ndarray  # int64[4]


class RuinAndRecreate(Problem):
    """What ``improve`` of a problem of routes needs."""

    @staticmethod
    def joined(one, leg, other):
        """Return the segment of two that a leg joins: duration, earliest and latest start, and whether it is late."""
        took = one[0] + leg
        waits = max(other[1] - took - one[2], 0.0)
        is_late = one[3] or other[3] or one[1] + took > other[2] + LATE
        return took + waits + other[0], max(other[1] - took, one[1]) - waits, min(other[2] - took, one[2]), is_late

    def stop(self, place):
        """Return the segment of a place alone."""
        return self.service[place], self.ready[place], self.due[place], False

    def first_part(self, routes, place):
        """Return the segment up to a place."""
        if place < self.depots:
            return self.stop(place)
        return routes.before[place, 0], routes.before[place, 1], routes.before[place, 2], False

    def last_part(self, routes, place):
        """Return the segment from a place on."""
        if place < self.depots:
            return self.stop(place)
        return routes.after[place, 0], routes.after[place, 1], routes.after[place, 2], False

    def is_short(self, segment):
        """Return whether a route is in time and not too long."""
        return not segment[3] and segment[0] <= self.duration + LATE

    def below(self, routes, number):
        """Return a random whole number from 0 to ``number`` - 1."""
        routes.count[RANDOM] = routes.count[RANDOM] * FACTOR % MODULUS
        return int(routes.count[RANDOM] / MODULUS * number)

    def made_routes(self, moves, others):
        """Return the routes of a game, those that are not allowed left out; random numbers are the games' own."""
        n, slots = len(self.due), len(self.homes)
        width = n - self.depots + 2
        whole = (np.zeros((slots, width), np.int64), np.zeros(slots, np.int64), np.zeros(slots), np.zeros((slots, 2)))
        at = (np.full(n, -1), np.zeros((n, 4)), np.zeros((n, 3)), np.zeros(n, np.int64), np.ones(n, np.int64))
        log = (np.zeros(slots, np.int64), np.zeros((slots, width + 1), np.int64), np.zeros(n + 1, np.int64))
        kept, count = np.zeros((slots, width + 1), np.int64), np.zeros(4, np.int64)
        routes = Routes(*whole, np.ones(slots, np.bool_), *at, *log, kept, count)
        count[RANDOM] = 1
        for start, end in moves + others:
            count[RANDOM] = (count[RANDOM] * FACTOR + start * n + end) % (MODULUS - 1) + 1
        count[ALLOWED] = min(ALLOWED_EACH * n**2, MOST_ALLOWED)
        slot = -1
        for start, end in moves:
            if start < self.depots and end >= self.depots:
                slot = self.free_slot(routes, start)
            if slot >= 0 and end >= self.depots:
                routes.size[slot] += 1
                routes.stops[slot, routes.size[slot]] = end
                routes.route[end] = slot
        for slot in range(slots):
            self.note(routes, slot)
            if not routes.sound[slot] or routes.load[slot].max() > self.capacity + LATE:
                self.empty(routes, slot)
        for request in self.requests:
            if routes.route[request] < 0:
                routes.waiting[count[WAITING]] = request
                count[WAITING] += 1
        return routes

    def free_slot(self, routes, depot):
        """Return a slot without stops; -1 if all vehicles of the depot are out."""
        for slot in range(len(self.homes)):
            if self.homes[slot] == depot and routes.size[slot] == 0:
                return slot
        return -1

    def empty(self, routes, slot):
        """Take all stops out of a route."""
        for k in range(1, routes.size[slot] + 1):
            routes.route[routes.stops[slot, k]] = -1
        routes.size[slot] = 0
        self.note(routes, slot)

    def note(self, routes, slot):
        """Note segments, length and loads of a route that has changed."""
        home, size, stops = self.homes[slot], routes.size[slot], routes.stops[slot]
        stops[0] = stops[size + 1] = home
        routes.load[slot] = 0.0
        segment, load, length = self.stop(home), 0.0, 0.0
        for k in range(1, size + 1):
            place = stops[k]
            leg = self.legs[stops[k - 1], place]
            segment = self.joined(segment, leg, self.stop(place))
            load += self.demand[place]
            length += leg
            kind = self.kinds[place]
            routes.load[slot, kind] = max(load, routes.load[slot, 0]) if kind == 0 else load - routes.load[slot, 0]
            for part, value in enumerate((segment[0], segment[1], segment[2], load)):
                routes.before[place, part] = value
        back = self.legs[stops[size], home]
        routes.sound[slot] = self.is_short(self.joined(segment, back, self.stop(home)))
        routes.length[slot] = length + back
        segment = self.stop(home)
        for k in range(size, 0, -1):
            place = stops[k]
            segment = self.joined(self.stop(place), self.legs[place, stops[k + 1]], segment)
            for part, value in enumerate(segment[:3]):
                routes.after[place, part] = value
        routes.count[ALLOWED] -= 2 * size + 2

    def cost(self, routes):
        """Return the cost of the routes, and the prizes of those who wait."""
        cost = 0.0
        for slot in range(len(self.homes)):
            if routes.size[slot] > 0:
                cost += routes.length[slot] + self.vehicle_cost
        for k in range(routes.count[WAITING]):
            request = routes.waiting[k]
            if self.prizes[request] < np.inf:
                cost += self.prizes[request]
        routes.count[ALLOWED] -= len(self.homes) // 4
        return cost

    def used(self, routes):
        """Return the number of routes with stops."""
        return np.sum(routes.size > 0)

    def hardness(self, routes, requests, number):
        """Return how often requests that must be served were left out, together."""
        total = 0
        for k in range(number):
            if self.prizes[requests[k]] == np.inf:
                total += routes.hard[requests[k]]
        return total

    # Changes that can be undone.

    def keep_slot(self, routes, saved, row, slot):
        """Copy a route to a row."""
        size = routes.size[slot]
        saved[row, 0] = size
        saved[row, 1 : size + 1] = routes.stops[slot, 1 : size + 1]

    def bring_back(self, routes, saved, row, slot):
        """Copy a route back from a row; ``route`` of those who leave it is -1 until another route has them."""
        for k in range(1, routes.size[slot] + 1):
            routes.route[routes.stops[slot, k]] = -1
        size = saved[row, 0]
        routes.size[slot] = size
        routes.stops[slot, 1 : size + 1] = saved[row, 1 : size + 1]

    def claim(self, routes, slot):
        """Note a route that was brought back, and whose its stops are."""
        for k in range(1, routes.size[slot] + 1):
            routes.route[routes.stops[slot, k]] = slot
        self.note(routes, slot)

    def begin(self, routes):
        """Begin a change."""
        waiting = routes.count[WAITING]
        routes.was[0] = waiting
        routes.was[1 : waiting + 1] = routes.waiting[:waiting]
        routes.count[CHANGED] = 0

    def is_changed(self, routes, slot):
        """Return whether the change has come to a route."""
        return any(routes.changed[k] == slot for k in range(routes.count[CHANGED]))

    def touch(self, routes, slot):
        """Save a route before it changes."""
        if not self.is_changed(routes, slot):
            self.keep_slot(routes, routes.old, routes.count[CHANGED], slot)
            routes.changed[routes.count[CHANGED]] = slot
            routes.count[CHANGED] += 1

    def undo(self, routes):
        """Take a change back."""
        for k in range(routes.count[CHANGED]):
            self.bring_back(routes, routes.old, k, routes.changed[k])
        for k in range(routes.count[CHANGED]):
            self.claim(routes, routes.changed[k])
        waiting = routes.was[0]
        routes.count[WAITING] = waiting
        routes.waiting[:waiting] = routes.was[1 : waiting + 1]

    def keep(self, routes):
        """Keep the routes as the best."""
        for slot in range(len(self.homes)):
            self.keep_slot(routes, routes.kept, slot, slot)
        routes.count[ALLOWED] -= len(self.due)

    def return_to_best(self, routes):
        """Bring the best routes back."""
        for slot in range(len(self.homes)):
            self.bring_back(routes, routes.kept, slot, slot)
        for slot in range(len(self.homes)):
            self.claim(routes, slot)
        routes.count[WAITING] = 0
        for request in self.requests:
            if routes.route[request] < 0:
                routes.waiting[routes.count[WAITING]] = request
                routes.count[WAITING] += 1

    # Ruin.

    def take_out(self, routes, slot, begin, end):
        """Let the requests of the stops ``begin`` to ``end`` - 1 of a route wait."""
        for k in range(begin, end):
            place = routes.stops[slot, k]
            request = place if self.partners[place] == 0 or self.demand[place] > 0 else self.partners[place]
            if routes.route[request] < 0:
                continue
            routes.route[request] = -1
            if self.partners[request] > 0:
                routes.route[self.partners[request]] = -1
            routes.waiting[routes.count[WAITING]] = request
            routes.count[WAITING] += 1
        left = 0
        for k in range(1, routes.size[slot] + 1):
            place = routes.stops[slot, k]
            if routes.route[place] >= 0:
                left += 1
                routes.stops[slot, left] = place
        routes.size[slot] = left
        self.note(routes, slot)

    def ruin(self, routes):
        """Remove a string of stops from each of some routes near a random request."""
        first = self.requests[self.below(routes, len(self.requests))]
        served = len(self.requests) - routes.count[WAITING]
        longest = min(MOST_IN_STRING, max(self.stops_each * served / max(self.used(routes), 1), 1.0))
        strings = 1 + self.below(routes, max(4.0 * REMOVED / (1.0 + longest) - 1.0, 1.0))
        for place in self.near[first]:
            slot = routes.route[place]
            if slot < 0 or self.is_changed(routes, slot):
                continue
            self.touch(routes, slot)
            size, at = routes.size[slot], 1
            while routes.stops[slot, at] != place:
                at += 1
            number = 1 + self.below(routes, min(size, longest))
            begin = max(at - self.below(routes, number), 1)
            begin = max(min(begin, size + 1 - number), 1)
            self.take_out(routes, slot, begin, begin + number)
            strings -= 1
            if strings == 0:
                break

    def dissolve(self, routes):
        """Let the requests of a route wait, of the one whose requests were left out least often."""
        best, least = 0, np.inf
        for slot in range(len(self.homes)):
            if routes.size[slot] > 0:
                total = np.sum(routes.hard[routes.stops[slot, 1 : routes.size[slot] + 1]])
                if total < least:
                    best, least = slot, total
        self.take_out(routes, best, 1, routes.size[best] + 1)
        routes.count[ALLOWED] -= len(self.due)

    # Recreate.

    def sorted_waiting(self, routes):
        """Return those who wait, at random, or by demand, distance, or window."""
        waiting = routes.waiting[: routes.count[WAITING]].copy()
        kind = self.below(routes, 8)
        if kind < 3:
            keys = np.array([float(self.below(routes, MODULUS - 1)) for request in waiting])
        elif kind < 5:
            keys = -self.demand[waiting]
        elif kind < 6:
            keys = -self.legs[0][waiting]
        elif kind < 7:
            keys = self.due[waiting] - self.ready[waiting]
        else:
            keys = self.ready[waiting]
        routes.count[ALLOWED] -= 8 * len(waiting)
        return [waiting[k] for k in sorted(range(len(waiting)), key=lambda k: keys[k])]

    def recreate(self, routes, may_open):
        """Put requests that wait where they cost least; those wait on that have no place, or whose prize is less."""
        order = self.sorted_waiting(routes)
        routes.count[WAITING] = 0
        for request in order:
            slot, one, other = self.best_place(routes, request, may_open)
            if slot < 0:
                routes.waiting[routes.count[WAITING]] = request
                routes.count[WAITING] += 1
                continue
            self.touch(routes, slot)
            self.insert(routes, slot, other, self.partners[request])
            self.insert(routes, slot, one, request)
            self.note(routes, slot)

    def insert(self, routes, slot, at, place):
        """Let a place come after the stop number ``at`` of a route; no place is 0."""
        if place > 0:
            for k in range(routes.size[slot], at, -1):
                routes.stops[slot, k + 1] = routes.stops[slot, k]
            routes.stops[slot, at + 1] = place
            routes.size[slot] += 1
            routes.route[place] = slot

    def best_place(self, routes, request, may_open):
        """Return the slot where a request costs least and after which of its stops, for the delivery, too; or -1."""
        best, least, opened = (-1, 0, 0), self.prizes[request], -1
        for slot in range(len(self.homes)):
            extra = 0.0
            if routes.size[slot] == 0:
                if not may_open or self.homes[slot] == opened:
                    continue
                opened, extra = self.homes[slot], self.vehicle_cost
            if self.partners[request] > 0:
                found = self.best_pair(routes, request, slot, least - extra)
            else:
                found = self.best_single(routes, request, slot, least - extra)
            if found[0] + extra < least:
                least, best = found[0] + extra, (slot, found[1], found[2])
        return best

    def best_single(self, routes, place, slot, least):
        """Return what a place costs less than ``least`` in a route and after which stop; what was least, else."""
        best, stops = 0, routes.stops[slot]
        if routes.load[slot, self.kinds[place]] + self.demand[place] > self.capacity + LATE:
            return least, best, 0
        alone = self.stop(place)
        routes.count[ALLOWED] -= routes.size[slot] + 1
        for k in range(routes.size[slot] + 1):
            here, there = stops[k], stops[k + 1]
            longer = self.legs[here, place] + self.legs[place, there] - self.legs[here, there]
            if longer >= least:
                continue
            segment = self.joined(self.first_part(routes, here), self.legs[here, place], alone)
            whole = self.joined(segment, self.legs[place, there], self.last_part(routes, there))
            if self.is_short(whole) and self.below(routes, 1.0 / BLINK) > 0:
                least, best = longer, k
        return least, best, 0

    def best_pair(self, routes, pickup, slot, least):
        """Return the same of a pickup and its delivery, and after which stop the delivery comes."""
        best, stops, size, delivery = (0, 0), routes.stops[slot], routes.size[slot], self.partners[pickup]
        for one in range(size + 1):
            here = stops[one]
            load = (routes.before[here, 3] if one > 0 else 0.0) + self.demand[pickup]
            segment = self.joined(self.first_part(routes, here), self.legs[here, pickup], self.stop(pickup))
            if segment[3] or load > self.capacity + LATE:
                continue
            longer, last = self.legs[here, pickup], pickup
            for other in range(one, size + 1):
                routes.count[ALLOWED] -= 1
                there = stops[other + 1]
                before = self.legs[stops[other], there]
                # What comes if the delivery is here; ``longer`` is the way so far, less that of before.
                cost = longer + self.legs[last, delivery] + self.legs[delivery, there] - before
                if cost < least:
                    whole = self.joined(segment, self.legs[last, delivery], self.stop(delivery))
                    whole = self.joined(whole, self.legs[delivery, there], self.last_part(routes, there))
                    if self.is_short(whole) and self.below(routes, 1.0 / BLINK) > 0:
                        least, best = cost, (one, other)
                if other == size or routes.before[there, 3] + self.demand[pickup] > self.capacity + LATE:
                    break
                longer += self.legs[last, there] - before
                segment = self.joined(segment, self.legs[last, there], self.stop(there))
                if segment[3]:
                    break
                last = there
        return least, best[0], best[1]

    # The search.

    def change(self, routes, temperature, may_open):
        """Ruin and recreate once; undo it where that is too much worse at this temperature."""
        self.begin(routes)
        was = self.cost(routes)
        self.ruin(routes)
        self.recreate(routes, may_open)
        return self.accept(routes, was, temperature)

    def accept(self, routes, was, temperature):
        """Let a change stay, or undo it; count who was left out."""
        waiting = routes.count[WAITING]
        worse = self.hardness(routes, routes.waiting, waiting) - self.hardness(routes, routes.was[1:], routes.was[0])
        for k in range(waiting):
            routes.hard[routes.waiting[k]] += 1
        is_sound = True
        for k in range(routes.count[CHANGED]):
            is_sound &= routes.sound[routes.changed[k]]
        limit = was - temperature * np.log(1.0 - self.below(routes, MODULUS - 1) / MODULUS)
        if not (is_sound and (worse < 0 or (worse == 0 and self.cost(routes) < limit))):
            self.undo(routes)

    def better_moves(self, moves, others):
        """Return the moves of better routes: first vehicles are saved, or all are served, then routes get shorter."""
        routes = self.made_routes(moves, others)
        self.begin(routes)
        self.recreate(routes, True)
        begin = routes.count[ALLOWED]
        used = max(self.used(routes), 1)
        leg = np.sum(routes.length) / (len(self.due) + used)
        least = np.inf
        while routes.count[ALLOWED] > 0:
            waits = self.hardness(routes, routes.waiting, routes.count[WAITING]) > 0
            if not waits and self.cost(routes) < least - LATE:
                least = self.cost(routes)
                self.keep(routes)
            saves = routes.count[ALLOWED] > (1.0 - FOR_VEHICLES) * begin
            if least < np.inf and waits and not saves:
                self.return_to_best(routes)
                continue
            saves &= least < np.inf and self.vehicle_cost > 0.0 and self.used(routes) + waits > self.fewest
            if saves and not waits:
                self.begin(routes)
                self.dissolve(routes)
            spent = 1.0 - routes.count[ALLOWED] / begin
            self.change(routes, leg * HOT * (COLD / HOT) ** spent, not saves)
        if least == np.inf:
            return moves
        self.return_to_best(routes)
        return self.moves_made(routes)

    def moves_made(self, routes):
        """Return the moves that make the routes."""
        moves = [(0, 0) for _ in range(0)]
        for slot in range(len(self.homes)):
            if routes.size[slot] > 0:
                for k in range(routes.size[slot] + 1):
                    moves.append((int(routes.stops[slot, k]), int(routes.stops[slot, k + 1])))
        if routes.count[WAITING] > 0:
            moves.append((0, 0))
        return moves
