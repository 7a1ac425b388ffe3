"""Records that the engine is given."""

from typing import NamedTuple

import numpy as np
import pytest
from no_moves import legal_moves, play, reset, score

import nrpa
from nrpa.engine.model import Limits, Model


class Part(NamedTuple):
    rows: object


@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    part: Part
    number: int


def model(rows=lambda: np.zeros((2, 2)), instance=None):
    return Model("Mine", instance, Limits(1, 1, 1), lambda: State(Part(rows()), 3))


@pytest.mark.parametrize("instance", [None, 3, 2.5, (1, 2), Part(np.zeros(3)), np.zeros(2)])
def test_records_of_arrays_and_numbers_are_taken(instance):
    """Nested or not."""
    model(instance=instance).require_records()


def test_fields_of_fields_are_named():
    """By the way to them."""
    with pytest.raises(nrpa.ProblemError, match=r"Mine: state.part.rows is a list; expected a NumPy array of numbers"):
        model(list).require_records()
    with pytest.raises(nrpa.ProblemError, match=r"Mine: instance.0.rows is a set; expected"):
        model(instance=(Part({1}),)).require_records()


def test_states_that_share_part_of_their_memory():
    """A view of one array, from another offset."""
    whole = np.zeros(6)
    starts = iter((0, 2))

    def overlapping():
        start = next(starts)
        return whole[start : start + 4]

    with pytest.raises(nrpa.ProblemError, match=r"share memory \(state.part.rows\)"):
        model(overlapping).require_records()
