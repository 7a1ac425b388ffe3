"""Reading vehicle routing files."""

import re
from importlib import resources

import numpy as np
import pytest
from drawn_vrptw import random_problem, solomon_text, vrplib_text

from nrpa import VRPTW, Source, solve
from nrpa.base.errors import InputError
from nrpa.problems.vrptw.reader import parse_vrptw

SOLOMON = (resources.files("nrpa.instances") / "r101").read_text(encoding="utf-8")
SMALL = """SMALL

VEHICLE
NUMBER     CAPACITY
  2         10

CUSTOMER
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME

    0      0         0          0          0        100          0
    1      10.5      0          1          0        100          0
    2      20.5      0          1          0        100          0
"""
VRPLIB = """NAME : small
TYPE : CVRP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
CAPACITY : 10
NODE_COORD_SECTION
1 0 0
2 10 0
3 -10 0
DEMAND_SECTION
1 0
2 1
3 1
DEPOT_SECTION
1
-1
EOF
"""


def read(text, **options):
    """Return the instance that a text holds."""
    return VRPTW.from_source(Source("here", text, ""), **options)


def with_lines(*lines, sections=""):
    """Return the small VRPLIB file with more lines in its head, and more sections."""
    head = "\n".join(["TYPE : CVRP", *lines])
    return VRPLIB.replace("TYPE : CVRP", head).replace("DEPOT_SECTION", f"{sections}DEPOT_SECTION")


def best(problem):
    """Return the figures of the best routes that a search finds, which have no fault."""
    result = solve(problem, seed=1, playouts=200)
    assert problem.check(result.solution).valid
    return result.figures


def test_solomon():
    """All columns, and distances that are not rounded."""
    problem = read(SOLOMON)
    assert (len(problem.demand), problem.capacity, problem.vehicles) == (101, 200, 25)
    assert problem.windows[1].tolist() == [161, 171]
    assert problem.service[:2].tolist() == [0, 10]
    assert problem.distances[0, 1] == pytest.approx(np.hypot(*(problem.coordinates[1] - problem.coordinates[0])))


def test_decimals():
    """In a table of Solomon's and in sections alike, every number keeps its decimals."""
    assert best(read(SMALL))["distance"] == 41.0
    moved = re.sub(r"(?m)^( +\d+ +)(\d+)( +)(\d+)( .*)$", r"\g<1>\2.5\g<3>\4.5\5", SOLOMON)
    assert moved.count(".5") == 202
    assert np.allclose(read(moved).distances, read(SOLOMON).distances)
    problem = read(
        VRPLIB.replace("2 10 0", "2 1.05e1 0").replace("3 1\n", "3 1.25\n").replace("CAPACITY : 10", "CAPACITY : 2.5")
    )
    assert (problem.distances[0, 1], problem.demand[2], problem.capacity) == (10.5, 1.25, 2.5)


@pytest.mark.parametrize("written", [solomon_text, vrplib_text])
def test_what_is_drawn_is_read(written):
    """Every number of thirty instances, whatever the order of the rows; none without one of them, or with it twice."""
    for seed in range(30):
        drawn, rng = random_problem(seed), np.random.default_rng(seed)
        drawn.demand[1:] += rng.random(len(drawn.demand) - 1).round(3)
        order = rng.permutation(len(drawn.demand)).tolist()
        found = read(written(drawn, seed + 1, order))
        assert found.vehicles == seed + 1
        for name in ("demand", "windows", "service", "coordinates", "capacity"):
            assert np.array_equal(getattr(found, name), getattr(drawn, name))
        assert np.allclose(found.distances, drawn.distances)
        for wrong in ([k for k in order if k], [*order, order[0]], [order[0], *order[:-1]]):
            with pytest.raises(InputError):
                read(written(drawn, 1, wrong))


def test_the_number_of_vehicles_binds():
    """Solomon's NUMBER and VRPLIB's VEHICLES; two customers with full loads need two vehicles."""
    full = SMALL.replace("0          1          0", "0         10          0")
    assert best(read(full))["vehicles"] == 2
    for problem in (read(full.replace("  2         10", "  1         10")), read(with_lines("VEHICLES : 1"))):
        assert problem.vehicles == 1
        assert problem.check([[1], [2]]).faults == ["2 vehicles are used, more than 1"]
    assert best(read(with_lines("VEHICLES : 1")))["vehicles"] == 1


@pytest.mark.parametrize("key", ["DISTANCE", "VEHICLES_MAX_DISTANCE", "VEHICLES_MAX_DURATION", "distance"])
def test_the_longest_route_binds(key):
    """At most 25: two routes of 20 each, not one of 40."""
    problem = read(with_lines(f"{key} : 25"))
    assert (best(problem)["vehicles"], best(problem)["distance"]) == (2, 40.0)
    assert not problem.check([[1, 2]]).valid
    assert problem.check([[1, 2]]).score < -1e6


def test_times_of_service_in_a_longest_route():
    """DISTANCE and VEHICLES_MAX_DURATION count them, as CVRPLIB does; VEHICLES_MAX_DISTANCE does not."""
    for key, both in (("DISTANCE", 60), ("VEHICLES_MAX_DURATION", 60), ("VEHICLES_MAX_DISTANCE", 40)):
        lines = f"{key} : {both}", "SERVICE_TIME : 10"
        assert best(read(with_lines(*lines)))["vehicles"] == 1
        assert (
            best(read(with_lines(lines[0].replace("0", "9").replace("6", "5").replace("4", "3"), lines[1])))["vehicles"]
            == 2
        )
    windows = "TIME_WINDOW_SECTION\n1 0 100\n2 0 100\n3 0 100\n"
    assert read(with_lines("DISTANCE : 40", sections=windows)).longest == 40
    with pytest.raises(InputError, match="here:3: DISTANCE is not modelled where there are time windows as well"):
        read(with_lines("DISTANCE : 40", "SERVICE_TIME : 1", sections=windows))


def test_the_depot_has_no_service_time():
    """Where one is given for all; a section may give it another."""
    windows = "TIME_WINDOW_SECTION\n1 0 99\n2 0 5\n"
    text = (
        VRPLIB.replace("DIMENSION : 3", "DIMENSION : 2\nSERVICE_TIME : 10")
        .replace("3 -10 0\n", "")
        .replace("3 1\n", "")
    )
    text = text.replace("2 10 0", "2 3 0").replace("DEPOT_SECTION", f"{windows}DEPOT_SECTION")
    assert best(read(text))["distance"] == 6.0
    sections = "SERVICE_TIME_SECTION\n3 7.5\n1 2\n2 5\n"
    assert read(with_lines(sections=sections)).service.tolist() == [2, 5, 7.5]


def test_rows_stand_where_their_numbers_say():
    """Whatever their order: three customers who ask for 1, 1 and 9 at 10, 20 and 30 need two vehicles of 10."""
    text = VRPLIB.replace("DIMENSION : 3", "DIMENSION : 4").replace("2 10 0\n3 -10 0", "3 20 0\n2 10 0\n4 30 0")
    text = text.replace("1 0\n2 1\n3 1", "4 9\n3 1\n2 1\n1 0")
    assert best(read(text)) == {"cost": 20_080.0, "vehicles": 2, "distance": 80.0}
    rows = SMALL.splitlines()
    assert read("\n".join([*rows[:-3], *rows[:-4:-1]])).distances.tolist() == read(SMALL).distances.tolist()


@pytest.mark.parametrize(
    ("form", "numbers"),
    [
        ("FULL_MATRIX", "0 1 2 1 0 3 2 3 0"),
        ("UPPER_ROW", "1 2\n3"),
        ("LOWER_ROW", "1\n2 3"),
        ("UPPER_DIAG_ROW", "0 1 2 0 3 0"),
        ("LOWER_DIAG_ROW", "0\n1 0\n2 3 0"),
        ("UPPER_COL", "1 2 3"),
        ("LOWER_COL", "1 2 3"),
        ("UPPER_DIAG_COL", "0 1 0 2 3 0"),
        ("LOWER_DIAG_COL", "0 1 2 0 3 0"),
    ],
)
def test_matrices(form, numbers):
    """Every form, as a stream of numbers whatever the lines, with as many as it needs."""
    text = with_lines(f"EDGE_WEIGHT_FORMAT : {form}", sections=f"EDGE_WEIGHT_SECTION\n{numbers}\n")
    text = text.replace("EUC_2D", "EXPLICIT")
    assert read(text).distances.tolist() == [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    with pytest.raises(InputError, match=rf"EDGE_WEIGHT_SECTION: expected \d numbers, {form} of 3 nodes, found \d+"):
        read(text.replace(numbers, f"{numbers} 5"))


def test_distances_of_coordinates():
    """EXACT_2D is not scaled, so that windows mean the same; two types round, with SCALE to parts."""
    text = VRPLIB.replace("2 10 0", "2 1 1")
    for kind, length in (("EUC_2D", 2**0.5), ("EXACT_2D", 2**0.5), ("FLOOR_2D", 1), ("CEIL_2D", 2)):
        assert read(text.replace("EUC_2D", kind)).distances[0, 1] == length
    for kind, length in (("FLOOR_2D", 1.4), ("CEIL_2D", 1.5)):
        assert read(text.replace("EUC_2D", f"{kind}\nSCALE : 10")).distances[0, 1] == length
    assert read(text, rounding="tenths").distances[0, 1] == 1.4


def test_other_ways_to_write_a_file():
    """Small letters, no spaces, headings with a colon, a key after a section, no name, no EOF."""
    text = VRPLIB.replace("NAME : small\n", "").replace("CAPACITY : 10\n", "").replace("EOF\n", "\n")
    text = text.replace("DEPOT_SECTION", "CAPACITY: 10\nDEPOT_SECTION:").lower().replace(" : ", ":")
    assert read(text).digest() == read(VRPLIB).digest()
    lower = SMALL.lower().replace("small\n", "").replace("cust no.", "Cust. No")
    assert read(lower).digest() == read(SMALL).digest()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((with_lines(sections=f"{name}\n1 0\n2 1\n3 1\n"), f"here:14: {name} is not read, and could change")
          for name in ("RELEASE_TIME_SECTION", "PRIZE_SECTION", "BACKHAUL_SECTION", "LINEHAUL_SECTION",
                       "VEHICLES_MAX_DISTANCE_SECTION", "CAPACITY_SECTION", "PICKUP_AND_DELIVERY_SECTION")),
        (with_lines("SCALE : 10"), "here:3: SCALE is not modelled with EDGE_WEIGHT_TYPE EUC_2D"),
        (with_lines("SALESMEN : 2"), "here:3: SALESMEN is not read, and could change the routes; known are "),
        (VRPLIB.replace("CVRP", "OVRP"), "here:2: TYPE: expected one of CVRP, ACVRP, DCVRP, VRP, CVRPTW, VRPTW, found"),
        (VRPLIB.replace("CVRP", "VRPTW"), "here: lacks TIME_WINDOW_SECTION"),
        (VRPLIB.replace("EUC_2D", "GEO"), "here:4: EDGE_WEIGHT_TYPE: expected one of EXPLICIT, EUC_2D, "),
        (VRPLIB.replace("EUC_2D", "EXPLICIT"), "here: lacks EDGE_WEIGHT_FORMAT"),
        (with_lines(sections="EDGE_WEIGHT_SECTION\n1 2 3\n"), "here:14: EDGE_WEIGHT_SECTION needs"),
        (VRPLIB.replace("3 -10 0\n", ""), "here:6: NODE_COORD_SECTION: node 3 is missing"),
        (VRPLIB.replace("2 1\n", "3 1\n"), "here:13: DEMAND_SECTION: node 3 appears twice"),
        (VRPLIB.replace("2 1\n", "2.5 1\n"), "here:12: DEMAND_SECTION: expected a node from 1 to 3 first, found '2.5'"),
        (VRPLIB.replace("2 1\n", "4 1\n"), "here:12: DEMAND_SECTION: expected a node from 1 to 3 first, found '4'"),
        (VRPLIB.replace("2 1\n", "2 1 7\n"), "here:12: DEMAND_SECTION: expected 1 numbers after the node, found 2"),
        (VRPLIB.replace("2 10 0", "2 1O 0"), "here:8: expected a number, found '1O'"),
        (VRPLIB.replace("DIMENSION : 3", "DIMENSION : 4"), "here:6: NODE_COORD_SECTION: node 4 is missing"),
        (VRPLIB.replace("1\n-1", "2\n-1"), "here:15: DEPOT_SECTION: expected node 1 as the only depot, found '2'"),
        (VRPLIB.replace("1\n-1", "1\n2\n-1"), "here:16: DEPOT_SECTION: expected node 1 as the only depot, found '2'"),
        (VRPLIB.replace("CAPACITY : 10", "CAPACITY : ten"), "here:5: expected a number, found 'ten'"),
        (with_lines("VEHICLES : 1.5"), "here:3: VEHICLES: expected a whole number from 1 to 1000000000, found '1.5'"),
        (with_lines("CAPACITY : 9"), "here:6: CAPACITY appears twice"),
        (with_lines("DISTANCE : 9", "VEHICLES_MAX_DISTANCE : 9"), "here:4: VEHICLES_MAX_DISTANCE and DISTANCE are"),
        (with_lines("SERVICE_TIME : 1", sections="SERVICE_TIME_SECTION\n1 0\n2 1\n3 1\n"),
         "here:3: SERVICE_TIME contradicts SERVICE_TIME_SECTION; expected one of them"),
        (f"{VRPLIB}PRIZE_SECTION\n", "here:18: expected nothing after EOF, found 'PRIZE_SECTION'"),
        (VRPLIB.replace("CAPACITY : 10", "CAPACITY 10"), "here:5: expected KEY : value, or the heading"),
        (SOLOMON.replace(" 161 ", f" {10**12} "), "the window of place 1 closes at 171 before it opens at 1e+12"),
        (VRPLIB.replace("1 0\n2", "1 5\n2"), "the demand of the depot must be 0, not 5"),
        (SMALL.replace("10.5", "1O.5"), "here:11: expected a number, found '1O.5'"),
        (SMALL.replace("    2      20", "    1      20"), "here:12: CUSTOMER: node 1 appears twice"),
        (SMALL.replace("DEMAND   READY", "READY   DEMAND"), "here:8: expected the heading CUST NO. XCOORD."),
        (SMALL.replace("NUMBER     CAPACITY", "CAPACITY     NUMBER"), "here:4: expected the heading NUMBER CAPACITY"),
        (SMALL.replace("  2         10", "  2.5       10"), "here:5: expected a whole number of vehicles"),
    ],
)  # fmt: skip
def test_refusals(text, message):
    """By name, with the line, in one sentence."""
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        read(text)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "r101\n" * 9,
        SOLOMON.replace("CAPACITY", "SIZE"),
        SOLOMON.replace("200", "many", 1),
        SOLOMON[: SOLOMON.rindex("195")],
        "NAME : a\nTYPE : VRPTW\n",
        "NAME : a\nCAPACITY : 3\nNODE_COORD_SECTION\n1 0 0\n2 1 x\nDEMAND_SECTION\n1 0\n2 1\nEOF\n",
        "DEMAND_SECTION\n1 0\n",
    ],
)
def test_other_files_are_refused(text):
    """In one sentence that names the file."""
    with pytest.raises(InputError) as raised:
        read(text)
    assert re.match(r"here(:\d+)?: ", str(raised.value))
    assert "\n" not in str(raised.value)


def test_a_text_in_neither_form():
    """The forms are named, and the first line."""
    with pytest.raises(InputError, match=r"here:1: is in none of the forms .*Solomon's.*VRPLIB's.*found '1 2 3'"):
        parse_vrptw("1 2 3\n" * 50_000, "here")


def test_a_file_of_many_places_is_refused_at_once():
    """Before distances of all pairs are made."""
    rows = "".join(f"{k} 0 0 0 0 1 0\n" for k in range(50_000))
    head = SMALL[: SMALL.index("    0      0")]
    with pytest.raises(InputError, match="of 2 to 6,000 places, found 50,000, as distances are a matrix"):
        parse_vrptw(head + rows, "here")
