"""A plain-Python problem whose moves and codes get other numbers in every search."""

import os
from multiprocessing.connection import Connection

import nrpa
from nrpa.base.errors import LostWorkersError


def die_in_the_midst_of_an_answer():
    """Return what its process begins to send back, and ends before it has sent half of it."""

    def send(self, data, write=os.write):
        write(self.fileno(), bytes(data)[: len(data) // 2])
        os._exit(9)

    Connection._send = send
    return b"x" * 1000


class Walk(nrpa.Problem):
    """Eight steps to the left or right; moves and codes are named by where they lead, so their numbers vary."""

    def initial_state(self):
        return (0, 0)

    def legal_moves(self, state):
        step, place = state
        return [] if step == 8 else [f"{step} {place - 1}", f"{step} {place + 1}"]

    def play(self, state, move):
        return (state[0] + 1, int(move.split()[1]))

    def score(self, state):
        return -abs(state[1] - 5)


class Failing(Walk):
    """Raises in its first score of some sequence."""

    def score(self, state):
        if state[1] < -1:
            raise LookupError("in score")
        return super().score(state)


class Deadly(Walk):
    """Ends its process in the first playout."""

    def score(self, state):
        os._exit(9)


def trace(problem, solver, workers, executor=None, slices=(300,), **limits):
    """Return what a search by so many workers has come to, after these slices."""
    run = nrpa.start(problem, solver, seed=3, workers=workers, executor=executor)
    for playouts in slices:
        run.advance(playouts=playouts, **limits)
    result = run.result()
    run.close()
    return result.playouts, result.score, result.solution, [point[1:] for point in result.improvements]


def scores(problem, solver, seed, playouts):
    """Return the score of every playout, one at a time, and the search."""
    search = solver.start(problem, seed)
    found = []
    for _ in range(playouts):
        search.advance(1)
        found.append(search.last_score)
    return found, search


def walked(workers):
    """Search with so many workers; return the score, or the sentence that says why they cannot start."""
    try:
        return nrpa.solve(Walk(), nrpa.NRPA(level=1), seed=1, playouts=40, workers=workers).score
    except LostWorkersError as error:
        return str(error)
