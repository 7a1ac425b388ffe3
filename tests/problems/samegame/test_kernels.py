"""The kernels of SameGame against a naive implementation of the rules."""

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

from nrpa.problems.samegame.kernels import State
from nrpa.problems.samegame.problem import SameGame


class Naive:
    """A game on a dict from (column, row) to colour; groups by spreading labels until nothing changes."""

    def __init__(self, problem: SameGame) -> None:
        height = len(problem.board)
        self.cells = {
            (x, height - 1 - y): int(colour) for (y, x), colour in np.ndenumerate(problem.board) if colour >= 0
        }
        counts = Counter(self.cells.values())
        ranked = sorted(counts, key=lambda colour: (-counts[colour], colour))
        self.tabu = ranked[problem.tabu - 1] if problem.selective else None
        self.pairs_from = problem.pairs_from
        self.played = 0
        self.score = 0

    def groups(self) -> list[frozenset]:
        label = {cell: cell for cell in self.cells}
        changed = True
        while changed:
            changed = False
            for x, y in self.cells:
                for near in ((x + 1, y), (x, y + 1)):
                    same = near in self.cells and self.cells[near] == self.cells[x, y]
                    if same and label[near] != label[x, y]:
                        label[near] = label[x, y] = min(label[near], label[x, y])
                        changed = True
        by_label: dict = {}
        for cell, root in label.items():
            by_label.setdefault(root, set()).add(cell)
        return [frozenset(group) for group in by_label.values() if len(group) > 1]

    def legal(self) -> dict[frozenset, float]:
        """Return β of each legal group."""
        groups = self.groups()
        free = [g for g in groups if self._colour(g) != self.tabu or (len(g) == 2 and self.played >= self.pairs_from)]
        return {g: min(len(g) - 2 - (self._colour(g) == self.tabu and len(g) == 2), 8) for g in free or groups}

    def play(self, group: frozenset) -> None:
        left = {cell: colour for cell, colour in self.cells.items() if cell not in group}
        columns = sorted({x for x, _ in left})
        self.cells = {}
        for new_x, x in enumerate(columns):
            rows = sorted(y for x_, y in left if x_ == x)
            self.cells.update({(new_x, new_y): left[x, y] for new_y, y in enumerate(rows)})
        self.score += (len(group) - 2) ** 2 + (0 if self.cells else 1000)
        self.played += 1

    def _colour(self, group: frozenset) -> int:
        return self.cells[min(group)]


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
    """Play a random game on both; compare every list of moves and the score; return the number of moves."""
    naive = Naive(problem)
    state = problem.new_state()
    moves = moves_for(problem)
    compiled_reset(problem.instance, state)
    while True:
        every = problem.solution(moves.move[: compiled_all_moves(problem.instance, state, moves)])
        assert (
            sum(tuple(cell) in group for cell in every for group in naive.groups()) == len(naive.groups()) == len(every)
        )
        count = compiled_legal_moves(problem.instance, state, moves)
        expected = naive.legal()
        by_cell = {cell: group for group in expected for cell in group}
        cells = [tuple(cell) for cell in problem.solution(moves.move[:count])]
        assert len({by_cell[cell] for cell in cells}) == count == len(expected)
        for m, cell in enumerate(cells):
            group = by_cell[cell]
            assert moves.code[m] == code(problem, group, naive.cells[cell])
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
     (30, 31, 20, 1), (12, 12, 3, 10)],
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
    assert isinstance(state, State)
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
