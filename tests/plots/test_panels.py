import subprocess
import sys

import pytest

import nrpa
from nrpa.base.errors import ProblemError
from nrpa.plots import panels, panels_of, register, solution
from nrpa.plots.games import draw_game, draw_grid
from nrpa.plots.groups import draw_bins
from nrpa.plots.layouts import draw_layout
from nrpa.plots.rna import draw_design, draw_fold
from nrpa.plots.tours import draw_schedule, draw_tour

MATRIX = [[0, 5, 8], [15, 0, 15], [18, 15, 0]], [[0, 100], [10, 50], [0, 20]]


def points(problem, solution, axes):
    axes.plot(solution, ".")


class Countdown(nrpa.Problem):
    """From three to nothing, by ones and twos."""

    def initial_state(self):
        return 3

    def legal_moves(self, state):
        return range(1, min(state, 2) + 1)

    def play(self, state, move):
        return state - move

    def score(self, state):
        return 0


@pytest.fixture
def table(monkeypatch):
    """Give the module a copy of its table, so that a test leaves the real one as it is."""
    monkeypatch.setattr(panels, "_PANELS", dict(panels._PANELS))


@pytest.mark.parametrize(
    ("problem", "expected"),
    [
        (nrpa.BinPacking.load("u120_00"), (draw_bins,)),
        (nrpa.Folding.load("GGGGAAAACCCC"), (draw_fold,)),
        (nrpa.InverseFolding.load("((((....))))"), (draw_design,)),
        (nrpa.Morpion.load("5T"), (draw_grid,)),
        (nrpa.SameGame.load("samegame-01"), (draw_game,)),
        (nrpa.StripPacking.load("C3P1"), (draw_layout,)),
        (nrpa.TSPTW.load("rc201.1"), (draw_tour, draw_schedule)),
        (nrpa.TSPTW(*MATRIX), (draw_schedule,)),
    ],
    ids=lambda value: value.name if isinstance(value, nrpa.BaseProblem) else None,
)
def test_every_bundled_problem_has_its_pictures(problem, expected):
    """The table knows the problems by name; a tour without coordinates has a schedule only."""
    assert panels_of(problem) == expected


def test_a_problem_that_nobody_registered_is_shown_as_its_text():
    """The last resort is ``draw``."""

    class Drawn(Countdown):
        def draw(self, solution):
            return "my own drawing"

    result = nrpa.solve(Drawn(), nrpa.NRPA(level=1), seed=1, playouts=10)
    assert [text.get_text() for text in solution(result, problem=Drawn()).texts] == ["my own drawing"]


def test_a_class_with_panels_of_its_own_is_asked_first(table):
    """A method ``panels`` goes before what is registered."""

    class Own(nrpa.TSPTW):
        def panels(self):
            return (points,)

    assert panels_of(Own(*MATRIX)) == (points,)


def test_pictures_are_registered_by_name(table):
    """Registered panels replace those before; a derived class has them, too, whatever it is called."""

    class Renamed(Countdown):
        name = "renamed"

    register("Countdown", lambda problem: [points])
    assert panels_of(Countdown()) == panels_of(Renamed()) == (points,)
    register("renamed", lambda problem: [points, draw_bins])
    assert panels_of(Countdown()) == (points,)
    assert panels_of(Renamed()) == (points, draw_bins)


@pytest.mark.parametrize("given", [None, (), points, ("points",)])
def test_panels_that_are_none_are_refused(given):
    """The sentence says what was expected."""

    class Own(Countdown):
        def panels(self):
            return given

    with pytest.raises(ProblemError, match="the panels of Own must be one or more functions of problem"):
        panels_of(Own())


def test_pictures_load_no_problem_and_no_matplotlib_before_one_is_drawn():
    """Importing nrpa.plots is quick."""
    loaded = (
        "import re, sys, nrpa.plots; "
        r"print([m for m in sys.modules if re.match(r'matplotlib|nrpa\.problems\.\w+\.', m)])"
    )
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "[]\n"
