"""Arms that take turns, written down plainly: whole searches run one after the other."""

import math

import nrpa
from nrpa.engine.game import memoized
from nrpa.solvers.portfolio.search import stream_of_arm

HANDED_ON_FROM, ALL, LEARNING = 1, 2, 4


def improvements(arms, seed, playouts, stays=None, moves_of=None, handed_on_from=HANDED_ON_FROM):
    """Return (playout, score) of each improvement of the whole, and the arms that have a turn in the last round.

    ``stays`` is the arm that is never dropped. It leads, which makes its turns four times as long, unless one before it
    has more than was reached two rounds ago, and the best of all if it leads already. ``moves_of(arm, length)`` says as
    how many moves a playout counts.
    """
    latest, game, history, leads = [0] * len(arms), [], [-math.inf] * 4, stays
    searches = [arm.solver.start(arm.problem, stream_of_arm(seed, k)) for k, arm in enumerate(arms)]
    going_on, rounds, idle, found = list(range(len(arms))), 0, 0, []
    while True:
        for arm in going_on:
            moves_left = arms[arm].first_turn * 2**rounds
            if arm == leads:
                moves_left *= 4
            goes_on = stays is not None and isinstance(arms[arm].solver, nrpa.Tempering) and rounds >= handed_on_from
            if goes_on and searches[arm].score < max(each.score for each in searches):
                searches[arm].go_on_from(memoized(arms[arm].problem.model, game))
            while moves_left > 0:
                length = len(searches[arm].moves)
                moves = moves_of(arm, length) if moves_of else counted(arms[arm], length)
                planned = max(moves_left // (2 * moves), 1) if moves else 10
                moves_left -= planned * max(moves, 1)
                for _ in range(planned):
                    if sum(each.playouts for each in searches) == playouts:
                        return found, going_on
                    searches[arm].advance(1)
                    if not found or searches[arm].last_score > found[-1][1]:
                        latest[arm], game = rounds, searches[arm].moves
                        found.append((sum(each.playouts for each in searches), searches[arm].last_score))
        rounds += 1
        best = max(each.score for each in searches)
        ranked = sorted(range(len(arms)), key=lambda arm: -searches[arm].score)
        if stays is None:
            is_last, going_on = rounds >= 3, ranked[: {1: 4, 2: 2}.get(rounds, 1)]
        else:
            first = max(range(stays), key=lambda arm: searches[arm].score)
            is_ahead = searches[first].score > history[-2] > -math.inf
            leads = first if is_ahead and (leads == stays or searches[first].score == best) else stays
            is_last = rounds >= LEARNING
            learning = [arm for arm in range(stays) if not is_last or searches[arm].score > history[-4]]
            going_on = [arm for arm in ranked if arm in (stays, leads, *learning) or latest[arm] == rounds - 1]
            going_on = ranked if rounds < ALL else going_on
        idle = idle + 1 if is_last and best == history[-1] else 0
        history.append(best)
        others = [arm for arm in ranked if arm not in going_on]
        going_on = sorted(going_on + ([others[(idle - 1) % len(others)]] if idle and others else []))


def counted(arm, length):
    """Return as how many moves a playout counts: half of a game is played again by tempering."""
    return -(-length // 2) if isinstance(arm.solver, nrpa.Tempering) else length
