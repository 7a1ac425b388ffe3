"""Calls from kernels back into Python."""

import math
import threading

import numpy as np
import pytest
from numba import njit

from nrpa.machine.callback import Callback, InPlace, call
from nrpa.machine.jit import OPTIONS


@njit(**OPTIONS)
def ask(address, array):
    return call(address, array)


def test_the_function_gets_the_bytes_of_the_array_and_its_answer_comes_back():
    """Whatever the type of the elements."""
    callback = Callback(lambda data: float(np.frombuffer(data, np.int64).sum()))
    assert ask(callback.address, np.arange(5)) == 10.0


def test_an_exception_is_kept_and_raised_once():
    """The kernel gets NaN, and the caller the exception itself."""
    callback = Callback(lambda data: 1 / 0)
    assert math.isnan(ask(callback.address, np.zeros(1)))
    with pytest.raises(ZeroDivisionError):
        callback.raise_kept_error()
    callback.raise_kept_error()


def test_after_an_exception_the_function_is_not_called_again():
    """So that a search that cannot stop at once does no further harm."""
    seen = []

    def fail(data):
        seen.append(data)
        raise ValueError("broken")

    callback = Callback(fail)
    for _ in range(3):
        assert math.isnan(ask(callback.address, np.zeros(1, np.uint8)))
    assert len(seen) == 1


def test_an_exception_belongs_to_its_thread():
    """Another thread is neither stopped by it nor told of it."""
    callback = Callback(lambda data: 1 / data[0])
    thread = threading.Thread(target=lambda: ask(callback.address, np.zeros(1, np.uint8)))
    thread.start()
    thread.join()
    callback.raise_kept_error()
    assert ask(callback.address, np.full(1, 2, np.uint8)) == 0.5


def test_an_array_can_be_changed_in_place():
    """The kernel sees what the function wrote."""

    def double(buffer):
        numbers = np.frombuffer(buffer, np.int64)
        numbers *= 2
        return float(len(numbers))

    array = np.arange(4)
    assert ask(InPlace(double, Callback(len)).address, array) == 4.0
    assert array.tolist() == [0, 2, 4, 6]


def test_two_callbacks_share_an_exception():
    """After it neither is called, and the other one raises it."""
    score = Callback(len)
    in_place = InPlace(lambda buffer: 1 / 0, score)
    assert math.isnan(ask(in_place.address, np.zeros(1)))
    assert math.isnan(ask(score.address, np.zeros(1)))
    with pytest.raises(ZeroDivisionError):
        score.raise_kept_error()
    in_place.raise_kept_error()
    assert ask(score.address, np.zeros(1)) == 8.0
