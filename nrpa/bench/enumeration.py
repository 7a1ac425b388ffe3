"""All games of a small problem, one after the other: what they show is proven."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

import numpy as np

from nrpa.engine.game import Game
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.problem import Problem


class Enumerated(NamedTuple):
    """What an enumeration has shown."""

    solution: Any  # one that is wanted; None where none was met
    is_whole: bool  # whether there is no game that it has not looked at
    nodes: int  # the states looked at


def enumerated(
    problem: BaseProblem, is_wanted: Callable[[Any], bool], nodes: int, is_over: Callable[[], bool]
) -> Enumerated:
    """Play all games, at most so many states of them, until one ends with a solution that is wanted.

    Games that ``is_lost`` of the problem gives up are not played on. A state of a class in plain Python that has a key
    is looked at once, where no check of its own may ask how it was reached.
    """
    game = Game(problem.model)
    is_lost = lost(problem)
    seen: set[Hashable] = set()
    game.reset()
    left: list[tuple[Any, list[int]]] = [(game.state, [])]
    looked = 0
    while left:
        if looked == nodes or is_over():
            return Enumerated(None, False, looked)
        looked += 1
        state, made = left.pop()
        game.state = state
        moves = game.all_moves()
        if isinstance(problem, Problem) and problem.model.has_hash and type(problem).check is Problem.check:
            key = problem.key(problem.model.state_of(state))
            if key in seen:
                continue
            seen.add(key)
        if not moves and is_wanted(solution := problem.solution(np.array(made, np.int64))):
            return Enumerated(solution, True, looked)
        for move in reversed(moves):
            after = [*made, move]
            if not is_lost([problem.own_move(each) for each in after]):
                game.state = state
                game.swap()
                game.play(move)
                left.append((game.state, after))
    return Enumerated(None, True, looked)


def lost(problem: BaseProblem) -> Callable[[list[Any]], bool]:
    """Return ``is_lost`` of a problem; of others, what is never true."""
    found: Callable[[list[Any]], bool] = getattr(getattr(problem, "plain", problem), "is_lost", lambda moves: False)
    return found
