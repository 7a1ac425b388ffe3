"""Routes that ``improve`` changes: linked customers, so that one comes in or goes out in the time of its route.

A node is a customer, or n + r, the depot of route r, which its customers lie between. Two times say for each node what
its neighbours may do: when service starts, and when it must at the latest.

References
----------
M. W. P. Savelsbergh, *The vehicle routing problem with time windows: minimizing route duration*, ORSA Journal on
Computing 4, 1992: the latest start of service, so that an insertion is checked where it is.
"""

from nrpa.machine.jit import jit

# What ``work`` counts: the allowance that is left; routes with customers, what the undo log holds, routes that have
# changed, customers without a route, and changes tried.
ALLOWED, USED, LOGGED, CHANGED, ABSENT, CHANGES = 0, 1, 2, 3, 4, 5
# What ``sums`` holds: the length of all routes.
LENGTH = 0
NOWHERE = -1


@jit
def build(instance, state, sequence, steps):
    """Make routes of a sequence; return whether all windows are kept and no route is too long."""
    places = instance.due.shape[0]
    for route in range(places):
        node = places + route
        state.after[node] = state.before[node] = node
        state.route[node] = route
        state.size[route] = 0
        state.long[route] = 0.0
        state.changed_at[route] = 0
    state.work[:] = 0
    state.sums[LENGTH] = 0.0
    state.route[:places] = NOWHERE
    route = 0
    for position in range(steps):
        place = sequence[position]
        if place == 0:
            route += 1
        else:
            link(state, place, state.before[places + route])
    sound = True
    for each in range(places):
        sound &= note(instance, state, each)
    return sound


@jit
def write_back(instance, state, sequence):
    """Write the routes as a sequence, in the order of their first customers; what follows the last route is -1."""
    places = instance.due.shape[0]
    at = 0
    for k in range(instance.order.shape[0]):
        node = instance.order[k]
        if state.before[node] < places:
            continue
        while node < places:
            sequence[at] = node
            at += 1
            node = state.after[node]
        sequence[at] = 0
        at += 1
    sequence[at:] = -1


@jit
def link(state, customer, before):
    """Let a customer come right after a node."""
    after, route = state.after[before], state.route[before]
    state.after[before] = state.before[after] = customer
    state.before[customer], state.after[customer] = before, after
    state.route[customer] = route
    state.work[USED] += state.size[route] == 0
    state.size[route] += 1


@jit
def unlink(state, customer):
    """Take a customer out of its route; return the node before."""
    before, after, route = state.before[customer], state.after[customer], state.route[customer]
    state.after[before], state.before[after] = after, before
    state.route[customer] = NOWHERE
    state.size[route] -= 1
    state.work[USED] -= state.size[route] == 0
    return before


@jit
def place_of(instance, node):
    """Return the place of a node."""
    return node if node < instance.due.shape[0] else 0


@jit
def start_of_service(instance, here, time, place):
    """Return when service starts in a place that is reached from another one, where it started at ``time``."""
    return max(time + instance.service[here] + instance.distance[here, place], instance.ready[place])


@jit
def note(instance, state, route):
    """Note times, load and length of a route; return whether its windows are kept and it is not too long."""
    places = instance.due.shape[0]
    depot = places + route
    time, load, length, here, sound = instance.ready[0], 0.0, 0.0, 0, True
    state.start[depot] = time
    node = state.after[depot]
    while node < places:
        time = start_of_service(instance, here, time, node)
        sound &= time <= instance.due[node]
        state.leg[node] = instance.distance[here, node]
        length += state.leg[node]
        load += instance.demand[node]
        state.start[node] = time
        here, node = node, state.after[node]
    state.leg[depot] = instance.distance[here, 0]
    length += state.leg[depot]
    sound &= start_of_service(instance, here, time, 0) <= instance.due[0] and length <= instance.longest
    note_latest(instance, state, depot)
    state.sums[LENGTH] += length - state.long[route]
    state.load[route], state.long[route], state.sound[route] = load, length, sound
    state.work[ALLOWED] -= 2 * state.size[route] + 2
    return sound


@jit
def note_latest(instance, state, depot):
    """Note until when service must start at each node of a route, so that the rest of it stays in time."""
    latest = instance.due[0]
    state.latest[depot] = latest
    after, node = depot, state.before[depot]
    while node != depot:
        latest = min(instance.due[node], latest - instance.service[node] - state.leg[after])
        state.latest[node] = latest
        after, node = node, state.before[node]


@jit
def cost_of(instance, vehicles):
    """Return what so many vehicles cost, with the penalty of those too many."""
    return instance.vehicle_cost * vehicles + instance.penalty * max(vehicles - instance.vehicles, 0)


@jit
def cost(instance, state):
    """Return the cost of all routes."""
    return state.sums[LENGTH] + cost_of(instance, state.work[USED])


@jit
def keep(state):
    """Keep the routes."""
    for node in range(state.after.shape[0]):
        state.kept[node] = state.after[node]
    state.work[ALLOWED] -= state.after.shape[0] // 4


@jit
def bring_back(instance, state):
    """Return to the routes that were kept, in which all customers are."""
    places = instance.due.shape[0]
    state.work[USED] = state.work[LOGGED] = state.work[CHANGED] = state.work[ABSENT] = 0
    for route in range(places):
        node, state.size[route] = places + route, 0
        while True:
            after = state.kept[node]
            state.after[node], state.before[after], state.route[node] = after, node, route
            node = after
            if node >= places:
                break
            state.size[route] += 1
        state.work[USED] += state.size[route] > 0
        note(instance, state, route)
