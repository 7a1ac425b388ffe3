"""Arms that take turns, written down plainly: whole searches run one after the other."""

import nrpa
from nrpa.solvers.arms_search import stream_of_arm


def improvements(problems, solver, seed, first_turn, playouts):
    """Return (playout, score) of each improvement of the whole, and the arms that are left."""
    searches = [solver.start(problem, stream_of_arm(seed, k)) for k, problem in enumerate(problems)]
    left, done, best, turn = list(range(len(problems))), 0, float("-inf"), first_turn
    found = []
    while True:
        for arm in left:
            for _ in range(turn):
                if done == playouts:
                    return found, left
                searches[arm].advance(1)
                done += 1
                if searches[arm].last_score > best:
                    best = searches[arm].last_score
                    found.append((done, best))
        by_score = sorted(left, key=lambda arm: -searches[arm].score)
        left = sorted(by_score[: (len(left) + 1) // 2])
        turn *= 2


def solver():
    """Return the solver that ``Auto`` chooses for a problem without a bias by code."""
    return nrpa.GNRPA(level=None)
