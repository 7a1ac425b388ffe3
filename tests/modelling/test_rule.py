"""Rules that are switched off."""

import copy

from user_problems import Bits

import nrpa
from nrpa.modelling.rule import rules_of, without_rules


class Ruled(Bits):
    @nrpa.rule
    def is_even(self, state):
        return len(state) % 2 == 0

    @nrpa.rule(off=0)
    def ones(self, state):
        return sum(state)


def test_a_rule_that_is_off_gives_its_value_and_the_others_stay():
    problem = Ruled()
    other = without_rules(problem, ["is_even"])
    assert [problem.is_even((1,)), other.is_even((1,)), other.ones((1, 1))] == [False, True, 2]
    assert without_rules(problem, ["ones", "is_even"]).ones((1, 1)) == 0


def test_a_copy_has_its_rules_off():
    assert copy.copy(without_rules(Ruled(), ["ones"])).ones((1,)) == 0


def test_an_overriding_method_without_the_mark_is_no_rule():
    class Other(Ruled):
        def ones(self, state):
            return 5

    assert [rules_of(Ruled()), rules_of(Other()), rules_of(Bits())] == [["is_even", "ones"], ["is_even"], []]
