"""What a diagnosis says of a class in plain Python: how quick it is compiled, or why it does not compile."""

import pytest
from prize_tour import PrizeTour
from user_problems import EXAMPLES

import nrpa
from nrpa.bench.compiled_speed import CompiledSpeed, compiled_speed

INSTANCE = str(EXAMPLES / "prize_tour.txt")


class Asks(PrizeTour):
    """Asks for one object where an equal one would do."""

    def score(self, state):
        return state[3] if state[3] is not state[2] else 0.0


def looked(cls):
    return compiled_speed(cls.load(INSTANCE), nrpa.RandomSampling(), 1, "processor", {"playouts": 2000})


def test_a_class_that_compiles_has_a_rate():
    """Of its playouts; it says why not of no class that does."""
    found = looked(PrizeTour)
    assert found.rate > 0
    assert found.why_not == ""


def test_a_class_that_does_not_compile_has_a_reason():
    """The message of the refusal, with method, line and what to write in its place."""
    found = looked(Asks)
    assert found.rate == 0
    assert "test_compiled_speed.py:" in found.why_not
    assert "Asks.score: is, which asks for one object, does not compile; use ==" in found.why_not


@pytest.mark.parametrize("error", [nrpa.ProblemError("no array"), KeyError("left")])
def test_what_the_compiler_raises_is_a_reason(monkeypatch, error):
    """Whatever it is: all else that was seen is said, too."""

    def compiled(problem):
        raise error

    monkeypatch.setattr("nrpa.compiling.problem.compiled", compiled)
    assert looked(PrizeTour).why_not in ("no array", "KeyError: 'left'")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (CompiledSpeed(2400.0), "Compiled, gnrpa makes 24 times as many playouts a second. Next: add --compile (in"),
        (CompiledSpeed(960.0), "Compiled, gnrpa makes 9.6 times as many playouts a second. Next: add --compile (in"),
        (CompiledSpeed(140.0), "Compiled, gnrpa makes 1.4 times as many playouts a second. Next: leave the class as"),
        (CompiledSpeed(0.0, "f: a set"), "does not compile as it stands: f: a set. Next: change that, and try --comp"),
    ],
)
def test_the_sentence_says_what_to_do_next(found, said):
    """Beside 100 playouts a second in plain Python."""
    assert said in found.sentence("gnrpa", 100.0)
