"""What random games show to be wrong, in plain Python and compiled."""

import random

import pytest
from broken_kernels import Compiled
from user_problems import Bits

import nrpa


def changed(**methods):
    return type("Mine", (Bits,), methods)()


def shared_play(self, state, move):
    state.append(move)
    return state


def growing_legal_moves(self, state):
    """No moves in a final state, when asked the first time."""
    self.asked = getattr(self, "asked", 0) + 1
    return (0, 1) if len(state) < 10 or self.asked % 2 == 0 else ()


@pytest.mark.parametrize(
    ("methods", "fault"),
    [
        ({}, ""),
        ({"initial_state": lambda self: [], "play": shared_play}, "play changes the state it is given"),
        ({"code": lambda self, state, move: random.random()}, "code, bias or value is not deterministic"),
        ({"code": lambda self, state, move: {move}}, "code gave {0}, a set, which is not hashable"),
        ({"legal_moves": growing_legal_moves}, "a final state has legal moves when asked again"),
        ({"legal_moves": lambda self, s: [random.random()]}, "legal_moves is not deterministic: two calls"),
        ({"steps": 10**9, "max_steps": 50}, "a game does not end within max_steps = 50"),
        ({"score": lambda self, state: float("nan")}, "score returned nan"),
        ({"score": lambda self, state: random.random()}, "score is not deterministic"),
        ({"score": lambda self, state: 1 / 0}, "score raised ZeroDivisionError: division by zero (at "),
        ({"bias": lambda self, state, move: float("inf")}, "bias returned inf; expected a finite number"),
        ({"play": nrpa.Problem.play}, "Mine lacks the method play(state, move)"),
        ({"check": lambda self, moves: nrpa.Verdict({}, ["no"])}, "check refuses a game"),
        ({"all_moves": lambda self, state: [0]}, "all_moves leaves out 1, which legal_moves gives"),
        ({"codes": 2, "code": lambda self, state, move: move}, ""),
        ({"codes": 1, "code": lambda self, state, move: move}, "code returned 1; expected a whole number, 0 to codes"),
        ({"rest": lambda self, state: len(state)}, ""),
        ({"rest": lambda self, state: 0}, "rest is equal for two states that differ: legal_moves gives [0, 1] in"),
        (
            {"rest": lambda self, state: len(state), "score": lambda self, state: sum(state) ** 2},
            "differ: to the end of the game the score changes by",
        ),
        ({"evaluate": lambda self, moves: sum(moves), "max_steps": 10, "choices": [2] * 10}, ""),
        (
            {"evaluate": lambda self, moves: 11, "max_steps": 10, "choices": [2] * 10},
            "evaluate gives 11, play and score",
        ),
    ],
)
def test_faults_of_python_problems(methods, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(changed(**methods), seed=1)
    assert contract.kept == (not fault)
    assert fault in contract.summary()


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (0, ""),
        (1, "the kernel legal_moves is not deterministic"),
        (2, "gave the code 16; expected 0 to 15"),
        (3, "the kernel play goes out of bounds of state.bits (index 8, size 8)"),
        (4, "the kernel score returned nan"),
        (5, "the kernel copy is not complete"),
        (6, "new_state gives states that share memory"),
        (7, "check says"),
        (8, "the kernel all_moves leaves out 1, which legal_moves gives"),
    ],
)
def test_faults_of_compiled_problems(broken, fault):
    """Each broken promise is found, and said in words."""
    contract = nrpa.check_problem(Compiled(broken), seed=1, games=3)
    assert contract.kept == (not fault), contract.summary()
    assert fault in contract.summary()


@pytest.mark.parametrize(("sign", "doubted"), [(-1, True), (1, False)])
def test_a_cost_that_is_not_negated_is_doubted(sign, doubted):
    """In a line of the report; a cost may be negative, so it is no fault."""
    contract = nrpa.check_problem(changed(objective=nrpa.Objective("cost", sign=sign)), seed=1)
    assert contract.kept
    assert any("returns the negative" in doubt for doubt in contract.doubts) == doubted
    assert ("returns the negative" in contract.summary()) == doubted


def test_the_check_gets_solutions_in_their_own_form():
    """Those of ``solution_of``, as after a search."""

    class Named(nrpa.Problem):
        """A letter."""

        def initial_state(self):
            return ""

        def legal_moves(self, state):
            return [] if state else [0, 1]

        def play(self, state, move):
            return "ab"[move]

        def score(self, state):
            return 0.0

        def solution_of(self, moves):
            return {"letter": "ab"[moves[0]]}

        def own_moves(self, solution):
            return ["ab".index(solution["letter"])]

        def check(self, solution):
            return nrpa.Verdict({"score": 0}, [] if set(solution) == {"letter"} else ["no letter"], score=0.0)

    assert nrpa.check_problem(Named(), games=2, seed=1).kept
