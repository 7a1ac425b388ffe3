"""Drawn classes: each method compiled gives what it gives in plain Python, is refused, or ends the search."""

import importlib.util
import math
import os
import random
import warnings

import numpy as np
import pytest
from drawn_classes import drawn
from numba.core.errors import NumbaError

from nrpa.base.errors import ProblemError
from nrpa.compiling import kernels
from nrpa.compiling.source import Sources

# So many classes are drawn, of which each takes some seconds to compile: NRPA_DRAWN=2000 before a release.
CLASSES = int(os.environ.get("NRPA_DRAWN", "2"))
STATES = 40


def loaded(path):
    """Return the module of a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcome(function, *arguments):
    """Return what a function gives, or the kind of what it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return function(*arguments)
    except Exception as error:
        return error


def is_same(one, other):
    """Return whether two values are equal, decimals but for the last digits."""
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, np.ndarray):
        return bool((one == other).all())
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12) or (math.isnan(one) and math.isnan(other))
    return one == other


def differences(problem, chance):
    """Yield the methods that differ, with a state and both values; count what is compared, and refused."""
    for method in ("legal_moves", "play", "score", "bias"):
        sources = Sources(problem, 0)
        try:
            compiled = sources.method(method)
            own = kernels.record_of(sources.attributes, f"drawn_{method}")
            for _ in range(STATES):
                state = (
                    chance.randrange(6),
                    chance.randrange(-3, 9),
                    chance.choice([0.5, -2.0, 3.25, 1e3]),
                    np.ones(4, np.bool_),
                )
                arguments = (state, chance.randrange(4)) if method in ("play", "bias") else (state,)
                there = outcome(getattr(problem, method), *arguments)
                here = outcome(compiled, own, *arguments)
                if isinstance(here, (ProblemError, NumbaError)):
                    raise here
                if not isinstance(here, Exception) and (isinstance(there, Exception) or not is_same(there, here)):
                    yield method, arguments, there, here
        except (ProblemError, NumbaError):
            continue


@pytest.mark.parametrize("seed", range(CLASSES))
def test_drawn_classes_are_the_same_or_refused(seed, tmp_path):
    """No method gives another value without an error."""
    file = tmp_path / f"drawn_{seed}.py"
    file.write_text(drawn(seed))
    found = [*differences(loaded(file).Drawn(), random.Random(seed))]
    assert not found, f"{found[0]}\n{drawn(seed)}"
