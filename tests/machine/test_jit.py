"""Machine code on disk, each case in processes of its own with a cache of its own."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof

import nrpa
from nrpa.machine.jit import held, is_cached, jit, load

PROBLEM = """
from typing import NamedTuple
import numpy as np
import nrpa
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective
from nrpa.modelling.objective import Verdict
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

# As little machine code as there can be: a game, without a search around it.
GAME = """
from nrpa.engine.kernels import legal_moves, play, reset, score

def game(instance, state, moves):
    reset(instance, state)
    while legal_moves(instance, state, moves) > 0:
        play(instance, state, moves.move[0])
    return score(instance, state)
"""

RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import logging, sys
from nrpa.machine import jit
from nrpa.engine.kernels import allocate_moves, kernels_of
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
from game import game
from {module} import Count, State
given = Count().model.instance, Count().new_state(), allocate_moves(2)
compiled = jit.load(game, State, kernels_of(State).values(), given, "count")
stats = compiled.stats
print("score", compiled(*given), "hits", sum(stats.cache_hits.values()), "misses", sum(stats.cache_misses.values()))
"""

SEARCH = """
import nrpa
from {module} import Count
search = nrpa.NMCS(level=1).start(Count(), 1)
search.advance(1)
print("score", search.score)
"""

CALL = """
import logging, sys
logging.basicConfig(stream=sys.stdout)
from mine_helper import value
value()
print(value(), "hits", *value.entry.stats.cache_hits.values(), "misses", *value.entry.stats.cache_misses.values())
"""


class Workshop:
    """A folder of modules, and processes that import from it."""

    def __init__(self, folder):
        self.folder = folder
        self.cache = folder / "cache"
        self.write("game", GAME)

    def write(self, name, text):
        (self.folder / f"{name}.py").write_text(textwrap.dedent(text))

    def start(self, module, program=RUN, **variables):
        env = {**os.environ, "NUMBA_CACHE_DIR": str(self.cache), "PYTHONPATH": str(self.folder), **variables}
        return subprocess.Popen(
            [sys.executable, "-c", program.format(module=module)],
            cwd=self.folder,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, module, program=RUN, **variables):
        process = self.start(module, program, **variables)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out

    def files(self):
        return [path for path in self.cache.rglob("*.machine") if "mine_State" in path.name]


@pytest.fixture
def workshop(tmp_path):
    shop = Workshop(tmp_path)
    shop.write("mine", PROBLEM.format(helper="mine_helper"))
    shop.write("mine_helper", HELPER)
    return shop


def test_an_edit_recompiles_and_no_edit_loads(workshop):
    """The second process compiles nothing; after an edit of a helper in another file the third runs the new code.

    When the edit is undone, or the same code lies elsewhere, what was compiled first is loaded.
    """
    first = workshop.run("mine")
    assert "score 14.0 hits 0 misses 1" in first
    assert "compiling for count" in first
    second = workshop.run("mine")
    assert "score 14.0 hits 1 misses 0" in second
    assert "compiling" not in second
    workshop.write("mine_helper", HELPER.replace("10.0", "20.0"))
    assert "score 24.0 hits 0 misses 1" in workshop.run("mine")
    (workshop.folder / "elsewhere").mkdir()
    elsewhere = Workshop(workshop.folder / "elsewhere")
    elsewhere.cache = workshop.cache
    elsewhere.write("mine", PROBLEM.format(helper="mine_helper"))
    elsewhere.write("mine_helper", HELPER)
    assert "score 14.0 hits 1 misses 0" in elsewhere.run("mine")
    assert len(workshop.files()) == 2


def test_a_function_that_python_calls_is_loaded(workshop):
    """Also a helper, which kernels call else, until it is edited; nothing is said of one that cannot be kept."""
    assert workshop.run("mine", CALL) == "10.0 hits misses 1\n"
    assert workshop.run("mine", CALL) == "10.0 hits 1 misses\n"
    workshop.write("mine_helper", HELPER.replace("10.0", "20.0"))
    assert workshop.run("mine", CALL) == "20.0 hits misses 1\n"
    large = HELPER.replace("10.0", "LARGE[10]").replace(
        "nrpa\n", "nrpa, numpy as np\nLARGE = np.arange(2_000_000)\n", 1
    )
    workshop.write("mine_helper", large)
    assert [workshop.run("mine", CALL) for _ in range(2)] == ["10 hits misses 1\n"] * 2


def test_machine_code_lies_in_the_users_folder_and_nowhere_else(workshop):
    """Neither beside the package nor beside the user's file is anything written."""
    beside = {*Path(nrpa.__file__).parents[1].rglob("*"), workshop.folder / "mine.py"}
    variables = {"NUMBA_CACHE_DIR": "", "XDG_CACHE_HOME": str(workshop.cache), "PYTHONDONTWRITEBYTECODE": "1"}
    assert "score 14.0" in workshop.run("mine", SEARCH, **variables)
    assert {file.parents[1] for file in workshop.files()} == {workshop.cache / "nrpa"}
    assert {*Path(nrpa.__file__).parents[1].rglob("*"), *workshop.folder.glob("mine.*")} == beside


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


def test_numba_that_must_not_compile_is_refused(workshop):
    """In a sentence."""
    process = workshop.start("mine", SEARCH, NUMBA_DISABLE_JIT="1")
    _, err = process.communicate()
    assert "InputError: NUMBA_DISABLE_JIT is set" in err


def test_a_numba_without_a_cache_has_nothing_on_disk():
    """Its functions may lack the private attribute; what is in memory is found."""
    assert not is_cached(SimpleNamespace(signatures=[]))
    assert is_cached(SimpleNamespace(signatures=[()]))


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


@nrpa.jit
def lowest(pair):
    return min(pair.first[0], pair.second[0])


@nrpa.jit
def checked(pair):
    if pair.first[0] < 0:
        raise ValueError("below zero", 1)
    return 2 * lowest(pair)


def entry(pair):
    return checked(pair) + 1


def of_users(pair):
    return checked(pair)


@pytest.fixture(params=[np.int64])
def pair(request):
    """Pairs of numbers of a type that no other test has compiled the functions for."""
    return lambda first, second: Pair(*(np.array([each], request.param) for each in (first, second)))


def loaded(function, *arguments):
    return load(function, type("Mine", (), {"__module__": "__main__"}), (), arguments)


def compiled(function, pair):
    return function.overloads[(typeof(pair(0, 0)),)]


def test_only_the_entry_has_machine_code_of_its_own(pair):
    """And it finds what its functions would."""
    whole = loaded(entry, pair(0, 0))
    assert whole(pair(4, 3)) == 7
    for function in (lowest, checked):
        result = compiled(function, pair)
        assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0
        assert result.fndesc.llvm_cpython_wrapper_name not in result.library.get_llvm_str()
    result = compiled(whole, pair)
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) != 0


@pytest.mark.parametrize("pair", [np.int32], indirect=True)
def test_an_inner_function_can_be_called_from_python(pair):
    """For other types, too, and by name; what it was inside goes on."""
    whole = loaded(entry, pair(0, 0))
    assert (checked(pair(4, 3)), checked(pair=pair(5, 6))) == (6, 10)
    assert lowest(pair(4, 3)) == 3
    assert whole(pair(4, 3)) == 7
    assert checked(Pair(np.array([0.5]), np.array([2.5]))) == 1.0
    assert njit(of_users)(pair(4, 3)) == 6


@pytest.mark.parametrize("pair", [np.int16], indirect=True)
def test_an_error_inside_says_what_it_says(pair):
    """With its arguments, from the entry and from the function called alone."""
    for function in (loaded(entry, pair(0, 0)), checked):
        with pytest.raises(ValueError, match="below zero") as caught:
            function(pair(-1, 3))
        assert caught.value.args == ("below zero", 1)


@pytest.mark.parametrize("pair", [np.int8], indirect=True)
def test_threads_compile_at_once(pair):
    """The same functions for Python and for an entry."""
    found = []

    @nrpa.jit
    def twice(pair):
        return lowest(pair) + checked(pair) // 2

    threads = [threading.Thread(target=lambda: found.append(twice(pair(4, 3)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    whole = loaded(entry, pair(0, 0))
    for thread in threads:
        thread.join()
    assert found == [6, 6, 6]
    assert whole(pair(4, 3)) == 7


@nrpa.jit
def noisy(x):
    print("number", x)
    return x


def loud_entry(x):
    return noisy(x)


def test_an_inner_function_can_print(capfd):
    """For which it needs Python."""
    loaded(loud_entry, 1)(1)
    noisy(2)
    assert capfd.readouterr().out.splitlines() == ["number 1", "number 2"]


@nrpa.jit
def fibonacci(n, step=1):
    return n if n < 2 else fibonacci(n - step) + fibonacci(n - 2)


@nrpa.jit
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


@nrpa.jit
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def recursive_entry(n):
    return fibonacci(n), is_odd(n)


def test_functions_call_themselves_and_each_other():
    """From Python and from an entry."""
    assert (fibonacci(10), is_odd(10)) == (55, False)
    assert loaded(recursive_entry, 9)(9) == (34, True)


@nrpa.jit
def power(base, exponent):
    return base**exponent


@nrpa.jit
def third(numbers, place):
    return numbers[place]


def entry_of_constants(numbers, n):
    return power(n, 2) + power(n, n) + third(numbers, 1)


def test_a_constant_is_a_number_like_any_other():
    """It makes no function of its own, but where the type of the result depends on it."""
    assert loaded(entry_of_constants, (1, 0.5), 3)((1, 0.5), 3) == 9 + 27 + 0.5
    assert len(power.signatures) == 1


def test_it_can_be_pickled():
    """In the process that it is from it stays the same one."""
    assert pickle.loads(pickle.dumps(lowest)) is lowest


@jit
def held_in_machine_code(number):
    return held(number)


@pytest.mark.parametrize("number", [0, -3, 2**53 + 2, -(10**18), -(2**63), 0.5, -1e300, True, np.float32(0.5)])
def test_a_number_that_float64_holds_is_that_number(number):
    """In machine code as in Python."""
    assert held(number) == held_in_machine_code(number) == number


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 10**17 + 1, 2**63 - 1])
def test_a_whole_number_that_float64_does_not_hold_is_none(number):
    """A score of a kernel that counts in whole numbers is not rounded in silence."""
    assert np.isnan([held(number), held(np.int64(number)), held_in_machine_code(number)]).all()
