"""What becomes of games that a problem improves."""

import pytest
from jobs_with_rest import jobs_with
from user_problems import Bits

import nrpa


@pytest.mark.parametrize(
    ("improve", "said"),
    [
        (lambda self, moves: sorted(moves), ""),
        (lambda self, moves: [1] * 12, ""),
        (
            lambda self, moves: [0] * 10,
            "20 of 20 games that improve changed are dropped, and the old ones count: 20 worse",
        ),
        (lambda self, moves: [2] * 10, "20 not legal"),
        (lambda self, moves: [1] * 9, "20 not played to the end"),
        (lambda self, moves: [1] * 10_001, "improve returned a game of 10001 moves, more than max_steps = 10000"),
        (lambda self, moves: None, "improve returned None; expected the moves of a whole game"),
        (lambda self, moves: [[1]] * 10, "improve gave [1], a list, which is not hashable"),
        (lambda self, moves: 1 / 0, "improve raised ZeroDivisionError"),
    ],
)
def test_what_becomes_of_games_that_are_improved(improve, said):
    """How many do not count, and why; what a search would stop at is a fault."""
    contract = nrpa.check_problem(type("Mine", (Bits,), {"improve": improve})(), seed=1)
    assert said in contract.summary()
    assert bool(contract.doubts) == ("dropped" in said or said.startswith("20 "))
    assert contract.kept == (not said or bool(contract.doubts))


def improve(instance, state, sequence, steps):
    """Leave the last move of a game out."""
    sequence[steps - 1] = -1
    return 1


def test_what_becomes_of_games_that_a_kernel_improves():
    """The same of a compiled problem."""
    contract = nrpa.check_problem(jobs_with(improve), seed=1, games=3)
    assert contract.doubts == ["3 of 3 games that improve changed are dropped, and the old ones count: 3 not legal"]
