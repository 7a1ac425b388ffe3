"""Machine code on disk, each case in processes of its own with a cache of its own."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from nrpa.engine.jit import internal, jit

PROBLEM = """
from typing import NamedTuple
import numpy as np
import nrpa
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.verdict import Verdict
import {helper} as helper

class Instance(NamedTuple):
    size: int

def reset(instance, state):
    state.counts[0] = 0

def legal_moves(instance, state, moves):
    if state.counts[0] == instance.size:
        return 0
    for m in range(2):
        moves.move[m] = m
        moves.code[m] = 2 * state.counts[0] + m
    return 2

def play(instance, state, move):
    state.counts[0] += 1

def score(instance, state):
    return helper.value() + state.counts[0]

@nrpa.kernels(reset, legal_moves, play, score)
class State(NamedTuple):
    counts: np.ndarray

class Count(CompiledProblem):
    name = "count"
    objective = Objective("count", sign=1)

    def __init__(self):
        super().__init__(Instance(4), max_steps=4, max_moves=2, codes=8)

    def new_state(self):
        return State(np.zeros(1, np.int64))

    def check(self, solution):
        return Verdict({{}}, [], score=None)
"""

HELPER = """
import nrpa

@nrpa.jit
def value():
    return 10.0
"""

RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import logging, sys
import nrpa
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
from {module} import Count
search = nrpa.NMCS(level=1).start(Count(), 1)
search.advance(1)
stats = search.machine_code.stats
print("score", search.score, "hits", sum(stats.cache_hits.values()), "misses", sum(stats.cache_misses.values()))
"""


class Workshop:
    """A folder of modules, and processes that import from it."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache"

    def write(self, name, text):
        (self.folder / f"{name}.py").write_text(textwrap.dedent(text))

    def start(self, module, before="", **variables):
        env = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache), "PYTHONPATH": str(self.folder), **variables}
        return subprocess.Popen(
            [sys.executable, "-c", before + RUN.format(module=module)],
            cwd=self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, module, before=""):
        process = self.start(module, before)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out

    def indices(self, class_name):
        return [path.name for path in self.cache.rglob("*.nbi") if class_name in path.name]


@pytest.fixture
def workshop(tmp_path):
    shop = Workshop(tmp_path)
    shop.write("mine", PROBLEM.format(helper="mine_helper"))
    shop.write("mine_helper", HELPER)
    return shop


def test_an_edit_recompiles_and_no_edit_loads(workshop):
    """The second process compiles nothing; after an edit of a helper in another file the third runs the new code."""
    first = workshop.run("mine")
    assert "score 14.0 hits 0 misses 1" in first
    assert "compiling for count" in first
    second = workshop.run("mine")
    assert "score 14.0 hits 1 misses 0" in second
    assert "compiling" not in second
    workshop.write("mine_helper", HELPER.replace("10.0", "20.0"))
    assert "score 24.0 hits 0 misses 1" in workshop.run("mine")
    assert len(workshop.indices("mine_State")) == 1, "the older code is removed"


def test_a_deleted_module_spoils_no_other_problem(workshop):
    """Two problems have caches of their own: one whose module is gone does not hinder the other."""
    workshop.write("other", PROBLEM.format(helper="other_helper"))
    workshop.write("other_helper", HELPER.replace("10.0", "30.0"))
    assert "score 34.0" in workshop.run("other")
    assert "score 14.0" in workshop.run("mine")
    for name in ("mine", "mine_helper"):
        (workshop.folder / f"{name}.py").unlink()
    assert "score 34.0 hits 1 misses 0" in workshop.run("other")


def test_concurrent_first_runs(workshop):
    """Two processes that compile the same code at the same time both work, and leave a usable cache."""
    processes = [workshop.start("mine") for _ in range(2)]
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, err
        assert "score 14.0" in out
    assert "hits 1 misses 0" in workshop.run("mine")


def test_killed_while_compiling(workshop):
    """Ctrl-C during compilation leaves nothing that the next process would stumble over."""
    process = workshop.start("mine")
    for line in process.stdout:
        if "compiling" in line:
            break
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert process.returncode != 0
    assert "score 14.0" in workshop.run("mine")


@pytest.mark.parametrize(("ending", "size"), [("nbi", 100), ("nbc", 100)])
def test_damaged_machine_code_is_compiled_anew(workshop, ending, size):
    """Whichever file is cut and where; afterwards the machine code on disk is whole."""
    workshop.run("mine")
    cut = [path for path in workshop.cache.rglob(f"*.{ending}") if "mine_State" in path.name]
    assert cut
    for path in cut:
        path.write_bytes(path.read_bytes()[:size])
    out = workshop.run("mine")
    assert "score 14.0" in out
    assert "compiling anew" in out
    assert "hits 1 misses 0" in workshop.run("mine")


def test_a_changed_byte_of_machine_code_is_noticed(workshop):
    """In the middle of the file, where it would be run: it is compiled anew instead."""
    workshop.run("mine")
    (path,) = [path for path in workshop.cache.rglob("*.nbc") if "mine_State" in path.name]
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    out = workshop.run("mine")
    assert "score 14.0" in out
    assert "machine code on disk is damaged (ValueError); compiling anew" in out
    assert "hits 1 misses 0" in workshop.run("mine")


def test_a_full_disk_costs_no_search(workshop):
    """Here, one on which no file can be large: the search runs, with a warning, and leaves nothing half."""
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    out = workshop.run("mine", before=full)
    assert "score 14.0" in out
    assert "machine code cannot be kept in" in out
    assert workshop.indices("mine_State") == []
    assert "hits 0 misses 1" in workshop.run("mine")


def test_numba_that_must_not_compile_is_refused(workshop):
    """In a sentence; in the debug mode nothing is compiled, and the search runs."""
    process = workshop.start("mine", NUMBA_DISABLE_JIT="1")
    _, err = process.communicate()
    assert "InputError: NUMBA_DISABLE_JIT is set" in err
    process = workshop.start("mine", "import types; print = lambda *a: None\n", NUMBA_DISABLE_JIT="1", NRPA_DEBUG="1")
    _, err = process.communicate()
    assert "NUMBA_DISABLE_JIT" not in err


SHARED = """
import numpy as np
from nrpa.engine.jit import jit
from called import amount

@jit
def add(x):
    return x + amount()
"""


def test_helpers_that_all_problems_share_are_kept_and_made_anew(tmp_path):
    """A second process loads them from disk; after an edit of what they call, another file is made, none is stale."""
    (tmp_path / "shared.py").write_text(SHARED)
    code = """if True:
        import shared
        from nrpa.engine.jit import keep_on_disk
        keep_on_disk(shared)
        print(shared.add(1), sum(shared.add.stats.cache_hits.values()))
    """

    def printed(amount):
        (tmp_path / "called.py").write_text(
            f"from nrpa.engine.jit import jit\n\n\n@jit\ndef amount():\n    return {amount}\n"
        )
        folder = {
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONPATH": str(tmp_path),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        run = [sys.executable, "-c", code]
        return subprocess.run(run, env={**os.environ, **folder}, capture_output=True, text=True, check=True).stdout

    assert printed(5) == "6 0\n"
    assert printed(5) == "6 1\n"
    assert printed(70) == "71 0\n"


def test_internal_helpers_are_for_compiled_code():
    """It calls them; Python is told to call ``py_func``, before and after they are compiled, and never jumps to 0."""

    @internal
    def twice(x):
        return 2 * x

    @jit
    def caller(x):
        return twice(x) + 1

    for _ in range(2):
        with pytest.raises(TypeError, match=r"call twice\.py_func"):
            twice(3)
        assert caller(3) == 7
    assert twice.py_func(3) == 6
