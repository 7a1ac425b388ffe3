"""Problems that depend on the order of a set of strings."""

import re
import threading

import pytest
from user_problems import Bits

import nrpa
from nrpa.checking import hash_order
from nrpa.registry import problem_class

TOWNS = {"Aachen", "Bonn", "Celle", "Dresden"}


class Tour(nrpa.Problem):
    """Visit all towns; the score is how early the first one is visited."""

    def __init__(self):
        self.towns = set(TOWNS)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [town for town in self.towns if town not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return -state.index("Aachen")


class Sorted(Tour):
    """The same, in order; a set within a move is told by what it holds."""

    def legal_moves(self, state):
        return [(town, frozenset(TOWNS)) for town in sorted(super().legal_moves([town for town, _ in state]))]

    def score(self, state):
        return -len(state)


class Coded(Bits):
    """Codes are hashes of text."""

    def code(self, state, move):
        return hash(str((state, move)))


class Scored(Bits):
    """The score is that of the town that a set gives first."""

    def score(self, state):
        return len(next(iter(TOWNS)))


@pytest.fixture(autouse=True)
def other_processes():
    """They are started."""


def local():
    class Local(Tour):
        """A class that no name leads to."""

    return Local()


def in_main():
    made = type("Main", (Tour,), {"__module__": "__main__"})
    return made()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Tour, r"legal_moves gave \[.*\], and others or another order in another process"),
        (Coded, "code gave something else in another process"),
        (Scored, "score, or rewards, gave something else in another process"),
        (local, "legal_moves gave"),
        (in_main, "legal_moves gave"),
    ],
)
def test_what_depends_on_the_order_of_a_set_is_found(make, said):
    """In moves, codes and scores, wherever the class is from; the sentence says what to do."""
    (fault,) = nrpa.check_problem(make()).faults
    assert re.match(said, fault)
    assert "(PYTHONHASHSEED), so that seeds, workers and resumed runs would differ; sort what comes from a set" in fault


@pytest.mark.parametrize("make", [Bits, Sorted])
def test_a_problem_in_order_is_kept(make):
    """And was looked at."""
    contract = nrpa.check_problem(make())
    assert (contract.faults, contract.unchecked) == ([], [])


def test_a_file_of_the_users_is_found_in_other_processes(tmp_path):
    """Under the name that it has here."""
    file = tmp_path / "tour.py"
    lines = [
        "print('read')",
        "class Mine(Bits):",
        "    def legal_moves(self, state):",
        "        return {*'abcdef'} - {*state}",
    ]
    file.write_text(
        "\n".join(["from user_problems import Bits", *lines, "    def score(self, state):", "        return 1"])
    )
    found = problem_class(f"{file}:Mine")
    assert "another order in another process" in nrpa.check_problem(found()).faults[0]


class Unpicklable(Bits):
    """It holds what no other process can have."""

    def __init__(self):
        self.lock = threading.Lock()


class Elsewhere(Bits):
    """It works in no other process."""

    def __setstate__(self, state):
        raise OSError("no such device")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (Unpicklable, "the problem cannot be sent to another process: TypeError"),
        (Elsewhere, "another process failed: OSError: no such device"),
    ],
)
def test_what_could_not_be_looked_at_is_said(make, why):
    """It is no fault, and not silent either."""
    contract = nrpa.check_problem(make())
    assert contract.kept
    assert contract.unchecked[0].startswith(f"not checked: whether it is the same in other processes ({why}")
    assert contract.unchecked[0] in contract.summary()


def test_a_process_that_takes_too_long_is_given_up(monkeypatch):
    """As one that waits for something that it cannot have."""
    monkeypatch.setattr(hash_order, "SECONDS", 0.0)
    assert hash_order.difference(Bits(), 2) == ("", "another process took more than 0.0 seconds")
