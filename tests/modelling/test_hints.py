"""What a problem says about how it is searched best."""

import dataclasses

import pytest
from small_problems import Bits

import nrpa
from nrpa.checking.validate import hints_of


@pytest.mark.parametrize("name", ["is_tempered", "iterations_improved", "recommended", "replayed", "arms"])
@pytest.mark.parametrize("parent", [Bits, nrpa.WeakSchur, nrpa.Snake])
def test_what_hints_replace_is_refused(parent, name):
    """In a class, with the name of the field that has its place; also where the class above defines hints."""
    problem = type("Mine", (parent,), {name: lambda self: None})(*[3] * (parent is not Bits))
    with pytest.raises(
        nrpa.ProblemError, match=rf"Mine: {name} is no longer read; return an nrpa.Hints from the method hints\(\)"
    ):
        nrpa.Auto().arms_of(problem)


def test_what_an_instance_sets_is_refused():
    """As a constructor could set temperatures; ``check_problem`` says so, too."""
    problem = Bits()
    problem.temperatures = 0.1, 2.0
    with pytest.raises(nrpa.ProblemError, match="Bits: temperatures is no longer read"):
        nrpa.solve(problem, nrpa.Tempering(), seed=1, playouts=1)
    assert nrpa.check_problem(problem).faults[0].startswith("temperatures is no longer read")


def test_a_class_with_hints_may_use_the_names_for_something_else():
    """A bandit has arms."""

    class Bandit(Bits):
        def __init__(self):
            super().__init__()
            self.rotation = 3

        def arms(self):
            return 7

        def hints(self):
            return nrpa.Hints(tempered=False)

    assert hints_of(Bandit()) == nrpa.Hints(tempered=False)


def test_anything_but_hints_is_refused():
    """In one sentence."""
    problem = type("Mine", (Bits,), {"hints": lambda self: {"tempered": True}})()
    with pytest.raises(nrpa.ProblemError, match=r"Mine: hints returned .*; expected an nrpa.Hints"):
        hints_of(problem)


def test_bundled_problems_keep_what_the_caller_chose():
    """Each arm has the options that were given, and the origin of the instance."""
    problem = nrpa.TSPTW.load("rc201.1", minimize="makespan")
    for arm in hints_of(problem).arms:
        assert (arm.minimize, arm.label) == ("makespan", "rc201.1")
    assert dataclasses.asdict(nrpa.Hints())["iterations_improved"] == 100
