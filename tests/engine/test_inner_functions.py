import threading
from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof

import nrpa
from nrpa.engine.inner_functions import Inner
from nrpa.engine.jit import load


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


@pytest.fixture(params=[np.int64])
def pair(request):
    """Pairs of numbers of a type that no other test has compiled the functions for."""
    return lambda first, second: Pair(*(np.array([each], request.param) for each in (first, second)))


def loaded(pair):
    return load(entry, type("Mine", (), {"__module__": "__main__"}), (), (), (pair(0, 0),))


def compiled(function, pair):
    return function.overloads[(typeof(pair(0, 0)),)]


def test_only_the_entry_has_machine_code_of_its_own(pair):
    """And it finds what its functions would."""
    whole = loaded(pair)
    assert whole(pair(4, 3)) == 7
    for function in (lowest, checked):
        result = compiled(function, pair)
        assert isinstance(result.entry_point, Inner)
        assert result.fndesc.llvm_cpython_wrapper_name not in result.library.get_llvm_str()
    assert not isinstance(compiled(whole, pair).entry_point, Inner)


@pytest.mark.parametrize("pair", [np.int32], indirect=True)
def test_an_inner_function_can_be_called_from_python(pair):
    """It is compiled as a whole then; other types are as ever, and what it was inside goes on."""
    whole = loaded(pair)
    assert (checked(pair(4, 3)), checked(pair(5, 6))) == (6, 10)
    assert not isinstance(compiled(checked, pair).entry_point, Inner)
    assert lowest(pair(4, 3)) == 3
    assert whole(pair(4, 3)) == 7
    assert checked(Pair(np.array([0.5]), np.array([2.5]))) == 1.0


@pytest.mark.parametrize("pair", [np.int16], indirect=True)
def test_an_error_inside_says_what_it_says(pair):
    """With its arguments, from the entry and from the function called alone."""
    for function in (loaded(pair), checked):
        with pytest.raises(ValueError, match="below zero") as caught:
            function(pair(-1, 3))
        assert caught.value.args == ("below zero", 1)


@pytest.mark.parametrize("pair", [np.int8], indirect=True)
def test_another_thread_compiles_for_python(pair):
    """While an entry is compiled, a function that other threads call is made for them as a whole."""
    found = []

    @nrpa.jit
    def twice(pair):
        return 2 * pair.first[0]

    threads = [threading.Thread(target=lambda: found.append(twice(pair(4, 3)))) for _ in range(3)]
    for thread in threads:
        thread.start()
    whole = loaded(pair)
    for thread in threads:
        thread.join()
    assert found == [8, 8, 8]
    assert not isinstance(compiled(twice, pair).entry_point, Inner)
    assert whole(pair(4, 3)) == 7
