"""States that a problem says are the same, by its hash or its rest: they are played on alike, or that is a fault."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from nrpa.checking.games import PlainGame, Watched, follow, listing, things
from nrpa.checking.played_game import same_results
from nrpa.engine.game import Game

MOST_COMPARISONS = 200
CHANGES, MEETINGS = 4, 3


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
                if difference := _hash_difference(game, other, earlier, before, chance):
                    return f"hash is equal for two states that differ: {difference} ({_lengths(earlier, before)})"
                follow(game, before)
            game.legal_moves()
            if step < len(moves):
                game.play(moves[step])
    return ""


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
            return "" if same_results(game.result(), other.result()) else "they do not end with the same result"
        move = chance.choice(sorted(game.listed))
        game.play(move)
        other.play(move)


def wrong_rest(game: Game, one: Watched, another: Watched, games: list[list[int]]) -> str:
    """Look for two states of equal ``rest`` from which games do not go on alike.

    Games are changed by putting some moves elsewhere, and played again by the names of their moves. Where such a game
    meets the one that it came from, or one before, both are played on by the same moves, by names or by numbers: the
    same names must be legal, and the score must change by as much.
    """
    chance = random.Random(0)
    for moves in games:
        first: dict[int, list[int]] = {}
        names = _move_names(game, moves)
        for wanted in [names, *(_changed(names, chance) for _ in range(CHANGES))]:
            meetings = _meetings(game, wanted, first, chance)
            for earlier, later in chance.sample(meetings, min(len(meetings), MEETINGS)):
                if difference := _rest_difference(one, another, earlier, later, names, chance):
                    return f"rest is equal for two states that differ: {difference} ({_lengths(earlier, later)})"
    return ""


def _move_names(game: Game, moves: list[int]) -> list[int]:
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


def _meetings(
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
        name = next((name for name in wanted if game.move_of(name) >= 0), None)
        if name is None:
            move = chance.choice(legal)
        else:
            move = game.move_of(name)
            wanted.remove(name)
        moves = [*moves, move]
        game.play(move)


def _rest_difference(
    one: Watched,
    another: Watched,
    earlier: list[int],
    later: list[int],
    names: list[int],
    chance: random.Random,
) -> str:
    """Return in words how two games go on differently by the same moves; empty if they do not."""
    follow(one, earlier)
    follow(another, later)
    won = one.value("score"), another.value("score")
    by_name = chance.random() < 0.5
    while True:
        legal, there = one.legal_moves(), another.legal_moves()
        called = one.names()
        for name in sorted({*names, *called, *another.names()}):
            found = [min(game.move_of(name), 0) for game in (one, another)]
            if found[0] != found[1]:
                return _found_otherwise(one, another, name, found)
        if not legal or not there:
            break
        move, name = chance.choice([*zip(legal, called, strict=True)])
        another.play(another.move_of(name) if by_name else move)
        one.play(move)
    gained = one.value("score") - won[0], another.value("score") - won[1]
    if all(map(math.isfinite, gained)) and gained[0] != gained[1]:
        return f"to the end of the game the score changes by {gained[0]:.17g} in one, {gained[1]:.17g} in the other"
    return ""


def _found_otherwise(one: Game, another: Game, name: int, found: list[int]) -> str:
    if isinstance(one, PlainGame):
        ours, theirs = (listing(things(game, game.listed)) for game in (one, another))
        return f"legal_moves gives {ours} in one, {theirs} in the other"
    said = [("a move", "-1", "-2")[-status] for status in found]
    return f"for the name {name} the kernel find gives {said[0]} in one, {said[1]} in the other"


def _lengths(*beginnings: list[int]) -> str:
    return " and ".join(f"after {len(moves)} moves" for moves in beginnings)
