"""Vehicle routing with capacities: how its files are read, rounded and refused."""

import numpy as np
import pytest

from nrpa import CVRP, GNRPA, VRPTW, Source, solve
from nrpa.base.errors import InputError
from nrpa.io.source import bundled

FILE = """NAME : small
TYPE : CVRP
DIMENSION : 4
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 2
NODE_COORD_SECTION
1 0 0
2 1 1
3 5 5
4 0 3
DEMAND_SECTION
1 0
2 1
3 1
4 1
DEPOT_SECTION
1
-1
EOF
"""


def read(text=FILE, **options):
    """Return the instance that a text holds."""
    return CVRP.from_source(Source("here", text, ""), **options)


def test_distances_are_rounded_as_the_form_says():
    """EUC_2D is to the nearest whole number (TSPLIB 95); other types are what they are."""
    exact = np.hypot(*np.array([[1, 1], [5, 5], [0, 3]]).T)
    assert read().distances[0, 1:].tolist() == [1, 7, 3]
    assert read(rounding="exact").distances[0, 1:] == pytest.approx(exact)
    assert read(FILE.replace("EUC_2D", "EXACT_2D")).distances[0, 1:] == pytest.approx(exact)
    tenths = FILE.replace("EUC_2D", "FLOOR_2D\nSCALE : 10")
    assert read(tenths).distances[0, 1:] == pytest.approx([1.4, 7.0, 3.0])
    assert CVRP(exact[:, None] - exact + 9, [0, 1, 1], 2).distances[0, 1] % 1 > 0


def test_the_distance_alone_counts():
    """The cost of routes is that of the published form; with vehicles first it is that of ``VRPTW``."""
    assert read().check([[1, 2], [3]]).figures == {"cost": 20.0, "vehicles": 2, "distance": 20.0}
    assert read(first="vehicles").check([[1, 2], [3]]).figures["cost"] == 20_020.0


@pytest.mark.parametrize(
    ("key", "service", "longest", "last"), [("DISTANCE : 14", 0, 14, None), ("DISTANCE : 15", 1, None, 15)]
)
def test_a_longest_route(key, service, longest, last):
    """DISTANCE is of distances alone, or of service, too, where there is any: then the depot closes."""
    problem = read(FILE.replace("CAPACITY", f"{key}\nSERVICE_TIME : {service}\nCAPACITY"), fleet=3)
    assert problem.longest == longest
    assert last is None or (problem.windows == [0, last]).all()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("TYPE : CVRP", "TYPE : CVRPTW", "here:2: TYPE: expected one of CVRP, ACVRP, DCVRP, VRP, found 'CVRPTW'"),
        (
            "DEPOT_SECTION",
            "TIME_WINDOW_SECTION\n1 0 9\nDEPOT_SECTION",
            "here:16: TIME_WINDOW_SECTION is not of this problem; expected the problem vrptw for time windows",
        ),
        ("DEPOT_SECTION", "BACKHAUL_SECTION\n1 0\nDEPOT_SECTION", "here:16: BACKHAUL_SECTION is not read"),
        ("\n-1\n", "\n2\n-1\n", "here:18: DEPOT_SECTION: expected node 1 as the only depot, found '2'"),
    ],
)
def test_what_is_refused(old, new, fault):
    """Windows, and all that is not understood."""
    with pytest.raises(InputError) as raised:
        read(FILE.replace(old, new))
    assert str(raised.value).startswith(fault)


def test_it_is_vrptw_with_windows_that_are_open():
    """The same seed finds the same routes with the same options."""
    problem = read()
    same = VRPTW(problem.distances, problem.windows, problem.demand, 2, first="distance", returns="free")
    one, other = (solve(each, GNRPA(level=2, improve=True), seed=1, playouts=20) for each in (problem, same))
    assert (one.solution, one.score) == (other.solution, other.score)
    assert one.figures["distance"] == 17.0  # 2 + 15; with others together 14 + 6 or 6 + 14


def test_so_many_vehicles():
    """One more counts as a fault."""
    verdict = read(fleet=1).check([[1, 2], [3]])
    assert verdict.faults == ["2 vehicles are used, more than 1"]
    assert read(FILE.replace("CAPACITY", "VEHICLES : 2\nCAPACITY")).vehicles == 2


def test_best_known_values_are_of_the_published_form():
    """They count for the default alone."""
    for name, row in bundled("cvrp").items():
        assert CVRP.load(name).best_known.value == row.best_known.value
    assert CVRP.load("X-n101-k25", rounding="exact").best_known is None
    assert CVRP.load("X-n101-k25", first="vehicles").best_known is None
