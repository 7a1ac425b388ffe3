"""The form of states, found out from random games."""

import nrpa
from nrpa.compiling.cells import examples_of


class Growing(nrpa.Problem):
    """Three numbers in a list, to which each of thirty moves adds two; and one that has shrunk."""

    max_steps = 30

    def initial_state(self):
        return [1, 2, 3], [5] * 40

    def legal_moves(self, state):
        return [0, 1] if len(state[0]) < 63 else []

    def play(self, state, move):
        return [*state[0], move, move], state[1][:-1]

    def score(self, state):
        return len(state[0])


def test_a_first_game_that_takes_long_is_broken_off(monkeypatch):
    """What has grown has room to grow to the end of the game."""
    problem = Growing()
    whole = examples_of(problem, problem.initial_state, problem.play)
    monkeypatch.setattr("nrpa.compiling.cells.SECONDS", -1.0)
    monkeypatch.setattr("nrpa.compiling.cells.FIRST_SECONDS", 0.0)
    part = examples_of(problem, problem.initial_state, problem.play)
    assert [cell.shape for cell in whole.cells] == [(2 * 63 + 16,), (96,)]
    assert [cell.shape for cell in part.cells] == [(2 * 5 + 16 + 30 * 2,), (96,)]
