from importlib import resources

import numpy as np

from nrpa.plots import game, grid
from nrpa.problems.morpion.problem import Morpion
from nrpa.problems.samegame.problem import SameGame


class Played:
    """What the pictures need of a result."""

    def __init__(self, solution):
        self.solution = solution


def test_a_strip_shows_start_and_end_with_their_points():
    """Two groups of two and of three: 0 + 1 points, and 1000 for the empty board."""
    problem = SameGame([[1, 1, 1], [0, 0, 2], [2, 2, 2]])
    moves = [[0, 1], [0, 1], [0, 0]]
    verdict = problem.check(moves)
    axes = game(Played(moves), problem=problem)
    texts = [text.get_text() for text in axes.texts]
    assert texts[0] == "start: 0"
    assert texts[-1].startswith("end: ")
    assert str(verdict.figures["points"]) in axes.get_title()
    assert axes.collections[0].get_facecolor().shape[0] == np.count_nonzero(problem.board >= 0)


def test_a_grid_numbers_every_move():
    """The bundled record game: 82 numbers at the new dots, 82 lines, y downwards."""
    record = (resources.files("nrpa.instances") / "5D-82-rosin").read_text()
    moves = Morpion.parse_solution(record)
    axes = grid(Played(moves), problem=Morpion("5D"))
    numbers = [text for text in axes.texts if text.get_text().isdigit()]
    assert [int(text.get_text()) for text in numbers] == list(range(1, 83))
    assert [text.get_position() for text in numbers] == [(x, y) for x, y, _, _ in moves]
    assert len(axes.collections[0].get_segments()) == 82
    assert axes.yaxis_inverted()
