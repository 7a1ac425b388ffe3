"""Games of a problem played by another class, its twin, side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from nrpa.base.values import plain
from nrpa.checking.contract import Subject
from nrpa.checking.games import PlainGame, listing, own_moves, playing
from nrpa.modelling.base_problem import BaseProblem

CLOSE = 1e-9


def games_of_the_twin(subject: Subject, most: int) -> Iterator[str]:
    """Play the games in both side by side, and yield differences in words.

    Moves belong together that build the same solution, the first with the first where several do; where no first moves
    do, those at the same index in the lists.
    """
    problem, twin = subject.problem, subject.twin
    if twin is None:
        return
    type(twin).require_methods()
    ours, theirs, by_index = playing(problem), PlainGame(twin), False
    for number, moves in enumerate(subject.games[:most]):
        ours.reset()
        theirs.reset()
        made: list[int] = []
        for step in range(len(moves) + 1):
            legal, there = ours.legal_moves(), theirs.legal_moves()
            built, built_there = _built(problem, moves[:step], legal), _built(twin, made, there)
            if number == step == 0:
                by_index = not {*built} & {*built_there}
            if by_index:
                built, built_there = [*range(len(legal))], [*range(len(there))]
            if sorted(built) != sorted(built_there):
                own, others = listing(own_moves(problem, legal)), listing(own_moves(twin, there))
                yield f"at step {step + 1} the legal moves are {own}, those of the twin {others}"
            if (player := ours.player()) != theirs.player():
                yield f"at step {step + 1} it is player {player}'s turn, in the twin {theirs.player()}'s"
            if step < len(moves):
                made.append(there[built_there.index(built[legal.index(moves[step])])])
                theirs.play(made[-1])
                ours.play(moves[step])
        if there:
            continue  # the game ended early, and nobody asks for a result
        found, expected = ours.result(), theirs.result()
        if not all(math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) for a, b in zip(found, expected, strict=True)):
            kernel = "rewards" if twin.players > 1 else "score"
            played = listing(own_moves(problem, moves))
            yield f"{kernel} is {listing(found)}, that of the twin {listing(expected)}, after the moves {played}"


def _built(problem: BaseProblem, before: list[int], legal: list[int]) -> list[Any]:
    """Return what each legal move builds after those before, as text, and how many built the same before it.

    The index of the move if nothing is built yet.
    """
    built: list[Any] = []
    earlier = Counter[str]()
    for index, move in enumerate(legal):
        try:
            solution = repr(plain(problem.solution(np.array([*before, move], np.int64))))
        except Exception:
            # A class may build whole games only.
            solution = f"{type(problem)} {index}"
        built.append((solution, earlier[solution]))
        earlier[solution] += 1
    return built
