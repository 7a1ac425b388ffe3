"""Connect Four, and a program that plays it."""

import random

import pytest
from connect_four import COLUMNS, ROWS, ConnectFour, play

import nrpa

GAME = ConnectFour()
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


def slow_rewards(moves):
    """Return what each player gets after some moves, None while the game goes on, cell by cell."""
    heights, cells = [0] * COLUMNS, {}
    for step, column in enumerate(moves):
        cells[column, heights[column]] = step % 2
        heights[column] += 1
    for (x, y), player in cells.items():
        for dx, dy in DIRECTIONS:
            if all(cells.get((x + k * dx, y + k * dy)) == player for k in range(4)):
                return [1.0 - player, float(player)]
    return [0.5, 0.5] if len(moves) == COLUMNS * ROWS else None


def test_bits_and_cells_agree():
    """At each step of random games: whether the game has ended, which columns are open, and who has won."""
    chance, ends = random.Random(1), set()
    for _ in range(200):
        state, moves = GAME.initial_state(), []
        while legal := GAME.legal_moves(state):
            assert slow_rewards(moves) is None
            assert legal == [column for column in range(COLUMNS) if moves.count(column) < ROWS]
            moves.append(chance.choice(legal))
            state = GAME.play(state, moves[-1])
        assert list(GAME.rewards(state)) == slow_rewards(moves)
        ends.add(tuple(GAME.rewards(state)))
    assert len(ends) >= 2
    assert nrpa.check_problem(GAME, seed=1, games=3).kept


def test_a_position_is_drawn():
    """The first player's stones are X."""
    assert GAME.draw([3, 3, 2]) == "\n".join([*["......."] * 4, "...O...", "..XX..."])


@pytest.mark.parametrize("threat", [[0, 6, 1, 6], [3, 0, 3, 0, 3, 1]], ids=["row", "column"])
def test_a_win_is_found(threat):
    """The move that makes four is proven."""
    moves = [*threat, 2, 5] if threat[0] == 0 else threat
    choice = nrpa.choose(GAME, nrpa.UCT(), moves=moves, playouts=500, seed=1)
    assert (choice.own_move, choice.distance, choice.solved) == (3, 1, True)


def test_a_program_plays_a_whole_game():
    """Against one who drops every stone into the first open column: it says what it plays, and wins."""
    told = []
    assert play(lambda legal: legal[0], told.append, seconds=0.05) == [0.0, 1.0]
    assert sum("expected:" in line for line in told) >= 4
