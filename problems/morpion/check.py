"""The independent check of a game: plain Python, sharing nothing with the kernels."""

from __future__ import annotations

from typing import Any

from nrpa.modelling.verdict import Verdict
from nrpa.problems.morpion.rules import STEPS, Dot, Game, Move


def check_game(variant: str, dots: set[Dot], prefix: list[Move], solution: Any) -> Verdict:
    """Check that ``solution``, a list of [x, y, direction, position], is a legal game that begins with ``prefix``.

    Figures: ``moves``, and ``moves_left``, the number of legal moves at the end (a game may stop early). The first
    move that is not legal ends the check; the score then counts the moves before it.
    """
    fault = form_fault(solution)
    if fault:
        return Verdict({}, [fault])
    game = Game(variant, dots)
    faults = []
    for number, step in enumerate(solution, start=1):
        move = Move(*step)
        reason = game.fault(move)
        if reason:
            faults.append(f"move {number} ({move}) is not legal: {reason}")
            break
        game.play(move)
    if not faults and game.moves[: len(prefix)] != prefix:
        faults.append(f"the game does not begin with the {len(prefix)} moves of the start position")
    figures = {"moves": len(game.moves), "moves_left": len(game.legal_moves())}
    return Verdict(figures, faults, score=float(len(game.moves)))


def form_fault(solution: Any) -> str | None:
    """Return in words why ``solution`` is not a list of [x, y, direction, position], or None if it is."""
    if not isinstance(solution, list):
        return f"a game is a list of moves, not {type(solution).__name__}"
    for number, step in enumerate(solution, start=1):
        if not (isinstance(step, (list, tuple)) and len(step) == 4):
            return f"move {number}: expected [x, y, direction, position], found {step!r}"
        x, y, direction, position = step
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in (x, y, position)):
            return f"move {number}: x, y and position must be whole numbers, found {step!r}"
        if not isinstance(direction, str) or direction not in STEPS:
            return f"move {number}: the direction must be one of {', '.join(STEPS)}, not {direction!r}"
    return None
