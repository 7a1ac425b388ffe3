"""What clashes, against all subsets and all orders of small problems."""

import json
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa.problems.routing import lengths


def has_tour(problem, cities):
    """Return whether some order of cities is in time, by shortest ways where cities are left out."""
    ways = problem.distances if len(cities) == problem.cities - 1 else lengths.shortest_ways(problem.distances)
    for order in permutations(cities):
        time = problem.windows[0, 0]
        for here, city in pairwise([0, *order, 0]):
            time = max(time + ways[here, city], problem.windows[city, 0])
            if time > problem.windows[city, 1] + 1e-9:
                break
        else:
            return True
    return False


def drawn_tour(seed, rounds=0):
    """Return a problem of six cities with narrow windows; its distances may break the triangle inequality."""
    random = np.random.default_rng(seed)
    distances = random.integers(2, 12, (7, 7)).astype(float)
    np.fill_diagonal(distances, 0.0)
    opens = random.integers(0, 25, 7)
    windows = np.stack([opens, opens + random.integers(4, 20, 7)], axis=1)
    windows[0] = 0, 60
    return nrpa.TSPTW(distances, windows)


def smallest_clashes(keeps, names):
    """Return all smallest sets that clash."""
    for size in range(1, len(names) + 1):
        found = [{*few} for few in combinations(names, size) if not keeps(few)]
        if found:
            return found
    return []


@pytest.mark.parametrize("seed", range(25))
def test_cities_that_clash_are_one_of_the_smallest_sets_without_a_tour(seed):
    problem = drawn_tour(seed)
    found = nrpa.explain(problem, nrpa.RandomSampling(), playouts=30)
    cities = {name: int(name.split()[1]) for name in problem.parts()}
    expected = smallest_clashes(lambda few: has_tour(problem, [cities[name] for name in few]), [*cities])
    assert (set(found.clash) in expected) if expected else not found.clash
    assert found.whole.is_wanted == (not expected)
    if expected:
        assert found.tried.is_proven
        assert found.is_minimal
        assert found.is_smallest
        assert [*found.without] == found.clash
        alone = problem.without([name for name in cities if name not in found.clash])
        assert alone.check(found.tried.best.solution).faults


def test_some_of_the_drawn_tours_clash_and_some_do_not():
    found = [not has_tour(problem, range(1, 7)) for problem in map(drawn_tour, range(25))]
    assert 5 < sum(found) < 25


@pytest.mark.parametrize("seed", range(6))
def test_nodes_that_clash_are_one_of_the_smallest_graphs_without_a_colouring(seed):
    random = np.random.default_rng(seed)
    edges = [pair for pair in combinations(range(7), 2) if random.random() < 0.7]
    problem = nrpa.Coloring(7, edges, colors=3)

    def keeps(names):
        nodes = {int(name.split()[1]) - 1 for name in names}
        own = [(a, b) for a, b in edges if {a, b} <= nodes]
        return any(all(colours[a] != colours[b] for a, b in own) for colours in product(range(3), repeat=7))

    found = nrpa.explain(problem, nrpa.RandomSampling(), playouts=5, target=0)
    expected = smallest_clashes(keeps, problem.parts())
    assert (set(found.clash) in expected) if expected else not found.clash
    assert found.tried.is_proven == bool(expected)


def test_given_numbers_that_leave_no_number_for_a_cell_clash():
    problem = nrpa.LatinSquare([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [2, 0, 0, 0]])
    found = nrpa.explain(problem.plain, nrpa.RandomSampling(), playouts=5, target=0)
    row = ["row 1, column 1", "row 1, column 2", "row 1, column 3", "row 2, column 4"]
    assert (found.clash, found.tried.is_proven, found.is_smallest) == (row, True, True)


def test_jobs_that_are_too_much_for_a_makespan_clash():
    jobs = [[(0, 3), (1, 2)], [(1, 1)], [(0, 4), (1, 1)], [(0, 4), (1, 1)]]
    found = nrpa.explain(nrpa.JobShop(jobs), "random", playouts=20, target=9)
    assert found.clash == ["job 3", "job 4"] or set(found.clash) == {"job 1", "job 3", "job 4"}
    assert found.tried.is_proven


@pytest.mark.parametrize("seed", range(6))
def test_customers_that_clash_are_one_of_the_smallest_sets_that_two_vehicles_cannot_serve(seed):
    random = np.random.default_rng(seed)
    places = random.integers(0, 9, (6, 2))
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    opens, demand = random.integers(0, 12, 6), [0, *random.integers(1, 6, 5)]
    windows = np.stack([opens, opens + random.integers(14, 22, 6)], axis=1)
    windows[0] = 0, 60
    arrays = distances, windows, demand
    problems = nrpa.VRPTW(*arrays, 9, vehicles=2), nrpa.RichVRP(*arrays, 9, vehicles=[2])

    def fits(route):
        time = 0.0
        for here, place in pairwise([0, *route, 0]):
            time = max(time + distances[here, place], windows[place, 0])
            if time > windows[place, 1] + 1e-9:
                return False
        return sum(demand[k] for k in route) <= 9

    def keeps(names):
        few = [int(name.split()[1]) for name in names]
        return any(fits(one[:cut]) and fits(one[cut:]) for one in permutations(few) for cut in range(len(few) + 1))

    for problem in problems:
        found = nrpa.explain(problem, nrpa.RandomSampling(), playouts=5)
        expected = smallest_clashes(keeps, problem.parts())
        assert (set(found.clash) in expected) if expected else not found.clash
        assert found.tried.is_proven == bool(expected)


def test_a_pickup_is_left_out_with_its_delivery():
    arguments = [[0, 99], [0, 4], [0, 4], [0, 90], [0, 90]], [0, 5, 6, -5, -6], 10
    problem = nrpa.RichVRP(np.full((5, 5), 3.0), *arguments, partners=[0, 3, 4, 1, 2], vehicles=[1])
    assert problem.parts() == ["place 1", "place 2"]
    left = problem.without(["place 1"])
    assert (left.demand.tolist(), left.partners.tolist()) == ([0, 6, -6], [0, 2, 1])
    assert nrpa.explain(problem, nrpa.RandomSampling(), playouts=5).clash == ["place 1", "place 2"]


class Van(NamedTuple):
    here: int
    left: int
    miles: float


class VanRules:
    """Three customers a vehicle, who live a mile from each other along a road, and 9 miles in all."""

    def start(self, vehicle):
        return Van(0, 3, 0.0)

    def visit(self, state, customer):
        miles = state.miles + abs(customer - state.here)
        return Van(customer, state.left - 1, miles) if self.has_room(state) and self.is_near(miles, customer) else None

    @nrpa.rule
    def has_room(self, state):
        return state.left > 0

    @nrpa.rule
    def is_near(self, miles, customer):
        return miles + customer <= 9

    def cost(self, state):
        return state.miles


def test_customers_and_rules_of_ones_own_that_clash():
    """Compiled with a rule switched off, too: without room for three alone, one vehicle serves all four."""
    problem = nrpa.Routing([1, 2, 3, 4], VanRules(), vehicles=1)
    found = nrpa.explain(problem, playouts=20)
    assert (found.clash[0], len(found.clash), found.tried.is_proven) == ("has_room", 5, True)
    assert [name for name, best in found.without.items() if best.is_wanted] == found.clash
    assert found.without["has_room"].figures["cost"] == 4.0
    assert problem.without_rules(["has_room"]).how_computed == "VanRules is compiled as it stands."
    assert problem.without(["customer 2"]).check([[1, 3, 4]]).figures["cost"] == 4.0
    assert problem.without(["customer 2"]).check([[1, 3, 2]]).faults == ["customer 2 is not there"]


class Rota(nrpa.Problem):
    """Nights of three nurses; a game that ends early has empty nights."""

    objective = nrpa.Objective("price", sign=-1)
    days = 6

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        if len(state) == self.days:
            return []
        return [nurse for nurse in range(3) if self.is_rested(state, nurse) and self.is_allowed(state, nurse)]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -1e9 * (self.days - len(state)) - sum(state) - 100 * self.weekends(state)

    @nrpa.rule
    def is_rested(self, state, nurse):
        return nurse not in state[-2:]

    @nrpa.rule
    def is_allowed(self, state, nurse):
        return nurse != 0 or len(state) % 3 != 0

    @nrpa.rule(off=0)
    def weekends(self, state):
        return len(state) // 6


class Strict(Rota):
    """Nurse 1 is away at first: with rest, nurse 2 begins, and would have to come again."""

    @nrpa.rule
    def is_away(self, state, nurse):
        return nurse == 1 or len(state) != 3

    def legal_moves(self, state):
        return [m for m in super().legal_moves(state) if self.is_away(state, m) and self.begins(state, m)]

    @nrpa.rule
    def begins(self, state, nurse):
        return bool(state) or nurse == 2


class TooStrict(Rota):
    """The rules leave no first move."""

    def legal_moves(self, state):
        return [move for move in super().legal_moves(state) if self.begins(state, move)]

    @nrpa.rule
    def begins(self, state, nurse):
        return bool(state) or nurse == 0


def best_price(problem):
    """Return the least price of all games; infinite where each has an empty night."""
    prices = [np.inf]
    for order in product(range(3), repeat=problem.days):
        if all(order[k] in problem.legal_moves(order[:k]) for k in range(problem.days)):
            prices.append(-problem.score(order))
    return min(prices)


@pytest.mark.parametrize("cls", [Rota, Strict])
def test_what_each_rule_costs_is_the_best_price_without_it(cls):
    found = nrpa.explain(cls(), nrpa.NRPA(level=2, iterations=20), playouts=400)
    for rule, best in found.without.items():
        other = nrpa.modelling.rule.without_rules(cls(), [rule])
        price = best_price(other)
        assert best.is_wanted == (price < np.inf)
        assert not best.is_wanted or best.figures["price"] == price
    assert [*found.without] == nrpa.modelling.rule.rules_of(cls())


def test_rules_that_clash_are_the_smallest_set_without_a_game():
    found = nrpa.explain(Strict(), nrpa.RandomSampling(), playouts=50)
    rules = nrpa.modelling.rule.rules_of(Strict())

    def keeps(few):
        off = [rule for rule in rules if rule not in few]
        return best_price(nrpa.modelling.rule.without_rules(Strict(), off)) < np.inf

    assert set(found.clash) in smallest_clashes(keeps, rules)
    assert (found.tried.is_proven, found.is_minimal, found.is_smallest) == (True, True, True)


def test_rules_that_leave_no_first_move_clash():
    found = nrpa.explain(TooStrict(), nrpa.RandomSampling(), playouts=50)
    assert (set(found.clash), found.tried.is_proven, found.whole) == ({"is_allowed", "begins"}, True, None)


def test_a_class_without_a_game_even_without_rules_has_no_clash():
    class Hopeless(Rota):
        def score(self, state):
            return -1e9

    found = nrpa.explain(Hopeless(), nrpa.RandomSampling(), playouts=5)
    assert found.clash == []
    assert found.sentences[0] == "No solution was found even without all rules."


def test_what_is_not_enumerated_is_not_proven():
    """A wheel of six nodes, which takes nine states."""
    rim = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)]
    wheel = nrpa.Coloring(6, [*rim, *((0, node) for node in range(1, 6))], colors=3)
    found = nrpa.explain(wheel, nrpa.RandomSampling(), playouts=7, nodes=3, target=0)
    assert (found.tried.is_proven, found.tried.nodes) == (False, 3)
    assert found.sentences[1] == "Not proven: no solution was found in 7 playouts and 3 states of all games."


def test_the_same_seed_gives_the_same_explanation_and_json_holds_it():
    problem = drawn_tour(1)
    one, other = (nrpa.explain(problem, nrpa.RandomSampling(), seed=5, playouts=20) for _ in range(2))
    assert one == other
    assert json.loads(json.dumps(one.to_dict()))["clash"] == one.clash


def test_a_problem_without_parts_and_rules_is_refused():
    with pytest.raises(nrpa.InputError, match=r"^nothing of snake can clash: it has no parts that it could do without"):
        nrpa.explain(nrpa.Snake(4))


@pytest.mark.parametrize("wrong", [{"playouts": 0}, {"nodes": 0}, {"time": 0.0}])
def test_limits_out_of_range_are_refused(wrong):
    with pytest.raises(nrpa.InputError, match=next(iter(wrong))):
        nrpa.explain(drawn_tour(1), **wrong)


def test_when_the_time_is_over_what_is_known_by_then_is_returned(monkeypatch):
    """A clock that is over after so many looks: the set is one that clashes, if perhaps not the smallest."""
    problem = next(p for p in map(drawn_tour, range(25)) if not has_tour(p, range(1, 7)))
    for looks in (3, 40, 200):
        now = iter([0.0] * looks)
        monkeypatch.setattr("nrpa.bench.explain.perf_counter", lambda now=now: next(now, 2e9))
        found = nrpa.explain(problem, nrpa.RandomSampling(), playouts=5, time=1e9)
        cities = [int(name.split()[1]) for name in found.clash]
        assert cities
        assert not has_tour(problem, cities)
