"""Executors that do what is submitted here, in an order of their own."""

import random
import threading
import time
from concurrent.futures import Executor, Future


class Inline(Executor):
    """Runs what is submitted at once, in this thread."""

    def submit(self, function, /, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


class Dying(Inline):
    """Loses every other call, as if its process had died."""

    submitted = 0

    def submit(self, function, /, *arguments):
        self.submitted += 1
        if self.submitted % 2:
            future = Future()
            future.set_exception(ConnectionError("the worker died"))
            return future
        return super().submit(function, *arguments)


class LosingOnce(Inline):
    """Loses each call the first time that it is submitted."""

    def __init__(self):
        self._lost = []

    def submit(self, function, /, *arguments):
        if any(lost is arguments[1] for lost in self._lost):
            return super().submit(function, *arguments)
        self._lost.append(arguments[1])
        future = Future()
        future.set_exception(ConnectionError("the worker died"))
        return future


class Shuffled(Executor):
    """One thread that takes what is waiting in a random order, or the latest first."""

    def __init__(self, seed=None):
        self._random = None if seed is None else random.Random(seed)
        self._waiting = []
        self._changed = threading.Condition()
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, function, /, *arguments):
        future = Future()
        with self._changed:
            self._waiting.append((future, function, arguments))
            self._changed.notify()
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._changed:
            self._is_over = True
            self._changed.notify()
        self._thread.join()

    def _run(self):
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_over)
                if self._is_over:
                    return
            time.sleep(0.0005)
            with self._changed:
                last = len(self._waiting) - 1
                taken = self._waiting.pop(self._random.randint(0, last) if self._random else last)
            future, function, arguments = taken
            if future.set_running_or_notify_cancel():
                future.set_result(function(*arguments))
