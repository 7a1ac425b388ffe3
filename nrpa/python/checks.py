"""What the methods of a problem in plain Python return, checked: a fault is a ProblemError that names the class."""

from __future__ import annotations

import json
import marshal
import math
import pickle
import re
from array import array
from collections.abc import Container, Hashable, Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import agree, is_finite, is_held, plain, shortened, shown
from nrpa.engine.status import LARGEST_BIAS, LARGEST_SCORE, SCORES

_SIMPLE = {int, str, float, bool, bytes, type(None)}
# The last format of marshal in which equal things are always written alike, whoever else refers to them.
_FORMAT = 2
MOST_MOVES = 1_000_000
_SIMPLE_MOVES = {int, str, bool, type(None)}
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+>")
_TELL_APART = (
    "expected numbers, strings or tuples, or a class with __eq__, __hash__ and a __repr__ that shows all that tells "
    "its moves apart"
)
# What ``float`` takes, and nobody means as a score.
NO_NUMBERS = (str, bytes, bytearray, bool, np.bool_)
HELD = (
    "a number that float64 holds, as all whole ones up to 2^53: leave out what all scores have in common, or return a "
    "tuple (nrpa.Lexicographic)"
)


def content_hash(thing: Any) -> int:
    """Return a hash of what an object holds. Raises what ``pickle`` raises for an object that it cannot write.

    >>> content_hash((0, -1)) == content_hash((0, -2)), content_hash(frozenset("abc")) == content_hash(frozenset("cba"))
    (False, True)
    """
    return int.from_bytes(blake2b(_written(thing), digest_size=8).digest(), "little", signed=True)


def code_hash(code: Hashable) -> int:
    """Return a hash of a code, the same in every process; that of Python for most numbers and tuples of numbers.

    >>> code_hash((0, -1)) == code_hash((0, -2)), code_hash((3, 4)) == hash((3, 4))
    (False, True)
    """
    parts: Any = code if type(code) is tuple else (code,)
    try:
        sum(parts)  # a TypeError where they are no numbers: Python's hash of a text is another one in each process
        return content_hash(code) if -1 in parts else hash(parts)  # as hash(-1) == hash(-2)
    except TypeError:
        return content_hash(code)


def is_told_by_content(state: Any) -> bool:
    """Return whether states of this kind are equal when they hold the same, and never change, as far as can be seen."""
    own: Any = type(state).__hash__
    if own is None or own is object.__hash__:
        return False
    try:
        hash(state)
    except TypeError:
        return False
    return True


def _written(thing: Any) -> bytes:
    return marshal.dumps(_simplified(thing), _FORMAT)


def _simplified(thing: Any) -> Any:
    """Return ``thing`` in a form that marshal writes alike for equal things."""
    if type(thing) in _SIMPLE:
        return thing
    if isinstance(thing, (tuple, list)):
        return tuple(thing) if {*map(type, thing)} <= _SIMPLE else tuple(map(_simplified, thing))
    if isinstance(thing, (frozenset, set)):
        return tuple(sorted(map(_written, thing)))
    return pickle.dumps(thing, 5)


def tuple_of(methods: Any, given: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Return what ``legal_moves`` gave as a tuple. Raises ProblemError for what has no items, or no end."""
    if isinstance(given, (list, tuple)):
        return tuple(given)
    try:
        first = islice(given, MOST_MOVES + 1)
    except TypeError:
        raise _wrong(methods, "legal_moves", given, "a list of moves") from None
    moves = tuple(first)
    if len(moves) > MOST_MOVES:
        what = f"legal_moves gave more than {MOST_MOVES:,} moves of a {type(given).__name__}; expected one with an end"
        raise ProblemError(f"{type(methods).__name__}: {what}")
    return moves


def _wrong(methods: Any, method: str, given: Any, expected: str) -> ProblemError:
    """Return the error for what a method returned."""
    return ProblemError(f"{type(methods).__name__}.{method} returned {shown(given)}; expected {expected}")


def improved_game(methods: Any, moves: list[Any], others: list[Any]) -> list[Hashable]:
    """Return what ``improve`` of a problem makes of the moves of a whole game; another game's for what takes them."""
    more = [others] * methods.improves_again + [methods._stop] * methods.heeds_stop
    given = methods.improve(moves, *more)
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _wrong(methods, "improve", given, "the moves of a whole game")
    moves = list(given)
    require_hashable(methods, "improve", moves)
    return moves


def code_of(methods: Any, state: Any, move: Any) -> Any:
    """Return the code of a move. Raises ProblemError for one that is none of those that the problem says it has."""
    code = methods.code(state, move)
    return code if methods.codes is None else checked_code(methods, code)


def checked_code(methods: Any, code: Any) -> int:
    """Return a code of a problem that says how many it has. Raises ProblemError unless it is one of those."""
    if isinstance(code, bool) or not isinstance(code, (int, np.integer)) or not 0 <= code < methods.codes:
        raise _wrong(methods, "code", code, f"a whole number, 0 to codes - 1 = {methods.codes - 1}")
    return int(code)


def checked_player(methods: Any, given: Any, players: int) -> int:
    """Return what ``player`` of a problem returned. Raises ProblemError unless it is 0 to players - 1."""
    if not isinstance(given, (int, np.integer)) or not 0 <= given < players:
        raise _wrong(methods, "player", given, f"a player, 0 to {players - 1}")
    return int(given)


def hash_of(methods: Any, key: Any, method: str = "key") -> int:
    """Return the hash of what tells a state from others. Raises ProblemError for a key that cannot be written down."""
    try:
        return content_hash(key)
    except Exception as error:
        expected = f"numbers, strings or tuples, hashed by what they hold ({error})"
        raise _wrong(methods, method, key, expected) from None


def checked_value(methods: Any, given: Any, players: int) -> array[float]:
    """Return what ``value`` of a problem returned, what each player can expect, as float64[players]."""
    if players == 1:
        return array("d", [checked_score(methods, given, "value")])
    return checked_rewards(methods, given, players, "value")


def checked_rewards(methods: Any, given: Any, players: int, method: str = "rewards") -> array[float]:
    """Return what ``rewards`` of a problem, or another method, returned as numbers, float64[players]."""
    try:
        rewards = array("d", given)
    except (TypeError, ValueError, OverflowError):
        rewards = array("d")
    if len(rewards) != players or not all(abs(reward) <= LARGEST_SCORE for reward in rewards):
        raise _wrong(methods, method, given, f"{players} finite numbers, one for each player")
    for reward, number in zip(given, rewards, strict=False):
        if not is_held(reward, number):
            raise _wrong(methods, method, reward, HELD)
    return rewards


def exp_biases_of(methods: Any, biases: list[float]) -> list[float]:
    """Return e^β of the moves of one state, up to a common factor. Raises ProblemError for a β that is not finite."""
    try:
        is_usable = math.isfinite(sum(biases))
    except (TypeError, ValueError, OverflowError):
        is_usable = False
    if not is_usable:
        for bias in biases:
            if not is_finite(bias):
                raise _wrong(methods, "bias", bias, "a finite number")
        biases = [*map(float, biases)]
    largest = max(biases)
    shift = largest if abs(largest) > LARGEST_BIAS else 0.0
    return [math.exp(bias - shift) for bias in biases]


def score_of(methods: Any, state: Any) -> float:
    """Return the score of a final state, one of several parts packed. Raises ProblemError where it cannot be one."""
    return score_said(methods, methods.score(state))


def evaluated(methods: Any, moves: Sequence[Any], state: Any) -> float:
    """Return what ``evaluate`` says of the moves of a game. Raises ProblemError where its end has another score."""
    if not methods.is_whole_game([*moves]):
        what = (
            f"evaluate is for orders of 0 to max_steps - 1 = {methods.max_steps - 1}, or, with choices, for one of each"
        )
        raise ProblemError(f"{type(methods).__name__}: {what}; a game has the moves {shortened(repr([*moves]))}")
    score, found = score_said(methods, methods.evaluate([*moves]), "evaluate"), score_of(methods, state)
    if not agree(score, found):
        both = f"evaluate gives {score:.17g}, play and score give {found:.17g}"
        raise ProblemError(f"{type(methods).__name__}: {both}, for the moves {shortened(repr([*moves]))}")
    return score


def score_said(methods: Any, given: Any, method: str = "score") -> float:
    """Return what ``score`` of a problem, or another method, returned as score, as a number."""
    packed = getattr(methods.objective, "packed", None)
    if packed is None:
        return checked_score(methods, given, method)
    try:
        return packed(given)  # type: ignore[no-any-return]
    except (TypeError, ValueError, OverflowError) as error:
        raise _wrong(methods, method, given, f"a tuple of {methods.objective.name} ({error})") from None


def checked_score(methods: Any, given: Any, method: str = "score") -> float:
    """Return what ``score`` of a problem, or another method, returned as a number."""
    try:
        value = math.nan if isinstance(given, NO_NUMBERS) else float(given)
    except (TypeError, ValueError):
        value = math.nan
    except OverflowError:
        value = math.inf
    if not -LARGEST_SCORE <= value <= LARGEST_SCORE:
        expected = f"a number from {SCORES}, a low one where something is not allowed"
        raise _wrong(methods, method, given, expected)
    if not is_held(given, value):
        raise _wrong(methods, method, given, HELD)
    return value


def require_hashable(methods: Any, method: str, things: Sequence[Any]) -> None:
    """Raise ProblemError, which names the class and the ``method``, for the first thing that is not hashable."""
    for thing in things:
        try:
            hash(thing)
        except TypeError:
            raise ProblemError(
                f"{type(methods).__name__}.{method} gave {thing!r}, a {type(thing).__name__}, which is not hashable; "
                "expected numbers, strings or tuples"
            ) from None


def require_different(methods: Any, moves: Sequence[Hashable]) -> None:
    """Raise ProblemError where two moves of a state are equal, as 1 and True are: they would be one move."""
    if len({*moves}) == len(moves):
        return
    seen: dict[Hashable, Hashable] = {}
    for move in moves:
        if move in seen:
            one, other = shortened(repr(seen[move])), shortened(repr(move))
            what = f"{one} twice" if one == other else f"{one} and {other}, which are equal"
            raise ProblemError(f"{type(methods).__name__}: legal_moves gave {what}; expected moves that differ")
        seen[move] = move


def is_simple(move: Hashable) -> bool:
    """Return whether a move is a whole number, a string or the like, or a tuple of some: texts tell them apart."""
    if type(move).__eq__ is tuple.__eq__:
        return {*map(type, move)} <= _SIMPLE_MOVES or all(map(is_simple, move))  # type: ignore[call-overload]
    return type(move) in _SIMPLE_MOVES


class Texts:
    """The moves that a problem has given, by their text in a solution: where two have one, nobody could say which.

    Only those that are not simple are kept.
    """

    def __init__(self, methods: Any) -> None:
        self._methods = methods
        self._moves: dict[str, Hashable] = {}

    def enter(self, move: Hashable, known: Container[Hashable]) -> None:
        """Enter a move that is none of those known.

        Raises ProblemError where its text is that of another one, or an address.
        """
        simple = is_simple(move)
        if simple and not self._moves:
            return
        text = move_text(self._methods, move)
        other = self._moves.get(text)
        if other is None and not simple:
            same = _as_simple(json.loads(text))
            other = same if same in known else None
            self._moves[text] = move
        if other is not None:
            raise same_text(self._methods, other, move)


def move_text(methods: Any, move: Hashable) -> str:
    """Return what a solution in a file has for a move. Raises ProblemError for an address in memory."""

    def otherwise(part: Any) -> str:
        text = repr(part)
        if _ADDRESS.search(text):
            what = f"a move {shortened(text)}, whose text is an address in memory: no file could say which move it is"
            raise ProblemError(f"{type(methods).__name__}: legal_moves gave {what}; {_TELL_APART}")
        return text

    return json.dumps(plain(move, otherwise))


def same_text(methods: Any, one: Hashable, other: Hashable) -> ProblemError:
    """Return the error for two moves of equal text."""
    kinds = " and ".join(type(move).__name__ for move in (one, other))
    what = f"two moves that are not equal and have one text, {shortened(repr(plain(other)))} ({kinds})"
    return ProblemError(f"{type(methods).__name__}: legal_moves gave {what}; {_TELL_APART}")


def _as_simple(value: Any) -> Any:
    return tuple(map(_as_simple, value)) if isinstance(value, list) else value
