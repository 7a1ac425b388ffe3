"""The options that a problem declares as worth trying, as arms of the solver auto."""

import pickle

import numpy as np

import nrpa
from nrpa.modelling.bias import with_bias


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
