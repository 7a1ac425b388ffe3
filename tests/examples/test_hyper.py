"""The hyper-heuristic: operators keep all cities, the best solution counts, and a game can be played again."""

import random
from itertools import permutations

import pytest
from hyper import HyperHeuristic, Tours

import nrpa


@pytest.mark.parametrize("seed", range(3))
def test_operators_keep_all_cities(seed):
    """And a local change makes no tour longer."""
    problem, numbers = Tours.load(f"12/{seed}"), random.Random(seed)
    for name, operator in problem.operators.items():
        tour = tuple(numbers.sample(range(12), 12))
        changed = operator(tour, numbers)
        assert sorted(changed) == sorted(tour)
        if name in ("reverse", "move"):
            assert problem.length(changed) <= problem.length(tour) + 1e-12


def test_a_best_reversal_is_the_best_of_all():
    """Tried one by one."""
    problem = Tours.load("9/4")
    tour = problem.start
    tried = [tour[:i] + tour[i:j][::-1] + tour[j:] for i in range(9) for j in range(i + 1, 10)]
    assert problem.length(problem.reverse(tour, None)) == pytest.approx(min(map(problem.length, tried)))


def test_a_city_goes_where_it_costs_least():
    """Tried at each place."""
    problem = Tours.load("8/2")
    tour, found = (3, 1, 0, 5, 2, 7, 6), problem.cheapest((3, 1, 0, 5, 2, 7, 6), 4)
    assert problem.length(found) == pytest.approx(min(problem.length((*tour[:k], 4, *tour[k:])) for k in range(7)))


def test_the_best_solution_on_the_way_counts():
    """Of any operators on any solution: here up and down from 5."""
    operators = {"up": lambda value, numbers: value + 1, "down": lambda value, numbers: value - 1}
    problem = HyperHeuristic(5, operators, float, steps=3)
    assert problem.check(["down", "down", "up"]).figures == {"cost": 3.0, "solution": 3}
    assert nrpa.solve(problem, nrpa.NRPA(level=1, iterations=20), seed=1, playouts=40).cost == 2.0


def test_a_search_finds_the_shortest_tour():
    """Of eight cities; the contract is kept."""
    problem = Tours.load("8/1")
    assert nrpa.check_problem(problem, games=2, seed=1).kept
    best = min(problem.length((0, *order)) for order in permutations(range(1, 8)))
    assert nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=100).cost == pytest.approx(best)


@pytest.mark.parametrize("name", ["7/1", "40", "40/x", "a/1"])
def test_other_instances_are_refused(name):
    """In a sentence."""
    with pytest.raises(nrpa.InputError, match="expected CITIES/SEED"):
        Tours.load(name)
