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


def name(instance, state, moves, place):
    return moves.code[place]


def find(instance, state, name):
    return nrpa.NEVER if name > state.at[0] else name


def rest(instance, state):
    return state.at[0]


@named("score")
def score_of_maximum(instance, state):
    return state.at.max()


@named("score")
def score_of_new_array(instance, state):
    return np.zeros(2)[0]


@named("name")
def name_without_field(instance, state, moves, place):
    return moves.where[place]


@named("find")
def find_text(instance, state, name):
    return "none"


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (
            play_without_field,
            r"MyState: the kernel play does not compile, .*test_machine_code\.py:\d+, in play: .* says: .*where",
        ),
        (all_moves_without_field, r"MyState: the kernel all_moves does not compile, .*, in all_moves: .*where"),
        (
            score_of_text,
            r"MyState: the kernel score does not compile, .*test_machine_code.py:\d+, in score: .* says: ",
        ),
        (score_of_maximum, r"the kernel score allocates memory, .*, in score: expected loops .* a\.max\(\)"),
        (score_of_new_array, r"the kernel score allocates memory, .*, in score: expected loops"),
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


@pytest.mark.parametrize("wrong", [name_without_field, find_text, play_without_field])
def test_where_moves_have_names_only_the_wrong_kernel_is_blamed(wrong):
    """The others are right, ``name``, ``find`` and ``rest`` among them."""
    given = {kernel.__name__: kernel for kernel in (name, find, rest, wrong)}
    with pytest.raises(nrpa.ProblemError, match=f"MyState: the kernel {wrong.__name__} (does not|must return)"):
        nrpa.solve(problem_with(**given), nrpa.Tempering(), seed=1, playouts=1)
