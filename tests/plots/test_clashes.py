"""The picture of cities that clash."""

from dataclasses import replace

import numpy as np
import pytest

import nrpa

DISTANCES = [[0, 4, 4, 1], [4, 0, 6, 5], [4, 6, 0, 5], [1, 5, 5, 0]]
WINDOWS = [[0, 50], [0, 50], [0, 8], [0, 8]]


@pytest.fixture(scope="module")
def explanation():
    return nrpa.explain(nrpa.TSPTW(np.array(DISTANCES) * 2, WINDOWS), nrpa.RandomSampling(), playouts=5)


def test_the_schedule_names_the_cities_of_the_whole_problem(explanation):
    problem = nrpa.TSPTW(np.array(DISTANCES) * 2, WINDOWS)
    axes = nrpa.plots.clash(explanation, problem=problem)
    assert explanation.clash == ["city 2", "city 3"]
    assert {label.get_text() for label in axes.get_yticklabels()} == {"2", "3", "0"}


def test_what_is_no_clash_of_a_tour_is_refused(explanation):
    problem = nrpa.TSPTW(DISTANCES, WINDOWS)
    with pytest.raises(nrpa.InputError, match="expected an explanation of cities that clash in a tour"):
        nrpa.plots.clash(replace(explanation, clash=[]), problem=problem)
    with pytest.raises(nrpa.InputError, match="expected an explanation of cities that clash in a tour"):
        nrpa.plots.clash(explanation, problem=nrpa.Snake(4))
