"""Games of a problem and of its twin."""

import pytest
from broken_kernels import Compiled
from user_problems import Bits

import nrpa


@pytest.mark.parametrize(
    ("methods", "fault"),
    [
        ({}, ""),
        ({"legal_moves": lambda self, s: () if len(s) == 8 else (1, 0)}, ""),
        (
            {
                "legal_moves": lambda self, s: () if len(s) == 8 else ("no", "yes"),
                "score": lambda self, s: s.count("yes"),
            },
            "",
        ),
        (
            {"legal_moves": lambda self, s: () if len(s) == 8 else (0, 1, 2) if len(s) == 2 else (0, 1)},
            "at step 3 the legal moves are [0, 1], those of the twin [0, 1, 2]",
        ),
        ({"steps": 9}, "at step 9 the legal moves are [], those of the twin [0, 1]"),
        ({"score": lambda self, state: sum(state) + 1e-6}, ".000001], after the moves ["),
        ({"score": lambda self, state: True}, "Twin.score returned True; expected a number"),
        ({"play": lambda self, state, move: 1 / 0}, "the twin raised ZeroDivisionError"),
        ({"play": nrpa.Problem.play}, "Twin lacks the method play(state, move)"),
    ],
)
def test_kernels_and_their_twin(methods, fault):
    """They play the same games, whatever the moves are called; the first difference is said with both lists."""
    twin = type("Twin", (Bits,), {"steps": 8, **methods})()
    contract = nrpa.check_problem(Compiled(0), games=3, twin=twin)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


def test_a_class_in_plain_python_and_its_twin():
    """The same rules agree; another score and another move are found, said as the author writes moves."""
    assert nrpa.check_problem(Bits(), games=3, twin=Bits()).kept
    for methods, fault in (
        ({"score": lambda self, state: -1.0}, "that of the twin [-1.0], after the moves"),
        ({"legal_moves": lambda self, state: [0]}, "the legal moves are [0, 1], those of the twin [0]"),
    ):
        twin = type("Twin", (Bits,), methods)()
        assert fault in nrpa.check_problem(Bits(), games=3, twin=twin).faults[0]


def test_moves_that_build_the_same_so_far_and_a_twin():
    """A solution in pairs leaves out what is half done; moves are told by their place."""

    class Pairs(Bits):
        def solution_of(self, moves):
            return [*zip(moves[::2], moves[1::2], strict=False)]

        def own_moves(self, solution):
            return [move for pair in solution for move in pair]

    assert nrpa.check_problem(Pairs(), games=3, twin=Pairs()).faults == []


def test_a_game_that_ends_early_and_its_twin():
    """Nobody asks for rewards there."""

    class Long(Bits):
        players, max_steps, at_max_steps = 2, 3, (1.0, 0.0)

        def legal_moves(self, state):
            return [0, 1]

        def player(self, state):
            return len(state) % 2

        def rewards(self, state):
            raise AssertionError

    assert nrpa.check_problem(Long(), games=2, twin=Long()).faults == []
