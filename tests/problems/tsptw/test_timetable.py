import nrpa

ARRAYS = [[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]]


def test_a_tour_is_drawn_as_a_timetable():
    """With arrival, start of service and window of each city; printed in short as a line of cities."""
    problem = nrpa.TSPTW(*ARRAYS)
    assert [line.split() for line in problem.draw([1, 2]).splitlines()] == [
        ["place", "city", "arrival", "start", "opens", "closes"],
        ["1", "1", "5.00", "10.00", "10.00", "50.00", "waits"],
        ["2", "2", "25.00", "25.00", "0.00", "20.00", "late"],
        ["0", "43.00", "43.00", "0.00", "100.00"],
    ]
    assert problem.sketch([1, 2]) == "0 1 2 0"
