"""Calls whose worker is lost are made again, up to a number of times."""

import logging
from concurrent.futures import Executor, Future

import pytest
from executors import Dying, Inline

from nrpa.base.errors import LostWorkersError
from nrpa.search.retry import handed_out


def done(executors, tasks=(1, 2, 3), tries=2):
    return list(handed_out(abs, tasks, executors, "number {}".format, tries, "try another"))


def test_each_task_is_done_once():
    """By one executor in order; the numbers say whether others go on."""
    assert done([Inline()]) == [(1, 1, 1), (2, 2, 1), (3, 3, 0)]
    assert sorted(task for task, _, _ in done([Inline()] * 5)) == [1, 2, 3]


def test_a_call_that_is_lost_is_made_again(caplog):
    """And that is said."""
    with caplog.at_level(logging.WARNING):
        assert [task for task, _, _ in done([Dying()])] == [1, 2, 3]
    assert caplog.messages == [f"number {task} was lost; it is run again" for task in (1, 2, 3)]


class Dead(Executor):
    """Loses every call."""

    def submit(self, function, /, *arguments):
        future = Future()
        future.set_exception(ConnectionError("gone"))
        return future


def test_a_call_that_is_lost_again_and_again_ends_it():
    """One sentence says which, how often, how, and what to do."""
    with pytest.raises(LostWorkersError, match=r"^number 1 was lost 4 times \(ConnectionError: gone\); try another$"):
        done([Dead()], tries=4)


class Waiting(Executor):
    """Does the first call, and keeps the others waiting."""

    def __init__(self):
        self.futures = []

    def submit(self, function, /, *arguments):
        self.futures.append(Future())
        if len(self.futures) == 1:
            self.futures[0].set_result(function(*arguments))
        return self.futures[-1]


def test_what_waits_is_cancelled_where_the_caller_leaves():
    """So that an executor of the caller's has nothing left to do."""
    executor = Waiting()
    for _ in handed_out(abs, [1, 2, 3], [executor] * 3, str, 2, ""):
        break
    assert [future.cancelled() for future in executor.futures] == [False, True, True]
