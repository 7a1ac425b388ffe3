import functools
import math
import pickle

import compiling_classes
import numba
import numpy as np
import pytest
from compiling_classes import distance
from snake import Snake

import nrpa
from nrpa.modelling.bias import with_bias

SCALE = 3.0
SOLVERS = [nrpa.GNRPA(level=1), nrpa.NMCS(level=1, bias=True), nrpa.Greedy(), nrpa.Auto()]


def of_state(instance, state, move, code):
    """Return β of a move, which is another one later in the game."""
    return math.sin(SCALE * code + 2.0 * state.head[1])


def prior_of_state(states, moves):
    return [
        [math.sin(SCALE * (state.head[0] * 5 + move) + 2.0 * state.head[1]) for move in legal]
        for state, legal in zip(states, moves, strict=True)
    ]


def found(problem, solver, **given):
    result = nrpa.solve(problem, solver, seed=1, playouts=40, **given)
    return result.score, result.solution, [each.playouts for each in result.improvements]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_a_search_goes_as_with_a_prior_from_python(solver):
    """The kernels, with the function after them, as plain Python."""
    with nrpa.debug():
        expected = found(nrpa.with_prior(Snake.load("5"), prior_of_state), solver)
        assert found(Snake.load("5"), solver, bias=of_state) == expected
        assert found(Snake.load("5"), solver) != expected


def test_a_tree_searches_as_with_the_same_bias_by_code():
    problem, solver = Snake.load("5"), nrpa.PUCT(policy="bias")
    with nrpa.debug():
        expected = found(problem, solver, bias=np.sin(np.arange(problem.codes)))
        assert found(problem, solver, bias=lambda instance, state, move, code: math.sin(code)) == expected


def test_machine_code_finds_the_same(tmp_path):
    """Jitted or not, in several threads, and after it was saved and resumed."""
    problem, solver, given = Snake.load("5"), nrpa.GNRPA(level=1), numba.njit(of_state)
    with nrpa.debug():
        expected = found(problem, solver, bias=of_state)
    assert found(problem, solver, bias=given) == expected
    assert found(problem, solver, bias=given, workers=2)[2][0] == 1
    run = nrpa.start(problem, solver, seed=1, bias=given)
    run.advance(playouts=20)
    run.save(tmp_path / "run.npz")
    again = nrpa.resume(tmp_path / "run.npz", problem, bias=given)
    again.advance(playouts=20)
    assert (again.progress.score, again.solution) == expected[:2]
    with pytest.raises(nrpa.InputError, match="was started with another bias than the one given"):
        nrpa.resume(tmp_path / "run.npz", problem, bias=lambda instance, state, move, code: 1.0)


def test_what_it_has_captured_counts():
    """It is in the hash of the record, and it is pickled."""

    def times(factor):
        return lambda instance, state, move, code: factor * math.sin(code)

    with nrpa.debug():
        problem, solver = Snake.load("5"), nrpa.GNRPA(level=1)
        hashes = {nrpa.start(problem, solver, seed=1, bias=times(x)).inputs["bias"]["sha256"] for x in (1, 2, 2)}
        assert len(hashes) == 2
        copied = pickle.loads(pickle.dumps(with_bias(problem, times(2))))
        assert found(copied, solver) == found(problem, solver, bias=times(2))


def test_an_order_of_things_takes_one_too():
    problem = nrpa.permutation(5, lambda order: order[0], bias=np.zeros((5, 5)))
    with nrpa.debug():
        result = nrpa.solve(problem, nrpa.Greedy(), seed=1, playouts=1, bias=lambda i, state, move, code: 9.0 * move)
    assert result.solution == [4, 3, 2, 1, 0]


def test_tempering_asks_it_too():
    """Not the form of the problem that it else replays, which has a bias of its own."""
    asked = []

    def bias(instance, state, move, code):
        asked.append(code)
        return 0.0

    with nrpa.debug():
        nrpa.solve(nrpa.SameGame([[1, 1, 2], [2, 2, 1]]), nrpa.Tempering(bias=True), seed=1, playouts=3, bias=bias)
    assert asked


def test_check_problem_checks_it():
    problem = Snake.load("5")
    with nrpa.debug():
        assert nrpa.check_problem(problem, games=1, bias=of_state).kept
        faults = nrpa.check_problem(
            problem, games=1, bias=lambda instance, state, move, code: math.log(0 * code)
        ).faults
        assert "math domain error" in faults[0]
        faults = nrpa.check_problem(problem, games=1, bias=lambda instance, state, move, code: np.nan).faults
    assert "the bias that was given returned nan for the move" in faults[0]


def not_compiled(instance, state, move, code):
    return state.beta[move]


def allocating(instance, state, move, code):
    return np.zeros(move + 1).sum()


@pytest.mark.parametrize(
    ("bias", "said"),
    [
        (not_compiled, r"Snake: the bias not_compiled does not compile, .*test_state_bias.py:\d+"),
        (allocating, r"Snake: the bias allocating allocates memory, .*test_state_bias.py:\d+"),
        (
            lambda instance, state, move, code: None,
            "the bias that was given returned nan for the move 0 of code 0; expected a",
        ),
        (functools.partial(of_state), "cannot be compiled as a bias; expected a function made by def"),
        (
            lambda state, move: 1.0,
            "bias is a function of 2 arguments; expected instance, state, move, code, or the code",
        ),
    ],
    ids=range(5),
)
def test_what_does_not_compile_is_said_in_a_sentence(bias, said):
    with pytest.raises((nrpa.ProblemError, nrpa.InputError), match=said):
        nrpa.solve(Snake.load("5"), nrpa.GNRPA(level=1), seed=1, playouts=1, bias=bias)


def test_hashed_codes_take_a_function_of_the_state():
    with pytest.raises(nrpa.InputError, match="cannot be given by code; expected a function of instance, state, move"):
        nrpa.solve(nrpa.SameGame.load("samegame-01"), nrpa.GNRPA(level=1), seed=1, playouts=1, bias=[1.0])


def far(state, move):
    return -distance(state.at, move)


class Visits(compiling_classes.Visits):
    """One with a method that no search knows."""

    def late(self, state, move):
        return self.places[move] / 10


def test_a_compiled_class_takes_a_function_of_state_and_move():
    """And weights of such functions and of its own methods; as in plain Python. The other weights compile nothing."""
    problem, solver = Visits([4, 1, 7, 9, 2]), nrpa.Greedy()
    for weights in ([0.5, 2.0], [-0.5, -1.0]):
        bias = nrpa.LearnedBias([far, "late"], weights)
        assert found(nrpa.compiled(problem), solver, bias=bias) == found(problem, solver, bias=bias)
        copied = pickle.loads(pickle.dumps(with_bias(nrpa.compiled(problem), bias)))
        assert found(copied, solver) == found(problem, solver, bias=bias)


def test_a_compiled_class_takes_a_lambda():
    """Also one of several in a line, which reads what is around it; as in plain Python."""
    problem, solver, factor = Visits([4, 1, 7, 9, 2]), nrpa.Greedy(), -2.0
    near, other = (lambda state, move: factor * distance(state.at, move)), (lambda state, move: 1.0 * move)
    for bias in (near, other):
        assert found(nrpa.compiled(problem), solver, bias=bias) == found(problem, solver, bias=bias)


def test_in_plain_python_a_function_of_other_arguments_is_refused():
    """Before it is called."""
    for bias in (lambda code: 1.0, lambda instance, state, move, code: 1.0, lambda: 1.0):
        with pytest.raises(nrpa.InputError, match=r"bias must be a function of state and move, .* not a function of"):
            nrpa.solve(Visits([4, 1, 7]), nrpa.GNRPA(level=1), seed=1, playouts=1, bias=bias)


def test_a_compiled_class_says_what_is_wrong():
    problem, solver = nrpa.compiled(Visits([4, 1, 7, 9, 2])), nrpa.GNRPA(level=1)
    for bias, said in [
        (eval("lambda state, move: 1.0"), "a lambda whose source text is not there; write a function"),
        ({1: 2.0}, "cannot be given by code; expected a function of state, move"),
        (of_state, "bias is a function of 4 arguments; expected state, move, or the code alone"),
        (nrpa.LearnedBias(["early"], [1.0]), "there is no method 'early'"),
    ]:
        with pytest.raises((nrpa.InputError, nrpa.ProblemError), match=said):
            nrpa.solve(problem, solver, seed=1, playouts=1, bias=bias)
