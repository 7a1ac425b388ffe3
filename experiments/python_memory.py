"""Bytes that a problem in plain Python keeps for each move that it has not given before.

    python experiments/python_memory.py

Moves and codes are numbered when they first appear, and a number holds as long as the problem does. Here no state is
met twice, and no move: the worst case. Most problems give few different moves, over and over.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Hashable

import nrpa

STEPS, WIDTH, PLAYOUTS = 20, 10, 1000


class Fresh(nrpa.Problem):
    """Twenty steps of ten moves that never come again."""

    def __init__(self, make: Callable[[int], Hashable]) -> None:
        self.make = make
        self.given = 0

    def initial_state(self):
        """No step was made."""
        return 0

    def legal_moves(self, state):
        """Ten new moves."""
        if state == STEPS:
            return []
        self.given += WIDTH
        return [self.make(k) for k in range(self.given - WIDTH, self.given)]

    def play(self, state, move):
        """One step more."""
        return state + 1

    def score(self, state):
        """All alike."""
        return 0.0


class Coded(Fresh):
    """The same with a code for each move, which is as new."""

    def code(self, state, move):
        """Return the move in another object."""
        return (move,)


KINDS: dict[str, Callable[[int], Hashable]] = {
    "whole number": lambda k: 10**6 + k,
    "pair of numbers": lambda k: (10**6 + k, 10**6 - k),
    "string of 20 letters": lambda k: f"{k:020}",
}


def bytes_per_move(problem: Fresh) -> float:
    """Return the memory kept after random playouts, over the moves that were given in them."""
    run = nrpa.start(problem, nrpa.RandomSampling(), seed=1)
    run.advance(playouts=10)
    gc.collect()
    tracemalloc.start()
    before = problem.given
    run.advance(playouts=PLAYOUTS)
    gc.collect()
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return kept / (problem.given - before)


def main() -> None:
    """Print a line for each kind of move, without and with codes."""
    for name, make in KINDS.items():
        alone, coded = bytes_per_move(Fresh(make)), bytes_per_move(Coded(make))
        print(f"{name:22} {alone:5.0f} bytes a move, {coded:5.0f} with a new code for each")


if __name__ == "__main__":
    main()
