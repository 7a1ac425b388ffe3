"""States that a problem says are the same, by its hash or its rest: they are played on alike, or that is a fault.

Such states are where random games meet, those by ``rest`` also where they meet games made of them: some moves are put
elsewhere, and played again by their names.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import islice

from nrpa.checking.contract import Subject
from nrpa.checking.games import PlainGame, Watched, defines, follow, listing, own_moves, playing, same_results, watched
from nrpa.engine.game import Game

MOST_COMPARISONS = 200
CHANGES, MEETINGS = 4, 3

Beginnings = tuple[list[int], list[int]]


def confused_states(subject: Subject, most: int) -> Iterator[str]:
    """Look for two states of equal hash that are not the same.

    Both are played on by the same random moves: at each step they must have the same legal moves, codes and player's
    turn, and at the end the same result.
    """
    problem = subject.problem
    if not problem.model.has_hash:
        return
    chance, first, one, another = random.Random(0), dict[int, list[int]](), playing(problem), playing(problem)
    pairs = (pair for moves in subject.games[:most] for pair in _meetings(one, moves, "hash", first))
    for pair in [*islice(pairs, MOST_COMPARISONS)]:
        yield _fault("hash", _hash_difference(one, another, pair, chance), pair)


def wrong_rest(subject: Subject, most: int) -> Iterator[str]:
    """Look for two states of equal ``rest`` from which games do not go on alike.

    Both are played on by the same moves, by names or by numbers: the same names must be legal, and the score must
    change by as much.
    """
    problem, chance = subject.problem, random.Random(0)
    if not defines(problem, "rest", "rest"):
        return
    game, one, another = playing(problem), watched(problem), watched(problem)
    for moves in subject.games[:most]:
        first: dict[int, list[int]] = {}
        names = _names(game, moves)
        for wanted in [names, *(_changed(names, chance) for _ in range(CHANGES))]:
            pairs = [*_meetings(game, _moves(game, wanted, chance), "rest", first)]
            for pair in chance.sample(pairs, min(len(pairs), MEETINGS)):
                yield _fault("rest", _rest_difference(one, another, pair, names, chance), pair)


def _fault(key: str, difference: str, pair: Beginnings) -> str:
    lengths = " and ".join(f"after {len(moves)} moves" for moves in pair)
    return difference and f"{key} is equal for two states that differ: {difference} ({lengths})"


def _meetings(game: Game, moves: list[int], key: str, first: dict[int, list[int]]) -> Iterator[Beginnings]:
    """Play a game; yield where it meets others, as pairs of their moves and its own.

    ``first`` has, by the key, the moves that led there first; this game enters its own.
    """
    game.reset()
    for step in range(len(moves) + 1):
        earlier = first.setdefault(int(game.value(key)), moves[:step])
        if earlier != moves[:step]:
            yield earlier, moves[:step]
        game.legal_moves()
        if step < len(moves):
            game.play(moves[step])


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


def _moves(game: Game, wanted: list[int], chance: random.Random) -> list[int]:
    """Return the moves of a game by names: the first that is legal, again and again, or a random move where none is."""
    left = [*wanted]

    def choose(legal: list[int]) -> int:
        name = next((name for name in left if game.move_of(name) >= 0), None)
        if name is None:
            return chance.choice(legal)
        left.remove(name)
        return game.move_of(name)

    return game.playout(choose)


def _hash_difference(one: Game, another: Game, pair: Beginnings, chance: random.Random) -> str:
    """Return in words how the states after two beginnings differ; empty if they do not."""
    _follow_both(one, another, pair)
    while True:
        listed = [sorted(zip(game.legal_moves(), game.codes, strict=True)) for game in (one, another)]
        if listed[0] != listed[1]:
            return "their legal moves, or codes, are not the same"
        if one.player() != another.player():
            return "it is not the same player's turn"
        if not one.listed:
            return "" if same_results(one.result(), another.result()) else "they do not end with the same result"
        move = chance.choice(listed[0])[0]
        one.play(move)
        another.play(move)


def _rest_difference(one: Watched, another: Watched, pair: Beginnings, names: list[int], chance: random.Random) -> str:
    """Return in words how two games go on differently by the same moves; empty if they do not."""
    _follow_both(one, another, pair)
    won = one.value("score"), another.value("score")
    by_name = chance.random() < 0.5
    while True:
        legal, there, called = one.legal_moves(), another.legal_moves(), one.names()
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
        ours, theirs = (listing(own_moves(one.problem, game.listed)) for game in (one, another))
        return f"legal_moves gives {ours} in one, {theirs} in the other"
    said = [("a move", "-1", "-2")[-status] for status in found]
    return f"for the name {name} the kernel find gives {said[0]} in one, {said[1]} in the other"


def _follow_both(one: Game, another: Game, pair: Beginnings) -> None:
    follow(one, pair[0])
    follow(another, pair[1])
