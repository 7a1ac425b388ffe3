"""Machine code on disk, of functions that are compiled in no time."""

import errno
import logging
import os
import subprocess
import sys
import types
from typing import NamedTuple

import numpy as np
import pytest
from numba import config, njit

from nrpa.engine import code_cache
from nrpa.engine.code_cache import OnDisk, cache_folder, clear, sizes_on_disk


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
from nrpa.engine.code_cache import OnDisk

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
