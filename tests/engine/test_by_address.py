"""Kernels that a search calls by address, beside the same kernels compiled into the search."""

from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof

import nrpa
from nrpa.engine import by_address, kernels
from nrpa.engine.by_address import AddressState, KernelTable, used_kernels
from nrpa.engine.game import Game
from nrpa.engine.playout import Cut
from nrpa.machine.jit import stack_states
from nrpa.solvers.nmcs.kernel import advance_nmcs
from nrpa.solvers.nrpa.improve import ByKernel
from nrpa.solvers.nrpa.kernel import advance_nrpa
from nrpa.solvers.tempering.kernel import advance_tempering


class Instance(NamedTuple):
    goal: int
    worth: np.ndarray


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
    if instance.goal == 5:
        raise ValueError("five")
    return instance.worth[state.place[0]]


@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    place: np.ndarray


class Steps(nrpa.CompiledProblem):
    def __init__(self, goal, worth):
        super().__init__(Instance(goal, worth), max_steps=goal, max_moves=2, codes=2 * goal)

    def new_state(self):
        return State(np.zeros(1, np.int64))

    def check(self, solution):
        return nrpa.Verdict({}, score=float(self.instance.worth[sum(solution)]))


KINDS = typeof(Instance(1, np.zeros(1))), typeof(State(np.zeros(1, np.int64)))
WORTH = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0, 8.0])


@pytest.mark.parametrize(
    "solver",
    [nrpa.GNRPA(level=2), nrpa.NMCS(level=2), nrpa.Tempering(), nrpa.UCT()],
    ids=lambda solver: solver.name,
)
def test_results_are_those_of_code_compiled_together(solver, monkeypatch):
    """To the last bit."""
    by_addresses = nrpa.solve(Steps(9, WORTH), solver, seed=3, playouts=60)
    monkeypatch.setattr(KernelTable, "is_possible", lambda instance, state: False)
    together = nrpa.solve(Steps(9, WORTH), solver, seed=3, playouts=60)
    assert by_addresses.solution == together.solution
    assert by_addresses.score == together.score


def test_what_a_kernel_raises_is_raised():
    """As it is where the kernel is compiled into the search."""
    with pytest.raises(ValueError, match="five"):
        nrpa.solve(Steps(5, WORTH), nrpa.GNRPA(level=1), seed=1, playouts=10)


def test_one_search_serves_problems_one_after_the_other():
    """Each has kernels, an instance and states of its own."""
    problems = Steps(9, WORTH), Steps(9, -WORTH)
    runs = [nrpa.start(problem, nrpa.GNRPA(level=2), seed=1) for problem in problems]
    for _ in range(5):
        for run in runs:
            run.advance(playouts=10)
    assert [run.result().score for run in runs] == [5.0, -3.0]
    assert runs[0]._search.machine_code.entry is runs[1]._search.machine_code.entry


def test_states_are_named_where_they_lie():
    """Alone and stacked; a search that goes on with others finds them anew."""
    model = Steps(9, WORTH).model
    states = [State(np.array([7])), State(np.array([8]))]
    stacked = stack_states(states)
    table = KernelTable(model, states[0])
    (instance, state, several), kept = table.converted((model.instance, states[0], stacked))
    assert isinstance(state, AddressState)
    assert instance is table.instance
    assert several.fields[0].shape == (2, 2)
    rows = [np.frombuffer(words, np.int64)[0] for words in kept if isinstance(words, np.ndarray)]
    assert rows == [states[0].place.ctypes.data, *(stacked.fields[0][k].ctypes.data for k in range(2))]


def test_kernels_are_compiled_when_they_are_called():
    """A game that is played step by step has those that it has called."""
    game = Game(Steps(9, WORTH).model)
    table = game._drive.table
    game.reset()
    assert {name for name in kernels.KERNELS if table.has(name)} == {"reset"}
    game.legal_moves()
    assert table.has("legal_moves")
    assert not table.has("score")
    assert game.rewards() == [3.0]
    assert game.player() == 0
    assert game.all_moves() == [1, 2]


def test_what_lists_the_moves_is_compiled_once():
    """One address serves the legal moves, all moves of a problem without more of them, and those after a move."""
    table = KernelTable(Steps(9, WORTH).model, State(np.zeros(1, np.int64)))
    table.enter(["legal_moves", "all_moves", "play_and_list"], "steps")
    addresses = zip(kernels.KERNELS, table.instance.kernels.tolist(), strict=True)
    assert [name for name, address in addresses if address > by_address.NOT_ENTERED] == ["play_and_list"]


@pytest.mark.parametrize(
    ("function", "classes", "needed", "needless"),
    [
        (advance_nrpa, {ByKernel}, {"legal_moves", "play", "score", "improve"}, {"copy", "find", "hash"}),
        (advance_nrpa, set(), {"legal_moves", "play_and_list", "reset"}, {"improve"}),
        (advance_nmcs, set(), {"all_moves", "copy", "play"}, {"improve", "rest", "value"}),
        (advance_nmcs, {Cut}, {"value"}, {"find"}),
        (advance_tempering, set(), {"find", "rest", "play_wanted", "evaluate", "name"}, {"hash", "improve"}),
    ],
)
def test_which_kernels_a_search_may_call(function, classes, needed, needless):
    """Those that its code names, or a function that it calls, for the classes of its arguments."""
    used = used_kernels(function, frozenset(classes))
    assert needed <= used
    assert not needless & used


def test_a_kernel_that_was_not_loaded_is_no_crash():
    """A search that calls it by a way that is not seen ends in an error."""
    game = Game(Steps(9, WORTH).model)
    game.reset()
    whole, number, gained = np.zeros(1, np.int64), np.zeros(1), np.zeros(1)
    with pytest.raises(RuntimeError, match="the kernel score was not loaded"):
        game._drive(game.position, game.state, [*kernels.KERNELS].index("score"), 0, whole, number, gained)


def whole_score(instance, state):
    return 2**60 + 1


def moves_of_a_half(instance, state, moves):
    return 0.5


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"legal_moves": moves_of_a_half}, "legal_moves must return a whole number, not float64"),
        ({"score": whole_score}, "not held by float64"),
    ],
)
def test_what_a_kernel_returns_is_what_the_table_says(changed, said):
    """A number of another kind is refused, and a whole number that float64 does not hold."""
    own = {"reset": reset, "legal_moves": legal_moves, "play": play, "score": score} | changed

    @nrpa.kernels(*(by_name(function, name) for name, function in own.items()))
    class Other(NamedTuple):
        place: np.ndarray

    class Changed(Steps):
        def new_state(self):
            return Other(np.zeros(1, np.int64))

    with pytest.raises(nrpa.ProblemError, match=said):
        nrpa.solve(Changed(9, WORTH), nrpa.GNRPA(level=1), seed=1, playouts=10)


@pytest.mark.parametrize("composed", [name for name, kernel in kernels.KERNELS.items() if kernel.composed])
def test_an_edited_kernel_is_compiled_anew_where_others_call_it(composed):
    """What is made of it has the same text as before, in a class of the same name."""

    def with_steps_of(length):
        def play(instance, state, move):
            state.place[0] += length * move

        @nrpa.kernels(reset, legal_moves, play, score)
        class Edited(NamedTuple):
            place: np.ndarray

        return Edited

    entries = [by_address._entry(composed, with_steps_of(length), *KINDS) for length in (1, 2)]
    assert entries[0] is not entries[1]


def by_name(function, name):
    function.__name__ = name
    return function


def test_every_kernel_has_a_place():
    """The table of addresses has a column for each, in one order."""
    assert [*by_address._PLACES] == [*kernels.KERNELS]
