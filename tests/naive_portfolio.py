"""Arms that take turns, written down plainly: whole searches run one after the other."""

import nrpa
from nrpa.solvers.portfolio.search import stream_of_arm


def improvements(arms, seed, playouts, listed=0):
    """Return (playout, score) of each improvement of the whole, and the arms that have a turn in the last round.

    For GNRPA each move counts for those listed, too, ``listed`` in the mean, four as one.
    """
    searches = [arm.solver.start(arm.problem, stream_of_arm(seed, k)) for k, arm in enumerate(arms)]
    going_on, rounds, reached, idle, found = list(range(len(arms))), 0, None, 0, []
    while True:
        for arm in going_on:
            moves_left = arms[arm].first_turn * 2**rounds
            while moves_left > 0:
                moves = arms[arm].moves(len(searches[arm].moves))
                if isinstance(arms[arm].solver, nrpa.GNRPA):
                    moves += round(moves * listed / 4)
                planned = max(moves_left // (2 * moves), 1) if moves else 10
                moves_left -= planned * max(moves, 1)
                for _ in range(planned):
                    if sum(each.playouts for each in searches) == playouts:
                        return found, going_on
                    searches[arm].advance(1)
                    if not found or searches[arm].last_score > found[-1][1]:
                        found.append((sum(each.playouts for each in searches), searches[arm].last_score))
        rounds += 1
        best = max(each.score for each in searches)
        left = {1: 4, 2: 2}.get(rounds, 1)
        idle = idle + 1 if left == 1 and best == reached else 0
        reached = best
        ranked = sorted(range(len(arms)), key=lambda arm: -searches[arm].score)
        others = ranked[1:]
        going_on = sorted(ranked[:left] + ([others[(idle - 1) % len(others)]] if idle and others else []))
