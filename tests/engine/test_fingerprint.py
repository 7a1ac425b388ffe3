import random
import types

import pytest
from tries import SEED, tries

from nrpa.engine.code_cache import fingerprint


def load(source, **names):
    module = types.ModuleType("loaded")
    module.__dict__.update(names)
    exec(source, module.__dict__)
    return module


BASE = "SIZE = 3\ndef helper(x):\n    return x + 1\ndef kernel(x):\n    return helper(x) * SIZE\n"


def printed(source, **names):
    return fingerprint([load(source, **names).kernel])


def test_comments_and_docstrings_change_nothing():
    """Only what is computed counts, as does a text that is read."""
    assert printed(BASE) == printed("# note\n\n" + BASE)
    documented = [BASE.replace("(x):\n", f"(x):\n    '{text}'\n") for text in ("old", "new")]
    assert printed(documented[0]) == printed(documented[1])
    read = [BASE.replace("x + 1", f"len('{text}')") for text in ("old", "new")]
    assert printed(read[0]) != printed(read[1])


def test_helpers_and_constants_count():
    """An edit of a called function, or of a global number, changes the fingerprint."""
    assert printed(BASE) != printed(BASE.replace("x + 1", "x + 2"))
    assert printed(BASE) != printed(BASE.replace("SIZE = 3", "SIZE = 4"))
    assert printed(BASE) != printed(BASE.replace("* SIZE", "- SIZE"))


def test_helpers_in_other_modules_count():
    """Also where they are reached through the module's name."""
    source = "def kernel(x):\n    return tools.helper(x)\n"
    first, second = load(BASE), load(BASE.replace("x + 1", "x + 2"))
    assert printed(source, tools=first) != printed(source, tools=second)
    assert printed(source, tools=first) == printed(source, tools=load(BASE))


def test_source_files_count(tmp_path):
    """Files given by path count by what is computed in them: not by comments, docstrings and places."""
    body = "    def f(self):\n        'Function.'\n        return 2\n"
    text = f"'Module.'\nX = 1\n\nclass C:\n    'Class.'\n\n{body}"

    def printed_file(name, old="", new=""):
        path = tmp_path / f"{name}.py"
        path.write_text(text.replace(old, new))
        return fingerprint([], [path])

    first = printed_file("first")
    for number, word in enumerate(("Module", "Class", "Function")):
        assert printed_file(f"documented{number}", word, f"Another {word}") == first
    assert printed_file("moved", "class", "# comment\n\nclass") == first
    assert printed_file("number", "X = 1", "X = 3") != first
    assert printed_file("method", "return 2", "return 3") != first


MODULE = """
import types
def module(**names):
    made = types.ModuleType("made")
    vars(made).update(names)
    return made
"""
TWO = "def one(x): return x + 1\ndef two(x): return x - 1\ndef make(f): return lambda x: f(x)\n"


@pytest.mark.parametrize(
    ("before", "kernel", "old", "new"),
    [
        ("", "1 * x + 12 * x", "1 * x + 12", "11 * x + 2"),
        ("", "f'{x}a' + 'bc'", "a' + 'bc", "ab' + 'c"),
        ("", "x in {1, 2}", "1, 2", "1, 3"),
        ("T = ((1, 2), (3,))\n", "len(T[0])", "(1, 2), (3,)", "(1,), (2, 3)"),
        ("T = slice(0, 2)\n", "x[T]", "0, 2", "1, 3"),
        ("import enum\nclass E(enum.IntEnum):\n    A = 1\n", "E.A", "= 1", "= 2"),
        ("import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2\nV = E.A\n", "V.value", "E.A", "E.B"),
        (MODULE + "m = module(s=module(C=1))\n", "m.s.C", "C=1", "C=2"),
        (MODULE + TWO + "m = module(s=module(t=module(f=one)))\n", "m.s.t.f(x)", "f=one", "f=two"),
        ("from typing import NamedTuple\nV = NamedTuple('P', [('a', int), ('b', int)])(1, 2)\n", "V.a", "'a'", "'c'"),
        ("import numpy as np\nT = np.zeros((2, 3))\n", "T.strides", "(2, 3)", "(2, 3), order='F'"),
        ("from numpy import maximum as f\n", "f(x, 5)", "maximum", "minimum"),
        ("from numpy import sum as f\n", "f(x)", "import sum", "import prod"),
        ("import numba\nf = numba.int64\n", "f(x)", "int64", "int32"),
        ("import numba\n@numba.njit(fastmath=False)\ndef f(x): return x\n", "f(x)", "False", "True"),
        ("import numba\n@numba.njit('f8(f8)')\ndef f(x): return x\n", "f(x)", "'f8", "'f4"),
        ("import numba\n@numba.njit(locals={'x': numba.f8})\ndef f(x): return x\n", "f(x)", "f8", "f4"),
        ("import numba\n@numba.vectorize\ndef f(x): return x + 1\n", "f(x)", "x + 1", "x + 2"),
        ("abs = None\n", "abs", "abs = None", "pass"),
        ("def f(x, *, k=1): return k\n", "f(x)", "k=1", "k=2"),
        (
            TWO + "f, g, h = make(one), make(two), make(one)\n",
            "f(x) - g(x) * h(x)",
            "make(two), make(one)",
            "make(two), make(two)",
        ),
    ],
)
def test_an_edit_that_changes_the_result_is_seen(before, kernel, old, new):
    """Whatever kind of thing numba compiles in, and where one ends and the next begins."""
    source = f"{before}def kernel(x): return {kernel}\n"
    assert printed(source) == printed(source)
    assert printed(source) != printed(source.replace(old, new))


def test_edits_of_digits_are_seen():
    """Random cuts of the same digits into three constants; where the result is another one, so is the fingerprint."""
    chance, seen = random.Random(SEED), 0
    for _ in tries(50):
        digits, both = "".join(chance.choices("123456789", k=6)), []
        for first, second in (sorted(chance.sample(range(1, 6), 2)) for _ in range(2)):
            constants = digits[:first], digits[first:second], digits[second:]
            both.append("def kernel(x): return {} * x + {} * (x + 1) + {}\n".format(*constants))
        if load(both[0]).kernel(97) != load(both[1]).kernel(97):
            assert printed(both[0]) != printed(both[1]), both
            seen += 1
    assert seen


def test_a_function_counts_as_it_was_at_first():
    """Machine code of old globals must not get the name of new ones: numba, too, keeps those of the first time."""
    module = load(BASE)
    first = fingerprint([module.kernel])
    module.SIZE = 4
    assert fingerprint([module.kernel]) == first
