"""Faults that end a process without a word in machine code: each in a process of its own."""

import logging
import signal
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from user_problems import EXAMPLES

import nrpa
from nrpa.engine import guarded_game
from nrpa.engine.guarded_game import GuardedGame, run_smoke_test

PROBLEM = """
import signal
from typing import NamedTuple
import numpy as np
import nrpa

TABLE = np.arange(9, dtype=np.uint8)

class Instance(NamedTuple):
    size: int
    table: np.ndarray

def reset(instance, state):
    for k in range(instance.size):
        state.bits[k] = 0
    state.count[0] = 0

def legal_moves(instance, state, moves):
    if state.count[0] == instance.size:
        return 0
    for m in range(4):
        moves.move[m] = m
        moves.code[m] = 4 * state.count[0] + m
    return 4

def play(instance, state, move):
    state.bits[state.count[0]] = move
    state.count[0] += 1

def score(instance, state):
    total = 0.0
    for k in range(instance.size):
        total += state.bits[k]
    return total

@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    bits: np.ndarray
    count: np.ndarray

class Mine(nrpa.CompiledProblem):
    def __init__(self):
        super().__init__(Instance(8, np.zeros(8)), max_steps=8, max_moves=4, codes=32)

    def new_state(self):
        return State(np.zeros(8, np.int64), np.zeros(1, np.int64))

    def solution(self, moves):
        return moves.tolist()

    def check(self, solution):
        return nrpa.Verdict({"score": sum(solution)}, score=float(sum(solution)))

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        nrpa.solve(Mine(), SOLVER, seed=1, playouts=2000)
        print("solved")
    except nrpa.ProblemError as error:
        print(error)
"""

LIMITS = "max_steps=8, max_moves=4, codes=32"
WRITE = "state.bits[state.count[0]] = move"
CODE = "moves.code[m] = 4 * state.count[0] + m"
NRPA = "nrpa.NRPA(level=1)"
NMCS = "nrpa.NMCS(level=1)"


def write(folder, *changes, solver=NMCS):
    text = PROBLEM.replace("SOLVER", solver)
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    (folder / "mine.py").write_text(text)
    return next((k for k, line in enumerate(text.splitlines(), start=1) if changes and changes[0][1] in line), 0)


def run(folder):
    process = subprocess.run([sys.executable, "mine.py"], cwd=folder, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def test_without_a_fault_it_solves(tmp_path):
    """The problem that the others break."""
    write(tmp_path)
    assert run(tmp_path) == "solved"


@pytest.mark.parametrize("solver", [NRPA, NMCS])
def test_a_max_moves_that_is_too_small(tmp_path, solver):
    """A segmentation fault, a spin or a broken heap in machine code."""
    write(tmp_path, (LIMITS, "max_steps=8, max_moves=1, codes=32"), solver=solver)
    said = "Mine: a state has more legal moves than max_moves = 1: the kernel legal_moves goes out of bounds of "
    assert run(tmp_path) == said + "moves.move (index 1, size 1), mine.py:22"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            [(WRITE, "state.bits[state.count[0] + 1] = move")],
            "the kernel play goes out of bounds of state.bits (index 8, size 8), mine.py:LINE",
        ),
        (
            [(WRITE, "state.bits[state.count[0]] = move + instance.table[state.count[0] + 1]")],
            "the kernel play goes out of bounds of instance.table (index 8, size 8), mine.py:LINE",
        ),
        (
            [(WRITE, "state.bits[state.count[0]] = move + TABLE[state.count[0] + 2]")],
            "the kernel play goes out of bounds of TABLE (index 9, size 9), mine.py:LINE",
        ),
        ([(CODE, "moves.code[m] = 5 * state.count[0] + m")], "the kernel legal_moves gave the code 32; "),
        ([(CODE, "moves.code[m] = m - 1")], "the kernel legal_moves gave the code -1; "),
        ([(CODE, "moves.code[m - 1] = m")], "the kernel legal_moves goes out of bounds of moves.code (index -1, "),
        ([(CODE, "pass")], "the kernel legal_moves returned 4 moves, but did not write moves.code[0]"),
        (
            [(CODE, CODE + "; moves.exp_bias[m] = 2.0")],
            "the kernel legal_moves writes moves.exp_bias, but bias_by_move",
        ),
        ([(LIMITS, "max_steps=7, max_moves=4, codes=32")], "more moves than max_steps = 7"),
        ([("return total", "return np.nan")], "the score of a playout is NaN"),
        ([(LIMITS, f"{LIMITS}, max_total=20")], "legal moves than max_total"),
    ],
)
def test_what_kernels_do_wrong(tmp_path, changes, said):
    """Each is one sentence that names the kernel and, where there is one, the array."""
    line = write(tmp_path, *changes)
    found = run(tmp_path)
    assert found.startswith("Mine: ")
    assert said.replace("LINE", str(line)) in found
    assert "\n" not in found


def test_an_endless_loop_in_a_kernel_answers_ctrl_c(tmp_path):
    """It is met in the first games, where Python takes signals."""
    write(tmp_path, (WRITE, "print('looping')\n    while move >= 0:\n        state.bits[0] += 1"))
    process = subprocess.Popen([sys.executable, "-u", "mine.py"], cwd=tmp_path, stdout=-1, stderr=-1, text=True)
    assert process.stdout.readline() == "looping\n"
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert err.strip().endswith("KeyboardInterrupt")


@pytest.fixture
def snake():
    assert EXAMPLES
    problem = import_module("snake").Snake.load("4")
    guarded_game._played.clear()
    yield problem
    guarded_game._played.clear()


def test_limits_that_change_are_tried_again(snake):
    """Although the machine code is on disk: the limits are no part of it."""
    nrpa.solve(snake, nrpa.NRPA(level=1), seed=1, playouts=5)
    snake = type(snake)(4)
    snake.codes = 5
    with pytest.raises(nrpa.ProblemError, match="Snake: the kernel legal_moves gave the code"):
        nrpa.solve(snake, nrpa.NRPA(level=1), seed=1, playouts=5)


def test_sizes_that_change_are_tried_again(snake, monkeypatch):
    """A state that was large enough for one instance may be too small for the next, with the same limits."""
    nrpa.solve(snake, nrpa.NRPA(level=1), seed=1, playouts=5)
    small = type(snake)(4)
    state = snake.new_state()
    monkeypatch.setattr(type(small), "new_state", lambda self: state._replace(near=np.zeros(5, np.int64)))
    with pytest.raises(nrpa.ProblemError, match=r"the kernel \w+ goes out of bounds of state.near"):
        run_smoke_test(small.model, compiled=True)


def test_the_same_limits_are_tried_once(snake, monkeypatch):
    """Thoroughly after briefly, but nothing twice."""
    made = []

    class Counted(GuardedGame):
        def __init__(self, model):
            made.append(model.name)
            super().__init__(model)

    monkeypatch.setattr(guarded_game, "GuardedGame", Counted)
    for compiled in (True, True, False, False, True):
        run_smoke_test(snake.model, compiled)
    assert len(made) == 2


def test_a_given_bias_may_stand_in_for_the_kernels_own():
    """Then what kernels write into moves.exp_bias is left unread on purpose."""
    pytest.importorskip("RNA")
    problem = nrpa.Folding("GGGGAAAACCCC")
    nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=5, bias={0: 1.0})
    assert nrpa.check_problem(problem, games=1).kept


def test_kernels_that_plain_python_cannot_run_are_left_unchecked(snake, caplog, monkeypatch):
    """As for a machine instruction without a twin: the search goes on, and the log says it."""
    caplog.set_level(logging.INFO, "nrpa")

    def fail(self):
        raise NotImplementedError("no twin")

    monkeypatch.setattr(GuardedGame, "legal_moves", fail)
    assert nrpa.solve(snake, nrpa.NRPA(level=1), seed=1, playouts=5).playouts == 5
    assert "Snake: as plain Python its kernels raise NotImplementedError: no twin" in caplog.text


@pytest.mark.parametrize(
    "solver",
    [
        nrpa.NRPA(level=1),
        nrpa.GRAVE(),
        nrpa.UCT(policy="mast"),
        nrpa.UCT(policy="adapt"),
        nrpa.UCT(policy="bias"),
        nrpa.NMCS(level=1, bias=True),
    ],
)
def test_a_code_out_of_range_is_refused_where_the_first_games_have_not_met_it(snake, monkeypatch, solver):
    """It was read, and written, beyond the policy; here in the debug mode, which runs the same code as plain Python."""
    monkeypatch.setattr(type(snake), "bias_by_code", lambda self: np.zeros(5))
    snake.codes = 5
    with nrpa.debug(), pytest.raises(nrpa.ProblemError, match="Snake: the kernel legal_moves gave the code"):
        nrpa.solve(snake, solver, seed=1, playouts=50)


def test_a_code_out_of_range_is_refused_in_machine_code(snake, monkeypatch):
    """Without a crash, wherever its weight would be."""
    monkeypatch.setattr(guarded_game, "run_smoke_test", lambda model, compiled: None)
    snake.codes = 5
    with pytest.raises(nrpa.ProblemError, match="Snake: the kernel legal_moves gave the code"):
        nrpa.solve(snake, nrpa.NRPA(level=1), seed=1, playouts=50)
