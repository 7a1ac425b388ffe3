import pickle
import threading
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit, typeof
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.cpu import CPUTargetOptions

import nrpa
from nrpa.engine.inner_functions import InnerLibrary
from nrpa.engine.jit import load, options_of


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


@pytest.mark.parametrize("pair", [np.uint8], indirect=True)
def test_a_numba_without_the_private_parts_compiles_as_well(pair, monkeypatch):
    """Only with more work; each is hidden here."""
    assert InnerLibrary._needs_addresses(SimpleNamespace())
    for name in ("_optimize_final_module", "_finalize_final_module"):
        monkeypatch.setattr(InnerLibrary, name, getattr(JITCodeLibrary, name))
    monkeypatch.delattr(CompileResult, "_find_referenced_environments")
    whole = loaded(entry, pair(0, 0))
    result = compiled(lowest, pair)
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) != 0
    assert (whole(pair(4, 3)), checked(pair(4, 3))) == (7, 6)


def test_a_numba_without_the_option_counts_references():
    """The option is left out where numba does not know it."""
    assert options_of(CPUTargetOptions)["_nrt"] is False
    assert options_of(SimpleNamespace(nogil=None, error_model=None)).keys() == {"nogil", "error_model"}
