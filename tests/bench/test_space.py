import re
from dataclasses import dataclass

import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.base.options import Options, Range, Terms, option, terms_of
from nrpa.bench.space import known_options, parse_over, suggested, tried_of, tuned_options
from nrpa.registry import solver_class, solvers


def tuned(solver="gnrpa", problem=nrpa.TSPTW, has_bias=True, fixed=(), over=(), only=()):
    known = known_options(solver, problem.cli_options)
    return tuned_options(solver, known, has_bias, dict(fixed), dict(over), only)


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
    names = [*tuned(has_bias=False)]
    assert names == ["level", "iterations", "alpha", "repetitions", "moves", "bias_rule", "near", "bias_scale"]
    assert tuned().keys() - {*names} == {"bias", "gamma"}
    assert [*tuned("random", nrpa.VRPTW)] == ["bias", "returns"]


def of_the_two(solver="gnrpa", **settings):
    """Return which of α and τ are tuned."""
    return [name for name in tuned(solver, **settings) if name in ("alpha", "tau")]


def test_one_of_alpha_and_tau_is_tuned():
    """α, as only α/τ² counts; τ where that is asked for, and then not α, which NRPA has alone."""
    over = {"tau": Range(0.5, 2.0)}
    assert of_the_two() == of_the_two(fixed={"tau": 1.4}) == of_the_two(only=["alpha", "level"]) == ["alpha"]
    assert (
        of_the_two(only=["tau"], has_bias=False) == of_the_two(only=["tau", "alpha"], fixed={"alpha": 2.0}) == ["tau"]
    )
    assert (of_the_two(over=over), of_the_two("nrpa", over={"level": (2, 3)})) == (["tau"], ["alpha"])
    assert of_the_two(fixed={"alpha": 2.0}) == []
    assert of_the_two("uct", only=["alpha", "tau"]) == ["alpha", "tau"]


def test_what_optuna_draws_from():
    """Whole numbers, others, and values; None for the word that stands for it."""
    found = tuned(over={"tau": Range(0.5, 2), "level": ("auto", 3)}, only=["tau", "level"])
    assert (found["tau"].low, found["tau"].high, found["tau"].log) == (0.5, 2.0, True)
    assert found["level"].choices == (None, 3)
    assert {type(each).__name__ for each in tuned(only=["iterations"]).values()} == {"IntDistribution"}


def test_numbers_are_rounded_to_what_the_command_says():
    """Three digits, inside the range."""
    optuna = pytest.importorskip("optuna")
    tau = tuned(over={"tau": Range(0.5, 1.9999)}, only=["tau"])["tau"]
    for value, expected in ((1.23456, 1.23), (1.99989, 1.9999)):
        assert suggested(optuna.trial.FixedTrial({"tau": value}), "tau", tau) == expected


def test_the_command_line_says_what_is_tried():
    """Ranges of numbers, values of any type, and the word for none."""
    known = known_options("gnrpa", nrpa.TSPTW.cli_options)
    for text, tried in {
        "bias-scale=0:4": Range(0.0, 4.0, log=False),
        "moves=all,lookahead": ("all", "lookahead"),
        "bias=yes,no": (True, False),
        "level=auto,3": ("auto", 3),
        "gamma=0.1,0.5": (0.1, 0.5),
    }.items():
        assert parse_over(text, known) == (text.partition("=")[0].replace("-", "_"), tried)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"over": {"tau": Range(0.5, 2)}, "fixed": {"tau": 2.0}}, "tau is given a value, and to be tuned"),
        ({"only": ["tau", "alpha"]}, "alpha and tau: only alpha / tau**2 counts, so one of them is tuned"),
        ({"over": {"tau": (1.0, 2.0), "alpha": (1.0, 2.0)}}, "alpha and tau: only alpha"),
        ({"over": {"tau": Range(2, 1)}}, "tau: expected two numbers, the lower one first, not 2.0:1.0"),
        ({"over": {"tau": Range(0.0, 1)}}, "tau must be a positive number, not 0.0"),
        ({"over": {"bias_scale": Range(0.0, 1)}}, "bias_scale: expected two numbers"),
        ({"over": {"tau": Range(0.1, float("inf"))}}, "tau must be from 1e-100 to 1e+100, not inf"),
        ({"over": {"tau": Range("a", 1)}}, "tau must be a positive number, not 'a'"),
        ({"over": {"level": Range(1, 2.5)}}, "level must be a whole number of at least 1, not 2.5"),
        ({"over": {"level": (3,)}}, "level: expected at least two different values"),
        ({"over": {"level": (3, 30)}}, "level must be at most 20, not 30"),
        ({"over": {"level": 3}}, "level: expected an nrpa.Range or a tuple of values"),
        ({"over": {"moves": Range(1, 2)}}, "moves must be one of selective, all, lookahead"),
        ({"over": {"moves": ("all", "none")}}, "moves must be one of selective, all, lookahead"),
    ],
)
def test_what_cannot_be_tuned_is_one_sentence(settings, message):
    """It names the option."""
    with pytest.raises(InputError, match=re.escape(message)):
        tuned(**settings)


@pytest.mark.parametrize("text", ["tau", "tau=", "=1,2", "taus=1:2"])
def test_a_text_of_another_form_is_refused(text):
    """What can be said is named."""
    with pytest.raises(InputError, match="expected"):
        parse_over(text, known_options("gnrpa", nrpa.TSPTW.cli_options))
