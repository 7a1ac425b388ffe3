"""Arms that take turns, written down plainly: whole searches run one after the other."""

from nrpa.solvers.portfolio_search import stream_of_arm


def improvements(arms, seed, playouts):
    """Return (playout, score) of each improvement of the whole, and the arms that are left."""
    searches = [arm.solver.start(arm.problem, stream_of_arm(seed, k)) for k, arm in enumerate(arms)]
    left, done, best, rounds = list(range(len(arms))), 0, float("-inf"), 0
    found = []
    while True:
        for arm in left:
            for _ in range(arms[arm].first_turn * 2**rounds):
                if done == playouts:
                    return found, left
                searches[arm].advance(1)
                done += 1
                if searches[arm].last_score > best:
                    best = searches[arm].last_score
                    found.append((done, best))
        rounds += 1
        by_score = sorted(left, key=lambda arm: -searches[arm].score)
        left = sorted(by_score[: {1: 4, 2: 2}.get(rounds, 1)])
