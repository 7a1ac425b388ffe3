"""From a solution back to the moves that build it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from nrpa.base.errors import InputError

if TYPE_CHECKING:
    from nrpa.modelling.problem import Problem


def plain(thing: Any) -> Any:
    """Return a move as JSON can hold it: tuples as lists, sets as sorted lists, NumPy numbers as numbers, else text."""
    if isinstance(thing, np.generic):
        return thing.item()
    if thing is None or isinstance(thing, (bool, int, float, str)):
        return thing
    if isinstance(thing, (tuple, list)):
        return [plain(part) for part in thing]
    if isinstance(thing, (set, frozenset)):
        return sorted(map(plain, thing), key=repr)
    return repr(thing)


def moves_of(problem: Problem, solution: Any) -> list[Hashable]:
    """Return the moves of a plain-Python problem that ``solution`` lists, in their own form or in that of JSON.

    Raises InputError that names the first one that is not legal.
    """
    if isinstance(solution, (str, bytes, dict)) or not isinstance(solution, Iterable):
        raise InputError(f"a solution is a list of moves, not {type(solution).__name__}")
    moves: list[Hashable] = []
    state = problem.initial_state()
    for step, given in enumerate(solution, start=1):
        legal = list(problem.legal_moves(state))
        found = next((move for move in legal if _is(move, given)), None)
        if found is None and not any(move is None for move in legal):
            raise InputError(f"move {step}, {given!r}, is not legal; expected one of {_few(legal)}")
        moves.append(found)
        state = problem.play(state, found)
    return moves


def _is(move: Hashable, given: Any) -> bool:
    return (type(move) is type(given) and move == given) or bool(plain(move) == plain(given))


def _few(legal: list[Hashable]) -> str:
    shown = ", ".join(map(repr, legal[:10]))
    return f"{shown}, … ({len(legal)} in all)" if len(legal) > 10 else shown or "none: the end is reached"


def final_state(problem: Problem, moves: Iterable[Hashable]) -> Any:
    """Return the state that ``moves`` lead to in a plain-Python problem."""
    state = problem.initial_state()
    for move in moves:
        state = problem.play(state, move)
    return state


def compiled_sequence(problem: Problem, solution: Any) -> np.ndarray:
    """Return the moves of a compiled problem that build ``solution``.

    Found step by step: the move after which ``problem.solution`` begins as ``solution`` does.
    Raises InputError when there is none.
    """
    from nrpa.engine.game import Game

    verdict = problem.check(solution)
    if verdict.score is None:
        raise InputError(
            f"{problem.name}: the solution to start from is none: {next(iter(verdict.faults), 'unscored')}"
        )
    game = Game(problem.model)
    wanted = plain(solution)
    moves: list[int] = []
    game.reset()
    while game.legal_moves():
        found = game.find(lambda move: _begins(wanted, problem.solution(np.array([*moves, move]))))
        if found is None:
            raise InputError(f"{problem.name}: step {len(moves) + 1} of the sequence to start from is not a legal move")
        moves.append(found)
        game.play(found)
    sequence = np.array(moves, np.int64)
    if plain(problem.solution(sequence)) != wanted:
        raise InputError(f"{problem.name}: the sequence to start from goes on after the end")
    return sequence


def _begins(wanted: Any, part: Any) -> bool:
    part = plain(part)
    if isinstance(wanted, (list, str)) and isinstance(part, type(wanted)):
        return bool(wanted[: len(part)] == part)
    return bool(wanted == part)
