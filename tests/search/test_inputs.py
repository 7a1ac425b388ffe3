import hashlib
import json

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.search.result import described, described_solution


@pytest.fixture(scope="module")
def problem():
    return nrpa.TSPTW.load("rc201.1")


def inputs(problem, **given):
    return nrpa.solve(problem, nrpa.GNRPA(level=1), seed=1, playouts=5, **given).inputs


def test_a_record_tells_what_else_was_given(problem):
    """An empty object where nothing was, else bias, weights and warm start by their hashes."""
    assert inputs(problem) == {}
    beta = np.linspace(-1, 1, problem.codes)
    array = {
        "kind": "array",
        "entries": problem.codes,
        "sha256": hashlib.sha256(beta.astype("<f8").tobytes()).hexdigest(),
    }
    assert inputs(problem, bias=beta) == {"bias": array}
    assert inputs(problem, weights=beta.tolist()) == {"weights": array}
    first = nrpa.solve(problem, seed=1, playouts=5)
    text = json.dumps(first.solution, separators=(",", ":"))
    start = {"kind": "solution", "sha256": hashlib.sha256(text.encode()).hexdigest()}
    assert inputs(problem, warm_start=first) == inputs(problem, warm_start=first.solution) == {"warm_start": start}


def test_a_bias_by_code_is_recorded_as_its_values(problem):
    """Array, mapping or function, whatever the function knows from outside."""
    beta = np.linspace(-1, 1, problem.codes)
    given = (beta, dict(enumerate(beta)), lambda code: beta[code])
    assert len({str(inputs(problem, bias=bias)) for bias in given}) == 1


def test_a_function_is_recorded_by_name_and_code():
    """Of state and move: in plain Python. The same text elsewhere has the same hash, another one another."""
    found = inputs(Bits(), bias=lambda state, move: 3.0 * move)["bias"]
    assert found["kind"] == "function"
    assert found["name"].endswith("test_a_function_is_recorded_by_name_and_code.<locals>.<lambda>")
    assert found["sha256"] == described(lambda state, move: 3.0 * move)["sha256"]
    assert found["sha256"] != described(lambda state, move: 4.0 * move)["sha256"]
    assert described(max) == {"kind": "function", "name": "builtins.max", "sha256": ""}


def test_a_mapping_is_recorded_by_its_entries():
    """In any order, of Python's or NumPy's numbers."""
    one, other = {(0, 1): 2.0, (1, 1): 3}, {(np.int64(1), 1): np.float64(3.0), (0, 1): 2}
    assert inputs(Bits(), weights=one) == inputs(Bits(), weights=other)
    assert described(one)["entries"] == 2
    assert described(one) != described({(0, 1): 2.0, (1, 1): 3.5})


def test_a_solution_in_its_own_form_and_in_that_of_json():
    """Have the same hash."""
    assert described_solution([(1, 2), (3,)]) == described_solution([[1, 2], [3]])
    bits = [1] * 10
    assert inputs(Bits(), warm_start=iter(bits)) == {"warm_start": described_solution(bits)}


def test_what_is_recorded_is_written(problem):
    """And read."""
    result = nrpa.solve(problem, seed=1, playouts=5, weights={5: 1.0})
    assert nrpa.Result.from_json(result.to_json()).inputs == result.inputs != {}
