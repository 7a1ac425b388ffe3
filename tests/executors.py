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


class Counting:
    """What an executor derives from first to count the playouts that it is given."""

    playouts = 0

    def submit(self, function, /, *arguments):
        self.playouts += arguments[2].playouts
        return super().submit(function, *arguments)


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


class Lopsided(Inline):
    """Keeps each call of the second worker waiting until some more calls of others have come.

    Where none come for 20 s, it counts that in ``left_waiting``, and keeps nothing waiting any more.
    """

    def __init__(self, calls):
        self._calls = calls
        self._workers = {}
        self._late = None
        self.overtakings = self.left_waiting = 0

    def submit(self, function, /, *arguments):
        state = arguments[1]
        worker = self._workers.setdefault(state, len(self._workers))
        future = Future()

        def run():
            if not future.done():
                answer = function(*arguments)
                self._workers[getattr(answer, "state", None)] = worker
                future.set_result(answer)

        def give_up():
            self.left_waiting += 1
            self._late = None
            run()

        if worker == 1 and arguments[2].playouts and not self.left_waiting:
            timer = threading.Timer(20, give_up)
            timer.daemon = True
            timer.start()
            self._late = [self._calls, run, timer]
            return future
        run()
        if self._late:
            self.overtakings += 1
            self._late[0] -= 1
            if not self._late[0]:
                _, late, timer = self._late
                self._late = None
                timer.cancel()
                late()
        return future
