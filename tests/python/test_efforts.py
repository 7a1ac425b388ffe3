"""Instructions that methods in plain Python take."""

import sys

import pytest

import nrpa
from nrpa.python.efforts import efforts, traced


class Numbers(nrpa.Problem):
    """Add up numbers below ``width``, in a loop of so many turns for each move and for the score."""

    steps, width = 6, 4

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return range(self.width) if len(state) < self.steps else ()

    def play(self, state, move):
        for _ in range(100):
            pass
        return (*state, move)

    def score(self, state):
        for _ in range(1000):
            pass
        return sum(state)

    def code(self, state, move):
        for _ in range(200):
            pass
        return move


def test_each_method_is_counted():
    """For a move in the mean, the codes for all legal moves, the score for a game; no method that the class lacks."""
    problem = Numbers()
    found = efforts(problem, {"code"}, 100)
    assert found.play < found.score / 5 < 2 * found.play
    assert found.code / 4 == pytest.approx(2 * found.play, rel=0.3)
    assert (found.bias, found.is_legal) == (0.0, 0.0)
    assert 0 < found.listing < found.play / 5


def test_a_game_that_is_evaluated_is_counted():
    """As one call."""

    class Evaluated(Numbers):
        max_steps, choices = 6, [4] * 6

        def evaluate(self, moves):
            return self.score(moves)

    found = efforts(Evaluated(), {"evaluate"}, 100)
    assert found.evaluate == pytest.approx(found.score, rel=0.1)
    assert efforts(Evaluated(), {"evaluate"}, 3).evaluate == 0


def test_a_game_that_is_not_ended_has_no_score():
    """Its first moves are looked at."""
    whole, part = (efforts(Numbers(), set(), most) for most in (100, 3))
    assert part.play == whole.play
    assert (part.score, whole.code) == (0, 0.0)


def test_what_traced_before_goes_on():
    """Also after an exception, which is the author's own."""
    before = sys.gettrace()
    assert traced(len, "abc") == (3, 0)
    with pytest.raises(ZeroDivisionError):
        traced(lambda: 1 // 0)
    assert sys.gettrace() is before


def test_slow_moves_are_not_looked_at_for_long(monkeypatch):
    """Of one that takes all the time, the first is."""
    monkeypatch.setattr("nrpa.python.efforts.SECONDS", -1.0)
    found = efforts(Numbers(), {"code"}, 100)
    assert (found.play, found.score) == (efforts(Numbers(), {"code"}, 1).play, 0)
