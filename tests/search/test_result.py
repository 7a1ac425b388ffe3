import dataclasses
import hashlib
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from user_problems import Bits

import nrpa
from nrpa.search.result import described_input, described_solution

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@pytest.fixture(scope="module")
def result():
    return nrpa.solve(nrpa.TSPTW.load("rc206.1"), nrpa.NRPA(level=1), seed=1, playouts=100)


def test_json_and_back(result, tmp_path):
    """What is written is what is read."""
    text = result.to_json(tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == text
    assert nrpa.Result.from_json(text) == result


def test_what_was_chosen_is_said_where_something_was(result):
    """JSON has the key then only, so that it is read without it as well."""
    chosen = dataclasses.replace(result, chosen="auto: gnrpa: a bias or weights were given")
    assert json.loads(chosen.to_json())["chosen"] == chosen.chosen
    assert nrpa.Result.from_json(chosen.to_json()) == chosen
    assert "chosen" not in json.loads(result.to_json())


def test_figures_are_attributes(result):
    """The problem's own figures are reached by name."""
    assert result.cost == pytest.approx(117.85, abs=0.005)
    assert result.violations == 0
    assert {"cost", "violations", "score", "to_json"} <= set(dir(result))
    with pytest.raises(AttributeError, match="a result of tsptw has no 'bins'"):
        _ = result.bins


def test_a_file_is_read_as_well(result, tmp_path):
    """Named by a path; a text is JSON."""
    result.to_json(tmp_path / "out.json")
    assert nrpa.Result.from_json(tmp_path / "out.json") == result
    with pytest.raises(nrpa.InputError, match=r"none\.json: cannot be read"):
        nrpa.Result.from_json(tmp_path / "none.json")


def test_it_shows_itself(result):
    """In one line at the prompt, as a table with the curve in a notebook, whatever the names hold."""
    assert repr(result) == f"<Result {result.summary()}>"
    shown = dataclasses.replace(result, instance="<b>&")._repr_html_()
    assert "&lt;b&gt;&amp;" in shown
    assert "<b>" not in shown
    assert f"<th>status</th><td>{result.status}</td>" in shown
    assert shown.count("<svg") == (len(result.curve) > 1)


def test_summary(result):
    """One line with the figures and the status."""
    assert result.summary().startswith("tsptw rc206.1: cost 117.85, violations 0 (playouts after ")


@pytest.mark.parametrize("text", ["", "[]", "{}", "3"])
def test_something_else(text):
    """Text that is no result is refused."""
    with pytest.raises(nrpa.InputError, match="not a result of nrpa"):
        nrpa.Result.from_json(text)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("options", 5, "options must be an object, not 5"),
        ("problem", 7, "problem must be text, not 7"),
        ("instance", None, "instance must be text, not null"),
        ("figures", [], "figures must be an object, not []"),
        ("inputs", 1, "inputs must be an object, not 1"),
        ("objective", {"name": "cost"}, "objective must have name, sign, digits, tie_break"),
        ("seed", True, "seed must be a whole number, not true"),
        ("score", "1", 'score must be a number, not "1"'),
        ("curve", {}, "curve must be a list, not {}"),
        ("curve", [[1, 2, 3]], "a point of curve must have seconds, playouts, score"),
        ("improvements", [{"seconds": "a", "playouts": 1, "score": 1}], "a point of improvements must be of numbers"),
        ("faults", [1], "faults must be a list of texts or null, not [1]"),
        ("faults", "late", 'faults must be a list of texts or null, not "late"'),
        ("faults_counted", 1, "faults_counted must be true or false, not 1"),
        ("chosen", 1, "chosen must be text or null, not 1"),
    ],
)
def test_wrong_types(result, key, value, message):
    """A key that holds something else than ``to_json`` writes is named."""
    with pytest.raises(nrpa.InputError, match=re.escape(message)):
        nrpa.Result.from_json(json.dumps({**result.to_dict(), key: value}))


class Refused(Bits):
    """Bits whose check finds faults that the score does not count."""

    def check(self, solution):
        return nrpa.Verdict({"bits": sum(solution)}, ["bit 1 is wrong", "bit 2, too"], score=float(sum(solution)))


def test_faults_that_the_score_does_not_count(caplog):
    """Are in the result, in its line and its record, and are warned of: the scores agree, yet it is not valid."""
    result = nrpa.solve(Refused(), nrpa.NRPA(level=1), seed=1, playouts=5)
    assert (result.valid, result.faults_counted) == (False, False)
    assert result.faults == ["bit 1 is wrong", "bit 2, too"]
    assert ", not valid (" in result.summary()
    for text in (caplog.text, result._repr_html_()):
        assert "which its score does not count: bit 1 is wrong, and 1 more" in text
    assert json.loads(result.to_json())["valid"] is False
    assert nrpa.Result.from_json(result.to_json()) == result


def test_faults_that_the_score_counts(caplog):
    """Are told as well; of windows that are missed nobody is warned."""
    result = nrpa.solve(nrpa.TSPTW.load("rc204.1"), nrpa.NRPA(level=1), seed=4, playouts=1)
    assert (result.valid, result.faults_counted, len(result.faults)) == (False, True, result.violations)
    assert result.violations > 0
    assert not caplog.records


def test_a_valid_solution(result):
    """Has no faults, and its record says so; one of version 0.2 does not say."""
    assert (result.valid, result.faults, "valid" in result.summary()) == (True, [], False)
    record = json.loads(result.to_json())
    assert record["valid"] is True
    older = {name: value for name, value in record.items() if name not in ("valid", "faults", "faults_counted")}
    read = nrpa.Result.from_json(json.dumps(older))
    assert (read.valid, read.faults) == (None, None)
    assert dataclasses.replace(read, faults=[], faults_counted=True) == result


def test_a_record_of_version_0_1():
    """It lacks what later versions added, and is read as what there was then: one worker, the clock on the wall."""
    read = nrpa.Result.from_json(EXPERIMENTS / "results" / "rc204.1-tour.json")
    assert read.versions["nrpa"] == "0.1.0"
    assert (read.workers, read.clock, read.valid) == (1, "wall", None)


def test_lists_within_lists():
    """More of them than Python can follow are refused."""
    with pytest.raises(nrpa.InputError, match="too many lists within lists"):
        nrpa.Result.from_json("[" * 200_000)


class Described(Bits):
    """Bits whose figures have the names of a record's own keys, and come from NumPy."""

    objective = nrpa.Objective("seconds", sign=1, digits=3)

    def describe(self, state):
        return {
            "seed": np.int64(7),
            "status": np.array([1.5, 2.0]),
            "ratio": np.float32(0.5),
            "pair": (1, np.bool_(True)),
        }


def test_figures_have_an_object_of_their_own():
    """So that no name collides with a key of the record; NumPy's numbers become those of Python."""
    result = nrpa.solve(Described(), nrpa.NRPA(level=1), seed=1, playouts=500)
    record = json.loads(result.to_json())
    assert record["figures"] == {"seconds": 10, "seed": 7, "status": [1.5, 2.0], "ratio": 0.5, "pair": [1, True]}
    assert (record["seed"], record["status"], result.seed) == (1, "playouts", 1)
    assert result.seconds == record["seconds"] != 10
    assert nrpa.Result.from_json(result.to_json()) == result
    assert result.ratio == 0.5


def test_the_decimals_that_are_worth_printing():
    """Of the objective its own; of another figure as many, and more where they would hide it."""

    class Fitness(Bits):
        objective = nrpa.Objective("fitness", sign=1, digits=3)

        def score(self, state):
            return 0.9981

        def describe(self, state):
            return {"share": 1 / 3, "energy": -262.8, "count": 3, "tiny": 1.5e-30, "none": 0.0, "text": "x"}

    result = nrpa.solve(Fitness(), seed=1, playouts=1)
    figures = "fitness 0.998, share 0.3333, energy -262.800, count 3, tiny 1.5e-30, none 0.000, text x"
    assert result.summary().startswith(f"Fitness: {figures} (playouts after ")
    assert nrpa.Result.from_json(result.to_json()).summary() == result.summary()


@pytest.mark.parametrize("value", [math.nan, -math.inf, {1: [object()]}, b"bytes"])
def test_a_figure_that_json_cannot_hold(value):
    """Is refused at the first playouts, not after the search."""

    class Wrong(Bits):
        def describe(self, state):
            return {"wrong": value}

    seen = []
    with pytest.raises(nrpa.ProblemError, match="Wrong: the figure 'wrong' must be of finite numbers, text, lists"):
        nrpa.solve(Wrong(), seed=1, playouts=5000, on_slice=seen.append)
    assert not seen


def test_a_figure_that_becomes_unwritable_costs_no_result(caplog):
    """It is kept as text, and said: the search is done."""

    class Late(Bits):
        def describe(self, state):
            return {"ratio": math.nan if sum(state) == 10 else 1.0}

    result = nrpa.solve(Late(), nrpa.NRPA(level=1), seed=1, playouts=500)
    assert json.loads(result.to_json())["figures"] == {"score": 10, "ratio": "nan"}
    assert "Late: the figure 'ratio' must be of finite numbers" in caplog.text


def test_the_value_is_in_the_problems_own_terms(result):
    """A cost, with the penalty of windows that are missed."""
    assert result.value == -result.score
    assert result.value == pytest.approx(result.cost + 1e6 * result.violations)


def test_the_curve_as_a_table_of_pandas(result):
    """A row for each point."""
    pytest.importorskip("pandas")
    frame = result.to_frame()
    assert list(frame.columns) == ["seconds", "playouts", "score", "value"]
    assert frame["playouts"].tolist() == [point.playouts for point in result.curve]
    assert frame["value"].tolist() == [-point.score for point in result.curve]


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
    assert found["sha256"] == described_input(lambda state, move: 3.0 * move)["sha256"]
    assert found["sha256"] != described_input(lambda state, move: 4.0 * move)["sha256"]
    assert described_input(max) == {"kind": "function", "name": "builtins.max", "sha256": ""}


def test_a_mapping_is_recorded_by_its_entries():
    """In any order, of Python's or NumPy's numbers."""
    one, other = {(0, 1): 2.0, (1, 1): 3}, {(np.int64(1), 1): np.float64(3.0), (0, 1): 2}
    assert inputs(Bits(), weights=one) == inputs(Bits(), weights=other)
    assert described_input(one)["entries"] == 2
    assert described_input(one) != described_input({(0, 1): 2.0, (1, 1): 3.5})


def test_a_solution_in_its_own_form_and_in_that_of_json():
    """Have the same hash."""
    assert described_solution([(1, 2), (3,)]) == described_solution([[1, 2], [3]])
    bits = [1] * 10
    assert inputs(Bits(), warm_start=iter(bits)) == {"warm_start": described_solution(bits)}


def test_what_is_recorded_is_written(problem):
    """And read."""
    result = nrpa.solve(problem, seed=1, playouts=5, weights={5: 1.0})
    assert nrpa.Result.from_json(result.to_json()).inputs == result.inputs != {}
