"""The independent check of a game: plain Python, sharing nothing with the kernels."""

from typing import Any

from nrpa.base.errors import InputError
from nrpa.modelling.verdict import Verdict
from nrpa.problems.common import is_whole
from nrpa.problems.morpion.rules import STEPS, Dot, Game, Move


def check_game(variant: str, dots: set[Dot], prefix: list[Move], solution: Any) -> Verdict:
    """Check that a game is legal and begins with given moves.

    The first move that is not legal ends the check; the score then counts the moves before it.
    """
    fault = form_fault(solution)
    if fault:
        return Verdict({}, [fault])
    game = Game(variant, dots)
    faults = []
    for step in solution:
        try:
            game.play_if_legal(Move(*step))
        except InputError as error:
            faults.append(str(error))
            break
    if not faults and game.moves[: len(prefix)] != prefix:
        faults.append(f"the game does not begin with the {len(prefix)} moves of the start position")
    figures = {"moves": len(game.moves), "moves_left": len(game.legal_moves())}
    return Verdict(figures, faults, score=float(len(game.moves)))


def form_fault(solution: Any) -> str | None:
    """Return why something is not a list of ``[x, y, direction, position]``."""
    if not isinstance(solution, list):
        return f"a game is a list of moves, not {type(solution).__name__}"
    for number, step in enumerate(solution, start=1):
        if not (isinstance(step, (list, tuple)) and len(step) == 4):
            return f"move {number}: expected [x, y, direction, position], found {step!r}"
        x, y, direction, position = step
        if not all(map(is_whole, (x, y, position))):
            return f"move {number}: x, y and position must be whole numbers, found {step!r}"
        if not isinstance(direction, str) or direction not in STEPS:
            return f"move {number}: the direction must be one of {', '.join(STEPS)}, not {direction!r}"
    return None
