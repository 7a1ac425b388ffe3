"""Games played side by side: of states that a problem takes for the same, by ``hash`` and ``rest``, and of a twin."""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from nrpa.base.plain import plain
from nrpa.base.values import agree, shortened
from nrpa.engine.answers import checked_rewards, listed, score_of
from nrpa.engine.game import Game
from nrpa.engine.guarded_game import GuardedGame
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.problem import Problem

MOST_COMPARISONS = 200
GAMES, CHANGES, MEETINGS = 8, 4, 3
CLOSE = 1e-9
LONGEST_LIST = 200


def confused_states(game: Game, other: Game, games: Iterable[list[int]]) -> str:
    """Look for two states of equal hash that are not the same.

    Both are played on by the same random moves: at each step they must have the same legal moves, codes and player's
    turn, and at the end the same result. Returns a fault in words, empty for none, as ``wrong_rest`` does.
    """
    chance = random.Random(0)
    first: dict[int, list[int]] = {}
    comparisons = 0
    for moves in games:
        game.reset()
        for step in range(len(moves) + 1):
            before = moves[:step]
            earlier = first.setdefault(game.hash(), before)
            if earlier != before and comparisons < MOST_COMPARISONS:
                comparisons += 1
                difference = _hash_difference(game, other, earlier, before, chance)
                if difference:
                    return f"hash is equal for two states that differ: {difference} ({_lengths(earlier, before)})"
                follow(game, before)
            game.legal_moves()
            if step < len(moves):
                game.play(moves[step])
    return ""


def result_of(game: Game) -> list[float]:
    """Return what a final state is worth: the rewards of a game's players, else the score."""
    return game.rewards() if game.model.players > 1 else [game.score()]


def same_results(one: list[float], another: list[float]) -> bool:
    """Return whether two results agree, but for rounding."""
    return len(one) == len(another) and all(map(agree, one, another))


def _hash_difference(game: Game, other: Game, earlier: list[int], later: list[int], chance: random.Random) -> str:
    """Return in words how the states after two beginnings differ; empty if they do not."""
    follow(game, earlier)
    follow(other, later)
    while True:
        for each in (game, other):
            each.legal_moves()
        if sorted(zip(game.listed, game.codes, strict=True)) != sorted(zip(other.listed, other.codes, strict=True)):
            return "their legal moves, or codes, are not the same"
        if game.player() != other.player():
            return "it is not the same player's turn"
        if not game.listed:
            return "" if same_results(result_of(game), result_of(other)) else "they do not end with the same result"
        move = chance.choice(sorted(game.listed))
        game.play(move)
        other.play(move)


def wrong_rest(game: Game, games: list[list[int]]) -> str:
    """Look for two states of equal ``rest`` from which games do not go on alike.

    Games are changed by putting some moves elsewhere, and played again by the names of their moves. Where such a game
    meets the one that it came from, or one before, both are played on by the same moves, by names or by numbers: the
    same names must be legal, and the score must change by as much.
    """
    chance = random.Random(0)
    one, another = GuardedGame(game.model), GuardedGame(game.model)
    for moves in games[:GAMES]:
        first: dict[int, list[int]] = {}
        names = _names(game, moves)
        for wanted in [names, *(_changed(names, chance) for _ in range(CHANGES))]:
            meetings = _played(game, wanted, first, chance)
            for earlier, later in chance.sample(meetings, min(len(meetings), MEETINGS)):
                difference = _rest_difference(one, another, earlier, later, names, chance)
                if difference:
                    return f"rest is equal for two states that differ: {difference} ({_lengths(earlier, later)})"
    return ""


def _names(game: Game, moves: list[int]) -> list[int]:
    names = []
    game.reset()
    for move in moves:
        names.append(dict(zip(game.legal_moves(), game.names(), strict=True))[move])
        game.play(move)
    return names


def _changed(names: list[int], chance: random.Random) -> list[int]:
    """Return the names, one to three of them moved elsewhere, and sometimes one left out."""
    changed = [*names]
    for _ in range(chance.randint(1, 3)):
        changed.insert(chance.randrange(len(names)), changed.pop(chance.randrange(len(names))))
    if chance.random() < 0.3:
        changed.pop(chance.randrange(len(names)))
    return changed


def _played(
    game: Game, wanted: list[int], first: dict[int, list[int]], chance: random.Random
) -> list[tuple[list[int], list[int]]]:
    """Play a game by the names that are ``wanted``; return where it meets others, as pairs of their moves and its own.

    ``first`` has, by ``rest``, the moves that led there first; this game enters its own.
    """
    moves: list[int] = []
    meetings = []
    wanted = [*wanted]
    game.reset()
    while True:
        earlier = first.setdefault(int(game.value("rest")), moves)
        if earlier != moves:
            meetings.append((earlier, moves))
        legal = game.legal_moves()
        if not legal:
            return meetings
        found = next((name for name in wanted if game.move_of(name) >= 0), None)
        if found is None:
            move = chance.choice(legal)
        else:
            move = game.move_of(found)
            wanted.remove(found)
        moves = [*moves, move]
        game.play(move)


def _rest_difference(
    one: GuardedGame,
    another: GuardedGame,
    earlier: list[int],
    later: list[int],
    names: list[int],
    chance: random.Random,
) -> str:
    """Return in words how two games go on differently by the same moves; empty if they do not."""
    follow(one, earlier)
    follow(another, later)
    won = one.score(), another.score()
    by_name = chance.random() < 0.5
    while True:
        legal = one.legal_moves()
        called = one.names()
        another.legal_moves()
        for name in sorted({*names, *called, *another.names()}):
            found = [min(game.move_of(name), 0) for game in (one, another)]
            if found[0] != found[1]:
                said = [("a move", "-1", "-2")[-status] for status in found]
                return f"for the name {name} the kernel find gives {said[0]} in one, {said[1]} in the other"
        if not legal or not another.listed:
            break
        move, name = chance.choice([*zip(legal, called, strict=True)])
        another.play(another.move_of(name) if by_name else move)
        one.play(move)
    gained = one.score() - won[0], another.score() - won[1]
    if all(map(math.isfinite, gained)) and gained[0] != gained[1]:
        return f"to the end of the game the score changes by {gained[0]:.17g} in one, {gained[1]:.17g} in the other"
    return ""


def follow(game: Game, path: list[int]) -> None:
    """Play a path from the beginning; a state is asked for all its moves before one of them is played."""
    game.reset()
    for move in path:
        game.all_moves()
        game.play(move)


def _lengths(*beginnings: list[int]) -> str:
    return " and ".join(f"after {len(moves)} moves" for moves in beginnings)


def different_games(problem: CompiledProblem, twin: Problem, games: Iterable[list[int]]) -> str:
    """Play the games in both side by side, and return the first difference in words.

    Moves belong together that build the same solution; where no first moves do, those at the same places in the lists.
    """
    game, by_place = Game(problem.model), False
    for number, moves in enumerate(games):
        game.reset()
        state: Any = twin.initial_state()
        things: list[Hashable] = []
        for step in range(len(moves) + 1):
            ours, theirs = game.legal_moves(), listed(twin, twin.legal_moves(state))
            built, built_there = _built(problem, moves[:step], ours), _built(twin, things, theirs)
            if number == step == 0:
                by_place = not any(each in built_there for each in built)
            if by_place:
                built, built_there = [*range(len(ours))], [*range(len(theirs))]
            if sorted(map(repr, built)) != sorted(map(repr, built_there)):
                return f"at step {step + 1} the legal moves are {_text(ours)}, those of the twin {_text(theirs)}"
            if twin.players > 1 and game.player() != twin.player(state):
                return f"at step {step + 1} it is player {game.player()}'s turn, in the twin {twin.player(state)}'s"
            if step < len(moves):
                things.append(theirs[built_there.index(built[ours.index(moves[step])])])
                state = twin.play(state, things[-1])
                game.play(moves[step])
        found, there = result_of(game), _result_there(twin, state)
        if not all(math.isclose(a, b, rel_tol=CLOSE, abs_tol=CLOSE) for a, b in zip(found, there, strict=True)):
            kernel = "rewards" if twin.players > 1 else "score"
            return f"{kernel} is {_text(found)}, that of the twin {_text(there)}, after the moves {_text(moves)}"
    return ""


def _built(problem: CompiledProblem | Problem, before: list[Any], legal: Iterable[Any]) -> list[Any]:
    """Return what each legal move builds after those before; the place of the move where nothing is built yet."""
    built: list[Any] = []
    for place, move in enumerate(legal):
        moves = [*before, move]
        numbers = np.array(moves, np.int64) if isinstance(problem, CompiledProblem) else problem.model.numbers_of(moves)
        try:
            built.append(plain(problem.solution(numbers)))
        except Exception:
            # A class may build whole games only.
            built.append((type(problem), place))
    return built


def _result_there(twin: Problem, state: Any) -> list[float]:
    if twin.players > 1:
        return [*checked_rewards(twin, twin.rewards(state), twin.players)]
    return [score_of(twin, state)]


def _text(things: Iterable[Any]) -> str:
    return shortened(repr([*things]), LONGEST_LIST)
