import random

import pytest
from naive_binpacking import fewest_bins, naive_l2, random_sizes

import nrpa
from nrpa.io.source import bundled
from nrpa.problems.binpacking.bounds import best_fit_decreasing, bounds, first_fit_decreasing, l1, l2


def naive_fit_decreasing(capacity, sizes, choose):
    rooms = []
    for size in sorted(sizes, reverse=True):
        fitting = [b for b, room in enumerate(rooms) if room >= size]
        if fitting:
            rooms[choose(fitting, rooms)] -= size
        else:
            rooms.append(capacity - size)
    return len(rooms)


def test_bounds_enclose_the_optimum_and_equal_their_definitions():
    """On small random instances L1 <= L2 <= optimum <= FFD, BFD, each as its definition says."""
    rng = random.Random(1)
    for _ in range(300):
        capacity = rng.randint(5, 60)
        sizes = random_sizes(rng, capacity, rng.randint(1, 8))
        optimum = fewest_bins(capacity, sizes)
        found = bounds(capacity, sizes)
        assert found.l2 == naive_l2(capacity, sizes)
        assert found.l1 <= found.l2 <= optimum <= min(found.ffd, found.bfd)
        assert found.ffd == naive_fit_decreasing(capacity, sizes, lambda fitting, _: fitting[0])
        assert found.bfd == naive_fit_decreasing(capacity, sizes, lambda f, rooms: min(f, key=lambda b: rooms[b]))


def test_l2_sees_what_the_volume_does_not():
    """Three items above half a bin need three bins, whatever their volume."""
    assert l1(10, [6, 6, 6]) == 2
    assert l2(10, [6, 6, 6]) == 3
    assert bounds(10, [6, 6, 6]).name == "L2"
    assert bounds(10, [5, 5]).name == "L1"


def test_first_fit_and_best_fit_differ():
    """Where the tightest bin is not the first, it saves one here."""
    sizes = [12, 9, 5, 5, 3, 2, 2]
    assert (first_fit_decreasing(13, sizes), best_fit_decreasing(13, sizes)) == (4, 3)


@pytest.mark.parametrize("name", list(bundled("binpacking")))
def test_published_optima_lie_between_the_bounds(name):
    """Every published optimum is at least the lower bound and at most what the heuristics reach."""
    problem = nrpa.BinPacking.load(name)
    assert problem.items == bundled("binpacking")[name].size
    assert problem.bounds.lower <= problem.best_known.value <= min(problem.bounds.ffd, problem.bounds.bfd)
