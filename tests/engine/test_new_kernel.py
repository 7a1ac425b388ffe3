"""A new optional kernel is one entry in the table; here it is made in its own process, before the rest is loaded."""

import subprocess
import sys

import pytest

PROGRAM = """
from typing import NamedTuple
import numpy as np
from nrpa.engine import kernels

@kernels.declare(returns=kernels.WHOLE, stand_in=lambda own: lambda instance, state: -1)
def height(instance, state):
    pass

kernels.height = height

import nrpa
from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame

class Instance(NamedTuple):
    goal: int

def reset(instance, state):
    state.place[0] = 0

def legal_moves(instance, state, moves):
    if state.place[0] >= instance.goal:
        return 0
    for m in range(2):
        moves.move[m] = m + 1
        moves.code[m] = 2 * state.place[0] + m
    return 2

def play(instance, state, move):
    state.place[0] += move

def score(instance, state):
    return float(instance.goal - state.place[0])

def steps(*others):
    @nrpa.kernels(reset, legal_moves, play, score, *others)
    class State(NamedTuple):
        place: np.ndarray

    class Steps(nrpa.CompiledProblem):
        def __init__(self):
            super().__init__(Instance(9), max_steps=9, max_moves=2)

        def new_state(self):
            return State(np.zeros(1, np.int64))

        def check(self, solution):
            return nrpa.Verdict({}, score=float(9 - sum(solution)))

    return Steps()

def said(act, *arguments, **options):
    try:
        return act(*arguments, **options)
    except nrpa.ProblemError as error:
        return error
"""


def run(tmp_path, kernel, lines):
    """Run the program with this body of the kernel ``height`` and these last lines; return what it prints."""
    body = f"def height(instance, state):\n    {kernel}\n"
    file = tmp_path / "steps.py"
    file.write_text(PROGRAM + body + lines)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_games_answer_with_the_kernel_or_its_stand_in(tmp_path):
    """Compiled, as plain Python and with bounds checked, a game says what the kernel says of the state."""
    lines = """
for problem in (steps(height), steps()):
    for game in (Game(problem.model), Game(problem.model, interpreted=True), GuardedGame(problem.model)):
        game.reset()
        game.play(2)
        print(game.value("height"))
"""
    assert run(tmp_path, "return 7 * state.place[0]", lines).split() == ["14"] * 3 + ["-1"] * 3


@pytest.mark.parametrize(
    ("kernel", "fault"),
    [
        ("return state.place[1]", "the kernel height goes out of bounds of state.place (index 1, size 1), steps.py:"),
        ("return state.where[0]", "the kernel height raised AttributeError: 'State' object has no attribute 'where'"),
        ("return np.random.randint(9**9)", "the kernel height is not deterministic: two calls at step 1 differ"),
        ("return 1 if isinstance(state.place, np.ndarray) else '2'", "the kernel height does not compile"),
    ],
)
def test_the_check_finds_a_fault_in_the_kernel(tmp_path, kernel, fault):
    """It names the kernel, although no search calls it."""
    assert fault in run(tmp_path, kernel, "print(nrpa.check_problem(steps(height)).summary())")


def test_the_first_games_call_the_kernel(tmp_path):
    """An index out of bounds in it is found before a search runs as machine code."""
    lines = "print(said(nrpa.solve, steps(height), nrpa.RandomSampling(), seed=1, playouts=1))"
    assert "the kernel height goes out of bounds of state.place" in run(tmp_path, "return state.place[1]", lines)
