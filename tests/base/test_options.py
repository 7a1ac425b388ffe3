from dataclasses import dataclass, field

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.base.options import Options, Terms, documented, option, terms_of


@dataclass(frozen=True)
class Settings(Options):
    depth: int = option(3, "How deep", most=9)
    rate: float = option(1.0, "How fast", least=0.1, most=10)
    greedy: bool = option(False, "Take the best")
    rule: str = option("first", "Which one", choices=("first", "last"))
    extra: list = field(default_factory=list)


def test_values_are_kept_as_numbers_of_python():
    """NumPy's become Python's, so that JSON can hold them."""
    made = Settings(np.int64(4), np.float32(0.5), np.bool_(True), "last")
    assert [(type(value), value) for value in made.options.values()] == [
        (int, 4), (float, 0.5), (bool, True), (str, "last"), (list, []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "depth must be a whole number of at least 1, not 0"),
        ({"depth": 10}, "depth must be at most 9, not 10"),
        ({"depth": 2.5}, "depth must be a whole number of at least 1, not 2.5"),
        ({"rate": 0.05}, "rate must be from 0.1 to 10, not 0.05"),
        ({"rate": 0}, "rate must be a positive number, not 0"),
        ({"greedy": "no"}, "greedy must be True or False, not 'no'"),
        ({"greedy": 1}, "greedy must be True or False, not 1"),
        ({"rule": "middle"}, "rule must be one of first, last, not 'middle'"),
    ],
)
def test_a_value_out_of_range_is_refused_on_construction(options, message):
    """In a sentence that names the option and its range."""
    with pytest.raises(InputError, match=message):
        Settings(**options)


def test_fields_of_others_count_by_their_defaults():
    """A plain dataclass has options, too; a default that is no number, flag or text is none."""

    @dataclass(frozen=True)
    class Plain:
        size: int = 5
        names: tuple = ()

    assert terms_of(Plain) == {"size": Terms(5)}
    assert list(terms_of(Settings)) == ["depth", "rate", "greedy", "rule"]


def test_the_docstring_lists_the_options_before_its_other_sections():
    """Types, ranges, defaults and meanings follow from the fields."""

    @documented
    @dataclass(frozen=True)
    class Rule(Options):
        """A rule.

        Examples
        --------
        >>> Rule()
        """

        depth: int | None = option(3, "How deep", most=9, none="auto", details="Deeper is slower.")
        kind: str = option("first", "Which one", choices=("first", "last"))

    assert Rule.__doc__.splitlines()[2:-4] == [
        "Parameters",
        "----------",
        'depth : int from 1 to 9 or "auto", default 3',
        "    How deep. Deeper is slower.",
        'kind : {"first", "last"}, default "first"',
        "    Which one.",
        "",
        "Raises",
        "------",
        "InputError",
        "    If a value is out of range.",
    ]
