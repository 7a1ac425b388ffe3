from typing import NamedTuple

import numpy as np
import pytest
from user_problems import Bits

import nrpa

SOLVERS = [nrpa.GNRPA(level=2, iterations=3), nrpa.GNRPA(level=1, adapt="plain", iterations=5), nrpa.NMCS(level=1)]


@pytest.mark.parametrize("solver", SOLVERS, ids=["gnrpa", "gnrpa-plain", "nmcs"])
@pytest.mark.parametrize("make", [lambda: nrpa.TSPTW.load("rc201.1"), Bits], ids=["tsptw", "python"])
def test_same_results_as_plain_python(make, solver):
    """The debug mode finds what the compiled search finds."""
    compiled = nrpa.solve(make(), solver, seed=2, playouts=30)
    with nrpa.debug():
        plain = nrpa.solve(make(), solver, seed=2, playouts=30)
    assert plain.score == compiled.score
    assert plain.solution == compiled.solution


class Instance(NamedTuple):
    n: int


def reset(instance, state):
    state.at[0] = 0


def legal_moves(instance, state, moves):
    if state.at[0] == 3:
        return 0
    moves.move[0] = moves.code[0] = state.at[0]
    return 1


def play(instance, state, move):
    print("play", move, "of", state.at)
    state.seen[move + 1] = 1
    state.at[0] += 1


def score(instance, state):
    return 1.0


@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    at: np.ndarray
    seen: np.ndarray


class OutOfBounds(nrpa.CompiledProblem):
    def __init__(self):
        super().__init__(Instance(3), max_steps=3, max_moves=1, codes=3)

    def new_state(self):
        return State(np.zeros(1, np.int64), np.zeros(3, np.int64))

    def solution(self, moves):
        return moves.tolist()

    def check(self, solution):
        return nrpa.Verdict({"score": 1.0}, score=1.0)


def test_print_and_bounds_work_in_a_kernel(capsys):
    """What is printed appears, and an index out of bounds is an IndexError."""
    with nrpa.debug(), pytest.raises(IndexError, match="index 3 is out of bounds"):
        nrpa.solve(OutOfBounds(), nrpa.RandomSampling(), seed=1, playouts=1)
    assert capsys.readouterr().out.splitlines() == ["play 0 of [0]", "play 1 of [1]", "play 2 of [2]"]
