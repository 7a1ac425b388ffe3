from matplotlib.figure import Figure

from nrpa import VRPTW
from nrpa.plots.tours import draw_routes, draw_times, route_panels

LINE = [[0, 3, 4], [3, 0, 5], [4, 5, 0]]
PLACES = [[0, 0], [3, 0], [0, 4]]


def problem(**more):
    return VRPTW(LINE, [[0, 99], [10, 50], [0, 60]], [0, 1, 1], 2, service=[0, 2, 2], **more)


def test_routes_leave_the_depot_and_come_home():
    """A line for each vehicle."""
    axes = Figure().subplots()
    draw_routes(problem(coordinates=PLACES), [[1], [2]], axes)
    lines = [line.get_xydata().tolist() for line in axes.lines]
    assert lines[0] == [[0, 0], [3, 0], [0, 0]]
    assert lines[2] == [[0, 0], [0, 4], [0, 0]]
    assert axes.get_title() == "vrptw: 2 vehicles, distance 14.00"


def test_services_lie_in_their_windows():
    """Service begins when the window opens, and the row ends at home."""
    axes = Figure().subplots()
    draw_times(problem(), [[1, 2]], axes)
    way, services = ([path.get_extents().bounds for path in bars.get_paths()] for bars in axes.collections)
    assert way[0][:3:2] == (0, 23)
    assert [bar[:3:2] for bar in services] == [(10, 2), (17, 2)]


def test_a_row_begins_where_the_depot_opens():
    """So does the axis."""
    axes = Figure().subplots()
    late = VRPTW(LINE, [[30, 99], [10, 50], [0, 60]], [0, 1, 1], 2)
    draw_times(late, [[1, 2]], axes)
    assert axes.collections[0].get_paths()[0].get_extents().bounds[:3:2] == (30, 12)
    assert axes.get_xlim() == (30, 99)


def test_without_places_only_times_are_drawn():
    """The plane needs coordinates."""
    assert route_panels(problem()) == (draw_times,)
    assert route_panels(problem(coordinates=PLACES)) == (draw_routes, draw_times)
