import errno
import logging
import os
import random
import subprocess
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest
from numba import config, njit
from tries import SEED, tries

from nrpa.machine import code_cache
from nrpa.machine.code_cache import OnDisk, cache_folder, clear, fingerprint, sizes_on_disk


def full(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Give each test a folder of its own, in which nothing was refused."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(code_cache, "_warned", False)
    return tmp_path / "cache"


def double(x):
    return 2 * x


def first_field(pair):
    return pair.a


def on_disk(function, name="name", alone=False):
    compiled = njit(function)
    compiled._cache = OnDisk(lambda: name, alone)
    return compiled


def loaded(function):
    return sum(function.stats.cache_hits.values())


def test_what_one_keeps_another_loads():
    """For the types that were compiled, and no others."""
    assert on_disk(double)(3) == 6
    again = on_disk(double)
    assert (again(3), loaded(again)) == (6, 1)
    assert (again(0.5), loaded(again)) == (1.0, 1)
    assert len(sizes_on_disk()) == 2


def test_a_function_that_only_python_calls_takes_less_room():
    """It does the same when it is loaded, and so do errors in it."""

    def quotient(a, b):
        return a // b

    for alone in (False, True):
        on_disk(quotient, f"name{alone}", alone)(7, 2)
        again = on_disk(quotient, f"name{alone}", alone)
        assert (again(7, 2), loaded(again)) == (3, 1)
        with pytest.raises(ZeroDivisionError):
            again(7, 0)
    alone, linked = sizes_on_disk().values()
    assert alone < linked


def test_numbas_own_functions_are_loaded_for_machine_code_that_calls_them(folder):
    """In another process: one function calls none, another one allocates memory."""
    code = """
import sys
import numpy as np
from numba import njit
from nrpa.machine.code_cache import OnDisk

def kept(name, function):
    compiled = njit(function)
    compiled._cache = OnDisk(lambda: name)
    return compiled

print(kept("double", lambda x: 2 * x)(3), "numba.np.arraymath" in sys.modules)
print(kept("zeros", lambda n: np.zeros(n))(2), "numba.np.arraymath" in sys.modules)
"""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
        for _ in range(2)
    ]
    assert [run.stdout for run in runs] == ["6 True\n[0. 0.] True\n", "6 False\n[0. 0.] True\n"], runs[1].stderr


def test_a_numba_that_lacks_what_is_used_costs_one_warning(monkeypatch, caplog):
    """Its private parts may change; then nothing is kept, and all is compiled."""
    monkeypatch.delattr("numba.core.compiler.CompileResult._reduce")
    assert on_disk(double)(3) == 6
    monkeypatch.delattr("numba.core.codegen.CPUCodegen.magic_tuple")
    assert on_disk(double)(3) == 6
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_another_name_is_another_function():
    """The name carries the fingerprint of the code."""
    on_disk(double, "old")(3)
    assert on_disk(lambda x: 3 * x, "new")(3) == 9


def test_fields_in_another_order_are_another_type(monkeypatch):
    """Though numba has the same name for both, and the same class in a file."""
    module = types.ModuleType("module_of_pair")
    monkeypatch.setitem(sys.modules, "module_of_pair", module)

    def pair(fields):
        module.Pair = NamedTuple("Pair", fields)
        module.Pair.__module__ = "module_of_pair"
        return module.Pair(b=np.array([1]), a=np.array([2]))

    assert on_disk(first_field)(pair([("a", np.ndarray), ("b", np.ndarray)])) == [2]
    assert on_disk(first_field)(pair([("b", np.ndarray), ("a", np.ndarray)])) == [2]


def test_what_is_known_to_this_process_only_is_not_kept(caplog):
    """No other could load it, so nothing is said."""

    class Local(NamedTuple):
        a: int

    assert on_disk(first_field)(Local(5)) == 5
    assert not sizes_on_disk()
    assert not caplog.text


@pytest.mark.parametrize("refusal", ["a file in its place", "a full disk", "no home"])
def test_a_folder_that_cannot_be_written_costs_one_warning(folder, monkeypatch, caplog, tmp_path, refusal):
    """And the functions run."""
    monkeypatch.chdir(tmp_path)
    if refusal == "a file in its place":
        folder.write_text("")
    elif refusal == "a full disk":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(config, "CACHE_DIR", "")
        monkeypatch.setattr(code_cache, "user_cache_dir", lambda *_, **__: "~/.cache/nrpa")
    with caplog.at_level(logging.INFO, "nrpa"):
        assert [on_disk(double, name)(3) for name in "abc"] == [6, 6, 6]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "machine code cannot be kept on disk" in caplog.text
    assert "NUMBA_CACHE_DIR can name another" in caplog.text
    assert not sizes_on_disk()
    assert {path.name for path in tmp_path.iterdir()} <= {"cache"}


@pytest.mark.parametrize("part", [0.0, 0.001, 0.5, 0.999])
@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_machine_code_is_compiled_anew(caplog, damage, part):
    """Wherever the file is cut, or a byte of it changed; afterwards it is whole."""
    on_disk(double)(3)
    (file,) = sizes_on_disk()
    whole = file.read_bytes()
    place = int(part * len(whole))
    file.write_bytes(whole[:place] + (bytes([whole[place] ^ 1]) + whole[place + 1 :] if damage == "changed" else b""))
    with caplog.at_level(logging.INFO, "nrpa"):
        again = on_disk(double)
        assert (again(3), loaded(again)) == (6, 0)
    assert "machine code on disk is damaged (ValueError); compiling anew" in caplog.text
    again = on_disk(double)
    assert (again(3), loaded(again)) == (6, 1)


def test_what_was_not_used_for_longest_is_removed(monkeypatch):
    """Loading is using."""
    for age, name in enumerate("abc"):
        on_disk(double, name)(3)
        for file in cache_folder().rglob(f"{name}-*"):
            os.utime(file, (1000 + age, 1000 + age))
    on_disk(double, "a")(3)
    monkeypatch.setattr(code_cache, "MOST_BYTES", sum(sizes_on_disk().values()) - 1)
    code_cache._remove_oldest.__wrapped__()
    assert [file.name[0] for file in sizes_on_disk()] == ["a", "c"]


def test_clearing_leaves_what_is_not_machine_code(folder):
    """Whatever its name; folders that are empty then go, too."""
    on_disk(double)(3)
    (folder / "nrpa").mkdir()
    kept = [folder / "nrpa" / "mine.machine", folder / "x.nbi", folder / "nrpa-thesis.txt"]
    for file in kept:
        file.write_text("")
    clear()
    assert sorted(folder.rglob("*.*")) == sorted(kept)


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
