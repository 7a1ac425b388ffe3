from typing import NamedTuple

import numpy as np
import pytest
from no_moves import legal_moves, play, reset, score

import nrpa
from nrpa.engine.kernels import NEVER, NOT_NOW, kernels


def attach(*functions):
    class State(NamedTuple):
        array: np.ndarray

    return kernels(*functions)(State)


def test_a_missing_kernel_is_named():
    """With the parameters it must take."""
    with pytest.raises(TypeError, match=r"State lacks the kernel score\(instance, state\)"):
        attach(reset, legal_moves, play)


def test_names_are_of_no_use_where_none_is_found():
    """A problem that names its moves, or has games that meet, says what move a name means; ``find`` may be alone."""

    def name(instance, state, moves, place):
        return place

    def find(instance, state, name):
        return NOT_NOW

    def rest(instance, state):
        return 0

    for others in ([name], [rest], [name, rest]):
        with pytest.raises(TypeError, match=r"lacks the kernel find\(instance, state, name\)"):
            attach(reset, legal_moves, play, score, *others)
        attach(reset, legal_moves, play, score, *others, find)
    attach(reset, legal_moves, play, score, find)


def test_what_find_gives_has_names_of_nrpa():
    """No legal move can be one of them: those that are found are not negative."""
    assert (nrpa.NOT_NOW, nrpa.NEVER) == (NOT_NOW, NEVER) == (-1, -2)


def test_wrong_parameters_are_named():
    """With those that were expected."""

    def score(state):
        return 0.0

    with pytest.raises(TypeError, match=r"the kernel score must take \(instance, state\), not \(state\)"):
        attach(reset, legal_moves, play, score)


def test_an_unknown_kernel_is_named():
    """A misspelt name does not pass silently."""

    def scores(instance, state):
        return 0.0

    with pytest.raises(TypeError, match="there is no kernel 'scores'"):
        attach(reset, legal_moves, play, score, scores)


def test_a_class_that_is_no_named_tuple_is_refused():
    """Where it is decorated, before a state is made of it."""
    with pytest.raises(TypeError, match=r"Plain: is no NamedTuple; expected class Plain\(NamedTuple\)"):

        @kernels(reset, legal_moves, play, score)
        class Plain:
            array: np.ndarray
