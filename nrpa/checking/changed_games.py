"""Games that a problem makes of others, by ``improve``: whether they count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nrpa.checking.contract import Subject
from nrpa.checking.games import playing, watched
from nrpa.engine.game import Game

IMPROVE_SECONDS = 0.1


def improved_games(subject: Subject, most: int) -> Iterator[str]:
    """Let the problem improve each game; count those that a search would drop."""
    problem, verdicts = subject.problem, list[str]()
    for moves, result in [*zip(subject.games, subject.results, strict=True)][:most] if problem.can_improve else []:
        improved = watched(problem).improve(moves, IMPROVE_SECONDS)
        if improved is not None:
            verdicts.append(_why_dropped(playing(problem), improved, result))
    if dropped := Counter(filter(None, verdicts)):
        said = ", ".join(f"{number} {why}" for why, number in dropped.items())
        of = f"{dropped.total()} of {len(verdicts)} games that improve changed are dropped"
        subject.contract.doubts.append(f"{of}, and the old ones count: {said}")
    yield from ()


def _why_dropped(game: Game, wanted: list[int], before: list[float]) -> str:
    """Play a changed game; return why it does not count, empty where it does."""
    game.reset()
    for move in wanted:
        if not game.legal_moves():
            break
        if move not in game.listed:
            return "not legal"
        game.play(move)
    if game.legal_moves():
        return "not played to the end"
    return "worse" if game.result()[0] < before[0] else ""
