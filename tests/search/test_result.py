import json
import re

import pytest

import nrpa


@pytest.fixture(scope="module")
def result():
    return nrpa.solve(nrpa.TSPTW.load("rc206.1"), nrpa.NRPA(level=1), seed=1, playouts=100)


def test_json_and_back(result, tmp_path):
    """What is written is what is read."""
    text = result.to_json(tmp_path / "out.json")
    assert (tmp_path / "out.json").read_text() == text
    assert nrpa.Result.from_json(text) == result


def test_figures_are_attributes(result):
    """The problem's own figures are reached by name."""
    assert result.cost == pytest.approx(117.85, abs=0.005)
    assert result.violations == 0
    with pytest.raises(AttributeError, match="a result of tsptw has no 'bins'"):
        _ = result.bins


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
        ("seed", True, "seed must be a whole number, not true"),
        ("score", "1", 'score must be a number, not "1"'),
        ("curve", {}, "curve must be a list, not {}"),
        ("curve", [[1, 2, 3]], "a point of curve must have seconds, playouts, score"),
        ("improvements", [{"seconds": "a", "playouts": 1, "score": 1}], "a point of improvements must be of numbers"),
    ],
)
def test_wrong_types(result, key, value, message):
    """A key that holds something else than ``to_json`` writes is named."""
    with pytest.raises(nrpa.InputError, match=re.escape(message)):
        nrpa.Result.from_json(json.dumps({**result.to_dict(), key: value}))


def test_lists_within_lists():
    """More of them than Python can follow are refused."""
    with pytest.raises(nrpa.InputError, match="too many lists within lists"):
        nrpa.Result.from_json("[" * 200_000)
