"""Games that a problem makes of others, by ``improve`` or ``decode``: they count, and are those of the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nrpa.checking.contract import Subject
from nrpa.checking.games import listing, own_moves, playing, watched
from nrpa.engine.game import Game
from nrpa.modelling.problem import Problem
from nrpa.python.checks import checked_decoding
from nrpa.python.decoded_game import decoding_fault

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


def decoded_games(subject: Subject, most: int) -> Iterator[str]:
    """Let a problem decode games, their moves in another order, and some of them; compare with ``play`` and ``score``.

    Where more can be played, fewer moves may be returned: the engine then goes on from there.
    """
    problem = subject.problem
    if not isinstance(problem, Problem) or type(problem).decode is Problem.decode:
        return
    for numbers in subject.games[:most]:
        moves = own_moves(subject.problem, numbers)
        shuffled = subject.chance.sample(moves, len(moves))
        for order in (moves, shuffled, shuffled[: len(moves) // 2]):
            made, score = answer = checked_decoding(problem, order)
            if checked_decoding(problem, order) != answer:
                yield f"decode is not deterministic: two calls for the order {listing(order)} differ"
            if fault := decoding_fault(problem, made, score):
                yield f"{fault} (the order was {listing(order)})"
            expected = [*Problem.decode(problem, order)[0]]
            if not problem.own_decoder and made != (expected if score is not None else expected[: len(made)]):
                rule = "the first legal move of the order, again and again, gives"
                what = f"decode makes {listing(made)} of the order {listing(order)}; {rule} {listing(expected)}"
                yield f"{what}; if the rule is another one, set own_decoder = True"
