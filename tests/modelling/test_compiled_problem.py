from array import array
from typing import NamedTuple

import numpy as np
import pytest
from bundled_problems import ONE_PLAYER
from knapsack_compiled import CompiledKnapsack
from small_problems import made

import nrpa

LISTS = [3, 4, 5, 6], [4, 5, 7, 8], 9


class Nothing(NamedTuple):
    number: int


def test_a_plain_problem_with_new_state_is_told_what_it_is():
    """When its class is made, in one sentence."""
    message = "Mine has new_state, which only a compiled problem has; a compiled problem is a subclass of nrpa.Compiled"
    with pytest.raises(nrpa.ProblemError, match=message):
        type("Mine", (nrpa.Problem,), {"new_state": lambda self: None})


def test_a_constructor_that_does_not_call_the_one_above():
    """It is named, with the call that it lacks."""

    class Mine(CompiledKnapsack):
        def __init__(self):
            self.max_moves = 2

    with pytest.raises(nrpa.ProblemError, match=r"Mine.__init__ must call super\(\).__init__\(instance, max_steps=..."):
        nrpa.solve(Mine(), seed=1, playouts=1)


@pytest.mark.parametrize("missing", ["max_steps", "max_moves"])
def test_limits_without_a_safe_default_are_required(missing):
    """A constructor cannot forget them."""
    limits = {"max_steps": 3, "max_moves": 3}
    del limits[missing]
    with pytest.raises(nrpa.ProblemError, match=f"{missing} is not given"):
        nrpa.CompiledProblem(Nothing(0), **limits)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_steps": 0}, "CompiledProblem: max_steps must be a whole number of at least 1, not 0"),
        ({"max_moves": 2.5}, "CompiledProblem: max_moves must be a whole number of at least 1, not 2.5"),
        ({"max_total": None, "max_moves": "2"}, "CompiledProblem: max_moves must be a whole number"),
        ({"max_total": -1}, "CompiledProblem: max_total must be a whole number of at least 1, not -1"),
        ({"codes": 0}, "CompiledProblem: codes must be a whole number of at least 1, not 0"),
    ],
)
def test_limits_are_whole_numbers(limits, message):
    """Anything else is refused before a kernel writes beyond its arrays."""
    with pytest.raises(nrpa.InputError, match=message):
        nrpa.CompiledProblem(Nothing(0), **{"max_steps": 3, "max_moves": 3, **limits})


def test_limits_reach_the_engine():
    """As they are given; max_total is the product where nobody knows better."""
    problem = nrpa.CompiledProblem(Nothing(0), max_steps=np.int64(3), max_moves=4, codes=9, bias_by_move=True)
    assert (problem.max_steps, problem.max_moves, problem.max_total, problem.codes) == (3, 4, 12, 9)
    model = CompiledKnapsack(*LISTS).model
    assert (model.limits, model.codes, model.bias_by_move) == ((4, 2, 8, False), 8, False)


@pytest.mark.parametrize(
    ("method", "message"),
    [("new_state", r"Mine lacks the method new_state\(\)"), ("check", r"Mine lacks the method check\(solution\)")],
)
def test_methods_that_its_author_must_write(method, message):
    """Each is named with its class."""
    mine = type("Mine", (CompiledKnapsack,), {method: getattr(nrpa.CompiledProblem, method)})
    with pytest.raises(nrpa.ProblemError, match=message):
        nrpa.solve(mine(*LISTS), seed=1, playouts=1)


def tupled(value):
    """Return a solution with tuples in place of lists, and arrays in place of lists of whole numbers."""
    if not isinstance(value, list):
        return value
    whole = value and all(type(part) is int for part in value)
    return np.array(value, np.int32) if whole else tuple(map(tupled, value))


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_solutions_need_not_be_lists(name):
    """Tuples and arrays mean the same to every bundled problem; a set, which has no order, is no list."""
    if name in ("fold", "rna"):
        pytest.importorskip("RNA")
    with nrpa.debug():
        problem = made(name)
        found = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1).solution
        assert problem.check(tupled(found)) == problem.check(found)
        assert problem.moves_of(tupled(found)).tolist() == problem.moves_of(found).tolist()
    if isinstance(found, list):
        assert problem.check(set(range(1, 5))).score is None


def test_series_and_ranges_are_lists():
    """As tours, in a check and as a start; what is recorded of the start is the same."""
    problem = nrpa.TSPTW([[0, 1, 2], [2, 0, 1], [1, 2, 0]], [[0, 9]] * 3)
    starts = [[1, 2], range(1, 3), array("q", [1, 2]), pytest.importorskip("pandas").Series([1, 2], index=[7, 5])]
    assert [problem.check(each).score for each in starts] == [-3.0] * 4
    runs = [nrpa.start(problem, nrpa.GNRPA(level=1), warm_start=each) for each in starts]
    assert all(run.solution == [1, 2] and run.inputs == runs[0].inputs for run in runs)
