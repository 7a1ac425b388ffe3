import re
from dataclasses import dataclass

import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.options import Options, Range, Terms, option, terms_of
from nrpa.bench.space import Space, read_over, tried_of
from nrpa.registry import solver_class, solvers


def space(*names, has_bias=True, **settings):
    return Space(nrpa.TSPTW, names or ["gnrpa"], has_bias, **settings)


def test_what_is_tried_of_every_bundled_option_is_legal():
    """Both ends of each range, and each value."""
    for name in solvers.bundled:
        cls = solver_class(name)
        for each, terms in terms_of(cls).items():
            tried = tried_of(terms)
            for value in tried[:2] if isinstance(tried, Range) else tried:
                assert cls(**{each: value}).options[each] == value


def test_what_is_tried_follows_from_the_default():
    """For an option of another package, whose author says nothing."""

    @dataclass(frozen=True)
    class Theirs(Options):
        depth: int = option(8, "How deep", most=20)
        rate: float = option(1.0, "How fast", least=0.5)
        share: float = option(0.0, "A share", least=0.0, most=1.0)
        rule: str = option("a", "Which", choices=("a", "b"))
        word: str = option("a", "Any")
        off: int = option(0, "Unknown", least=0)

    assert {name: tried_of(terms) for name, terms in terms_of(Theirs).items()} == {
        "depth": Range(2, 20), "rate": Range(0.5, 10.0), "share": Range(0.0, 1.0, log=False),
        "rule": ("a", "b"), "word": (), "off": (),
    }  # fmt: skip
    assert tried_of(Terms(5, tried=(1, 2))) == (1, 2)


def test_options_that_change_nothing_are_not_tuned():
    """Without a bias: β and γ. τ, as α does the same. The Adapts, equal but for speed. Problems' that do not say so."""
    names = [each.name for each in space(has_bias=False).dimensions["gnrpa"]]
    assert names == ["level", "iterations", "alpha", "repetitions", "moves", "bias_rule", "bias_scale"]
    of_bias = {each.name for each in space().dimensions["gnrpa"]} - {*names}
    assert of_bias == {"bias", "gamma"}
    assert [each.name for each in Space(nrpa.VRPTW, ["random"], False).dimensions["random"]] == ["bias", "returns"]


def tuned(*solvers, **settings):
    """Return which of α and τ are tuned, by solver."""
    found = space(*solvers, **settings).dimensions
    return {solver: [each.name for each in own if each.name in ("alpha", "tau")] for solver, own in found.items()}


def test_one_of_alpha_and_tau_is_tuned():
    """α, as only α/τ² counts; τ where that is asked for, and then not α, which NRPA has alone."""
    over = {"tau": Range(0.5, 2.0)}
    assert tuned() == tuned(options={"tau": 1.4}) == tuned(only=["alpha", "level"]) == {"gnrpa": ["alpha"]}
    assert (
        tuned(only=["tau"], has_bias=False)
        == tuned(only=["tau", "alpha"], options={"alpha": 2.0})
        == {"gnrpa": ["tau"]}
    )
    assert tuned("gnrpa", "nrpa", over=over) == {"gnrpa": ["tau"], "nrpa": ["alpha"]}
    assert tuned(options={"alpha": 2.0}) == {"gnrpa": []}
    assert tuned("uct", only=["alpha", "tau"]) == {"uct": ["alpha", "tau"]}


def test_given_options_are_kept_and_only_narrows():
    """The default configuration has the given ones; of several solvers each has those that it knows."""
    found = space("gnrpa", "nmcs", options={"level": 2, "tau": 1.4, "moves": "all"}, only=["memory", "gamma"])
    assert found.default() == {"solver": "gnrpa", "level": 2, "tau": 1.4, "moves": "all"}
    assert {solver: [each.key for each in own] for solver, own in found.dimensions.items()} == {
        "gnrpa": ["gnrpa.gamma"], "nmcs": ["nmcs.memory"],
    }  # fmt: skip
    made = found.configuration("nmcs", {"nmcs.memory": False})
    assert made == {"solver": "nmcs", "level": 2, "moves": "all", "memory": False}
    assert found.changed(made) == {"memory": False, "moves": "all"}


def test_numbers_are_rounded_to_what_the_command_says():
    """Three digits, inside the range."""
    found = space(over={"tau": Range(0.5, 1.9999)}, only=["tau", "iterations"])
    assert found.configuration("gnrpa", {"gnrpa.tau": 1.23456, "gnrpa.iterations": 77})["tau"] == 1.23
    assert found.configuration("gnrpa", {"gnrpa.tau": 1.99989, "gnrpa.iterations": 77})["tau"] == 1.9999


def test_the_command_line_says_what_is_tried():
    """Ranges of numbers, values of any type, and the word for none."""
    for text, tried in {
        "bias-scale=0:4": Range(0.0, 4.0, log=False),
        "moves=all,lookahead": ("all", "lookahead"),
        "bias=yes,no": (True, False),
        "level=auto,3": (None, 3),
        "gamma=0.1,0.5": (0.1, 0.5),
    }.items():
        assert read_over(text, nrpa.TSPTW, ["gnrpa"]) == (text.partition("=")[0].replace("-", "_"), tried)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"options": {"taus": 1}}, "unknown option 'taus'; expected one of adapt, alpha"),
        ({"options": {"tau": -1.0}}, "tau must be a positive number"),
        ({"only": ["c"]}, "unknown option 'c'"),
        ({"only": ["tau"], "options": {"tau": 2.0}}, "there is nothing to tune"),
        ({"over": {"tau": Range(0.5, 2)}, "options": {"tau": 2.0}}, "tau is given a value, and to be tuned"),
        ({"only": ["tau", "alpha"]}, "alpha and tau: only alpha / tau**2 counts, so one of them is tuned"),
        ({"over": {"tau": (1.0, 2.0), "alpha": (1.0, 2.0)}}, "alpha and tau: only alpha"),
        ({"over": {"tau": Range(2, 1)}}, "tau: expected two numbers, the lower one first, not 2:1"),
        ({"over": {"tau": Range(0.0, 1)}}, "tau: expected two numbers"),
        ({"over": {"tau": Range(0.1, float("inf"))}}, "tau: expected two numbers"),
        ({"over": {"tau": Range("a", 1)}}, "tau: expected two numbers"),
        ({"over": {"level": Range(1, 2.5)}}, "level must be a whole number of at least 1, not 2.5"),
        ({"over": {"level": (3,)}}, "level: expected at least two different values"),
        ({"over": {"level": (3, 30)}}, "level must be at most 20, not 30"),
        ({"over": {"level": 3}}, "level: expected an nrpa.Range or a tuple of values"),
        ({"over": {"moves": Range(1, 2)}}, "moves is no number; expected values to try"),
        ({"over": {"moves": ("all", "none")}}, "moves must be one of selective, all, lookahead"),
    ],
)
def test_what_cannot_be_tuned_is_one_sentence(settings, message):
    """It names the option."""
    with pytest.raises(InputError, match=re.escape(message)):
        space(**settings)


@pytest.mark.parametrize("text", ["tau", "tau=", "=1,2", "tau=1:x", "taus=1:2"])
def test_a_text_of_another_form_is_refused(text):
    """What can be said is named."""
    with pytest.raises(InputError, match="expected"):
        read_over(text, nrpa.TSPTW, ["gnrpa"])
