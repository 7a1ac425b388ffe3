from itertools import pairwise, permutations
from math import dist, floor

import pytest

import nrpa

PLACES = [(0, 0), (3, 7), (9, 2), (5, 5), (1, 8)]
SERVICE = [0, 0.5, 2, 0.5, 1]
ROUNDED = {
    "exact": lambda distance: distance,
    "down": floor,
    "nearest": lambda distance: floor(distance + 0.5),
    "tenths": lambda distance: floor(10 * distance) / 10,
}


def table(places, service):
    """Return a table of places that are always open."""
    return "".join(f"{k} {x} {y} 0 0 99 {service[k]}\n" for k, (x, y) in enumerate(places))


def cost(tour, rounded):
    """Return what a tour costs: service is added to rounded distances."""
    legs = pairwise((0, *tour, 0))
    return sum(rounded(dist(PLACES[i], PLACES[j])) + SERVICE[i] for i, j in legs)


@pytest.mark.parametrize(("rounding", "rounded"), ROUNDED.items())
def test_the_best_tour_by_each_rounding(rounding, rounded, tmp_path):
    """It costs what the best of all tours does, tried one by one; the result says how distances were rounded."""
    (tmp_path / "t").write_text(table(PLACES, SERVICE))
    problem = nrpa.TSPTW.load(tmp_path / "t", rounding=rounding)
    result = nrpa.solve(problem, seed=1, playouts=50)
    best = min(cost(tour, rounded) for tour in permutations(range(1, len(PLACES))))
    assert result.cost == pytest.approx(best)
    assert result.options["rounding"] == rounding
    assert problem.check(result.solution).figures["cost"] == pytest.approx(best)


def test_nothing_is_rounded_twice():
    """A recommended instance is made of what was given: 2.5 to the nearest is 3, and with service 3.75."""
    problem = nrpa.TSPTW([[0, 2.5], [2.5, 0]], [[0, 9]] * 2, service=[0, 0.75], rounding="nearest")
    assert problem.distances.tolist() == [[0, 3], [3.75, 0]]
    for arm in problem.hints().arms:
        assert arm.distances.tolist() == problem.distances.tolist()


def test_best_known_costs_are_of_exact_distances():
    """There is none of rounded ones."""
    assert nrpa.TSPTW.load("rc204.1").best_known.value == 878.64
    assert nrpa.TSPTW.load("rc204.1", rounding="down").best_known is None


@pytest.mark.parametrize(
    ("service", "message"), [([0, -1], "must not be negative"), ([0], r"service must be of shape \(2,\)")]
)
def test_service_that_is_none(service, message):
    """A number for each city, at least 0."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.TSPTW([[0, 1], [1, 0]], [[0, 9]] * 2, service=service)
