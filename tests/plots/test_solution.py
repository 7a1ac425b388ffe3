import dataclasses

import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.plots import overview, schedule, solution, tour
from nrpa.plots.picture import new_axes, save
from nrpa.plots.tours import draw_schedule, draw_tour


@pytest.fixture(scope="module")
def result():
    return nrpa.solve(nrpa.TSPTW.load("rc201.1"), nrpa.GNRPA(level=2), seed=1, playouts=500)


def test_visits_by_hand():
    """Early is waited for, late is late, and the depot comes last."""
    problem = nrpa.TSPTW([[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]])
    found = problem.visits([1, 2])
    assert [(v.city, v.arrival, v.start) for v in found] == [(1, 5, 10), (2, 25, 25), (0, 43, 43)]
    assert [(v.waits, v.late) for v in found] == [(True, False), (False, True), (False, False)]


def test_a_tour_is_drawn_through_its_cities(result):
    """The line starts and ends at the depot; the schedule has a row for each visit."""
    problem = nrpa.TSPTW.load("rc201.1")
    axes = tour(result, problem=problem)
    order = [0, *result.solution, 0]
    assert axes.lines[0].get_xydata().tolist() == problem.coordinates[order].tolist()
    assert f"{result.cost:.2f}" in axes.get_title()
    bars = schedule(result, problem=problem).containers[0]
    assert [bar.get_x() for bar in bars] == problem.windows[order[1:], 0].tolist()


def test_a_solution_is_drawn_from_its_result(result, tmp_path):
    """All panels in a figure of its own, the first of them in given axes; with its convergence before it."""
    assert len(solution(result).figure.axes) == 2
    given = new_axes()
    assert solution(result, given) is given
    assert len(given.figure.axes) == 1
    axes = overview(result, problem=nrpa.TSPTW.load("rc201.1"))
    assert [a.get_xlabel() for a in axes.figure.axes[:3]] == ["seconds", "x", "time"]
    save(axes, tmp_path / "o.png")


def test_without_coordinates_only_the_schedule(result):
    """A matrix has no plane; asking for it says so."""
    problem = nrpa.TSPTW(nrpa.TSPTW.load("rc201.1").distances, nrpa.TSPTW.load("rc201.1").windows)
    assert len(solution(result, problem=problem).figure.axes) == 1
    with pytest.raises(InputError, match="has no coordinates"):
        tour(result, problem=problem)


def test_a_broken_solution_is_refused(result):
    """It is checked before it is drawn."""
    with pytest.raises(InputError, match="cannot be drawn: city 2 is missing"):
        solution(dataclasses.replace(result, solution=[1]))


def test_a_check_that_gives_no_score_has_no_picture(result):
    """A user's own check may forget the score, and find no fault."""

    class Scoreless(nrpa.TSPTW):
        def check(self, solution):
            return nrpa.Verdict({})

    problem = Scoreless(nrpa.TSPTW.load("rc201.1").distances, nrpa.TSPTW.load("rc201.1").windows)
    with pytest.raises(InputError, match="cannot be drawn: its check gives no score"):
        solution(result, problem=problem)


def test_a_late_tour_is_drawn(result):
    """A tour that is not valid has a score and a picture."""
    late = dataclasses.replace(result, solution=result.solution[::-1])
    assert "late" in [text.get_text() for text in solution(late).get_legend().get_texts()]


def test_the_schedule_names_the_cities():
    """In the order of the tour, the depot last."""
    problem = nrpa.TSPTW([[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]])
    axes = new_axes()
    draw_schedule(problem, [2, 1], axes)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["2", "1", "0"]


def test_an_instance_without_a_name_is_called_by_its_problem():
    """In the sentence that says what it lacks."""
    problem = nrpa.TSPTW([[0, 5], [15, 0]], [[0, 100], [10, 50]])
    with pytest.raises(InputError, match=r"^tsptw: has no coordinates to draw a tour on"):
        draw_tour(problem, [1], new_axes())
