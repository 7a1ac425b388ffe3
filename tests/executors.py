"""Executors that do what is submitted here, in an order of their own."""

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
