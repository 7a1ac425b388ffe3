"""SameGame as a problem: arrays, options, searches."""

import numpy as np
import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.samegame.rules import groups, without


def test_a_search_finds_what_the_check_confirms():
    """A short search on a standard board gives a finished game whose points add up."""
    problem = SameGame.load("samegame-01")
    result = nrpa.solve(problem, nrpa.GNRPA(level=2), seed=1, playouts=3000)
    verdict = problem.check(result.solution)
    assert verdict.valid
    assert verdict.score == result.score > 1000
    assert problem.draw(result.solution).endswith(".")


@pytest.mark.parametrize("bias", [True, False])
def test_the_best_game_of_a_small_board(bias):
    """On a board small enough to try every game the search finds the best, with the bias and without."""
    problem = SameGame(np.random.default_rng(4).integers(0, 3, (4, 4)), selective=False)
    found = nrpa.solve(problem, nrpa.GNRPA(level=2, bias=bias), seed=2, playouts=5000)
    assert found.score == best_points(problem.columns)


def best_points(board, points=0):
    """Return the most points, by trying everything."""
    if not groups(board):
        return points + (0 if board else 1000)
    return max(best_points(without(board, cells), points + (len(cells) - 2) ** 2) for cells in groups(board))


def test_a_warm_start_may_be_any_game():
    """One that plays the tabu colour early, given by other cells of its groups than the search would name."""
    problem = SameGame.load("samegame-01", pairs_from=999)
    found = nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, searches=1)
    game = [list(max(step.cells)) for step in problem.replay(found.solution)]
    assert game != found.solution
    tabu = problem.instance.tabu - 1
    steps = problem.replay(game)
    assert any(step.board[x][y] == tabu for step, (x, y) in zip(steps[:20], game[:20], strict=True))
    for solver in (nrpa.GNRPA(level=1), nrpa.NMCS(level=1)):
        warm = nrpa.solve(problem, solver, seed=1, playouts=3, warm_start=game)
        assert warm.score >= found.score
    with pytest.raises(InputError, match=r"samegame: move 2 at \[20, 0\] is not legal"):
        nrpa.start(problem, warm_start=[game[0], [20, 0]])


def test_a_search_stops_at_its_bound():
    """Each colour at once, and an empty board: nothing is better, and here it can be done."""
    result = nrpa.solve(SameGame([[0, 0], [1, 1], [1, 1]]), seed=1)
    assert (result.status, result.score) == ("optimal", 0 + 4 + 1000)


def test_no_game_beats_the_bound():
    """Against all games of small boards; with a single cell of a colour there is no empty board."""
    rng = np.random.default_rng(6)
    for _ in range(30):
        problem = SameGame(rng.integers(0, 3, (3, 3)))
        assert best_points(problem.columns) <= problem.bound()
    assert SameGame([[0, 0, 0], [0, 0, 1]]).bound() == 9


def test_no_legal_move():
    """A board without a group has the empty game, which is valid and brings nothing."""
    problem = SameGame([[0, 1], [1, 0]])
    result = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=5)
    assert result.solution == []
    assert result.score == 0
    assert problem.check([]).valid


def test_a_large_board_is_played_from_the_left_within_little_memory():
    """A playout records at most 32 groups a step; a solution is checked, and played again from all groups."""
    board = np.random.default_rng(7).integers(0, 5, (70, 60))
    problem = SameGame(board)
    assert (problem.instance.most_listed, problem.max_total) == (32, 32 * 33 // 2 + (2100 - 32) * 32)
    result = nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=2)
    assert result.valid
    assert problem.solution(problem.moves_of(result.solution)) == result.solution
    assert "--draw" in problem.sketch(result.solution)
    assert SameGame(board[:50, :50]).instance.most_listed == 1250


def test_parse_solution():
    """A plain list of columns and rows is a game; an odd number of them is not."""
    assert SameGame.parse_solution("3 0\n4 1\n") == [[3, 0], [4, 1]]
    with pytest.raises(InputError, match="expected a column and a row for each move, found 3 numbers"):
        SameGame.parse_solution("1 2 3")
    with pytest.raises(InputError, match="expected whole numbers, found '\u0661'"):
        SameGame.parse_solution("\u0661 2")
