"""Instances with other values of the options that are worth trying."""

import pickle

import nrpa
from nrpa.modelling.variants import variants


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
    assert [each.options["moves"] for each in variants(problem)] == ["repeat"]
    assert variants(problem) is variants(problem)
    assert variants(problem)[0].label == "3"
    assert variants(nrpa.WeakSchur(3, moves="repeat")) == ()
    thawed = pickle.loads(pickle.dumps(problem))
    assert [each.options for each in variants(thawed)] == [each.options for each in variants(problem)]
    assert [arm.label for arm in nrpa.Auto().arms_of(problem)] == [
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
    assert [(each.options["moves"], each.options["more"]) for each in variants(shelves)] == [("repeat", 0)]
    assert variants(Shelves(iter("abc"))) == ()
