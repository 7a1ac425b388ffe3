"""A network that learns Connect Four from games against itself."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from connect_four import ConnectFour
from selfplay import AT_RANDOM, COLUMNS, SOLVER, Learned, learned, own_game, seen

import nrpa


def test_what_the_network_says_is_prior_and_value():
    """A network that wants the last column: its prior is e^β, and its value that of the player to move."""
    shift = np.array([0.0] * 6 + [1.0, 0.9])
    problem = Learned([(np.zeros((84, COLUMNS + 1)), shift)])
    assert problem.value((0, 0, 0)) == (0.9, pytest.approx(0.1))
    assert problem.value((0, 1, 1)) == (pytest.approx(0.1), 0.9)
    assert np.exp([problem.bias((0, 0, 0), move) for move in range(COLUMNS)]) == pytest.approx([0.01] * 6 + [1.0])
    choice = nrpa.choose(problem, SOLVER, playouts=50, seed=1)
    assert choice.own_move == 6
    assert choice.opinion.visits > 25


def test_cells_are_seen_by_who_is_to_move():
    """The own stones first, then the other's."""
    state = ConnectFour().play(ConnectFour().play(ConnectFour().initial_state(), 0), 1)
    assert np.flatnonzero(seen(state)).tolist() == [0, 42 + 6]


def test_a_game_is_what_the_network_learns_from():
    """A row for each position; shares of visits add up to 1; who won got 1, who lost 0."""
    problem = Learned([(np.zeros((84, COLUMNS + 1)), np.full(COLUMNS + 1, 0.5))])
    rows, wanted = own_game(problem, 8, np.random.default_rng(1))
    assert len(rows) == len(wanted) > AT_RANDOM // 2
    assert np.array(wanted)[:, :COLUMNS].sum(axis=1) == pytest.approx(1.0)
    gained = [row[COLUMNS] for row in wanted]
    assert gained[-1] == 1.0 - gained[-2]


@pytest.mark.filterwarnings("ignore")
def test_it_learns():
    """After a round, the network tells positions apart."""
    told = []
    problem = learned(1, 1, 8, tell=told.append)
    assert told[0].startswith("round 1: ")
    assert len({problem.value((0, filled, 0)) for filled in (0, 1, 1 << 7)}) == 3
