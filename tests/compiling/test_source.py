"""Methods as they are compiled: what is translated with Python's meaning, and what is refused."""

import bisect
import dataclasses
import enum
import functools
import itertools
import linecache
import math
import operator
import os
from collections import deque
from importlib.util import module_from_spec, spec_from_file_location
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core import event
from numba.core.errors import TypingError

import nrpa
from nrpa.base.errors import ProblemError
from nrpa.compiling import kernels
from nrpa.compiling.source import Sources
from nrpa.machine.code_cache import OnDisk


class Base(nrpa.Problem):
    """A number that grows."""

    most = 6

    def initial_state(self):
        return 3

    def legal_moves(self, state):
        return [0, 1] if state < self.most + 2 else []

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


class Cases(Base):
    """Cases of numbers, letters, tuples and parts of them, and of none."""

    kind = "b"

    def score(self, state):
        total = 0
        for number in range(state):
            match number:
                case 0:
                    continue
                case 1 | 2 as small:
                    total += small
                case large if large > 3:
                    break
        match self.kind:
            case "a":
                total += 100
            case "b" | "c":
                total += 200
        match (state, total):
            case (3, 0):
                return -1
            case (first, (last)) if last > first:
                return first * 1000 + last
            case _:
                return total


def scaled(number, *, by, more=1):
    """Return a number so many times, and more."""
    return number * by + more


class Named(Base):
    """Arguments by name, a first number, the other way round, and a star."""

    def plus(self, number, *, more=2):
        return number + more

    def score(self, state):
        total = scaled(state, by=10) + self.plus(state) + self.plus(state, more=5)
        for place, stop in enumerate(STOPS, start=1):
            total = total * 10 + place * stop
        for stop in reversed(STOPS):
            total = total * 10 + stop
        for number in reversed(range(3)):
            total = total * 10 + number
        return total + min(*STOPS)


class Products(Base):
    def score(self, state):
        return math.prod(STOPS) + math.prod([0.1, 0.7, state], start=2) + math.prod(k + 1 for k in range(4))


class Parts(Base):
    """Parts of arrays and lists that others are written to, of the same array too, with a step, and numbers."""

    def score(self, state):
        one, other, third, listed = np.arange(10), np.arange(10), np.zeros(5), [1, 2, 3, 4]
        one[1:] = one[:-1]
        other[2:6] = other[2:6][::-1]
        other[:-1] = other[1:]
        other[::-1] = one
        third[1:4] = other[state : state + 3]
        third[3:] = 7
        third[::2] = third[1:4]
        third[:2] = np.ones(1)
        listed[1:3] = [9, 8, 7]
        weights = np.arange(10)
        return float((one * weights).sum() + 1e3 * (other * weights).sum() + 1e6 * third[:4].sum()) + sum(listed)


class Grids(Base):
    """Rows, columns and blocks that arrays are written to: of other types, of fewer axes, of the same array."""

    def score(self, state):
        grid, cube, row = np.arange(12).reshape(3, 4), np.zeros((2, 3, 4)), np.arange(4) ** 2
        grid[1] = row
        grid[:, 2] = grid[0, :3]
        grid[-1, :2], grid[-1, 2:] = row[:2], row[:1]
        grid[state - 3] += row
        grid[0] = grid[0][::-1]
        grid[0, ::-1] = grid[0]
        cube[1], cube[0, 1:] = grid, grid[1]
        cube[:, :, 1:3] = cube[1, :, :2]
        cube[0, 0] = np.ones(1)
        kept = grid[2] = cube[1, 0] = row[::-1]
        cube[1, 2, 0] = kept[0] + kept.sum()
        weights = np.arange(24).reshape(2, 3, 4)
        return float((cube * weights).sum() + 1e4 * (grid * weights[1]).sum())


class Scattered(Base):
    def score(self, state):
        row = np.arange(6)
        row[np.array([3, 1])] = row[4:]
        row[np.array([3, 4])] += row[:2]
        return (row * np.arange(6)).sum()


@pytest.mark.parametrize(
    ("cls", "state"),
    [(cls, 3) for cls in (Grids, Scattered, Helper, Decorated, Most, Members, Mapped, Mixed, Recursive, Ordered, Rows)]
    + [(Recursive, 5), (Cases, 3), (Cases, 9), (Cases, 1), (Named, 3), (Products, 3), (Parts, 3)],
)
def test_what_is_translated_is_the_same(cls, state):
    """Helpers that change lists, decorators, classes by name, members, recursion, orders by a key, rows and texts."""
    assert compiled(cls())(state) == cls().score(state)


class Compilations(event.Listener):
    """The names of the functions that numba compiles."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass


class Fitted(Base):
    def __init__(self):
        self.grid = np.zeros((3, 4))

    def score(self, state):
        grid = self.grid.copy()
        grid[state[0], state[1] :] = np.ones(state[2])
        return grid.sum()


def test_an_array_that_does_not_fit_is_refused_without_a_text_made_of_its_shape(monkeypatch):
    """A text, as numba makes one, is compiled with all that makes texts of numbers."""
    monkeypatch.setattr(OnDisk, "load_overload", lambda *given: None)
    listener, plain = Compilations(), Fitted()
    with event.install_listener("numba:compile", listener):
        fitted = compiled(plain)
        assert fitted((2, 1, 3)) == plain.score((2, 1, 3)) == 3
    assert any("setitem" in name or "put" in name for name in listener.names)
    assert not any("shape_context" in name for name in listener.names)
    for state, error in (((2, 1, 2), ValueError), ((3, 0, 4), IndexError)):
        for score in (fitted, plain.score):
            with pytest.raises(error):
                score(state)


class Roots(Base):
    def score(self, state):
        return math.isqrt(state)


class Remainders(Base):
    def score(self, state):
        return math.fmod(state[0], state[1])


POINTS = {
    "tuples": [(0.5, 1.0), (2.0, -3.0), (1e200, 7.0)],
    "lists": [[0, 1, 2], [5, -7, 11], [2, 2, 2]],
    "kinds": [(0, 1.5), (3, 0.25), (-2, 1e-3)],
    "one number": [(4,), (0,), (-9,)],
    "array": np.random.default_rng(2).random((3, 2)),
}


class Apart(Base):
    def __init__(self, kind):
        self.points = POINTS[kind]

    def score(self, state):
        return math.dist(self.points[state[0]], self.points[state[1]])


@pytest.mark.parametrize("kind", POINTS)
def test_distances_of_points(kind):
    """As of Python, but for the last digit."""
    apart, plain = compiled(Apart(kind)), Apart(kind)
    for pair in itertools.product(range(3), repeat=2):
        assert math.isclose(apart(pair), plain.score(pair), rel_tol=4e-16)


class Uneven(Base):
    def score(self, state):
        return math.dist((state, 1), [state, 2, 3][: 2 + state % 2])


def test_points_of_other_lengths_have_no_distance():
    """The exception is that of Python."""
    assert compiled(Uneven())(4) == 1.0
    with pytest.raises(ValueError, match=r"^$"):
        compiled(Uneven())(5)


def test_whole_roots_and_remainders_are_exact():
    """Up to 63 bits, or raise what Python raises; NaN comes of NaN alone."""
    root, remainder = compiled(Roots()), compiled(Remainders())
    chance = np.random.default_rng(1)
    numbers = [*range(300), *(int(k) ** 2 - j for k in chance.integers(1, 3037000499, 200) for j in (0, 1, -1))]
    for number in [*numbers, 2**63 - 1, 3037000499**2, 3037000499**2 - 1]:
        assert root(number) == math.isqrt(number)
    with pytest.raises(ValueError, match=r"^$"):
        root(-1)
    for pair in [*chance.normal(0, 1e3, (200, 2)).tolist(), (-7.0, 3.0), (1.0, math.inf), (math.nan, 0.0)]:
        assert str(remainder(tuple(pair))) == str(math.fmod(*pair))
    for pair in ((1.0, 0.0), (math.inf, 2.0)):
        with pytest.raises(ValueError, match=r"^$"):
            remainder(pair)


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


@dataclasses.dataclass(frozen=True)
class Place:
    """A place."""

    at: int


def line(text):
    """Return a class whose score has a line."""
    file = f"<{text}>"
    code = f"class Line(Base):\n    def score(self, state):\n        {text}\n        return state\n"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    scope = {**globals()}
    exec(compile(code, file, "exec"), scope)
    return scope["Line"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = math.comb(4, 2)", r"math.comb\(4, 2\) does not compile; use a list of them that __init__ makes"),
        ("x = math.log(state, 2)", r"math.log\(state, 2\) does not compile; use math.log\(x\) / math.log\(base\)"),
        ("x = math.hypot(1, 2, state)", "use math.hypot of two, one in the other"),
        ("x = math.isclose(state, 1)", r"use abs\(x - y\)"),
        ("x = math.cbrt(state)", "use operators and loops, or a list of its values"),
        ("match state: case int(): pass".replace(": case", ":\n            case"), r"case int\(\).*; use if and elif"),
        ("x = Place(state)", "an object of Place does not compile; use a NamedTuple, or numbers"),
        ("x = f'{state}'", "a text made by f'' does not compile; use numbers"),
        (
            "try: x = 1\n        except ValueError: x = 2",
            "an exception that is caught does not compile; use a condition",
        ),
        ("global STOPS", "global does not compile; use an attribute of the problem or an argument"),
        ("def f(**more): return 1", r"\*\*more does not compile; use an argument for each name"),
        ("def f(*, more): return 1", r"\* among the arguments does not compile within a method; leave it out"),
        ("x = scaled(1, **{'by': 2})", r"\*\* in a call does not compile; use name=value"),
        ("x = max(0, *STOPS)", r"a star in max does not compile; use max\(\[...\]\)"),
        ("import math", "an import within a method does not compile; use one at the top of the file"),
        ("del state", r"del does not compile; use values.pop\(place\)"),
        ("with open('x'): pass", "with does not compile; use plain lines"),
        ("class A: pass", "a class within a method does not compile"),
        ("x = functools.reduce(operator.add, STOPS)", "functools.reduce does not compile; use a function without"),
        ("x = type(state)", r"type\(...\) does not compile; use values of one type"),
        ("x = 'a'.upper()", "upper of a text does not compile; use what __init__ has made of it"),
    ],
)
def test_a_line_that_is_refused_is_named_with_a_remedy(text, said):
    """None of them is left to numba's words."""
    with pytest.raises(ProblemError, match=rf">:[3-5], in Line.score: .*{said}"):
        Sources(line(text)(), 0).method("score")


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
