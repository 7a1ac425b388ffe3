"""Each rule of one's own finds what trying all routes finds, valued by the plain class alone."""

import itertools
import math

import numpy as np
import pytest
import routing_rules as rules

import nrpa

CUSTOMERS = 5


def best_by_trying(problem):
    """Return the least cost of all routes: the best order of each set of customers, for each vehicle."""
    everyone = range(1, problem.customers + 1)
    sets = [frozenset(some) for size in range(CUSTOMERS + 1) for some in itertools.combinations(everyone, size)]
    least = {frozenset(): 0.0}
    for vehicle in range(problem.vehicles):
        alone = {
            some: min(cost_of(problem.rules, vehicle, order) for order in itertools.permutations(some)) for some in sets
        }
        least = {
            some: min(least.get(some - part, math.inf) + alone[part] for part in sets if part <= some) for some in sets
        }
    return least[frozenset(everyone)]


def cost_of(given, vehicle, order):
    """Return what a vehicle's route costs; infinity where a rule forbids it."""
    if not order:
        return 0.0
    state = given.start(vehicle)
    for customer in order:
        state = None if state is None else given.visit(state, customer)
    state = None if state is None else given.finish(state) if hasattr(given, "finish") else state
    cost = math.inf if state is None else given.cost(state)
    return sum(cost) if isinstance(cost, tuple) else cost


def drawn(seed):
    """Return arrays that all rules together need, of five customers in a square."""
    chance, n = np.random.default_rng(seed), CUSTOMERS + 1
    places, stations = chance.integers(0, 40, (n, 2)).astype(float), chance.integers(0, 40, (2, 2)).astype(float)
    opens = np.r_[0.0, chance.integers(0, 90, CUSTOMERS).astype(float)]
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    chargers = np.hypot(*(stations[:, None] - places).transpose(2, 0, 1))
    return {
        "distances": distances,
        "service": np.r_[0.0, np.full(CUSTOMERS, 5.0)],
        "demand": np.r_[0.0, chance.integers(1, 6, CUSTOMERS).astype(float)],
        "opens": opens,
        "closes": np.r_[500.0, opens[1:] + 60.0],
        "capacity": 8.0,
        "most": 60.0,
        "rest": 15.0,
        "pace": [1.0, 2.5, 1.0, 2.0, 1.0],
        "skills": [1, 3],
        "needs": np.r_[0, chance.integers(0, 4, CUSTOMERS)],
        "shift": 400.0,
        "weight": np.r_[0.0, chance.integers(1, 6, CUSTOMERS)],
        "volume": np.r_[0.0, chance.integers(1, 6, CUSTOMERS)],
        "cooled": np.r_[0, chance.integers(0, 2, CUSTOMERS)],
        "most_weight": 10.0,
        "most_volume": 9.0,
        "most_cooled": 2,
        "loading": 10.0,
        "range": 110.0,
        "charge_time": 20.0,
        "chargers": chargers,
        "nearest": np.r_[0.0, chargers.min(axis=0)[1:]],
        "detour": (chargers[:, :, None] + chargers[:, None]).argmin(axis=0),
    }


KINDS = {
    rules.Windows: ["opens", "closes", "demand", "capacity"],
    rules.SoftWindows: ["opens", "closes", "demand", "capacity"],
    rules.SquaredLateness: ["opens", "closes", "demand", "capacity"],
    rules.Breaks: ["opens", "closes", "most", "rest"],
    rules.RushHours: ["opens", "closes", "pace"],
    rules.Skills: ["skills", "needs", "shift"],
    rules.SeveralLoads: ["weight", "volume", "cooled", "most_weight", "most_volume", "most_cooled"],
    rules.Reloads: ["opens", "closes", "demand", "capacity", "loading"],
    rules.Charging: ["opens", "closes", "range", "charge_time", "chargers", "nearest", "detour"],
}


def problem_of(kind, seed):
    """Return a problem of five customers, as far as each of them can be visited alone."""
    arrays = drawn(seed)
    given = kind(**{name: arrays[name] for name in ["distances", "service", *KINDS[kind]]})
    return nrpa.Routing(CUSTOMERS, given, vehicles=2 if kind is rules.Skills else None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_search_finds_what_trying_all_routes_finds(kind):
    """Four drawn instances of each; the rules are compiled, and the cost is that of the plain class."""
    for seed in range(4):
        problem = problem_of(kind, seed)
        result = nrpa.solve(problem, playouts=60, seed=1)
        assert problem.how_computed == f"{kind.__name__} is compiled as it stands."
        assert result.valid
        assert result.figures["cost"] == pytest.approx(best_by_trying(problem))


def test_windows_are_those_of_the_bundled_problem():
    """The same routes cost the same, and a file is read by the bundled problem."""
    places = nrpa.VRPTW.load("c101", first="distance")
    problem = nrpa.Routing(100, rules.Windows(**rules.arrays_of(places)))
    result = nrpa.solve(problem, playouts=40, seed=1)
    figures = places.check(result.solution).figures
    assert figures["cost"] == pytest.approx(result.figures["cost"])
    assert figures["vehicles"] == result.figures["vehicles"]


def test_shares_of_the_cost():
    """Distance and lateness are figures of the result, and add up to the cost."""
    result = nrpa.solve(rules.soft_windows("c101"), playouts=20, seed=1)
    figures = result.figures
    assert figures["cost"] == pytest.approx(figures["distance"] + figures["lateness"])
