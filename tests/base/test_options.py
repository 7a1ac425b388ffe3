import inspect
from dataclasses import dataclass, field

import numpy as np
import pytest

import nrpa
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


class Ordered(nrpa.Problem):
    """Three bits, with options of every kind."""

    order = nrpa.Option("given", "The order of the bits.", ("given", "reversed"))
    strict = nrpa.Option(True, "Whether to be strict.")
    width = nrpa.Option(3, "How many.", least=1)
    share = nrpa.Option(0.5, "Which share.")
    word = nrpa.Option("any", "Any word.")
    own_bound = nrpa.Option(7, "A bound.", name="bound_at")

    def __init__(self, given, **options):
        super().__init__(**options)
        self.given = given

    @classmethod
    def from_source(cls, source, **options):
        return cls(source.text, **options)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return (0, 1) if len(state) < self.width else ()

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum(state)


DEFAULTS = {"order": "given", "strict": True, "width": 3, "share": 0.5, "word": "any", "bound_at": 7}


def test_one_declaration_is_enough(tmp_path):
    """The list for the command line, the keyword, ``load``, the attribute and the record follow from it."""
    assert [option.name for option in Ordered.cli_options] == list(DEFAULTS)
    assert Ordered.order.choices == ("given", "reversed")
    assert Ordered("x").options == DEFAULTS
    (tmp_path / "x").write_text("bits")
    problem = Ordered.load(str(tmp_path / "x"), order="reversed", width=np.int64(2), share=1, bound_at=9)
    assert problem.options == {**DEFAULTS, "order": "reversed", "width": 2, "share": 1.0, "bound_at": 9}
    assert (problem.order, problem.width, problem.own_bound) == ("reversed", 2, 9)
    result = nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=5)
    assert (len(result.solution), result.options["width"], type(result.options["width"])) == (2, 2, int)
    assert '"width": 2' in result.to_json()


def test_the_signature_shows_the_options():
    """For help and completion, instead of ``**options``; a class with options of its own shows those, too."""

    class More(Ordered):
        extra = nrpa.Option(False, "One more.")

    assert list(inspect.signature(Ordered).parameters) == ["given", *DEFAULTS]
    assert list(inspect.signature(More).parameters) == ["given", *DEFAULTS, "extra"]
    assert inspect.signature(nrpa.TSPTW).parameters["moves"].default == "selective"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": "random"}, "order must be one of given, reversed, not 'random'"),
        ({"order": 1}, "order must be one of given, reversed, not 1"),
        ({"strict": 1}, "strict must be True or False, not 1"),
        ({"width": 2.5}, "width must be a whole number of at least 1, not 2.5"),
        ({"width": 0}, "width must be a whole number of at least 1, not 0"),
        ({"width": True}, "width must be a whole number of at least 1, not True"),
        ({"share": "half"}, "share must be a finite number, not 'half'"),
        ({"share": float("nan")}, "share must be a finite number, not nan"),
        ({"word": 3}, "word must be text, not 3"),
        ({"own_bound": 3}, "Ordered has no option 'own_bound'; expected one of order, strict, width"),
    ],
)
def test_values_that_an_option_cannot_have(options, message):
    """One sentence that names the option and what was expected."""
    with pytest.raises(nrpa.InputError, match=message):
        Ordered("x", **options)


def test_a_value_is_checked_whenever_it_is_set():
    """Not in the constructor alone; a class without options says that it has none."""
    problem = Ordered("x")
    with pytest.raises(nrpa.InputError, match="order must be one of"):
        problem.order = "random"

    class Without(nrpa.Problem):
        pass

    with pytest.raises(nrpa.InputError, match="Without has no option 'order'; it has none"):
        Without(order="given")
    with pytest.raises(TypeError):
        Without("given")


def test_a_constructor_may_name_its_options():
    """As parameters of its own, which it sets."""

    class Named(nrpa.Problem):
        order = nrpa.Option("given", "The order.", ("given", "reversed"))

        def __init__(self, size, order="given"):
            self.size, self.order = size, order

    assert Named(3, "reversed").options == {"order": "reversed"}
    assert list(inspect.signature(Named).parameters) == ["size", "order"]


def test_options_are_no_part_of_the_instance():
    """Two searches of one instance with other options are of one instance."""
    assert Ordered("x", width=2).sha256 == Ordered("x").sha256 != Ordered("y").sha256


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: nrpa.NRPA(levl=2), r"NRPA has no option 'levl'; did you mean level\?"),
        (lambda: nrpa.Objective("cost", sing=-1), r"Objective has no option 'sing'; did you mean sign\?"),
        (lambda: nrpa.Auto(width=1), "Auto has no option 'width'; expected one of improve, tempering"),
    ],
)
def test_a_keyword_that_is_misspelled(make, said):
    """With a name that is near, or else all."""
    with pytest.raises(nrpa.InputError, match=said):
        make()


def test_the_docstring_of_a_problem_lists_its_options():
    """Behind the parameters that the class describes itself, but for those options that it describes, too."""

    class Described(Ordered):
        """Bits.

        Parameters
        ----------
        bits : int
            How many.
        strict : bool
            Strictly.

        References
        ----------
        A book.
        """

    lines = Described.__doc__.splitlines()
    assert lines[6:10] == [
        "strict : bool",
        "    Strictly.",
        'order : {"given", "reversed"}, default "given"',
        "    The order of the bits.",
    ]
    assert lines[-8:] == [
        "Raises",
        "------",
        "InputError",
        "    If the arguments make no instance.",
        "",
        "References",
        "----------",
        "A book.",
    ]
