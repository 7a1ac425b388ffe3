"""Dear values."""

from threads import in_threads

from nrpa.problems.rna.remembered import Remembered


def test_a_value_is_computed_once_until_it_is_forgotten():
    """The oldest goes first."""
    asked = []

    def length(key):
        asked.append(key)
        return float(len(key))

    remembered = Remembered(length, 2)
    for key in (b"", b"a", b"", b"ab", b"a", b""):
        assert remembered(key) == len(key)
    assert asked == [b"", b"a", b"ab", b""]


def test_threads_may_ask_at_once():
    """Although each makes others forget."""
    remembered = Remembered(float, 2)

    def ask(number):
        return all(remembered(str(k % 5 + number).encode()) == k % 5 + number for k in range(20_000))

    assert in_threads(ask, range(4)) == [True] * 4
