"""The kernels of SameGame against its rules in plain Python."""

import math
from collections import Counter

import numpy as np
import pytest
from compiled_kernels import (
    compiled_all_moves,
    compiled_legal_moves,
    compiled_play,
    compiled_reset,
    compiled_score,
    moves_for,
)

from nrpa.problems.samegame.packed import PackedState
from nrpa.problems.samegame.problem import SameGame
from nrpa.problems.samegame.rules import groups, without


class Naive:
    """A game by the rules in plain Python, with the selective policy."""

    def __init__(self, problem: SameGame) -> None:
        self.columns = problem.columns
        counts = Counter(colour for column in self.columns for colour in column)
        ranked = sorted(counts, key=lambda colour: (-counts[colour], colour))
        self.tabu = ranked[problem.tabu - 1] if problem.selective else None
        self.pairs_from = problem.pairs_from
        self.played = 0
        self.score = 0

    def legal(self) -> dict[frozenset, float]:
        """Return β of each legal group."""
        found = [frozenset(group) for group in groups(self.columns)]
        free = [g for g in found if self.colour(g) != self.tabu or (len(g) == 2 and self.played >= self.pairs_from)]
        return {g: min(len(g) - 2 - (self.colour(g) == self.tabu and len(g) == 2), 8) for g in free or found}

    def play(self, group: frozenset) -> None:
        self.columns = without(self.columns, group)
        self.score += (len(group) - 2) ** 2 + (0 if self.columns else 1000)
        self.played += 1

    def colour(self, group: frozenset) -> int:
        column, row = min(group)
        return self.columns[column][row]


def random_board(rng: np.random.Generator, height: int, width: int, colours: int) -> np.ndarray:
    """Return a board with columns of random heights, some empty ones at the right."""
    board = rng.integers(0, colours, (height, width))
    if rng.random() < 0.5:
        used = rng.integers(1, width + 1)
        for x in range(width):
            empty = height if x >= used else rng.integers(0, height)
            board[:empty, x] = -1
    return board


def code(problem: SameGame, group: frozenset, colour: int) -> int:
    """Return the Zobrist hash of a group from its definition."""
    value = int(problem.instance.colour_key[colour + 1])
    for x, y in group:
        value ^= int(problem.instance.key[(x + 1) * problem.instance.stride + y])
    return value


def compare_game(problem: SameGame, rng: np.random.Generator) -> int:
    """Play a random game on both; compare every list of moves and the score; return the number of moves.

    Of a large board the first of the legal groups are listed, in the order of all groups.
    """
    naive = Naive(problem)
    state = problem.new_state()
    moves = moves_for(problem)
    compiled_reset(problem.instance, state)
    while True:
        every = problem.solution(moves.move[: compiled_all_moves(problem.instance, state, moves)])
        found = groups(naive.columns)
        assert sum(tuple(cell) in group for cell in every for group in found) == len(found) == len(every)
        count = compiled_legal_moves(problem.instance, state, moves)
        expected = naive.legal()
        by_cell = {cell: group for group in expected for cell in group}
        cells = [tuple(cell) for cell in problem.solution(moves.move[:count])]
        assert cells == [cell for cell in map(tuple, every) if cell in by_cell][: problem.instance.most_listed]
        assert len({by_cell[cell] for cell in cells}) == count == min(len(expected), problem.instance.most_listed)
        for m, cell in enumerate(cells):
            group = by_cell[cell]
            assert moves.code[m] == code(problem, group, naive.colour(group))
            assert moves.exp_bias[m] == pytest.approx(math.exp(expected[group]))
        if count == 0:
            break
        chosen = int(rng.integers(count))
        naive.play(by_cell[cells[chosen]])
        compiled_play(problem.instance, state, moves.move[chosen])
    assert compiled_score(problem.instance, state) == naive.score
    return naive.played


@pytest.mark.parametrize(
    ("height", "width", "colours", "games"),
    [(15, 15, 5, 8), (2, 2, 1, 10), (2, 2, 2, 60), (3, 50, 3, 10), (50, 2, 2, 10), (6, 5, 2, 400), (8, 9, 4, 120),
     (8, 9, 12, 10), (30, 31, 20, 1), (12, 12, 3, 10), (130, 3, 3, 2), (70, 36, 12, 1)],
)  # fmt: skip
def test_random_games_agree_with_naive_rules(height, width, colours, games):
    """Moves, codes, biases and score equal the naive ones at every step, with the selective policy and without."""
    rng = np.random.default_rng(height * 100 + width)
    played = 0
    for game in range(games):
        board = random_board(rng, height, width, colours)
        pairs_from = (10, 0, 3, 999)[game // 2 % 4]
        tabu = 1 + game // 8 % len(np.unique(board[board >= 0]))
        played += compare_game(SameGame(board, selective=game % 2 == 0, pairs_from=pairs_from, tabu=tabu), rng)
    assert played > games // 4


def test_a_state_is_used_again_after_a_game():
    """``reset`` leaves nothing of the game before: the same moves give the same lists and score."""
    problem = SameGame.load("samegame-01")
    state = problem.new_state()
    assert isinstance(state, PackedState)
    moves = moves_for(problem)
    games = []
    for _ in range(2):
        trace = []
        compiled_reset(problem.instance, state)
        while count := compiled_legal_moves(problem.instance, state, moves):
            trace.append(sorted(moves.code[:count].tolist()))
            compiled_play(problem.instance, state, moves.move[count // 2])
        games.append((trace, compiled_score(problem.instance, state)))
    assert games[0] == games[1]
