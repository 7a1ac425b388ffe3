"""Rules of the caller's own: kinds of vehicles, plain Python, and what is said of rules that are wrong."""

import itertools
import math
import pickle
from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa.base.errors import InputError, ProblemError
from nrpa.engine.kernels import improve
from nrpa.problems.ownrules.states import cost_after
from nrpa.problems.routing.routes import build

MILES = [[0, 9, 8, 7, 20], [9, 0, 3, 12, 18], [8, 3, 0, 10, 16], [7, 12, 10, 0, 14], [20, 18, 16, 14, 0]]


class Stop(NamedTuple):
    here: int
    left: int
    miles: float
    is_van: bool


class Way(NamedTuple):
    here: int
    left: int
    minutes: float
    late: float


class Loads:
    """Two customers for a van, three for a lorry, which costs three times as much."""

    def start(self, vehicle):
        return Stop(0, 2 if vehicle < 2 else 3, 0.0, vehicle < 2)

    def visit(self, state, customer):
        if state.left == 0:
            return None
        return Stop(customer, state.left - 1, state.miles + MILES[state.here][customer], state.is_van)

    def finish(self, state):
        return state._replace(here=0, miles=state.miles + MILES[state.here][0])

    def cost(self, state):
        return state.miles * (1.0 if state.is_van else 3.0)


class Caught(Loads):
    """The same, in a way that does not compile."""

    def cost(self, state):
        try:
            return state.miles * (1.0 if state.is_van else 3.0)
        except ValueError:
            return 0.0


def test_vehicles_of_two_kinds():
    """Two vans are enough for four customers; a solution names the vehicle by its place."""
    problem = nrpa.Routing(4, Loads(), vehicles=4)
    result = nrpa.solve(problem, playouts=30, seed=1)
    assert (result.cost, result.figures["vehicles"], len(result.solution)) == (61.0, 2, 2)
    solution = [[1], [], [2, 3, 4]]
    assert problem.solution(problem.moves_of(solution)) == solution
    assert problem.check(solution).figures == {"cost": 18.0 + 3.0 * (8 + 10 + 14 + 20), "vehicles": 2}
    assert problem.draw(solution).splitlines()[2] == "Route #3: 2 3 4   (cost 156.00)"


def test_rules_that_do_not_compile_are_called():
    """The games are the same as compiled, and the summary says which line is why."""
    results = [nrpa.solve(nrpa.Routing(4, kind(), vehicles=3), playouts=12, seed=2) for kind in (Loads, Caught)]
    assert results[0].solution == results[1].solution
    assert results[0].how_computed == "Loads is compiled as it stands."
    assert "Caught runs in plain Python" in results[1].summary()
    assert "an exception that is caught does not compile" in results[1].summary()


def test_the_same_seed_and_another_process():
    """A problem that was pickled gives the same result, and its instance has the same hash."""
    problem = nrpa.Routing(4, Loads, vehicles=3)
    again = pickle.loads(pickle.dumps(problem))
    assert again.digest() == problem.digest() != nrpa.Routing(4, Loads, vehicles=4).digest()
    one, other = (nrpa.solve(each, playouts=8, seed=3) for each in (problem, again))
    assert one.solution == other.solution


def test_customers_by_their_numbers():
    """The solution has these, the rules are given these, and a warm start takes them."""
    problem = nrpa.Routing([2, 4], Loads())
    result = nrpa.solve(problem, playouts=10, seed=1)
    assert (sorted(result.solution[0]), result.cost) == ([2, 4], 8 + 16 + 20)
    assert problem.moves_of([[4, 2]]).tolist() == [2, 1, 0]
    assert problem.check([[2, 3]]).faults == ["customer 3 is not there"]


def test_a_vehicle_costs():
    """One route of three costs more miles than two, and is taken where a vehicle is dear."""
    found = [
        nrpa.solve(nrpa.Routing(3, Free(), vehicle_cost=cost), playouts=20, seed=1).figures for cost in (0.0, 50.0)
    ]
    assert [each["vehicles"] for each in found] == [2, 1]


class Free(Loads):
    """Any number of customers; from one to the next it is far."""

    def start(self, vehicle):
        return Stop(0, 9, 0.0, True)

    def visit(self, state, customer):
        far = 30.0 if state.here == 3 or (customer == 3 and state.here > 0) else 0.0
        return Stop(customer, state.left, state.miles + far + MILES[state.here][customer], True)


WRONG = {
    "raises": (
        {"visit": lambda self, state, customer: 1 // 0},
        "visit(Stop(here=0, left=9, miles=0.0, is_van=True), 1) r",
    ),
    "no state": ({"start": lambda self, vehicle: 7}, "a state is 7; expected a NamedTuple of numbers"),
    "no number": (
        {"start": lambda self, vehicle: Stop(0, 1, "x", True)},
        "state.miles is 'x'; expected a whole number",
    ),
    "unreachable": (
        {"visit": lambda self, state, customer: None if customer == 2 else state},
        "customer 2 is unreachable: no vehicle can visit it first and end its route then",
    ),
    "no cost": ({"cost": lambda self, state: float("nan")}, "cost returned nan for Stop(here=0, left=9, "),
    "whole": (
        {"visit": lambda self, state, customer: state._replace(left=8 if state.here == 0 else 7.5, here=customer)},
        "state.left is 7.5 where it was a whole number before; begin with float(...)",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_rules_are_named(case):
    """The class, the method with its arguments, and what was expected, in one sentence."""
    methods, said = WRONG[case]
    kind = type("Odd", (Free,), methods)
    with pytest.raises(ProblemError) as caught:
        nrpa.solve(nrpa.Routing(3, kind()), playouts=10, seed=1)
    assert str(caught.value).startswith("Odd: ")
    assert said in str(caught.value)


class FailsLate(Free):
    """Fails where a third customer is visited."""

    def visit(self, state, customer):
        return Stop(customer, state.left - 1, state.miles + 1 // (state.left - 7) * MILES[state.here][customer], True)


def test_a_rule_that_raises_in_a_search_is_named():
    """What plain Python raises, with the state, where the compiled method has failed."""
    with pytest.raises(ProblemError, match=r"FailsLate: visit\(Stop\(here=\d, left=7, .* raised ZeroDivisionError"):
        nrpa.solve(nrpa.Routing(3, FailsLate()), playouts=10, seed=1)


def test_wrong_arguments_and_solutions():
    """Numbers out of range, a class without methods, and routes that the rules forbid."""
    for arguments, said in (
        ((0, Loads()), "customers"),
        (([], Loads()), "customers"),
        (([1, 2, 1], Loads()), r"the numbers of customers must be different, not \[1, 2, 1\]"),
        ((3, object()), "the rules have no method start"),
    ):
        with pytest.raises(InputError, match=said):
            nrpa.Routing(*arguments)
    problem = nrpa.Routing(4, Loads(), vehicles=2)
    assert problem.check([[1, 2, 3], [4]]).faults == ["route 1 cannot visit customer 3"]
    assert problem.check([[1, 2], [3]]).faults == ["customer 4 is missing"]
    assert problem.check([[1, 1], [2]]).faults == ["customer 1 is served 2 times"]
    assert problem.check([[1], [2], [3]]).faults == ["3 routes are more than 2 vehicles"]
    with pytest.raises(InputError, match="cannot visit customer 3"):
        problem.moves_of([[1, 2, 3], [4]])


class Late(Loads):
    """A vehicle serves four customers; who is reached after 20 minutes costs twice the minutes that are too many."""

    def start(self, vehicle):
        return Way(0, 4, 0.0, 0.0)

    def visit(self, state, customer):
        minutes = state.minutes + MILES[state.here][customer]
        late = state.late + 2.0 * max(minutes - 20.0, 0.0)
        return Way(customer, state.left - 1, minutes, late) if state.left else None

    def finish(self, state):
        minutes = state.minutes + MILES[state.here][0]
        return Way(0, state.left, minutes, state.late) if minutes <= 55.0 else None

    def cost(self, state):
        return state.minutes + state.late


def cost_of(rules, route):
    """Return the cost of a route by the class alone; infinity where it is not possible."""
    state = rules.start(0)
    for customer in route:
        state = state and rules.visit(state, customer)
    state = state and rules.finish(state)
    return rules.cost(state) if state else math.inf


class Town:
    """Loads of six, windows that may be missed, and a day that ends."""

    def __init__(self, customers):
        random = np.random.default_rng(3)
        places = random.integers(0, 30, (customers + 1, 2)).astype(float)
        self.miles = np.linalg.norm(places[:, None] - places[None], axis=2)
        self.closes = random.uniform(20.0, 90.0, customers + 1)

    def start(self, vehicle):
        return Way(0, 6, 0.0, 0.0)

    def visit(self, state, customer):
        minutes = state.minutes + self.miles[state.here, customer]
        late = state.late + max(minutes - self.closes[customer], 0.0)
        return Way(customer, state.left - 1, minutes, late) if state.left > 0 and minutes < 150.0 else None

    def finish(self, state):
        return Way(0, state.left, state.minutes + self.miles[state.here, 0], state.late)

    def cost(self, state):
        return state.minutes + state.late


def test_states_that_are_kept_in_a_search_are_those_of_whole_routes():
    """After many changes, of which most were undone, in each of several calls."""
    problem = nrpa.Routing(30, Town(30))
    state, instance = problem.new_state(), problem.model.instance
    instance = instance._replace(rules=instance.rules._replace(allowance=60_000))
    sequence, steps = np.full(problem.max_steps, -1), 60
    sequence[:steps] = [move for customer in range(1, 31) for move in (customer, 0)]
    entry = nrpa.jit(improved)
    for _ in range(3):
        entry(instance, state, sequence, steps)
        steps = int((sequence >= 0).sum())
        routes = problem.solution(sequence[:steps])
        costs = sorted(cost for cost in state.long.tolist() if cost)
        assert costs == pytest.approx(sorted(cost_of(problem.rules, route) for route in routes))
        for route in routes:
            now = problem.rules.start(0)
            for customer in route:
                now = problem.rules.visit(now, customer)
                assert problem._form.state(state.cells[customer, :-1]) == pytest.approx(now)


def improved(instance, state, sequence, steps):
    return improve(instance, state, sequence, steps)


@pytest.mark.parametrize("rules", [Late(), Loads()], ids=["late", "loads"])
@pytest.mark.parametrize("request_", [1, 2, 3, 4])
def test_a_customer_costs_at_each_place_what_whole_routes_say(rules, request_):
    """As the difference of the route with the customer and without, both replayed by the class alone."""
    problem = nrpa.Routing(4, rules, vehicles=2)
    state, others = problem.model.new_state(), [k for k in range(1, 5) if k != request_]
    own = problem.instance.rules
    tried = 0
    for order in itertools.permutations(others):
        routes = [[*order], []] if isinstance(rules, Late) else [[*order[:2]], [order[2]]]
        moves = [move for route in routes if route for move in (*route, 0)]
        sound = all(math.isfinite(cost_of(rules, route)) for route in routes if route)
        assert build(own, state, np.array([*moves, -1, -1]), len(moves)) == sound
        if not sound:
            continue
        for number, route in enumerate(routes):
            for place in range(len(route) + 1 if route else 0):
                before = route[place - 1] if place else 5 + number
                found = cost_after(own, state, request_, before, np.inf)
                longer = cost_of(rules, [*route[:place], request_, *route[place:]])
                assert found == pytest.approx(longer - cost_of(rules, route))
                tried += np.isfinite(found)
    assert tried > 0
