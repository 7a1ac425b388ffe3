"""The states and moves of an author's class as arrays and numbers that the engine keeps.

Each number of a state is an array of one element; each array is an array. Which there are is found out from random
games, in which the author's methods and what is made of them are played side by side.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened
from nrpa.compiling.attributes import LONGEST_TUPLE
from nrpa.compiling.containers import Computed
from nrpa.compiling.packing import BITS, pack, unpack
from nrpa.python.checks import tuple_of

GAMES, SECONDS, FIRST_SECONDS = 20, 0.5, 2.0
NUMBER, ARRAY, TUPLE, LIST, SET, ENDS = "a number", "an array", "a tuple", "a list", "a set", "the ends of rows"
_NUMBERS = {"b": np.bool_, "i": np.int64, "u": np.int64, "f": np.float64}
_KINDS: dict[type, str] = {list: LIST, Computed: TUPLE, set: SET, frozenset: SET}


class StateCell(NamedTuple):
    """One number or array of a state.

    - ``path``: What the author calls it.
    - ``shape``: That of the array, a tuple; None of a number.
    - ``kind``: What the author's methods take it for.
    - ``varies``: Whether the array is often shorter than ``shape``.
    - ``length``: Of a set of tuples, how long they are.
    """

    path: str
    dtype: Any
    shape: Any
    kind: str
    varies: bool = False
    length: int = 0


class TupleForm(NamedTuple):
    """A tuple of cells and other records; ``make`` is its class."""

    make: Any
    parts: tuple[Any, ...]


class RowsForm(NamedTuple):
    """Rows of several lengths: all their numbers, and where each ends."""

    parts: tuple[StateCell, StateCell]


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
    moves = tuple_of(problem, problem.legal_moves(problem.initial_state()))
    if not moves:
        raise _fault(problem, "the initial state has no legal moves (legal_moves gave none)")
    return checked_move(problem, moves[0])


def examples_of(problem: Any, initial_state: Any, play: Any) -> Examples:
    """Play some random games, also by ``initial_state()`` and ``play(state, move)``, which take the place of methods.

    A first game of more than ``FIRST_SECONDS`` is broken off; what has grown in it may grow as fast to its end.
    Raises ProblemError where states or moves are of no kind that can be compiled.
    """
    chance, end = random.Random(0), time.perf_counter() + SECONDS
    form, move = form_of(problem, initial_state()), first_move(problem)
    begun = {(cell.path, cell.kind): cell.shape for cell in _cells(form)}
    steps, left = min(problem.max_steps, problem._steps_of_forms), 0.0
    for game in range(GAMES):
        state, made, step = problem.initial_state(), initial_state(), 0
        while step < steps:
            if step and time.perf_counter() > (end if game else end + FIRST_SECONDS):
                left = left if game else steps / step
                break
            moves = tuple_of(problem, problem.all_moves(state))
            if not moves:
                break
            for each in moves:
                checked_move(problem, each, move)
            chosen = chance.choice(moves)
            state, made, step = problem.play(state, chosen), play(made, chosen), step + 1
            form = joined_form(problem, form, form_of(problem, made))
        if time.perf_counter() > end:
            break

    def longest(cell: StateCell) -> int:
        before = begun.get((cell.path, cell.kind)) or (0,)
        length: int = cell.shape[0]
        return 2 * length + 16 + math.ceil(left * max(length - before[0], 0))

    return Examples(_settled(form, longest), problem.initial_state(), move)


def form_of(problem: Any, state: Any, path: str = "state") -> Any:
    """Return the form of a state. Raises ProblemError for anything in it that has none."""
    if isinstance(state, (Computed, list)):
        form = _form_of_sequence(problem, state, path)
        if form is not None:
            return form
    elif isinstance(state, tuple):
        names = getattr(state, "_fields", range(len(state)))
        paths = [f"{path}.{name}" if isinstance(name, str) else f"{path}[{name}]" for name in names]
        return TupleForm(type(state), tuple(form_of(problem, *pair) for pair in zip(state, paths, strict=True)))
    elif isinstance(state, (set, frozenset)):
        lengths = {length_of(checked_move(problem, each, what=path)) for each in state} or {0}
        if len(lengths) == 1:
            return StateCell(path, np.int64, (len(state),), SET, varies=True, length=max(lengths))
    array = np.asarray(state) if isinstance(state, (bool, int, float, np.generic, np.ndarray)) else None
    if array is not None and array.dtype.kind in _NUMBERS:
        is_array = isinstance(state, np.ndarray)
        dtype = array.dtype if is_array else _NUMBERS[array.dtype.kind]
        return StateCell(path, dtype, array.shape if is_array else None, ARRAY if is_array else NUMBER)
    what = f"{path} is {shortened(repr(state))}, {_kind_of(state)}"
    raise _fault(
        problem, f"{what}; expected numbers up to 64 bits, arrays, and tuples, lists and sets of them; {_INSTEAD}"
    )


_INSTEAD = "use a number for a text or None, a tuple or an array for a dictionary, a NamedTuple for a dataclass"


def _kind_of(value: Any) -> str:
    return f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"


def _form_of_sequence(problem: Any, state: Any, path: str) -> Any:
    """Return the form of a list, or of a tuple whose length is not written out."""
    parts = [form_of(problem, part, f"{path}[{place}]") for place, part in enumerate(state)]
    cell = _as_cell(TupleForm(tuple, tuple(parts)), path)
    if cell is not None and (len(cell.shape) == 1 or not isinstance(state, list)):
        return cell._replace(kind=_KINDS[type(state)], varies=isinstance(state, list))
    return _as_rows(TupleForm(type(state), tuple(parts)), path)


def joined_form(problem: Any, one: Any, other: Any) -> Any:
    """Return the form of states of both forms: a number that is whole in one and decimal in the other is decimal."""
    is_tuple = isinstance(one, TupleForm) and isinstance(other, TupleForm)
    if is_tuple and len(one.parts) == len(other.parts) and (one.parts or one.make is other.make):
        pairs = zip(one.parts, other.parts, strict=True)
        return TupleForm(one.make, tuple(joined_form(problem, *pair) for pair in pairs))
    path = _path(one)
    if isinstance(one, RowsForm) or isinstance(other, RowsForm) or (is_tuple and not _as_cell(one, path)):
        rows = [form if isinstance(form, RowsForm) else _as_rows(form, path) for form in (one, other)]
        if None not in rows:
            return RowsForm(
                tuple(joined_form(problem, *pair) for pair in zip(rows[0].parts, rows[1].parts, strict=True))
            )
    return _joined_cells(problem, one, other, path)


def _joined_cells(problem: Any, one: Any, other: Any, path: str) -> Any:
    first, second = _as_cell(one, path), _as_cell(other, path)
    if first is None or second is None or (first.shape is None) != (second.shape is None):
        raise _fault(problem, f"{path} is of another kind later in a game; expected the same in all states")
    if not all(first.shape or (1,)):  # nothing is known of the elements of an empty one
        first = first._replace(dtype=second.dtype, shape=(0, *second.shape[1:]), length=second.length)
    if not all(second.shape or (1,)):
        second = second._replace(dtype=first.dtype, shape=(0, *first.shape[1:]), length=first.length)
    kind = LIST if LIST in (first.kind, second.kind) else second.kind
    found = first._replace(dtype=np.promote_types(first.dtype, second.dtype).type, kind=kind)
    if first.shape == second.shape:
        return found._replace(varies=first.varies or second.varies)
    if first.shape[1:] != second.shape[1:] or (kind == ARRAY and len(first.shape) > 1):
        what = f"{path} has the shape {first.shape}, and {second.shape} later"
        raise _fault(problem, f"{what}; expected one shape, with a number that says how much of it is used")
    return found._replace(shape=(max(first.shape[0], second.shape[0]), *first.shape[1:]), varies=True)


def _as_cell(form: Any, path: str) -> Any:
    """Return a tuple of numbers, or of rows of one length, as the cell that it is elsewhere; None where it is none."""
    if isinstance(form, (StateCell, RowsForm)):
        return form if isinstance(form, StateCell) else None
    parts = [cell for part in form.parts if (cell := _as_cell(part, path)) is not None and cell.kind in (NUMBER, TUPLE)]
    if len(parts) < len(form.parts) or len({cell.shape for cell in parts}) > 1 or any(cell.varies for cell in parts):
        return None
    dtype = np.result_type(*(cell.dtype for cell in parts)).type if parts else np.int64
    return StateCell(path, dtype, (len(parts), *(parts[0].shape or () if parts else ())), TUPLE)


def _as_rows(form: Any, path: str) -> Any:
    """Return a tuple of rows of numbers as rows of several lengths; None where it is none."""
    if isinstance(form, StateCell):
        if form.kind != TUPLE or len(form.shape) > 2:
            return None
        parts = [form._replace(shape=form.shape[1:])] * form.shape[0]
    else:
        parts = [_as_cell(part, path) for part in form.parts]
    if not all(cell is not None and cell.kind in (TUPLE, LIST) and len(cell.shape) == 1 for cell in parts):
        return None
    dtypes = [cell.dtype for cell in parts if cell.shape[0]] or [np.int64]
    kind = LIST if getattr(form, "make", tuple) is list else TUPLE
    flat = StateCell(path, np.result_type(*dtypes).type, (sum(cell.shape[0] for cell in parts),), kind, varies=True)
    return RowsForm((flat, StateCell(path, np.int64, (len(parts),), ENDS, varies=True)))


def _path(form: Any) -> str:
    if isinstance(form, StateCell):
        return form.path
    return _path(form.parts[0]).rpartition("[")[0] or "state" if form.parts else "state"


def _settled(form: Any, longest: Callable[[StateCell], int]) -> Any:
    """Return a form whose long tuples are sequences, and whose arrays may be as long as ``longest`` says."""
    if isinstance(form, TupleForm):
        form = form._replace(parts=tuple(_settled(part, longest) for part in form.parts))
        if len(form.parts) <= LONGEST_TUPLE or hasattr(form.make, "_fields"):
            return form
        if len({cell.dtype for cell in _cells(form)}) > 1:
            return form
        is_ragged = any(cell.varies for cell in _cells(form))
        return (_as_rows(form, _path(form)) if is_ragged else _as_cell(form, _path(form))) or form
    if isinstance(form, RowsForm):
        return RowsForm(tuple(_settled(part, longest) for part in form.parts))
    return form._replace(shape=(longest(form), *form.shape[1:])) if form.varies else form


def fields_of(examples: Examples, data: np.ndarray) -> list[np.ndarray]:
    """Return the arrays of a state, and the counts, of words in order (``nrpa.compiling.values.bits``)."""
    arrays, counts, at = [], [], 0
    for cell in examples.cells:
        shape = (1,) if cell.shape is None else cell.shape
        size = int(np.prod(shape))
        words = data[at : at + size]
        held = words.view(np.float64) if np.dtype(cell.dtype).kind == "f" else words
        arrays.append(held.astype(cell.dtype).reshape(shape))
        at += size
        if cell.varies:
            counts.append(data[at : at + 1])
            at += 1
    return [*arrays, *counts]


def state_of(examples: Examples, fields: Sequence[np.ndarray]) -> Any:
    """Return the state, as in plain Python, of the arrays of its cells, and of how much of those that vary is used."""
    number = len(examples.cells)
    arrays, counts = iter(fields[:number]), iter(fields[number:])

    def array_of(cell: StateCell) -> np.ndarray:
        values = next(arrays)
        return (values[: int(next(counts)[0])] if cell.varies else values).copy()

    def part(form: Any, like: Any) -> Any:
        if isinstance(form, TupleForm):
            parts = [part(each, like[place]) for place, each in enumerate(form.parts)]
            return form.make(*parts) if hasattr(form.make, "_fields") else tuple(parts)
        if isinstance(form, RowsForm):
            flat, ends = map(array_of, form.parts)
            make = type(like[0]) if like else tuple
            return type(like)(make(each.tolist()) for each in np.split(flat, ends)[:-1])
        if form.shape is None:
            return next(arrays)[0].item()
        values = array_of(form)
        if form.kind == SET:
            return type(like)(map(unpack(form.length).py_func, values.tolist()))
        return values if form.kind == ARRAY else type(like)(_tuples(values.tolist()))

    return part(examples.form, examples.state)


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def require_form(problem: Any, examples: Examples, state: Any) -> None:
    """Raise ProblemError unless a state has the form of the examples."""
    joined = joined_form(problem, examples.form, form_of(problem, state))
    for cell, other in zip(examples.cells, _cells(joined), strict=True):
        if cell.dtype != other.dtype:
            raise _fault(problem, f"{cell.path} became {np.dtype(other.dtype)} late in a game; begin with one")
        if cell.shape != other.shape:
            what = f"{cell.path} became longer than {cell.shape[0]}, twice as long as in random games"
            raise _fault(problem, f"{what}; use an array")


def checked_move(problem: Any, move: Any, example: Any = None, what: str = "legal_moves") -> Any:
    """Return a move as plain whole numbers. Raises ProblemError where it is none, or of another kind than others."""
    try:
        pack(move)
        if any(isinstance(each, bool) for each in (move if isinstance(move, tuple) else (move,))):
            raise TypeError
    except (TypeError, OverflowError):
        shown = shortened(repr(move))
        limits = " and ".join(f"below 2^{bits - 1} in tuples of {length}" for length, bits in BITS.items())
        expected = f"a whole number, or a tuple of 2 or 3, whose numbers are {limits}: number what is larger"
        raise _fault(problem, f"{what} gave {shown}; a move that compiles is {expected}") from None
    if example is not None and length_of(example) != length_of(move):
        raise _fault(problem, f"{what} gave {move!r} and {example!r}; moves that compile are of one length")
    return tuple(map(int, move)) if isinstance(move, tuple) else int(move)


def length_of(move: Any) -> int:
    """Return how many numbers a move that is a tuple has; 0 of a number."""
    return len(move) if isinstance(move, tuple) else 0


def _fault(problem: Any, said: str) -> ProblemError:
    return ProblemError(f"{type(problem).__name__}: {said}")
