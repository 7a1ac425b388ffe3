import pickle
from typing import NamedTuple

import numpy as np
import pytest
from knapsack_compiled import CompiledKnapsack

import nrpa
from nrpa.modelling.bias import with_bias

LISTS = [3, 4, 5, 6], [4, 5, 7, 8], 9


class Nothing(NamedTuple):
    number: int


def test_a_plain_problem_with_new_state_is_told_what_it_is():
    """When its class is made, in one sentence."""
    message = "Mine has new_state, as only a compiled problem has; a compiled problem is a subclass of nrpa.CompiledPro"
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


class Shelves(nrpa.WeakSchur):
    """Weak Schur numbers with a list of parts, and an option with which moves mean something else."""

    more = nrpa.Option(0, "So many more parts.", tried=(0, 1))

    def __init__(self, parts, **options):
        self.set_options(**options)
        super().__init__(len(list(parts)) + self.more, **options)

    def digest(self):
        return "shelves"


def test_each_value_that_is_worth_trying_is_an_arm():
    """Made once, with the instance's origin; what the caller chose stays; pickled they stay arms."""
    problem = nrpa.WeakSchur.load("3")
    assert [arm.options["moves"] for arm in problem.arms()] == ["all", "repeat"]
    assert problem.arms()[0] is problem
    assert problem.arms()[1] is problem.arms()[1]
    assert problem.arms()[1].label == "3"
    chosen = nrpa.WeakSchur(3, moves="repeat")
    assert chosen.arms() == (chosen,)
    thawed = pickle.loads(pickle.dumps(problem))
    assert [arm.options for arm in thawed.arms()] == [arm.options for arm in problem.arms()]
    assert [arm.label for arm in nrpa.Auto().arms(problem)] == [
        "tempering by moves",
        "tempering by moves --moves repeat",
        "gnrpa",
        "gnrpa --moves repeat",
        "tempering by moves, ten chains",
        "tempering by codes",
    ]


def test_options_with_which_moves_mean_something_else_are_none():
    """Nor are there any where the arguments cannot be read twice."""
    shelves = Shelves(["a", "b", "c"])
    assert [(arm.options["moves"], arm.options["more"]) for arm in shelves.arms()] == [("all", 0), ("repeat", 0)]
    once = Shelves(iter("abc"))
    assert once.arms() == (once,)


def test_a_problem_that_knows_what_suits_it_has_one_arm():
    """By ``recommended``, by the kernel ``improve``, or as its caller gave a bias."""
    tsptw, packing = nrpa.TSPTW.load("rc201.1"), nrpa.BinPacking(10, [3, 4, 5])
    assert tsptw.arms() == (tsptw.recommended(),)
    assert packing.arms() == (packing,)
    schur = nrpa.WeakSchur(4)
    assert [arm.options["moves"] for arm in schur.arms()] == ["all", "repeat"]
    assert with_bias(schur, np.zeros(schur.codes)).arms()[1:] == ()
