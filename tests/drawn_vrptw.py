"""Small instances of vehicle routing, drawn at random."""

import numpy as np

from nrpa import VRPTW


def random_problem(seed, **options):
    """Return a small instance in which each customer can be served alone."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    places = rng.integers(0, 30, (n, 2))
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    opens = distances[0] + rng.integers(0, 40, n)
    windows = np.stack([opens, opens + rng.integers(1, 60, n)], axis=1)
    windows[0] = 0, 400
    windows += 30 * (seed % 3 - 1)
    demand = rng.integers(1, 10, n).astype(float)
    demand[0] = 0
    service = np.where(np.arange(n) > 0, 5.0, 0.0)
    return VRPTW(distances, windows, demand, 15, service=service, coordinates=places, **options)


def solomon_text(problem, vehicles, order):
    """Return an instance as a table of Solomon's with its rows in an order."""
    columns = (problem.coordinates, problem.demand[:, None], problem.windows, problem.service[:, None])
    rows = np.hstack([np.arange(len(problem.demand))[:, None], *columns])[order].tolist()
    heading = "CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME"
    head = ["drawn", "", "VEHICLE", "NUMBER CAPACITY", f"{vehicles} {problem.capacity!r}", "", "CUSTOMER", heading, ""]
    return "\n".join([*head, *(" ".join(map(repr, row)).replace(".0 ", " ", 1) for row in rows)])


def vrplib_text(problem, vehicles, order):
    """Return an instance in VRPLIB's form with the rows of its sections in an order."""
    sections = {
        "NODE_COORD_SECTION": problem.coordinates,
        "TIME_WINDOW_SECTION": problem.windows,
        "DEMAND_SECTION": problem.demand[:, None],
        "SERVICE_TIME_SECTION": problem.service[:, None],
    }
    lines = ["TYPE : VRPTW", f"VEHICLES : {vehicles}", "EDGE_WEIGHT_TYPE : EUC_2D"]
    for name, table in sections.items():
        rows = table.tolist()
        lines += [name, *(" ".join(map(repr, [k + 1, *rows[k]])) for k in order)]
    return "\n".join([*lines, f"CAPACITY : {problem.capacity!r}", "EOF"])


def scattered(customers, **options):
    """Return customers in a square of whom about ten fill a vehicle, with windows of 100 to 1,000."""
    rng = np.random.default_rng(customers)
    places = rng.integers(0, 1000, (customers + 1, 2))
    distances = np.hypot(*(places[:, None] - places).transpose(2, 0, 1))
    opens = rng.integers(0, 2000, customers + 1)
    windows = np.stack([opens, np.maximum(opens + rng.integers(100, 1000, customers + 1), distances[0])], axis=1)
    windows[0] = 0, 6000
    demand = rng.integers(1, 40, customers + 1).astype(float)
    demand[0] = 0
    return VRPTW(distances, windows, demand, 200, service=10.0 * (demand > 0), coordinates=places, **options)
