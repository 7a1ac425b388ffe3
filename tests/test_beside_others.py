"""nrpa beside other solvers, experiments/beside_others.py; PyVRP and OR-Tools need not be installed."""

import pytest
from test_which_solver import EXPERIMENTS

import nrpa
from nrpa.base.errors import InputError


@pytest.fixture
def beside_others(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import beside_others

    return beside_others


def row(solver, seed, value, proved="no", seconds="1.00"):
    names = ("problem", "instance", "solver", "seed", "limit", "seconds", "processor", "value", "proved")
    return dict(zip(names, ("tsptw", "A", solver, str(seed), "1", seconds, "1.00", value, proved), strict=True))


def test_what_stands_in_a_cell(beside_others):
    """The better mean is bold, missed windows are counted, what was not found is said, as is a proof."""
    pair = beside_others.Pair("tsptw", "A", None, "P", None, 10.0)

    def table(rows):
        return beside_others.comparison([pair], rows, 2).splitlines()[-1]

    assert table(
        [row("nrpa", 1, "12.00"), row("nrpa", 2, "13.00"), row("nrpa", 3, "1"), row("P", 1, "10.00", "yes")]
    ) == ("| tsptw | A | 10 | 12.5 | **10 (proved, 1.00 s)** | P |")
    some = [row("nrpa", 1, "13.00"), row("nrpa", 2, "12.00"), row("P", 1, ""), row("P", 2, "10.00")]
    assert table(some) == "| tsptw | A | 10 | **12.5** | 10 (1 of 2 none) | P |"
    assert table([row("nrpa", 1, "2000012.00"), row("P", 1, "")]) == "| tsptw | A | 10 | 2 missed | none | P |"


def test_the_job_shop_is_the_published_one(beside_others):
    """Six jobs of six operations and ten of ten; a game of ft06 has the makespan of its Gantt chart."""
    shop = beside_others.JobShop.load("ft06")
    assert [len(job) for job in shop.jobs] == [6] * 6
    assert [sorted(machine for machine, _ in job) for job in beside_others.JobShop.load("ft10").jobs] == [
        [*range(10)]
    ] * 10
    result = nrpa.solve(shop, nrpa.GNRPA(level=1), seed=1, playouts=50)
    busy, free, done = [0] * 6, [0] * 6, [0] * 6
    for job in result.solution:
        machine, duration = shop.jobs[job][done[job]]
        busy[machine] = free[job] = max(busy[machine], free[job]) + duration
        done[job] += 1
    assert result.makespan == max(free) >= 55
    with pytest.raises(InputError, match="ft99: expected ft06 or ft10"):
        beside_others.JobShop.load("ft99")


def test_the_starts_that_the_others_are_given(beside_others):
    """First-fit decreasing and DSatur give solutions that nrpa's own checks take."""
    packing = nrpa.BinPacking(capacity=10, sizes=[6, 5, 5, 4, 3, 3, 2, 2])
    assert packing.check(beside_others.first_fit_decreasing(packing)).valid
    graph = nrpa.Coloring.load("myciel5")
    colours = [colour + 1 for colour in beside_others.greedy_colours(graph)]
    assert graph.check(colours).valid


def test_cp_sat_and_pyvrp_answer(beside_others):
    """Where they are installed: small instances are solved to the optimum, by nrpa's own checks."""
    pytest.importorskip("ortools")
    pytest.importorskip("pyvrp")
    assert beside_others.bins_answer(nrpa.BinPacking(capacity=10, sizes=[6, 5, 5, 4]), 5, 1) == (2.0, True)
    assert beside_others.colours_answer(nrpa.Coloring(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]), 5, 1) == (3.0, True)
    assert beside_others.shop_answer(beside_others.JobShop.load("ft06"), 20, 1) == (55.0, True)
    tour = nrpa.TSPTW([[0, 3, 4], [3, 0, 5], [4, 5, 0]], [[0, 99], [0, 50], [0, 60]])
    assert beside_others.pyvrp_answer(tour, 0.2, 1) == (12.0, False)
    routes = nrpa.VRPTW([[0, 3, 4], [3, 0, 5], [4, 5, 0]], [[0, 99], [0, 50], [0, 60]], [0, 1, 1], 2)
    assert beside_others.pyvrp_answer(routes, 0.2, 1) == (10012.0, False)
