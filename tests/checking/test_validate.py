"""What ``solve`` and ``check_problem`` say of a problem before anything is searched."""

import copy
from typing import NamedTuple

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.checking.validate import validate


def said_by_solve(problem):
    with pytest.raises(nrpa.ProblemError) as caught:
        nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=20)
    return str(caught.value)


def said_by_check(problem):
    return nrpa.check_problem(problem, games=1).summary()


def in_place(self, state, move):
    state[0].append(move)
    return state


def forgetful(self, state, move):
    state[0].append(move)


def legal_moves(self, state):
    return [] if len(state[0]) == 10 else [0, 1]


NESTED = {
    "initial_state": lambda self: [[]],
    "legal_moves": legal_moves,
    "play": in_place,
    "score": lambda self, state: sum(state[0]),
    "code": lambda self, state, move: move,
    "copy": lambda self, state: copy.deepcopy(state),
}

SHARES = "play changes the state it is given, which other states share; return a new state, or define copy(state)"
SHALLOW = "copy is not complete: playing on in a copy changes the original; copy all that play changes"
TWICE = "initial_state returned the same object twice, and play changed it; return a fresh state"
INSIDE = "initial_state returned states that share memory, and play changed it; return a fresh state"
OFF = "bias is defined, but bias_by_move is off, and β would be ignored; set bias_by_move = True"


def broken(**methods):
    given = {name: method for name, method in {**NESTED, **methods}.items() if method is not None}
    return type("Mine", (Bits,), given)()


FAULTS = [
    (lambda: broken(copy=None), SHARES),
    (lambda: broken(copy=lambda self, state: list(state)), SHALLOW),
    (lambda: broken(start=[[]], initial_state=lambda self: self.start), TWICE),
    (lambda: broken(start=[[]], initial_state=lambda self: list(self.start)), INSIDE),
    (lambda: broken(play=forgetful), "play returned None; return the next state"),
    (
        lambda: broken(legal_moves=lambda self, state: legal_moves(self, state) or None),
        "legal_moves returned None; expected a list of moves",
    ),
    (lambda: broken(__init__=lambda self: setattr(self, "bias", lambda state, move: 1.0)), OFF),
    (
        lambda: broken(bias_by_code=lambda self: [1.0]),
        "bias_by_code gives β, but codes is not set; set it to how many codes there are",
    ),
    (
        lambda: broken(bias_by_code=lambda self: [1.0], codes=2),
        "what bias_by_code gives must be of shape (2,), one for each code, not (1,)",
    ),
]


@pytest.mark.parametrize("said", [said_by_solve, said_by_check])
@pytest.mark.parametrize(("make", "fault"), FAULTS)
def test_what_is_wrong_in_plain_python(make, fault, said):
    """One sentence that names class and method."""
    assert said(make()) in (f"Mine: {fault}", f"Mine.{fault}")


def test_what_is_right_in_plain_python():
    """States changed in place, with a copy; states that look the same; and None for a state."""
    nrpa.solve(broken(), nrpa.NMCS(level=1), seed=1, playouts=20)

    class Ends(Bits):
        def play(self, state, move):
            return None if len(state) == 9 else (*state, move)

        def legal_moves(self, state):
            return () if state is None else (0, 1)

        def score(self, state):
            return 0.0

    assert nrpa.solve(Ends(), nrpa.NMCS(level=1), seed=1, playouts=20).playouts == 20


def test_exceptions_are_left_to_the_search():
    """It may never meet them; and nothing is scored."""

    class Rare(Bits):
        steps = 60

        def play(self, state, move):
            if len(state) == 3:
                raise OSError("the disk is full")
            return (*state, move)

        def score(self, state):
            raise AssertionError

    validate(Rare())
    with pytest.raises(OSError, match="the disk is full"):
        nrpa.solve(Rare(), nrpa.NRPA(level=1), seed=1, playouts=5)


def test_no_list_of_moves_late_in_a_game_is_named():
    """By the search, where the first look did not come so far."""

    class Late(Bits):
        steps = 400

        def legal_moves(self, state):
            return None if len(state) == 300 else super().legal_moves(state)

    with pytest.raises(nrpa.ProblemError, match=r"Late\.legal_moves returned None; expected a list of moves"):
        nrpa.solve(Late(), nrpa.NRPA(level=1), seed=1, playouts=5)


def test_few_calls_where_they_are_slow(monkeypatch):
    """When the time is over after the first call, little more is asked."""
    calls = []
    clock = iter(range(10**6))
    monkeypatch.setattr("nrpa.checking.validate.time.perf_counter", lambda: float(next(clock)))

    class Slow(Bits):
        def legal_moves(self, state):
            calls.append(state)
            return super().legal_moves(state)

    validate(Slow())
    assert len(calls) <= 4


def test_legal_moves_may_be_a_generator():
    """Everywhere: in the search, its check, a warm start and check_problem."""

    class Lazy(Bits):
        def legal_moves(self, state):
            if len(state) < 10:
                yield from (0, 1)

    expected = nrpa.solve(Bits(), nrpa.NRPA(level=1), seed=1, playouts=200)
    result = nrpa.solve(Lazy(), nrpa.NRPA(level=1), seed=1, playouts=200)
    assert result.solution == expected.solution
    assert Lazy().check(result.solution).valid
    assert nrpa.solve(Lazy(), nrpa.NMCS(level=1), seed=1, playouts=1, warm_start=[1] * 10).score == 10
    assert nrpa.check_problem(Lazy(), games=2).kept


class Instance(NamedTuple):
    weights: np.ndarray


def reset(instance, state):
    state.count[0] = 0


def list_one(instance, state, moves):
    moves.move[0] = moves.code[0] = 0
    return 1 if state.count[0] == 0 else 0


list_one.__name__ = "legal_moves"


def play(instance, state, move):
    state.count[0] += 1


def score(instance, state):
    return 1.0


class Bare(NamedTuple):
    count: np.ndarray


@nrpa.kernels(reset, list_one, play, score)
class State(NamedTuple):
    count: np.ndarray


NOTHING = np.zeros(0)


class Mine(nrpa.CompiledProblem):
    def __init__(self, state=State, count=None, weights=NOTHING):
        super().__init__(Instance(weights), max_steps=1, max_moves=1, codes=1)
        self.state, self.count = state, count

    def new_state(self):
        return self.state(np.zeros(1, np.int64) if self.count is None else self.count)

    def solution(self, moves):
        return moves.tolist()

    def check(self, solution):
        return nrpa.Verdict({"score": 1.0}, score=1.0)


EXPECTED = "expected a NumPy array of numbers, or a number"
COMPILED = [
    (lambda: Mine(Bare), "Mine: its state class Bare has no kernels; decorate it with nrpa.kernels("),
    (lambda: Mine(lambda count: {"count": count}), "Mine: new_state returned a dict; expected a NamedTuple of NumPy"),
    (lambda: Mine(weights=[1, 2]), f"Mine: instance.weights is a list; {EXPECTED}"),
    (lambda: Mine(weights={}), f"Mine: instance.weights is a dict; {EXPECTED}"),
    (
        lambda: Mine(weights=np.array([{}])),
        f"Mine: instance.weights is a NumPy array of object; {EXPECTED}",
    ),
    (lambda: Mine(weights=Bits()), f"Mine: instance.weights is a Bits; {EXPECTED}"),
    (lambda: Mine(count=[0]), f"Mine: state.count is a list; {EXPECTED}"),
    (lambda: Mine(count=np.zeros(1, np.int64)), "Mine: new_state gives states that share memory (state.count); "),
    (type("Unchecked", (Mine,), {"check": nrpa.CompiledProblem.check}), "Unchecked lacks the method check(solution)"),
]


@pytest.mark.parametrize("said", [said_by_solve, said_by_check])
@pytest.mark.parametrize(("make", "fault"), COMPILED)
def test_what_is_wrong_in_a_compiled_problem(make, fault, said):
    """One sentence that names class and field, before numba has seen anything."""
    assert fault in said(make())


def test_what_is_right_in_a_compiled_problem():
    """The problem that the others break."""
    validate(Mine())
