"""SameGame games as text."""

from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.samegame.rules import groups, without


def test_every_position_of_a_game():
    """The group that is taken next is in capitals; points add up; the last position ends the drawing."""
    problem = SameGame([[0, 0, 1], [0, 1, 1]])
    assert problem.draw([[0, 0], [0, 0]]).splitlines() == [
        "1: +1 = 1        2: +1001 = 1002  end: 1002",
        "AAb              .B.              ...",
        "Abb              BB.              ...",
    ]


def test_a_long_game_goes_over_several_lines():
    """A game of the 15x15 board shows as many positions as there are moves, and one more; a sketch six.

    They fit a terminal of 60 columns.
    """
    problem = SameGame.load("samegame-01")
    game, board = [], problem.columns
    while groups(board):
        cells = groups(board)[0]
        game.append(list(min(cells)))
        board = without(board, cells)
    sketch = problem.sketch(game)
    assert len(sketch.splitlines()) == 33
    assert sketch.splitlines()[0].split()[0] == "1:"
    assert sketch.count(": +") == 5
    assert "end:" in sketch
    text = problem.draw(game)
    assert text.count(": +") == len(game)
    assert text.count("end:") == 1
    assert max(map(len, [*text.splitlines(), *sketch.splitlines()])) <= 60
