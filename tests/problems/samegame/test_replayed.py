"""Boards as words, with stones that keep their names, against lists of columns of stones."""

from typing import NamedTuple

import numpy as np
import pytest

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.kernels import NEVER, NOT_NOW
from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.samegame.replayed import MOST_COLOURS, MOST_ROWS, ReplayedState


class Stone(NamedTuple):
    name: int
    colour: int


class Naive:
    """Columns of stones from the bottom up; a group is found by going from stone to stone."""

    def __init__(self, problem):
        self.stride = problem.instance.stride
        self.columns = [
            [Stone((x + 1) * self.stride + y, colour) for y, colour in enumerate(column)]
            for x, column in enumerate(problem.columns)
        ]
        self.stones = {stone.name for column in self.columns for stone in column}
        counts = np.bincount(problem.board[problem.board >= 0])
        ranked = sorted(np.flatnonzero(counts), key=lambda colour: (-counts[colour], colour))
        self.tabu = ranked[problem.tabu - 1] if problem.selective else None
        self.points = 0

    def cells(self):
        return {(x, y): stone for x, column in enumerate(self.columns) for y, stone in enumerate(column)}

    def group(self, cells, cell):
        found, unseen = {cell}, [cell]
        while unseen:
            x, y = unseen.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near not in found and near in cells and cells[near].colour == cells[cell].colour:
                    found.add(near)
                    unseen.append(near)
        return found

    def number(self, cell):
        return (cell[0] + 1) * self.stride + cell[1]

    def play(self, number):
        cells = self.cells()
        taken = self.group(cells, (number // self.stride - 1, number % self.stride))
        assert len(taken) > 1
        left = [[s for y, s in enumerate(column) if (x, y) not in taken] for x, column in enumerate(self.columns)]
        self.columns = [column for column in left if column]
        self.points += (len(taken) - 2) ** 2

    def score(self):
        return self.points + (0 if self.columns else 1000)


def random_board(rng, height, width, colours):
    """Return a board with columns of different heights."""
    board = rng.integers(0, colours, (height, width))
    for x in range(width):
        board[: rng.integers(0, height), x] = -1
    return board


def compare_game(problem, rng, rests):
    """Play a random game on both and compare all that there is; return how many moves it has."""
    naive, game = Naive(problem), Game(problem.hints().replayed.model)
    assert isinstance(game.state, ReplayedState)
    game.reset()
    played = 0
    while True:
        cells = naive.cells()
        legal = {naive.number(cell): cell for cell in cells if len(naive.group(cells, cell)) > 1}
        free = {number for number, cell in legal.items() if cells[cell].colour != naive.tabu}
        at = {stone.name: naive.number(cell) for cell, stone in cells.items()}
        found = {name: game.move_of(name) for name in naive.stones}
        assert found == {
            name: (at[name] if at[name] in legal else NOT_NOW) if name in at else NEVER for name in naive.stones
        }
        if rng.random() < 0.5:
            listed = game.all_moves()
            assert sorted(listed) == sorted(legal)
            assert game.names() == [cells[legal[number]].name for number in listed]
            assert sorted(game.legal_moves()) == sorted(free or legal)
            assert game.codes == game.listed
        assert game.score() == naive.score()
        rests.setdefault(game.value("rest"), set()).add(frozenset(at))
        if not legal:
            return played
        if rng.random() < 0.3:
            game.swap()
            copied, game.state = game.state, game.original
            for number in rng.choice(list(legal), 1):
                game.play(int(number))
            game.state = copied
        number = int(rng.choice(list(legal)))
        naive.play(number)
        game.play(number)
        played += 1


@pytest.mark.parametrize(
    ("height", "width", "colours", "games"),
    [(15, 15, 5, 3), (2, 2, 1, 5), (2, 2, 2, 20), (16, 3, 2, 20), (3, 50, 3, 3), (16, 40, 15, 1), (6, 5, 2, 60)],
)
def test_random_games_agree_with_columns_of_stones(height, width, colours, games):
    """Cells, names, where each stone is, score so far; a hash for each set of stones, and no two alike."""
    rng = np.random.default_rng(height * 100 + width)
    played, rests = 0, {}
    board = None
    for game in range(games):
        if board is None or game % 4 == 0:
            board, rests = random_board(rng, height, width, colours), {}
        played += compare_game(SameGame(board, selective=game % 3 > 0), rng, rests)
        assert all(len(stones) == 1 for stones in rests.values())
        assert len({stones for (stones,) in rests.values()}) == len(rests)
    assert played > games // 4


def test_boards_that_a_word_cannot_hold_are_replayed_as_they_are():
    """More than 16 rows, or a colour above 14."""
    rng = np.random.default_rng(1)
    for rows, colour, packed in (
        (MOST_ROWS, MOST_COLOURS - 1, True),
        (MOST_ROWS + 1, 3, False),
        (5, MOST_COLOURS, False),
    ):
        board = rng.integers(0, 3, (rows, 4))
        board[0, 0] = colour
        problem = SameGame(board)
        assert (problem.hints().replayed is not None) == packed
        assert not packed or problem.hints().replayed.hints().replayed is None
        with nrpa.debug():
            found = nrpa.solve(problem, nrpa.Tempering(chains=2, period=10), seed=1, playouts=40)
        assert problem.check(found.solution).score == found.score


def test_a_result_is_the_start_of_another_search():
    """Of tempering by tempering, of another solver by tempering, and the other way round."""
    problem = SameGame.load("samegame-02")
    tempering, other = nrpa.Tempering(chains=2, period=100), nrpa.NRPA(level=1)
    first = nrpa.solve(problem, tempering, seed=1, playouts=3000)
    assert problem.check(first.solution).score == first.score
    for solver, start in (
        (tempering, first),
        (other, first),
        (tempering, nrpa.solve(problem, other, seed=1, playouts=50)),
    ):
        again = nrpa.solve(problem, solver, seed=2, playouts=20, warm_start=start)
        assert again.score >= start.score
        assert problem.check(again.solution).score == again.score


@pytest.mark.parametrize("selective", [True, False])
def test_the_kernels_keep_the_contract_of_a_problem(selective):
    """Names are found, copies are complete, and boards of equal ``rest`` go on alike."""
    board = np.random.default_rng(1).integers(0, 3, (6, 7))
    assert nrpa.check_problem(SameGame(board, selective=selective).hints().replayed, games=4).faults == []
