"""The states and moves of an author's class as arrays and numbers that the engine keeps.

Each number of a state is an array of one element, each array another. Which there are is found out from random games.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.python.answers import listed

GAMES, SECONDS = 20, 0.5
# How a tuple of two or three whole numbers is one number: the bits of each.
BITS = {2: 32, 3: 21}


class Cell(NamedTuple):
    """One number or array of a state."""

    path: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...] | None  # None of a number


class Examples(NamedTuple):
    """What random games of a problem have shown: cells of its states, an example of both, whether moves are tuples."""

    cells: list[Cell]
    state: Any
    move: Any


def examples_of(problem: Any) -> Examples:
    """Play some random games. Raises ProblemError where states or moves are of no kind that can be compiled."""
    chance, end = random.Random(0), time.perf_counter() + SECONDS
    cells: list[Cell] = []
    first, move = None, None
    for game in range(GAMES):
        state, step = problem.initial_state(), 0
        while True:
            found = [*cells_of(problem, state)]
            cells = _joined(problem, cells, found) if cells else found
            first = state if first is None else first
            moves = listed(problem, problem.legal_moves(state))
            for each in moves:
                move = checked_move(problem, each, move)
            if not moves or step == problem.max_steps or (game and time.perf_counter() > end):
                break
            state, step = problem.play(state, chance.choice(moves)), step + 1
        if time.perf_counter() > end:
            break
    return Examples(cells, problem.initial_state(), move)


def cells_of(problem: Any, state: Any, path: str = "state") -> Iterator[Cell]:
    """Yield the numbers and arrays of a state. Raises ProblemError for anything else in it."""
    if isinstance(state, (bool, np.bool_)):
        yield Cell(path, np.dtype(np.bool_), None)
    elif isinstance(state, (int, np.integer)):
        yield Cell(path, np.dtype(np.int64), None)
    elif isinstance(state, (float, np.floating)):
        yield Cell(path, np.dtype(np.float64), None)
    elif isinstance(state, np.ndarray) and state.dtype.kind in "biuf":
        yield Cell(path, state.dtype, state.shape)
    elif isinstance(state, tuple):
        for name, part in zip(getattr(state, "_fields", range(len(state))), state, strict=True):
            yield from cells_of(problem, part, f"{path}.{name}" if isinstance(name, str) else f"{path}[{name}]")
    else:
        kind = type(state).__name__
        what = f"{path} is {shortened(repr(state))}, a {kind}; expected numbers, arrays, and tuples"
        hint = "; use numpy.array" if isinstance(state, list) else "; use a boolean array" if "set" in kind else ""
        raise _fault(problem, f"{what} of these{hint}")


def _joined(problem: Any, cells: list[Cell], others: list[Cell]) -> list[Cell]:
    """Return cells that hold both: a number that is whole in one state and decimal in another is a decimal."""
    if [each.path for each in cells] != [each.path for each in others]:
        longer, shorter = ([each.path for each in group] for group in (cells, others))
        path = next(iter({*longer} ^ {*shorter}), "state")
        raise _fault(problem, f"{path} is in some states only, a tuple whose length changes; use an array")
    joined = []
    for one, other in zip(cells, others, strict=True):
        if one.shape != other.shape:
            what = f"{one.path} has the shape {one.shape}, and {other.shape} later"
            raise _fault(problem, f"{what}; expected one shape, with a number that says how much of it is used")
        if one.shape is not None and one.dtype != other.dtype:
            what = f"{one.path} is an array of {one.dtype}, and of {other.dtype} later"
            raise _fault(problem, f"{what}; expected one type: numpy.array(..., dtype=...)")
        joined.append(one._replace(dtype=np.promote_types(one.dtype, other.dtype)))
    return joined


def checked_move(problem: Any, move: Any, example: Any) -> Any:
    """Return a move as plain whole numbers. Raises ProblemError where it is none, or of another kind than others."""
    parts = move if isinstance(move, tuple) else (move,)
    is_whole = all(isinstance(part, (int, np.integer)) for part in parts)
    if not is_whole or len(parts) not in ((1, 2, 3) if not isinstance(move, tuple) else (2, 3)):
        what = f"legal_moves gave {shortened(repr(move))}; a move that compiles is a whole number, or a tuple of 2 or 3"
        raise _fault(problem, what)
    if example is not None and _length(example) != _length(move):
        raise _fault(problem, f"legal_moves gave {move!r} and {example!r}; moves that compile are of one length")
    return tuple(map(int, parts)) if isinstance(move, tuple) else int(move)


def require_like(problem: Any, examples: Examples, state: Any) -> None:
    """Raise ProblemError unless a state has the shapes and types of the examples."""
    for known, joined in zip(
        examples.cells, _joined(problem, examples.cells, [*cells_of(problem, state)]), strict=True
    ):
        if known != joined:
            raise _fault(
                problem, f"{known.path} became {joined.dtype} late in a game; write float(...) in initial_state"
            )


def state_of(examples: Examples, data: np.ndarray) -> Any:
    """Return the state whose numbers are given in order, float64[numbers]."""
    at = 0

    def part(like: Any) -> Any:
        nonlocal at
        if isinstance(like, tuple):
            parts = [part(each) for each in like]
            return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
        cell, number = next(left), np.size(like)
        values, at = data[at : at + number].astype(cell.dtype), at + number
        return values[0].item() if cell.shape is None else values.reshape(cell.shape)

    left = iter(examples.cells)
    return part(examples.state)


def _length(move: Any) -> int:
    return len(move) if isinstance(move, tuple) else 0


def packed(move: Any) -> int:
    """Return the number of a move, int64.

    >>> packed((3, -1)), unpacked(packed((3, -1)), 2), unpacked(packed((1, 0, -5)), 3)
    (12884901887, (3, -1), (1, 0, -5))
    """
    if not isinstance(move, tuple):
        return int(move)
    number, bits = 0, BITS[len(move)]
    for part in move:
        number = (number << bits) + int(part)
    return (number + 2**63) % 2**64 - 2**63


def unpacked(number: int, length: int) -> Any:
    """Return the move of a number: itself, or a tuple of so many."""
    if length == 0:
        return int(number)
    bits, parts = BITS[length], list[int]()
    for place in range(length):
        part = number if place == length - 1 else (number + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
        parts.append(int(part))
        number = (number - part) >> bits
    return tuple(reversed(parts))


def _fault(problem: Any, said: str) -> ProblemError:
    return ProblemError(f"{type(problem).__name__}: {said}")
