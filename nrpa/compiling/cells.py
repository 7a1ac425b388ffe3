"""The states and moves of an author's class as arrays and numbers that the engine keeps.

Each number of a state is an array of one element; each array is an array. Which there are is found out from random
games, in which the author's methods and what is made of them are played side by side.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.python.checks import tuple_of

GAMES, SECONDS = 20, 0.5
# How a tuple of two or three whole numbers is one number: the bits of each.
BITS = {2: 32, 3: 21}
_NUMBERS = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}


class StateCell(NamedTuple):
    """One number or array of a state.

    - ``path``: What the author calls it.
    - ``shape``: That of the array; None of a number.
    - ``varies``: Whether the array, of one axis, is often shorter than ``shape``.
    """

    path: str
    dtype: Any
    shape: tuple[int, ...] | None
    varies: bool = False


class TupleForm(NamedTuple):
    """A tuple of cells and other records; ``make`` is its class."""

    make: Any
    parts: tuple[Any, ...]


class Examples(NamedTuple):
    """What random games have shown: the form of states, one in plain Python, and a move."""

    form: Any
    state: Any
    move: Any

    @property
    def cells(self) -> list[StateCell]:
        """All cells, in order."""
        return [*_cells(self.form)]


def _cells(form: Any) -> Iterator[StateCell]:
    if isinstance(form, StateCell):
        yield form
    else:
        for part in form.parts:
            yield from _cells(part)


def first_move(problem: Any) -> Any:
    """Return a move of the initial state, as plain whole numbers."""
    return checked_move(problem, tuple_of(problem, problem.legal_moves(problem.initial_state()))[0])


def examples_of(problem: Any, initial_state: Any, play: Any) -> Examples:
    """Play some random games, also by ``initial_state()`` and ``play(state, move)``, which take the place of methods.

    Raises ProblemError where states or moves are of no kind that can be compiled.
    """
    chance, end = random.Random(0), time.perf_counter() + SECONDS
    form, move = form_of(problem, initial_state()), first_move(problem)
    for game in range(GAMES):
        state, made, step = problem.initial_state(), initial_state(), 0
        while step < problem.max_steps and not (game and time.perf_counter() > end):
            moves = tuple_of(problem, problem.legal_moves(state))
            if not moves:
                break
            for each in moves:
                checked_move(problem, each, move)
            chosen = chance.choice(moves)
            state, made, step = problem.play(state, chosen), play(made, chosen), step + 1
            form = joined_form(problem, form, form_of(problem, made))
        if time.perf_counter() > end:
            break
    return Examples(_with_capacity(form), problem.initial_state(), move)


def form_of(problem: Any, state: Any, path: str = "state") -> Any:
    """Return the form of a state. Raises ProblemError for anything in it that is no number, array or tuple."""
    if isinstance(state, tuple):
        names = getattr(state, "_fields", range(len(state)))
        paths = [f"{path}.{name}" if isinstance(name, str) else f"{path}[{name}]" for name in names]
        return TupleForm(type(state), tuple(form_of(problem, *pair) for pair in zip(state, paths, strict=True)))
    array = np.asarray(state) if isinstance(state, (bool, int, float, np.generic, np.ndarray)) else None
    if array is not None and array.dtype.kind in _NUMBERS:
        is_array = isinstance(state, np.ndarray)
        return StateCell(
            path, array.dtype if is_array else _NUMBERS[array.dtype.kind], array.shape if is_array else None
        )
    kind = type(state).__name__
    instead = {"list": "; use numpy.array", "set": "; use a boolean array", "dict": "; use an array"}.get(kind, "")
    what = f"{path} is {shortened(repr(state))}, a {kind}"
    raise _fault(problem, f"{what}; expected numbers, arrays and tuples of them{instead}")


def joined_form(problem: Any, one: Any, other: Any) -> Any:
    """Return the form of states of both forms: a number that is whole in one and decimal in the other is decimal."""
    if isinstance(one, TupleForm) and isinstance(other, TupleForm) and len(one.parts) == len(other.parts):
        return TupleForm(
            one.make, tuple(joined_form(problem, *pair) for pair in zip(one.parts, other.parts, strict=True))
        )
    first, second = _as_cell(one), _as_cell(other)
    if first is None or second is None or (first.shape is None) != (second.shape is None):
        raise _fault(problem, f"{_path(one)} is of another kind later in a game; expected the same in all states")
    dtype = np.promote_types(first.dtype, second.dtype).type
    if first.shape == second.shape:
        return first._replace(dtype=dtype, varies=first.varies or second.varies)
    if len(first.shape or ()) != 1 or len(second.shape or ()) != 1:
        what = f"{first.path} has the shape {first.shape}, and {second.shape} later"
        raise _fault(problem, f"{what}; expected one shape, with a number that says how much of it is used")
    longest = max(*(first.shape or ()), *(second.shape or ()))
    return first._replace(dtype=dtype, shape=(longest,), varies=True)


def _as_cell(form: Any) -> StateCell | None:
    """Return a cell, or a tuple that is written out, of numbers or rows of them, as the array that it is elsewhere."""
    if isinstance(form, StateCell):
        return form
    parts = [cell for part in form.parts if (cell := _as_cell(part)) is not None]
    if len(parts) < len(form.parts) or len({cell.shape for cell in parts}) != 1:
        return None
    dtype = np.result_type(*(cell.dtype for cell in parts)).type
    return StateCell(_path(form), dtype, (len(parts), *(parts[0].shape or ())))


def _path(form: Any) -> str:
    return (
        form.path if isinstance(form, StateCell) else _path(form.parts[0]).rpartition("[")[0] if form.parts else "state"
    )


def _with_capacity(form: Any) -> Any:
    """Return a form whose arrays of varying length may be twice as long as in any game so far."""
    if isinstance(form, TupleForm):
        return form._replace(parts=tuple(map(_with_capacity, form.parts)))
    return form._replace(shape=(2 * form.shape[0] + 16,)) if form.varies else form


def state_of(examples: Examples, data: np.ndarray) -> Any:
    """Return the state, as in plain Python, whose numbers are given in order, float64[numbers]."""
    at = 0

    def taken(number: int) -> np.ndarray:
        nonlocal at
        at += number
        return data[at - number : at]

    def part(form: Any, like: Any) -> Any:
        if isinstance(form, TupleForm):
            parts = [part(each, like[place]) for place, each in enumerate(form.parts)]
            return form.make(*parts) if hasattr(form.make, "_fields") else tuple(parts)
        if form.shape is None:
            return taken(1).astype(form.dtype)[0].item()
        values = taken(int(np.prod(form.shape))).astype(form.dtype).reshape(form.shape)
        values = values[: int(taken(1)[0])] if form.varies else values
        return _tuples(values.tolist()) if isinstance(like, tuple) else values

    return part(examples.form, examples.state)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def require_form(problem: Any, examples: Examples, state: Any) -> None:
    """Raise ProblemError unless a state has the form of the examples."""
    for cell, other in zip(
        examples.cells, [*_cells(joined_form(problem, examples.form, form_of(problem, state)))], strict=True
    ):
        if cell.dtype != other.dtype:
            raise _fault(problem, f"{cell.path} became {np.dtype(other.dtype)} late in a game; begin with one")
        if cell.shape != other.shape:
            raise _fault(
                problem, f"{cell.path} became longer than {cell.shape}, twice as long as in random games; use an array"
            )


def checked_move(problem: Any, move: Any, example: Any = None) -> Any:
    """Return a move as plain whole numbers. Raises ProblemError where it is none, or of another kind than others."""
    parts = move if isinstance(move, tuple) else (move,)
    if not all(isinstance(part, (int, np.integer)) for part in parts) or (
        isinstance(move, tuple) and len(move) not in BITS
    ):
        what = f"legal_moves gave {shortened(repr(move))}; a move that compiles is a whole number, or a tuple of 2 or 3"
        raise _fault(problem, what)
    limit = 2 ** (BITS[len(move)] - 1) if isinstance(move, tuple) else 2**63
    if not all(-limit <= part < limit for part in parts):
        raise _fault(problem, f"legal_moves gave {move!r}; the numbers of such a move that compiles are below {limit}")
    if example is not None and length_of(example) != length_of(move):
        raise _fault(problem, f"legal_moves gave {move!r} and {example!r}; moves that compile are of one length")
    return tuple(map(int, parts)) if isinstance(move, tuple) else int(move)


def length_of(move: Any) -> int:
    """Return how many numbers a move that is a tuple has; 0 of a number."""
    return len(move) if isinstance(move, tuple) else 0


def number_of_move(move: Any) -> int:
    """Return the number of a move, int64.

    >>> number_of_move((3, -1)), move_of_number(12884901887, 2), move_of_number(number_of_move((1, 0, -5)), 3)
    (12884901887, (3, -1), (1, 0, -5))
    """
    if not isinstance(move, tuple):
        return int(move)
    number, bits = 0, BITS[len(move)]
    for part in move:
        number = (number << bits) + int(part)
    return (number + 2**63) % 2**64 - 2**63


def move_of_number(number: int, length: int) -> Any:
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
