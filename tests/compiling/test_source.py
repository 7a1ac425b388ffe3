"""Methods as they are compiled: what is translated with Python's meaning, and what is refused."""

import bisect
import enum
import functools
import math
import operator
import os
from collections import deque
from importlib.util import module_from_spec, spec_from_file_location
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.errors import TypingError

import nrpa
from nrpa.base.errors import ProblemError
from nrpa.compiling import kernels
from nrpa.compiling.source import Sources


class Base(nrpa.Problem):
    """A number that grows."""

    most = 6

    def initial_state(self):
        return 3

    def legal_moves(self, state):
        return [0, 1] if state < self.most else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state


def compiled(problem, method="score"):
    """Return a method as machine code, a function of its arguments."""
    sources = Sources(problem, 0)
    code = sources.method(method)
    return functools.partial(code, kernels.record_of(sources.attributes, type(problem).__name__))


def adds(chosen, more):
    """Change a list that is given."""
    chosen += more
    chosen.extend([more[0]])
    return len(chosen)


def one_more(method):
    """Return a method that adds 1 to what another one returns."""

    @functools.wraps(method)
    def inner(self, state):
        return method(self, state) + 1

    return inner


def twice(method):
    """Return a method that says what another one returns twice, without the name of that one."""

    def inner(self, state):
        return 2 * method(self, state)

    return inner


class Side(enum.IntEnum):
    """Two sides."""

    LEFT = 4
    RIGHT = 9


STOPS = [3, 1, 4]


def deep(number):
    """Return a number by as many calls."""
    return 0 if number == 0 else 1 + deep(number - 1)


class Helper(Base):
    def score(self, state):
        chosen = [state]
        return adds(chosen, [1, 2]) * 100 + len(chosen) * 10 + chosen[-1]


class Decorated(Base):
    @one_more
    @twice
    def score(self, state):
        return state * self.most


class Most(Base):
    most = 2

    def score(self, state):
        return Base.most * 100 + self.most * 10 + Base.score(self, state)


class Members(Base):
    def score(self, state):
        return Side.LEFT * 10 + (state == Side.RIGHT) + Side.RIGHT.value


class Yields(Base):
    def legal_moves(self, state):
        if state > 9:
            return
        yield state
        yield from (k for k in range(4) if k != state)


class Mapped(Base):
    def score(self, state):
        return sum(map(lambda stop: stop * state, STOPS))  # noqa: C417


class Dotted(Base):
    def score(self, state):
        return operator.add(state, 2) + math.floor(2.5)


class Mixed(Base):
    limit = 2.5

    def score(self, state):
        return (state < self.limit) * 4 + int(self.limit >= state) * 2 + int(state == self.limit)


class Recursive(Base):
    def score(self, state):
        return deep(state)


class Ordered(Base):
    def score(self, state):
        pairs = [(k % 3, k) for k in range(40)]
        pairs.sort(key=lambda pair: pair[0])
        return pairs[1][1] * 100 + pairs[39][1]


class Rows(Base):
    def __init__(self):
        self.rows = [[1, 2], [3], [2, 2, 2]]
        self.words = ["ab", "c"]

    def score(self, state):
        return self.rows.index([3]) * 10 + ([1, 2] in self.rows) + ("c" in self.words) + (self.words[0] == "ab")


@pytest.mark.parametrize(
    ("cls", "state"),
    [(cls, 3) for cls in (Helper, Decorated, Most, Members, Mapped, Mixed, Recursive, Ordered, Rows)]
    + [(Recursive, 5)],
)
def test_what_is_translated_is_the_same(cls, state):
    """Helpers that change lists, decorators, classes by name, members, recursion, orders by a key, rows and texts."""
    assert compiled(cls())(state) == cls().score(state)


def test_moves_that_are_yielded_are_a_list():
    """With those of another generator, and none where it ends at once."""
    listed = compiled(Yields(), "legal_moves")
    assert [listed(state) for state in (2, 10)] == [[*Yields().legal_moves(state)] for state in (2, 10)]


def test_recursion_without_end_is_an_error():
    """As in Python, and the process goes on."""
    with pytest.raises(RecursionError):
        compiled(Recursive())(-1)


class Assigns(Base):
    def score(self, state):
        return (n := state) + n


class Deques(Base):
    def score(self, state):
        return len(deque([state]))


class Bisects(Base):
    def score(self, state):
        return bisect.bisect_left(STOPS, state)


class Sorts(Base):
    def score(self, state):
        return np.argsort(np.array([3, 1, state]))[0]


class Gets(Base):
    near = {2: 5}  # noqa: RUF012

    def score(self, state):
        return 0 if self.near.get(state) is None else 1


class Large(Base):
    def score(self, state):
        return state & 2**64


class Stars(Base):
    def score(*given):
        return given[1]


class Cached(Base):
    @functools.cache  # noqa: B019
    def score(self, state):
        return state


class Same(Base):
    def score(self, state):
        return state is self.most


class Listed(Base):
    def score(self, state, more=(1, 2)):
        return state + more[0]


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (
            Assigns,
            r"test_source.py:\d+, in Assigns.score: an assignment within an expression \(:=\).*a line of its own",
        ),
        (Deques, r"in Deques.score: deque does not compile; use a list"),
        (Bisects, r"in Bisects.score: bisect.bisect_left does not compile; use a loop, or np.searchsorted"),
        (Sorts, r"in Sorts.score: argsort puts equal values in an order of its own; use np.argsort\(values, kind="),
        (Gets, r"in Gets.score: get\(key\) gives None at times; use get\(key, number\)"),
        (Large, r"in Large.score: 18446744073709551616 has more than 63 bits; use smaller numbers"),
        (Stars, r"in Stars.score: \*given does not compile; write self, and each argument"),
        (Cached, r"Cached.score is a _lru_cache_wrapper, which a decorator made; leave the decorator out"),
        (Same, r"in Same.score: is, which asks for one object, does not compile; use =="),
        (Listed, r"in Listed.score: the default \(1, 2\) does not compile; use a number"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_what_is_refused_is_said_with_a_remedy(cls, said):
    """With the method, the line, and what to write; nothing is compiled."""
    with pytest.raises(ProblemError, match=said):
        Sources(cls(), 0).method("score")


def test_a_file_that_was_edited_is_not_compiled(tmp_path):
    """What was imported would not be what is compiled."""
    file = tmp_path / "edited.py"
    text = "import nrpa\n\n\nclass P(nrpa.Problem):\n    def initial_state(self):\n        return 10\n"
    file.write_text(text)
    spec = spec_from_file_location("edited", file)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    Sources(module.P(), 0).method("initial_state")
    for changed in (text.replace("10", "3"), f"\n{text}", text.replace("10", "(")):
        file.write_text(changed)
        os.utime(file, (1, len(changed)))
        with pytest.raises(ProblemError, match=r"in P.initial_state: its source text is"):
            Sources(module.P(), 0).method("initial_state")


def test_globals_and_attributes_of_classes_that_change_are_refused(monkeypatch):
    """They have the values of the time when they were compiled."""
    problem = nrpa.compiled(Most())
    _ = problem.model
    problem._comparison = SimpleNamespace()
    problem.forget()
    monkeypatch.setattr(Base, "most", 7)
    with pytest.raises(ProblemError, match=r"Most: Base.most has changed since the class was compiled"):
        problem.forget()
    mapped = nrpa.compiled(Mapped())
    _ = mapped.model
    mapped._comparison = SimpleNamespace()
    monkeypatch.setitem(globals(), "STOPS", [3, 1, 5])
    with pytest.raises(ProblemError, match=r"Mapped: STOPS has changed since the class was compiled"):
        mapped.forget()


def test_a_list_of_the_module_that_a_method_changes_is_refused():
    """It is one that is only read."""

    class Logs(Base):
        def play(self, state, move):
            STOPS.append(move)
            return state + move

    with pytest.raises(TypingError, match=r"'append'"):
        compiled(Logs(), "play")(3, 1)
