"""Why a compiled search or playout returned.

A search that returns a negative status is as it was after its last whole playout: when the cause is removed, calling it
again plays the broken playout once more, with the same random numbers.
"""

from __future__ import annotations

from nrpa.base.errors import ProblemError
from nrpa.engine.model import Model

BUDGET_USED = 0
IMPROVED = 1
LACKS_ROOM = 2
SOLVED = 3

TOO_MANY_MOVES = -1
TOO_MANY_STEPS = -2
SCORE_IS_NAN = -3
TOO_MANY_MOVES_AT_ONCE = -4
EXCEPTION = -5
NO_PROBABILITY = -6
REWARD_IS_NAN = -7
NO_SUCH_PLAYER = -8
REWARD_TOO_LARGE = -9

_FAILURES = {
    TOO_MANY_MOVES: "a playout met more legal moves than max_total",
    TOO_MANY_STEPS: "a playout made more moves than max_steps = {max_steps}; if it does end, set max_steps higher",
    SCORE_IS_NAN: "the score of a playout is NaN",
    TOO_MANY_MOVES_AT_ONCE: "a state has more legal moves than max_moves = {max_moves}",
    NO_PROBABILITY: "the weights of a state's moves are all 0, or infinite, or NaN; keep β within -300 and 300",
    REWARD_IS_NAN: "a reward of a playout is NaN",
    NO_SUCH_PLAYER: "the kernel player gave a number that is not 0 to players - 1 = {last_player}",
    REWARD_TOO_LARGE: "a player got more than largest_reward; set it to what no player can get more of",
    EXCEPTION: "a kernel stopped the search",
}


def failure(status: int, model: Model) -> ProblemError:
    """Return the error for a negative status.

    Parameters
    ----------
    status : int
        The status.
    model : Model
        The problem.

    Returns
    -------
    ProblemError
        The error; it names the class of the problem and the limit.
    """
    limits = {"max_steps": model.limits.steps, "max_moves": model.limits.moves, "last_player": model.players - 1}
    return ProblemError(f"{model.name}: {_FAILURES[status].format(**limits)}")
