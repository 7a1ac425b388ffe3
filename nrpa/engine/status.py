"""Why a compiled search or playout returned.

A search that returns a negative status is as it was after its last whole playout: when the cause is removed, calling it
again plays the broken playout once more, with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.engine.model import Model
from nrpa.machine.jit import inlined

# So that sums of squares and differences of scores stay finite.
LARGEST_SCORE = 1e100
# Beyond it, the largest β of a state is taken from all of them before the exponential, so that e^β times any weight
# that a policy holds (nrpa.engine.policy) is neither infinite nor 0.
LARGEST_BIAS = 300.0

BUDGET_USED = 0  # So many playouts, or top-level searches, are done.
IMPROVED = 1  # The last playout has improved the best score of all.
LACKS_ROOM = 2  # Arrays must be enlarged before the next playout.
SOLVED = 3  # The whole tree is solved.
CUT = 4  # A playout was ended early.

TOO_MANY_MOVES = -1
TOO_MANY_STEPS = -2
NO_SCORE = -3
TOO_MANY_MOVES_AT_ONCE = -4
EXCEPTION = -5
NO_PROBABILITY = -6
NO_REWARD = -7
NO_SUCH_PLAYER = -8
REWARD_TOO_LARGE = -9
INTERRUPTED = -10
STOPPED = -11  # ``position.stop`` was set in the middle of a playout.
UNFINISHED = -12  # The kernel ``improve`` has more to do: it is to be called again, with the same arguments.
NO_BIAS = -13  # A bias of the caller's is not finite for the move that is the first in ``moves``.

SCORES = f"{-LARGEST_SCORE:g} to {LARGEST_SCORE:g}"
_FAILURES = {
    TOO_MANY_MOVES: "a playout met more legal moves than max_total",
    TOO_MANY_STEPS: "a playout made more moves than max_steps = {max_steps}; if it does end, set max_steps higher",
    NO_SCORE: f"the score of a playout is NaN, infinite, or outside {SCORES}, or whole and not held by float64",
    TOO_MANY_MOVES_AT_ONCE: "a state has more legal moves than max_moves = {max_moves}",
    NO_PROBABILITY: "the weights of a state's moves are all 0, or infinite, or NaN; keep β within -300 and 300",
    NO_REWARD: f"a reward of a playout is NaN, infinite, or outside {SCORES}",
    NO_SUCH_PLAYER: "the kernel player gave a number that is not 0 to players - 1 = {last_player}",
    REWARD_TOO_LARGE: "a player got more than largest_reward; set it to what no player can get more of",
    EXCEPTION: "a kernel stopped the search",
    INTERRUPTED: "a kernel was interrupted",
    STOPPED: "the search was told to stop",
    NO_BIAS: "the bias that was given returned NaN, or an infinite number",
}


def require_codes(model: Model, codes: Iterable[int], kernel: str = "legal_moves") -> None:
    """Raise ProblemError for the first code, of those that a kernel gave, that is out of range."""
    if model.codes is not None:
        for code in codes:
            if not 0 <= code < model.codes:
                what = f"the kernel {kernel} gave the code {code}; expected 0 to {model.codes - 1}"
                raise ProblemError(f"{model.name}: {what}")


def no_bias(model: Model, moves: Any) -> ProblemError:
    """Return the error for the status NO_BIAS, for which ``moves`` has move, code and β of one move in front."""
    beta, move, code = moves.exp_bias[0], moves.move[0], moves.code[0]
    what = f"the bias that was given returned {beta} for the move {move} of code {code}"
    return ProblemError(f"{model.name}: {what}; expected a finite number")


def failure(status: int, model: Model) -> ProblemError:
    """Return the error for a negative status."""
    unknown = f"the kernel legal_moves returned {status}; expected the number of moves"
    limits = {"max_steps": model.limits.steps, "max_moves": model.limits.moves, "last_player": model.players - 1}
    return ProblemError(f"{model.name}: {_FAILURES.get(status, unknown).format(**limits)}")


@inlined
def is_score(score):
    """Return whether a number can be the score of a playout: from -LARGEST_SCORE to LARGEST_SCORE, so not NaN."""
    return -LARGEST_SCORE <= score <= LARGEST_SCORE
