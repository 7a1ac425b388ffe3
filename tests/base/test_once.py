import threading

from nrpa.base.once import once


class Slow:
    """Computes once a second thread has asked, or cannot ask."""

    def __init__(self):
        self.computed = 0
        self.asked, self.twice = threading.Event(), threading.Event()

    @once
    def thing(self):
        """Return a new object."""
        self.computed += 1
        if self.computed == 1:
            self.asked.wait()
            self.twice.wait(timeout=0.2)
        else:
            self.twice.set()
        return object()


def test_two_threads_get_the_same_object():
    """The second waits for the first."""
    slow, found = Slow(), []

    def ask():
        found.append(slow.thing)

    def ask_too():
        slow.asked.set()
        found.append(slow.thing)

    threads = [threading.Thread(target=ask)]
    threads[0].start()
    while slow.computed == 0:
        pass
    threads.append(threading.Thread(target=ask_too))
    threads[1].start()
    for thread in threads:
        thread.join()
    assert found[0] is found[1]
    assert slow.computed == 1


def test_the_value_can_be_set():
    """As that of any attribute."""
    slow = Slow()
    slow.thing = 3
    assert (slow.thing, slow.computed) == (3, 0)
    assert isinstance(Slow.thing, once)
