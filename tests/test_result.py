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
