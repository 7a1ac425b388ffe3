"""A diagnosis in sentences: what was seen, and what the author of the problem can do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean, quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nrpa.bench.diagnose import Diagnosis

REST = "the search itself"
MOSTLY = 0.5
# Of the codes of a random game, the share that earlier ones had, below which hardly any weight is used again.
TOO_FINE = 0.1
# So many middle halves away from the median, a score is one of another kind, such as a penalty.
FAR = 50.0
# With fewer, an iteration of NRPA's lowest level has hardly begun.
FEWEST_PLAYOUTS = 100
SHOWN = 0.01
# Where the search itself takes so much of the time, quicker methods hardly help.
QUICK = 0.7
HELP = {
    "initial_state": "make once in the constructor what all games begin with",
    "legal_moves": "keep in the state what legal_moves works out anew each time",
    "play": "let play build less: small tuples and numbers in place of lists, dicts and objects that are copied",
    "score": "let play carry the score along, move by move",
    "code": "let code look up what it gives, or build a small tuple: it is asked for each legal move",
    "bias": "work β out in the constructor, and let bias look it up: it is asked for each legal move",
    "copy": "let copy copy only what play changes, or use tuples and no copy",
    "is_legal": "let is_legal look at the one move only, in what the state keeps",
    REST: "your methods are quick, so only fewer moves a game or a compiled problem (nrpa.CompiledProblem) are quicker",
}


def sentences_of(found: Diagnosis) -> list[str]:
    """Return what was seen, each time with what to do next."""
    games = found.games
    length = (
        f"Random games have {fmean(games.lengths):.4g} moves on average, {max(games.lengths)} at most, and "
        f"{games.moves:.3g} legal moves a step, {games.most_moves} at most."
    )
    return [length, *_scores(found), _codes(found), *_learning(found), _leader(found), *_speed(found)]


def _scores(found: Diagnosis) -> Iterator[str]:
    scores = sorted(found.games.scores)
    common, times = Counter(scores).most_common(1)[0]
    low, middle, high = quantiles(scores, n=4, method="inclusive")
    far = [score for score in scores if abs(score - middle) > FAR * (high - low)]
    distinct = f"{len({*scores})} different scores in {len(scores)} random games"
    if times == len(scores):
        yield (
            f"Every random game has the same score ({common:.6g}): the score may not depend on the moves. "
            "Next: print the final states of two games, and what score gives for each."
        )
    elif times >= MOSTLY * len(scores):
        yield (
            f"{times / len(scores):.0%} of the random games have the same score ({common:.6g}); there are {distinct}. "
            "Next: let the score tell how near to good a game came, or leave out moves that cannot lead to a good one."
        )
    elif far:
        yield (
            f"{len(far)} of {len(scores)} random games have scores far from all others (such as {far[0]:.6g}; half "
            f"have {low:.6g} to {high:.6g}). Next: if that is a penalty, leave out the moves that lead there, or let "
            "it grow with how much is wrong."
        )
    else:
        spread = f"from {scores[0]:.6g} to {scores[-1]:.6g}, half of them {low:.6g} to {high:.6g}"
        yield f"There are {distinct}, {spread}."
    for doubt in found.doubts:
        yield f"In a random game {doubt}. Next: look at the sign that score gives it."


def _codes(found: Diagnosis) -> str:
    games, learns = found.games, _beats(found, "gnrpa", "random")
    again = f"{games.repeated:.0%} of the codes of a random game came in an earlier one, of {len(games.scores)}"
    if games.repeated < TOO_FINE:
        return (
            f"Codes are too fine: {again}, so NRPA {'learns little' if learns else 'cannot learn'} from game to game. "
            "Next: let code name only what makes a move good, not the whole state."
        )
    if games.codes <= fmean(games.lengths) and not learns:
        return (
            f"Codes are too coarse: there are {games.codes} for games of {fmean(games.lengths):.4g} moves, and "
            "learning is no better than random. Next: let code say more of where the move is made, such as the step."
        )
    return f"There are {games.codes:,} codes; {again}. Next: leave code as it is, or compare it with another one."


def _beats(found: Diagnosis, one: str, other: str) -> bool:
    """Return whether each run of one solver is better than each of another, at equal playouts."""
    return min(found.at_equal[one]) > max(found.at_equal[other])


def _learning(found: Diagnosis) -> Iterator[str]:
    mean = {name: f"{fmean(scores):.6g}" for name, scores in found.at_equal.items()}
    after = f"after {found.equal_playouts:,} playouts each"
    means = f"{after} (mean score {mean['gnrpa']}, random {mean['random']})"
    if _beats(found, "gnrpa", "random"):
        yield f"Learning beats random playouts {means}. Next: search for longer."
    elif found.equal_playouts < FEWEST_PLAYOUTS:
        yield f"Learning has hardly begun {means}. Next: give more time, or make playouts quicker."
    elif mean["gnrpa"] == mean["random"]:
        yield f"Learning and random playouts find the same {means}. Next: try a larger instance."
    else:
        yield f"Learning does not beat random playouts {means}. Next: give more time, or change the code."
    if "nrpa" in mean and _beats(found, "nrpa", "gnrpa"):
        without = f"{after} (mean score {mean['gnrpa']}, without it {mean['nrpa']})"
        yield f"The bias does harm {without}. Next: look at its sign and its size, or search with --no-bias."


def _leader(found: Diagnosis) -> str:
    leader, scores = found.leader, found.scores
    behind = [name for name in scores if max(scores[name]) < min(scores[leader])]
    close = [name for name in scores if name not in (leader, *behind)]
    means = ", ".join(f"{name} {fmean(those):.6g}" for name, those in scores.items())
    if len({score for those in scores.values() for score in those}) == 1:
        return f"All solvers find the same ({means}). Next: try a larger instance."
    if not behind:
        return f"No solver leads (mean scores {means}). Next: use --solver auto, which tries several, or more time."
    seen = f"{leader} leads (mean scores {means})" + (f"; {' and '.join(close)} may be as good" if close else "")
    return f"{seen}. Next: search with --solver {leader}."


def _speed(found: Diagnosis) -> Iterator[str]:
    rate = found.rates[found.leader]
    seen = f"{found.leader} makes {rate:,.0f} playouts a second, about {rate * fmean(found.games.lengths):,.0f} moves."
    if found.games.waits:
        yield "The processor is idle nearly all the time: playouts wait. Next: let score keep answers that come again."
    if not found.shares:
        yield f"{seen} Next: if that is little, let the kernels legal_moves and play do less."
        return
    parts = ", ".join(f"{name} {share:.0%}" for name, share in found.shares.items() if share >= SHOWN)
    largest = next(name for name, share in found.shares.items() if name != REST or share >= QUICK)
    yield f"{seen} The time goes to: {parts}. Next: {HELP[largest]}."
    if found.leader == "tempering" and "is_legal" not in found.shares:
        yield "Tempering lists all legal moves to find one. Next: define is_legal(state, move)."
