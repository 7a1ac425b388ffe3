"""What a playout of an arm counts."""

import numba
import pytest
from user_problems import Bits

import nrpa
from nrpa.python.efforts import Efforts
from nrpa.solvers.portfolio.arms import Arm, FirstGame

GNRPA, TEMPERING, BY_CODES = nrpa.GNRPA(level=None), nrpa.Tempering(1), nrpa.Tempering(1, names="code")


@pytest.mark.parametrize(
    ("solver", "lists", "expected"),
    [
        (GNRPA, True, 20 * (40 + 100 + 60 + 40 + 80 + 4 * 20 + 1000 / 20) / 200),
        (TEMPERING, True, 10 * (40 + 100 + 10 + 1000 / 10) / 200),
        (TEMPERING, False, 10 * (40 + 100 + 1000 / 10) / 200),
        (BY_CODES, True, 10 * (40 + 100 + 60 + 40 + 1000 / 10) / 200),
    ],
)
def test_in_plain_python_instructions_are_counted(solver, lists, expected):
    """Those of all methods that are called, beside those of a move that is listed and made; roughly."""
    first = FirstGame(True, 20.0, Efforts(listing=60, play=100, code=40, bias=80, is_legal=10, score=1000))
    moves = Arm("", solver, Bits()).moves(20, first, lists, lists)
    assert expected / 1.25 < moves < expected * 1.25
    assert Arm("", solver, Bits()).moves(0, first) == 0


def test_a_game_that_is_evaluated_costs_one_call():
    """Of tempering by moves alone."""
    first = FirstGame(True, 20.0, Efforts(60, 100, 40, 80, 10, 1000, evaluate=400))
    expected = {TEMPERING: 10 * (40 + 400 / 10) / 200, BY_CODES: 10 * (40 + 100 + 60 + 40 + 1000 / 10) / 200}
    for solver, moves in expected.items():
        assert moves / 1.25 < Arm("", solver, Bits()).moves(20, first) < moves * 1.25


@pytest.mark.parametrize(
    ("lists", "others_list", "more"), [(True, True, 0), (True, False, 0.25), (False, False, 0), (False, True, 0)]
)
def test_in_machine_code_lists_are_counted_where_another_arm_makes_none(lists, others_list, more):
    """Four listed moves as one that is made. Of a game that tempering changes, half is played again."""
    problem, first = nrpa.SameGame([[0, 0], [1, 1]]), FirstGame(True, 12.0)
    assert Arm("", GNRPA, problem).moves(9, first, lists, others_list) == round(9 * (1 + 12 * more))
    assert Arm("", TEMPERING, problem).moves(9, first, lists, others_list) == 5 + round(5 * 12 * more)


def test_beside_sequences_that_are_not_played_a_listed_move_counts_as_one():
    """Of a function in plain Python a twentieth, as its call takes longer."""
    for function, more in ((numba.njit(lambda order: order[0]), 12), (lambda order: order[0], 5 / 9)):
        arm = Arm("", GNRPA, nrpa.permutation(5, function))
        assert arm.moves(9, FirstGame(True, 12.0), True, False) == 9 * (1 + more)


def test_slow_games_are_not_looked_at_for_long(monkeypatch):
    """Their first moves are, and whether random ones are orders stays open."""
    listed = list[int]()

    class Slow(Bits):
        def legal_moves(self, state):
            listed.append(len(state))
            return super().legal_moves(state)

    monkeypatch.setattr("nrpa.solvers.portfolio.arms.SECONDS", -1.0)
    assert FirstGame.of(Slow()).listed == 2.0
    assert max(listed) == 1
