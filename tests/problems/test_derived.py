"""Classes that a user derives from bundled problems."""

import pytest
from bundled_problems import ONE_PLAYER

from nrpa.io.source import bundled
from nrpa.registry import problem_class


@pytest.mark.parametrize("name", ONE_PLAYER)
def test_a_derived_class_is_what_is_searched(name):
    """None of its variants is of the parent, whose kernels may differ."""
    derived = type("Derived", (problem_class(name),), {})
    problem = derived.load(min(bundled(name).values(), key=lambda row: row.size).name)
    hints = problem.hints()
    assert {type(each) for each in (problem, hints.replayed or problem, *hints.arms)} == {derived}
