import math
import random
import subprocess
import sys
from collections import OrderedDict
from enum import Enum
from fractions import Fraction
from pathlib import PurePosixPath

import numpy as np
import pytest
from knapsack import Knapsack
from knapsack_compiled import CompiledKnapsack
from user_problems import EXAMPLES

import nrpa
from nrpa.modelling.digest import contents_of, digest

LISTS = [3, 4, 5, 6], [4, 5, 7, 8], 9


class Colour(Enum):
    RED = 1
    BLUE = 2


class City:
    def __init__(self, name, near=()):
        self.name, self.near = name, list(near)


@pytest.mark.parametrize("form", [Knapsack, CompiledKnapsack])
def test_results_of_two_instances_can_be_told_apart(form):
    """Other lists, another hash, in the result as well; the same lists, the same."""
    others = [3, 4, 5, 7], *LISTS[1:]
    first, again, second = (nrpa.solve(form(*given), seed=1, playouts=5) for given in (LISTS, LISTS, others))
    assert first.sha256 == again.sha256 != second.sha256
    assert len(first.sha256) == 64
    with pytest.raises(nrpa.InputError, match="the result to start from is of"):
        nrpa.start(form(*others), warm_start=first)


@pytest.mark.parametrize("form", [Knapsack, CompiledKnapsack])
def test_what_was_given_counts_and_not_how(form):
    """Positional or by keyword, lists or arrays; what the constructor does to a list afterwards makes no difference."""
    weights, values, capacity = LISTS
    expected = form(*LISTS).sha256
    assert form(weights, capacity=capacity, values=values).sha256 == expected
    assert form(np.array(weights), tuple(values), np.int32(capacity)).sha256 == expected


def test_the_hash_is_the_same_in_every_process():
    """Whatever the seed of Python's own hashes."""
    code = (
        f"import sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        "from knapsack import Knapsack\n"
        "from nrpa.modelling.digest import digest\n"
        f"print(Knapsack(*{LISTS!r}).sha256, digest({{'x', 'y', frozenset('abc')}}), digest({{'b': 1, 'a': {{2}}}}))"
    )
    here = [Knapsack(*LISTS).sha256, digest({"x", "y", frozenset("abc")}), digest({"b": 1, "a": {2}})]
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code]
        there = subprocess.run(command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
        assert there.stdout.split() == here


@pytest.mark.parametrize(
    "equal",
    [
        (1, 1.0, np.int8(1), np.float32(1)),
        ([1, 2], (1, 2), np.array([1, 2]), np.array([1.0, 2.0]), range(1, 3), [np.int64(1), 2.0]),
        ([[0] * 2] * 2, [[0, 0], [0, 0]], np.zeros((2, 2))),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, OrderedDict(b=2, a=1)),
        ({3, 1, 2}, frozenset([1, 2, 3])),
        (City("A", [City("B")]), City("A", [City("B")])),
        (random.Random(3), random.Random(3)),
        (0.1, np.float64(0.1)),
        (math.nan, float("nan")),
    ],
    ids=lambda equal: type(equal[0]).__name__,
)
def test_equal_values_have_one_hash(equal):
    """Numbers by value, sequences by elements, dictionaries and sets in any order, objects by what they hold."""
    assert len({digest(value) for value in equal}) == 1


def test_different_values_have_different_hashes():
    """No two of these."""
    values = [
        0, 1, True, False, None, 0.5, -1, 2**70, 2**70 + 1, "1", "", b"1", [], [1], [[1]], [1, [2]], [[1], 2], {}, {1},
        {1: 2}, {2: 1}, "[1]", ["a,b"], ["a", "b"], Colour.RED, Colour.BLUE, City, City("A"), City("B"), Fraction(1, 3),
        City("A", ["B"]), PurePosixPath("/a"), sorted, len, math.inf, [None], np.zeros((2, 3)), np.zeros((3, 2)),
        random.Random(3), random.Random(4),
    ]  # fmt: skip
    assert len({digest(value) for value in values}) == len(values)


def test_values_that_hold_themselves_come_to_an_end():
    """As a list in itself does, cities that are neighbours of each other, and a diamond of a million paths."""
    around = [1]
    around.append(around)
    other = [1]
    other.append(other)
    assert digest(around) == digest(other) != digest([1, [1]])
    pairs = []
    for _ in range(2):
        first, second = City("A"), City("B")
        first.near, second.near = [second], [first]
        pairs.append(digest([first, second]))
    assert pairs[0] == pairs[1]
    for layers in (
        lambda below: [below, below],
        lambda below: City("", [below, below]),
    ):
        deep = []
        for _ in range(20):
            deep = layers(deep)
        assert len(digest(deep)) == 64


def test_what_cannot_be_written_does_no_harm():
    """A generator counts by its class and is not used up; lists beyond Python's limit leave the hash empty."""

    class Given(nrpa.Problem):
        def __init__(self, given):
            self.given = list(given)

    assert Given(k for k in range(3)).given == [0, 1, 2]
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert Given(deep).sha256 == ""


class Prices:
    """What a cost reads by the name of a class."""

    STEP = 3


def cost_of(order):
    """Return a cost."""
    return Prices.STEP * order[0]


def test_attributes_of_classes_count(monkeypatch):
    """Where a function reads them by the name of the class."""
    before = digest(contents_of(cost_of))
    monkeypatch.setattr(Prices, "STEP", 4)
    assert digest(contents_of(cost_of)) != before
