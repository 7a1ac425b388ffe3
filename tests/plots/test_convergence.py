import copy
from dataclasses import replace

import pytest

import nrpa
from nrpa.plots import convergence
from nrpa.plots.picture import new_axes, save
from nrpa.search.curve import Point


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


@pytest.fixture(scope="module")
def result(problem):
    found = nrpa.solve(problem, nrpa.GNRPA(level=2), seed=1, playouts=2000)
    return replace(found, seconds=10.0)


def test_draws_every_improvement(problem, result):
    """In the problem's own terms, on a log axis of seconds, with the best-known value; missed windows are on top."""
    axes = convergence(result, problem=problem)
    dots, found = axes.lines[1], [-point.score for point in result.improvements]
    assert list(dots.get_ydata()) == [cost for cost in found if cost < 1e6]
    assert list(axes.figure.axes[1].lines[0].get_ydata()) == [cost // 1e6 for cost in [*found, found[-1]]]
    assert axes.get_xscale() == "log"
    assert axes.get_ylabel() == "best cost"
    assert [text.get_text() for text in axes.texts] == ["best known 444.54"]


def test_times_of_one_size_need_no_log_axis(problem, result):
    """It would have no ticks."""
    first = result.improvements[0]
    short = replace(result, seconds=0.003, improvements=[first._replace(seconds=0.002)])
    assert convergence(short, problem=problem).get_xscale() == "linear"


def test_draws_into_given_axes(result):
    """And scores, when no problem says better."""
    axes = new_axes()
    assert convergence(result, axes) is axes
    assert axes.get_ylabel() == "best score"


def test_values_far_off_are_cut(problem, result):
    """Penalties that the objective does not tell of do not squeeze the rest."""
    untold = copy.copy(problem)
    untold.objective = replace(problem.objective, penalty=0.0)
    axes = convergence(result, problem=untold)
    assert -result.improvements[0].score > 1e6
    assert axes.get_ylim()[1] < 1000
    assert axes.get_ylim()[0] <= result.cost


def test_windows_that_all_solutions_miss(problem, result):
    """Their number is then the curve."""
    axes = convergence(replace(result, improvements=result.improvements[:1]), problem=problem)
    assert list(axes.lines[1].get_ydata()) == [-result.improvements[0].score // 1e6]
    assert (axes.get_ylabel(), len(axes.texts)) == ("best windows missed", 0)


@pytest.mark.parametrize("name", ["a.png", "a.svg", "a.pdf"])
def test_formats(result, tmp_path, name):
    """Each format that papers and web pages use."""
    save(convergence(result), tmp_path / name)
    assert (tmp_path / name).stat().st_size > 1000


def test_one_point():
    """A run of a single playout still makes a picture."""
    point = Point(0.0, 1, -5.0)
    ended = ("playouts", -5.0, nrpa.Objective("cost", sign=-1), {}, [], 1, 0.0, [point], [point], 0.0)
    result = nrpa.Result("p", "i", "", "s", {}, {}, 1, {}, *ended)
    assert convergence(result).lines


def test_a_whole_number_objective_has_whole_ticks():
    """Half a bin is no value."""
    packing = nrpa.BinPacking.load("u120_00")
    axes = convergence(nrpa.solve(packing, seed=1, playouts=200), problem=packing)
    assert all(tick == round(tick) for tick in axes.get_yticks())
