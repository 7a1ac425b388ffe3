from typing import NamedTuple

import numpy as np
import pytest

import nrpa


class Instance(NamedTuple):
    n: int


def reset(instance, state):
    state.at[0] = 0


def legal_moves(instance, state, moves):
    return 0


def play(instance, state, move):
    state.at[0] += 1


def score(instance, state):
    return 1.0


def problem_with(**kernels):
    """Return a problem of which some kernels are others."""
    given = {"reset": reset, "legal_moves": legal_moves, "play": play, "score": score, **kernels}

    @nrpa.kernels(*given.values())
    class MyState(NamedTuple):
        at: np.ndarray

    class Mine(nrpa.CompiledProblem):
        def __init__(self):
            super().__init__(Instance(3), max_steps=3, max_moves=1, codes=3)

        def new_state(self):
            return MyState(np.zeros(1, np.int64))

        def solution(self, moves):
            return moves.tolist()

        def check(self, solution):
            return nrpa.Verdict({"score": 1.0}, score=1.0)

    return Mine()


def named(name):
    def rename(function):
        function.__name__ = name
        return function

    return rename


@named("play")
def play_without_field(instance, state, move):
    state.where[0] = move


@named("score")
def score_of_text(instance, state):
    return "much" + state.at


@named("score")
def score_nothing(instance, state):
    pass


@named("all_moves")
def all_moves_without_field(instance, state, moves):
    moves.where[0] = 1
    return 1


@named("legal_moves")
def legal_nothing(instance, state, moves):
    pass


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (
            play_without_field,
            r"MyState: the kernel play does not compile, .*test_diagnosis.py:\d+, in play: expected .* says: .*where",
        ),
        (all_moves_without_field, r"MyState: the kernel all_moves does not compile, .*, in all_moves: .*where"),
        (
            score_of_text,
            r"MyState: the kernel score does not compile, .*test_diagnosis.py:\d+, in score: .* says: ",
        ),
        (score_nothing, "MyState: the kernel score must return a number, not nothing"),
        (legal_nothing, "MyState: the kernel legal_moves must return a whole number, not nothing"),
    ],
)
def test_a_kernel_that_does_not_compile_is_named(kernel, message):
    """One sentence with the kernel, the cause and the place, instead of a page of numba."""
    given = problem_with(**{kernel.__name__: kernel})
    with pytest.raises(nrpa.ProblemError, match=message) as caught:
        nrpa.solve(given, nrpa.RandomSampling(), seed=1, playouts=1)
    assert len(str(caught.value)) < 400
    assert len(str(caught.value).partition("numba says: ")[2]) <= 160
    assert "\n" not in str(caught.value)
