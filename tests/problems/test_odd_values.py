"""Arguments and solutions that are nothing of the kind, for every bundled problem."""

import inspect
from functools import cache
from unittest import mock

import numpy as np
import pytest
from test_forms import SECTIONS
from test_pages import BLOCK

from nrpa.base.errors import InputError
from nrpa.io.source import Source
from nrpa.registry import problem_class, problems

ODD = [
    *(None, True, -1, 10**9, 2**64, 10**5000, 0.5, 1e308, float("nan"), -float("inf"), 1j, object()),
    *("", "x", "\u1e9a", "\u0663", "\x00", "a" * 1000, b"x", [], [[]], [[1, 2], [3]], [["a", "b"]], [None], {1: 2}),
    *([[float("nan")] * 2] * 2, [[1e200] * 2] * 2, [[2**70] * 2] * 2, [(0, 0)], [(0, 1, 2)], [(10**30, 1)], ["ab"]),
    *(np.zeros((0, 0)), np.array("x"), np.array([1, 2], object), np.full((2, 2), 2**64 - 1, np.uint64)),
    *("A" * 40_000, "(((" + "." * 40_000 + ")))", range(3), np.array([[1, 2], [3, 4]], "M8[D]")),
]


@cache
def right(name):
    """Return the arguments of the example on a problem's page, without its options; a game has none."""
    cls, given = problem_class(name), {}
    maker = getattr(cls, "plain_class", cls)
    init = maker.__init__

    def kept(*values, **named):
        bound = inspect.signature(init).bind(*values, **named)
        bound.apply_defaults()
        _, *arguments = bound.arguments.items()
        given.update(arguments)
        init(*values, **named)

    if name in SECTIONS:
        text = next(block["text"] for block in BLOCK.finditer(SECTIONS[name]) if block["kind"] == "text")
        with mock.patch.object(maker, "__init__", kept):
            maker.from_source(Source("example", text, ""))
    options = ["options", *(option.name for option in cls.cli_options)]
    return {key: of_python(value) for key, value in given.items() if key not in options}


def of_python(value):
    """Return a value with lists for arrays of NumPy."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def of_numpy(value):
    """Return a value with arrays of NumPy for lists, where they are regular and of one kind, and its numbers."""
    if isinstance(value, (list, tuple)):
        try:
            array = np.array(value)
        except ValueError:
            return [*map(of_numpy, value)]
        is_mixed = array.dtype.kind == "U" and {*map(type, np.array(value, object).ravel())} != {str}
        return [*map(of_numpy, value)] if is_mixed or array.dtype.kind == "O" or not array.size else array
    return np.array(value)[()] if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@pytest.mark.parametrize("name", [name for name in SECTIONS if name != "morpion"])
def test_numbers_and_arrays_of_numpy(name):
    """They make the same problem as Python's."""
    cls = problem_class(name)
    given = {key: of_numpy(value) for key, value in right(name).items()}
    assert cls(**given).digest() == cls(**right(name)).digest()


@pytest.mark.parametrize("name", problems.bundled)
def test_wrong_arguments(name):
    """Each is refused in one sentence, or is right after all."""
    cls, refusals = problem_class(name), []
    for key in [*right(name), *(option.name for option in cls.cli_options)]:
        for odd in ODD:
            try:
                cls(**{**right(name), key: odd})
            except InputError as error:
                refusals.append(str(error))
    assert len(refusals) > len(ODD) // 2
    assert all(text.isprintable() and len(text) < 400 for text in refusals)


@pytest.mark.parametrize("name", SECTIONS)
def test_wrong_solutions(name):
    """Each has a fault, none an exception, and no search starts from it; but the empty one may be right."""
    problem = problem_class(name)(**right(name))
    for odd in [*ODD, [[1]], [["a"]], [1], [[9] * 10], [[1, 0, 0, 5, 5]], [[0, 0, 5, 5]]]:
        verdict = problem.check(odd)
        assert verdict.faults or verdict.score is not None
        try:
            moves = problem.moves_of(odd)
        except InputError:
            continue
        assert verdict.score is not None or len(moves) == 0
