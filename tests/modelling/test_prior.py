import math
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from marks import Marks
from snake import Snake
from user_problems import Bits

import nrpa
from nrpa.python import checks

SOLVERS = [nrpa.PUCT(policy="bias"), nrpa.NMCS(level=1, bias=True), nrpa.GNRPA(level=1)]


class Steps(Bits):
    """The problem, with β of its own by state and move."""

    def bias(self, state, move):
        return math.sin(3 * len(state) + move)


def of_bits(states, moves):
    return [[math.sin(3 * len(state) + move) for move in legal] for state, legal in zip(states, moves, strict=True)]


def of_zero(states, moves):
    return [np.zeros(len(legal)) for legal in moves]


def same(one, other):
    return (one.score, one.solution, one.improvements[-1].playouts) == (
        other.score,
        other.solution,
        other.improvements[-1].playouts,
    )


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
@pytest.mark.parametrize("options", [{}, {"together": True}, {"most": 3}], ids=str)
def test_a_search_goes_as_if_the_problem_had_the_bias(solver, options):
    """How many answers are kept changes nothing in what is found."""
    expected = nrpa.solve(Steps(), solver, seed=1, playouts=60)
    found = nrpa.solve(nrpa.with_prior(Bits(), of_bits, **options), solver, seed=1, playouts=60)
    assert same(found, expected)


@pytest.mark.parametrize("solver", SOLVERS[1:], ids=lambda solver: solver.name)
def test_a_compiled_problem_is_played_as_its_kernels_play_it(solver):
    """A β by code, given as an array to machine code and as a prior of states."""
    problem = Snake.load("5")
    by_code = np.sin(np.arange(problem.codes))

    def prior(states, moves):
        return [by_code[state.head[0] * 5 + np.array(legal)] for state, legal in zip(states, moves, strict=True)]

    expected = nrpa.solve(problem, solver, seed=1, playouts=60, bias=by_code)
    found = nrpa.solve(nrpa.with_prior(problem, prior), solver, seed=1, playouts=60)
    assert same(found, expected)
    assert found.sha256 == expected.sha256


def test_no_state_is_asked_for_twice():
    asked = []

    def prior(states, moves):
        asked.extend(states)
        return of_bits(states, moves)

    problem = nrpa.with_prior(Bits(), prior)
    result = nrpa.solve(problem, SOLVERS[0], seed=1, playouts=60)
    used = result.inputs["prior"]
    assert len(set(asked)) == len(asked) == used["states"]
    assert used["calls"] == used["states"]
    assert used["reused"] > 0
    assert 0 < used["seconds"] < result.seconds + result.setup_seconds
    before = len(asked)
    assert same(nrpa.solve(problem, SOLVERS[0], seed=1, playouts=60), result)
    assert len(asked) == 2 * before, "another search begins without answers, as the network may have learned"


def test_threads_that_come_during_a_call_are_answered_by_the_next():
    """Three threads and three states: while the first is answered, the two others wait, and are then asked together."""
    sizes, two_wait = [], threading.Event()

    def prior(states, moves):
        sizes.append(len(states))
        assert two_wait.wait(60)
        return of_bits(states, moves)

    problem = nrpa.with_prior(Bits(), prior, together=True)
    states = [(), (0,), (1, 1)]
    with ThreadPoolExecutor(3) as pool:
        found = [pool.submit(problem.biases, state, (0, 1)) for state in states]
        while len(problem._prior._pending) < 2:
            time.sleep(0.001)
        two_wait.set()
    assert [each.result() for each in found] == of_bits(states, [(0, 1)] * 3)
    assert sizes == [1, 2]


def test_workers_that_ask_together_find_what_they_find_alone():
    """Threads, as of a problem that does not need Python's lock."""
    plain = Steps()
    plain.holds_gil = False
    expected = nrpa.solve(plain, SOLVERS[1], seed=1, playouts=60, workers=3)
    problem = nrpa.with_prior(Bits(), of_bits, together=True)
    found = nrpa.solve(problem, SOLVERS[1], seed=1, playouts=60, workers=3)
    assert same(found, expected)
    assert found.inputs["prior"]["states"] > 0


class Cards(Bits):
    """States that are sets, whose moves are listed in the order in which they were reached."""

    def key(self, state):
        return frozenset(state)


def test_a_state_that_is_reached_in_another_way_keeps_the_betas_of_its_moves():
    """Its moves may have another order there."""
    problem = nrpa.with_prior(Cards(), lambda states, moves: moves)
    assert [problem.biases(state, moves) for state, moves in (((0, 1), (0, 1)), ((1, 0), (1, 0)))] == [[0, 1], [1, 0]]


class Hidden(Marks):
    """A compiled game with a deal."""

    def deal(self, random):
        return [3]

    def determinize(self, moves, random):
        return [4, *moves[1:]]


def test_a_compiled_game_keeps_its_values_and_what_it_hides():
    """A search that asks for values finds the same with a prior that says nothing; drawings stay drawings."""
    given = Hidden(cells=9, marks=7, players=2)
    problem = nrpa.with_prior(given, of_zero)
    assert problem.hides
    assert (problem.deal(None), problem.determinize([3, 1], None)) == ([3], [4, 1])
    shown, solver = Marks(cells=9, marks=7, players=2), nrpa.UCT(cut=1, result_share=0.25)
    expected = nrpa.choose(shown, solver, playouts=60, seed=1)
    assert nrpa.choose(nrpa.with_prior(shown, of_zero), solver, playouts=60, seed=1).opinions == expected.opinions


class Objects(Bits):
    """States that change, told from others by who they are."""

    class State(list):
        __hash__ = object.__hash__

    def initial_state(self):
        return self.State()

    def play(self, state, move):
        state.append(move)
        return state

    def copy(self, state):
        return self.State(state)


class Lists(Bits):
    """States that are not hashable."""

    def initial_state(self):
        return []

    def play(self, state, move):
        return [*state, move]


@pytest.mark.parametrize(
    ("problem", "prior", "fact"),
    [
        (Bits(), [0.5, 0.5], "function"),
        (Bits(), lambda states, moves: [[0.0]], "[2]"),
        (Bits(), lambda states, moves: [[0.0, math.nan]], "finite"),
        (Bits(), lambda states, moves: None, "None"),
        (Bits(), lambda states, moves: [[0.0, 10**400]], "finite"),
        (Lists(), of_bits, "key(state)"),
        (Objects(), of_bits, "key(state)"),
        (None, of_bits, "problem"),
    ],
)
def test_what_is_no_prior_is_refused(problem, prior, fact):
    with pytest.raises((nrpa.InputError, nrpa.ProblemError)) as raised:
        nrpa.solve(nrpa.with_prior(problem, prior), SOLVERS[1], seed=1, playouts=5)
    assert fact in str(raised.value)


def test_an_exception_of_the_function_comes_through():
    def prior(states, moves):
        raise RuntimeError("no network")

    with pytest.raises(RuntimeError, match="no network"):
        nrpa.solve(nrpa.with_prior(Bits(), prior), SOLVERS[1], seed=1, playouts=5)


def test_the_last_of_bias_and_prior_counts():
    """A bias of the caller's takes the place of a prior."""
    problem = nrpa.with_prior(Bits(), lambda states, moves: 1 / 0)
    found = nrpa.solve(problem, SOLVERS[1], seed=1, playouts=30, bias=Steps().bias)
    assert same(found, nrpa.solve(Steps(), SOLVERS[1], seed=1, playouts=30))


def test_a_checkpoint_asks_for_its_prior(tmp_path):
    """It goes on as if it had not been stopped, and only with the prior that it was started with."""
    problem, path = nrpa.with_prior(Bits(), of_bits), tmp_path / "run.npz"
    run = nrpa.start(problem, SOLVERS[0], seed=1)
    run.advance(playouts=20)
    run.save(path)
    run.advance(playouts=40)
    again = nrpa.resume(path, pickle.loads(pickle.dumps(problem)))
    again.advance(playouts=40)
    assert same(again.result(), run.result())
    for other in (Bits(), nrpa.with_prior(Bits(), of_zero)):
        with pytest.raises(nrpa.InputError, match="prior"):
            nrpa.resume(path, other)


@pytest.mark.parametrize("largest", [1e308, 1.7e308])
def test_a_beta_as_large_as_numbers_get_is_taken(largest):
    """The sum of two is infinite, and neither is: both are as likely, and a much smaller one is not at all."""
    problem = Bits()
    assert checks.exp_biases_of(problem, [largest, largest, -largest]) == [1.0, 1.0, 0.0]
    with nrpa.debug():
        prior = nrpa.with_prior(problem, lambda states, moves: [[-largest, largest] for _ in moves])
        assert nrpa.solve(prior, nrpa.RandomSampling(bias=True), seed=1, playouts=2).score == 10
