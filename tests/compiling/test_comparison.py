"""Games of a compiled class beside the class in plain Python."""

import numpy as np
import pytest

import nrpa
from nrpa.base.errors import DisagreementError
from nrpa.compiling.comparison import Comparison


class Ladder(nrpa.Problem):
    """Ten steps of 0, 1 or 2, and all that a class can say of them."""

    def initial_state(self):
        return (0, 0, np.zeros(3, np.int64), ())

    def legal_moves(self, state):
        return [0, 1, 2] if state[0] < 10 else []

    def play(self, state, move):
        counts = state[2].copy()
        counts[move] += 1
        return (state[0] + 1, state[1] + move, counts, (*state[3], move))

    def score(self, state):
        return state[1]

    def code(self, state, move):
        return (state[0], move)

    def bias(self, state, move):
        return 0.25 * move

    def key(self, state):
        return state[:2]

    def value(self, state):
        return state[1] / 2

    def is_legal(self, state, move):
        return state[0] < 10

    def all_moves(self, state):
        return [0, 1, 2] if state[0] < 10 else []

    def rest(self, state):
        return state[0]


@pytest.fixture(scope="module")
def compiled():
    """Return a compiled class whose games are those of the plain one."""
    problem = nrpa.compiled(Ladder())
    problem.forget()
    return problem


# In a state that is reached late: what a method gives there in place of what it should.
PLANTED = {
    "legal_moves": lambda self, state: [0, 2, 1] if state[0] == 8 else ([0, 1, 2] if state[0] < 10 else []),
    "play": lambda self, state, move: (state[0] + 1, state[1] + move, state[2], (*state[3], move)),
    "score": lambda self, state: state[1] + 1,
    "code": lambda self, state, move: (min(state[0], 7), move),
    "bias": lambda self, state, move: 0.25 * move + (state[0] == 8) * move,
    "key": lambda self, state: (min(state[0], 8), 0),
    "value": lambda self, state: state[1] / (3 if state[0] == 8 else 2),
    "is_legal": lambda self, state, move: state[0] < 9,
    "all_moves": lambda self, state: [2, 1, 0] if state[0] < 8 else [1, 2, 0],
    "rest": lambda self, state: min(state[0], 8),
}


@pytest.mark.parametrize("method", PLANTED)
def test_a_difference_in_any_method_is_named(compiled, method, monkeypatch):
    """With the method and what both say; a game that is the same is replayed without a word."""
    comparison = Comparison(compiled)
    moves = [2, 1, 0, 1, 2, 0, 1, 2, 0, 1]
    comparison.replay(moves)
    comparison.play_random_games()
    monkeypatch.setattr(Ladder, method, PLANTED[method])
    with pytest.raises(DisagreementError, match=rf"Ladder.{method} differs compiled: .* in plain Python, .* compiled"):
        comparison.replay(moves)
    with pytest.raises(DisagreementError, match=f"Ladder.{method} differs compiled"):
        comparison.play_random_games()


def test_what_plain_python_raises_is_no_number(compiled, monkeypatch):
    """An exception of one alone is a difference."""

    def fails(self, state):
        raise LookupError("deep")

    monkeypatch.setattr(Ladder, "score", fails)
    with pytest.raises(DisagreementError, match="LookupError: deep in plain Python"):
        Comparison(compiled).replay([0] * 10)


def test_a_search_compares_its_best_games(compiled, monkeypatch):
    """At a new best, and like it at so many playouts: in states that random games do not reach."""
    monkeypatch.setattr(Ladder, "code", lambda self, state, move: 7 if state[1] > 15 else (state[0], move))
    Comparison(compiled).play_random_games()
    with pytest.raises(DisagreementError, match=r"Ladder.code differs compiled"):
        nrpa.solve(compiled, nrpa.RandomSampling(), seed=1, playouts=5000)


def test_games_beside_the_best_go_on_at_random(compiled, monkeypatch):
    """A difference that the best game does not meet is met after a part of it."""
    monkeypatch.setattr(
        Ladder, "legal_moves", lambda self, state: [] if state[1] == 15 else [0, 1, 2][: 3 * (state[0] < 10)]
    )
    comparison = Comparison(compiled)
    comparison.replay([2, 2, 2, 2, 2, 2, 2, 2, 2, 2])
    with pytest.raises(DisagreementError, match="legal_moves differs"):
        comparison.play_beside([2] * 10, 2**16)


def test_games_beside_the_search_take_a_share_of_the_time(compiled, monkeypatch):
    """Where they have taken more, they wait; the result is replayed all the same."""
    comparison = Comparison(compiled)
    played = []
    monkeypatch.setattr(comparison, "replay", lambda moves, *_: played.append(len(moves)))
    comparison.begun, comparison.spent = float("-inf"), 1e9
    comparison.watch([0] * 10, 0)
    comparison.begun = float("inf")
    comparison.watch([0] * 10, 0)
    monkeypatch.setattr(compiled, "_comparison", comparison)
    compiled.confirm(np.zeros(9, np.int64))
    assert played == [10, 9]


def test_a_long_game_is_not_replayed_to_its_end(compiled, monkeypatch):
    """Its first ten moves are; of several games, one."""
    monkeypatch.setattr(Ladder, "score", lambda self, state: -1.0)
    comparison = Comparison(compiled)
    # With it, scores are compared in all states.
    comparison._has = comparison._has - {"rest"}
    comparison.replay([0] * 10, -1.0)
    monkeypatch.setattr("nrpa.compiling.comparison.LONGEST_BESIDE", -1.0)
    played = []
    monkeypatch.setattr(comparison, "_play", lambda *arguments: played.append(arguments))
    comparison.play_beside([0] * 10, 2**17)
    assert len(played) == 1
