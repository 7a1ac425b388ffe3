"""What the engine asks of a problem: an instance, its states and its limits, the same for both kinds of problems.

Instances, states and memories of searches are records: NamedTuples and tuples of arrays, numbers and other records.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy

kernels = lazy("nrpa.engine.kernels")
numba = lazy("numba")

Numbering = tuple[list[Hashable], list[Hashable]]


class Limits(NamedTuple):
    """How much a playout can need."""

    steps: int  # the most moves of a playout
    moves: int  # the most legal moves of a state
    total: int  # the most legal moves of a whole playout, summed over its states
    grow: bool = False  # whether ``moves`` and ``total`` are not known: they are then a beginning, and work areas grow


class Needs(NamedTuple):
    """What a search reads of the legal moves of a state."""

    codes: bool = True  # whether it reads their codes
    bias: bool = True  # whether it reads e^β of each, where that comes with the moves


class Model:
    """An instance, its states and its limits. The arrays of its ``instance`` are views that cannot be written.

    - ``has_own_code``: Whether its states are of a class that many problems share, for which searches are compiled.
    - ``numbers_moves``: Whether moves and codes have numbers in the order in which they are met (``numbering``).
    """

    has_own_code = numbers_moves = False

    def __init__(
        self,
        name: str,
        instance: Any,
        limits: Limits,
        new_state: Callable[[], Any],
        *,
        title: str = "",
        codes: int | None = None,
        bias_by_move: bool = False,
        bias_replaced: bool = False,
        players: int = 1,
        raise_kept_error: Callable[[], None] | None = None,
        compile_fault: Callable[[], ProblemError | None] | None = None,
    ) -> None:
        self.name = name
        self.title = title or name
        self.instance = read_only(instance)
        self.limits = limits
        self.codes = codes
        self.bias_by_move = bias_by_move
        self.bias_replaced = bias_replaced
        self.players = players
        self._new_state = new_state
        self._raise_kept_error = raise_kept_error
        self._compile_fault = compile_fault

    def new_state(self, needs: Needs | None = None) -> Any:
        """Return a state with arrays of its own, in any condition: the kernel ``reset`` fills them."""
        return self._new_state()

    def listing_with_bias(
        self, instance: Any, new_state: Callable[[], Any], compile_fault: Callable[[], ProblemError | None]
    ) -> Model:
        """Return the model with another record of the instance and other states, whose kernels list moves with β."""
        other = copy.copy(self)
        other.instance, other._new_state, other._compile_fault = read_only(instance), new_state, compile_fault
        other.bias_by_move = other.bias_replaced = True
        return other

    def require_records(self) -> None:
        """Raise ProblemError unless instance and states of a compiled problem are records for machine code."""
        state, other = self.new_state(), self.new_state()
        if not isinstance(state, tuple) or not hasattr(state, "_fields"):
            raise self._fault(f"new_state returned a {type(state).__name__}; expected a NamedTuple of NumPy arrays")
        try:
            kernels.kernels_of(type(state))
        except ProblemError:
            what = f"its state class {type(state).__qualname__} has no kernels"
            raise self._fault(f"{what}; decorate it with nrpa.kernels(reset, legal_moves, play, score)") from None
        for name, value in (*parts(self.instance, "instance", "."), *parts(state, "state", ".")):
            if not _is_known(value):
                kind = f"NumPy array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
                raise self._fault(f"{name} is a {kind}; expected a NumPy array of numbers, or a number")
        arrays = [*_arrays(state, "state"), *_arrays(other, "state")]
        for (name, one), (_, another) in combinations(arrays, 2):
            if np.shares_memory(one, another):
                what = f"new_state gives states that share memory ({name})"
                raise self._fault(f"{what}; each must have arrays of its own")

    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Return the shapes of all arrays in the instance and in a state."""
        return tuple(array.shape for record in (self.instance, self.new_state()) for _, array in _arrays(record))

    def _fault(self, said: str) -> ProblemError:
        return ProblemError(f"{self.name}: {said}")

    @property
    def has_hash(self) -> bool:
        """Whether there is a kernel ``hash``, by which equal states are found again."""
        return "hash" in kernels.kernels_of(type(self.new_state()))

    def efforts(self, moves: int) -> Any:
        """Return what the methods of plain Python take in the first moves of a game (``nrpa.python.efforts``)."""
        return None

    @property
    def is_evaluated(self) -> bool:
        """Whether there is a kernel ``evaluate``, which values whole sequences that are not played."""
        return "evaluate" in kernels.kernels_of(type(self.new_state()))

    @property
    def has_value(self) -> bool:
        """Whether there is a kernel ``value``, which values states that are not final."""
        return "value" in kernels.kernels_of(type(self.new_state()))

    def raise_kept_error(self) -> None:
        """Raise the exception that Python code called by a kernel of this thread raised, once, if there was one."""
        if self._raise_kept_error is not None:
            self._raise_kept_error()

    def compile_fault(self) -> ProblemError | None:
        """Return an error that says which of the author's methods does not compile, and why; None where all do."""
        return None if self._compile_fault is None else self._compile_fault()

    def code_number(self, code: Any) -> int:
        """Return the number that kernels use for a code."""
        return int(code)

    def numbering(self) -> Numbering:
        """Return the moves and the codes that have numbers, in the order of these."""
        return [], []

    def adopt(self, numbering: Numbering) -> bool:
        """Take over the numbers of another model of the problem; return whether these fit those given already."""
        return True

    def share(self, state: Any, arrays: Any, stop: np.ndarray) -> None:
        """Let a problem in plain Python read and write arrays of a search, and ``Position.stop``; here, do nothing."""

    def things_of(self, moves: np.ndarray) -> Any:
        """Return moves (int64[steps]) as another process can read them; here, as they are."""
        return moves

    def numbers_of(self, things: Any) -> np.ndarray:
        """Return what ``things_of`` gave elsewhere as the moves of this model, int64[steps]."""
        return np.asarray(things, np.int64)


def _arrays(record: Any, name: str = "") -> Iterator[tuple[str, np.ndarray]]:
    return ((path, part) for path, part in parts(record, name, ".") if isinstance(part, np.ndarray))


def _is_known(value: Any) -> bool:
    """Return whether numba has a type for ``value`` that needs no Python."""
    if isinstance(value, (list, dict, set, frozenset)) or (isinstance(value, np.ndarray) and value.dtype.hasobject):
        return False
    try:
        numba.typeof(value)
    except Exception:
        return False
    return True


def parts(record: Any, path: str = "", mark: str = "/") -> Iterator[tuple[str, Any]]:
    """Yield the paths of what is in a record at any depth, and each part that is no record itself."""
    if not isinstance(record, tuple):
        yield path, record
        return
    for field, part in _named_parts(record):
        yield from parts(part, f"{path}{mark}{field}", mark)


def classes_in(record: Any) -> Iterator[type]:
    """Yield the classes of a record and of the records in it, at any depth."""
    if isinstance(record, tuple):
        yield type(record)
        for part in record:
            yield from classes_in(part)


def mapped(function: Callable[[str, Any], Any], record: Any, path: str = "", mark: str = "/") -> Any:
    """Return a record of the same classes, of what a function makes of the path of each part and the part."""
    if not isinstance(record, tuple):
        return function(path, record)
    made = [mapped(function, part, f"{path}{mark}{field}", mark) for field, part in _named_parts(record)]
    return type(record)(*made) if hasattr(record, "_fields") else tuple(made)


def record_like(fresh: Any, arrays: Mapping[str, np.ndarray], path: str, as_large_as: Callable[[Any], Any]) -> Any:
    """Return a record of the same classes and types as ``fresh``, of arrays by their paths.

    Raises InputError unless their shapes are those of the record that ``as_large_as`` makes of it.
    """

    def found(name: str, own: np.ndarray) -> np.ndarray:
        array = arrays.get(name)
        if array is None or (array.dtype, array.ndim) != (own.dtype, own.ndim):
            raise InputError(f"array {name} is missing, or not of {own.ndim} dimensions of {own.dtype}")
        return np.ascontiguousarray(array)

    record = mapped(found, fresh, path)
    for (name, array), (_, wanted) in zip(parts(record, path), parts(as_large_as(record), path), strict=True):
        if array.shape != wanted.shape:
            raise InputError(f"array {name} has the shape {array.shape}; expected {wanted.shape}")
    return record


def _named_parts(record: tuple[Any, ...]) -> Iterator[tuple[Any, Any]]:
    return zip(getattr(record, "_fields", range(len(record))), record, strict=True)


def read_only(value: Any) -> Any:
    """Return a value, all its arrays as views that cannot be written."""

    def view(_: str, part: Any) -> Any:
        if not isinstance(part, np.ndarray):
            return part
        seen = part.view()
        seen.flags.writeable = False
        return seen

    return mapped(view, value)
