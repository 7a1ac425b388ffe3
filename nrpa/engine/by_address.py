"""Kernels by address: those of a problem are compiled once, and one search for all problems calls them.

To the search, every problem has states of one class, ``AddressState``, which say where the problem's own state lies.
The kernels of this class call those of the problem by the addresses in ``AddressInstance.kernels``. What lies behind an
address takes whole numbers: addresses of records, of arrays, and their sizes. It makes the records again of what is
read there, and is compiled once for the kernel and the types of the records, and kept on disk.

A record is written as whole numbers, eight bytes each: an array as its address, its shape and, unless it is
C-contiguous, its strides; a number as itself.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic

from nrpa.engine import kernels as generic
from nrpa.engine.kernels import (
    KERNELS,
    NOTHING,
    NUMBER,
    ONLY_LIST,
    WHOLE,
    Moves,
    has_kernel,
    kernel_of,
    kernels,
    kernels_of,
    known_by_state,
)
from nrpa.engine.model import Model, parts
from nrpa.machine.code_cache import described, is_of_library, named_in
from nrpa.machine.jit import Stacked, address_entry, address_of, announced, as_whole, held, into_caller, is_cached, made
from nrpa.machine.records import AtAddress, begin, is_written, numbers, record_at, whole_numbers, written

# In place of an address: the problem lacks the kernel, and it has a stand-in; it was not loaded or compiled.
LACKING, NOT_ENTERED = 0, 1
# In so many whole numbers records are small: by value they are faster to read, and compile as fast.
LARGE = 100
_PLACES = {name: place for place, name in enumerate(KERNELS)}


class AddressInstance(NamedTuple):
    """A problem: its kernels, and its instance."""

    kernels: np.ndarray  # int64[kernels]: the address of each kernel, in the order of KERNELS; LACKING or NOT_ENTERED
    record: int  # the address of the instance


class AddressState(NamedTuple):
    """A state, by its address."""

    record: np.ndarray  # int64[2]: the address of the state; the bits of the kernels that the problem has


# What every problem has: made of others of its kernels, or a copy of all arrays.
_ALWAYS = ("copy", "play_wanted", "play_all", "play_and_list")
_RETURNED = {NOTHING: types.none, WHOLE: types.int64, NUMBER: types.float64}
# The parameters of kernels that are arrays of one dimension.
_NUMBERS, _WHOLE_NUMBERS = ("rewards", "won"), ("sequence", "before", "turn", "made", "named", "rests", "known", "met")
# What a parameter of a kernel is, as whole numbers, for the caller and for what is called.
_GIVEN = {
    "instance": ("instance.record",),
    "state": ("state.record[0]",),
    "source": ("source.record[0]",),
    "target": ("target.record[0]",),
    "moves": ("begin(moves.move)", "begin(moves.code)", "begin(moves.exp_bias)", "moves.move.shape[0]"),
} | {name: (f"begin({name})", f"{name}.shape[0]") for name in (*_NUMBERS, *_WHOLE_NUMBERS)}
_MADE = {
    "instance": "instance_at({})",
    "state": "state_at({})",
    "source": "state_at({})",
    "target": "state_at({})",
    "moves": "Moves(whole_numbers({0}, {3}), whole_numbers({1}, {3}), numbers({2}, {3}))",
}
_MADE |= dict.fromkeys(_NUMBERS, "numbers({}, {})") | dict.fromkeys(_WHOLE_NUMBERS, "whole_numbers({}, {})")


@functools.cache
def _call(returns: str, count: int) -> Any:
    """Return a compiled function that calls a kernel by its address, with so many whole numbers."""
    kind = _RETURNED[returns]
    given = [types.int64] * count

    def typed(typing_context, address, numbers):
        def generate(context, builder, signature, arguments):
            convention = context.call_conv
            pointer = convention.get_function_type(kind, given).as_pointer()
            values = [builder.extract_value(arguments[1], k) for k in range(count)]
            function = builder.inttoptr(arguments[0], pointer)
            status, value = convention.call_function(builder, function, kind, given, values)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return value

        return kind(types.int64, types.UniTuple(types.int64, count)), generate

    return intrinsic(typed)


def _only_list(instance, state, moves):
    return generic.play_and_list(instance, state, ONLY_LIST, moves)


def _stand_in(name: str) -> Any:
    """Return what takes the place of a kernel that is not entered, by other kernels of any problem; None for none.

    The legal moves are listed by ``play_and_list``, so that the code that lists them is compiled once.
    """
    if name == "legal_moves":
        return _only_list
    stand_in = KERNELS[name].stand_in
    own = {"rewards": generic.rewards, "legal_moves": _only_list}
    return None if stand_in is None or name in _ALWAYS else stand_in(own)


def _by_address(name: str) -> Any:
    """Return the kernel of a name for states by address: it calls that of the problem, or what stands in for it."""
    kernel, place, stand_in = KERNELS[name], _PLACES[name], _stand_in(name)
    given = [word for parameter in kernel.parameters for word in _GIVEN.get(parameter, (parameter,))]
    names = {"begin": begin, "call": _call(kernel.returns, len(given)), "LACKING": LACKING, "NOT_ENTERED": NOT_ENTERED}
    parameters = ", ".join(kernel.parameters)
    lines = [f"address = instance.kernels[{place}]", "if address <= NOT_ENTERED:"]
    if stand_in is not None:
        names["stand_in"] = into_caller(stand_in)
        lines += ["    if address == LACKING:", f"        return stand_in({parameters})"]
    lines += [
        f"    raise RuntimeError('the kernel {name} was not loaded')",
        f"return call(address, ({', '.join(given)},))",
    ]
    body = "\n    ".join(lines)
    return made(f"def {name}({parameters}):\n    {body}\n", name, names)


kernels(*map(_by_address, KERNELS))(AddressState)


def _known_by_bit(name: str) -> Any:
    place = _PLACES[name]

    def is_there(state):
        return state.record[1] >> place & 1 == 1

    return is_there


known_by_state(AddressState, _known_by_bit)


@functools.cache
def _entry(name: str, state_class: type, instance_kind: Any, state_kind: Any) -> Any:
    """Return a kernel of a problem as it is called by address: it takes whole numbers alone."""
    kernel, own = KERNELS[name], kernel_of(state_class, name)
    given, arguments = list[str](), []
    for parameter in kernel.parameters:
        words = [f"{parameter}{k}" for k in range(len(_GIVEN.get(parameter, (parameter,))))]
        given += words
        arguments.append(_MADE.get(parameter, "{}").format(*words))
    returned = {NOTHING: "{}", WHOLE: "return as_whole({})", NUMBER: "return held({})"}[kernel.returns]
    call = returned.format(f"own({', '.join(arguments)})")
    source = f"def {name}({', '.join(given)}):\n    {call}\n"
    scope = {
        "own": into_caller(own),
        "instance_at": record_at(instance_kind),
        "state_at": record_at(state_kind),
        "whole_numbers": whole_numbers,
        "numbers": numbers,
        "Moves": Moves,
        "held": held,
        "as_whole": as_whole,
    }
    kinds = described(instance_kind), described(state_kind)
    called = sorted(used_kernels(own, frozenset())) if kernel.composed else []
    others = [kernel_of(state_class, each) for each in called]
    return address_entry(made(source, name, scope), state_class, [own, *others, lambda kinds=kinds: kinds])


@functools.cache
def used_kernels(function: Any, classes: frozenset[type]) -> frozenset[str]:
    """Return the names of the kernels that a function of the engine may call, with arguments made of these classes."""
    used, seen = set[str](), set[int]()

    def look_at(value: Any) -> None:
        if id(value) in seen or not callable(value):
            return
        seen.add(id(value))
        name = getattr(value, "__name__", "")
        if name in KERNELS and value is getattr(generic, name):
            used.add(name)
            return
        for case in getattr(value, "cases", {}).items():
            if case[0] is None or case[0] in classes:
                look_at(case[1])
        body = getattr(value, "py_func", value)
        if isinstance(body, FunctionType) and not hasattr(value, "cases") and not is_of_library(body):
            for named in named_in(body):
                look_at(named)

    look_at(function)
    return frozenset(used)


class KernelTable:
    """The kernels and the instance of one problem, for a search that calls by address.

    - ``instance``: The record of the problem.
    """

    def __init__(self, model: Model, state: Any) -> None:
        self._kinds: tuple[Any, ...] = type(state), typeof(model.instance), typeof(state)
        self._given = model.instance
        self._words = written(model.instance)
        addresses = [NOT_ENTERED if self._is_entered(name) else LACKING for name in KERNELS]
        self.instance = AddressInstance(np.array(addresses), self._words.ctypes.data)
        self._entered = set[str]()
        self._bits = sum(1 << place for name, place in _PLACES.items() if has_kernel(type(state), name))

    @staticmethod
    def is_possible(instance: Any, state: Any) -> bool:
        """Return whether the records of a problem can be written as whole numbers."""
        return is_written(typeof(instance)) and is_written(typeof(state))

    def is_cached(self, names: Iterable[str]) -> bool:
        """Return whether all of some kernels have machine code, in memory or on disk."""
        return all(is_cached(entry) for _, entry in self._entries(names))

    def enter(self, names: Iterable[str], title: str) -> None:
        """Load or compile kernels, and what stands in for those that the problem lacks."""
        names = [*names]
        entries = dict(self._entries(names))
        seconds = "up to a minute" if "improve" in entries else "some seconds"
        with announced([*entries.values()], f"{title}, {seconds} of a core"):
            for name, entry in entries.items():
                self.instance.kernels[_PLACES[name]] = address_of(entry)
        self._entered.update(names)

    def enter_as(self, other: KernelTable) -> None:
        """Enter the kernels that another table of the same problem has."""
        np.copyto(self.instance.kernels, other.instance.kernels)
        self._entered |= other._entered

    def has(self, name: str) -> bool:
        """Return whether a kernel was entered."""
        return name in self._entered

    def _entries(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Yield the kernels that are not entered yet, each with the function to compile."""
        for name in sorted(names):
            if not self._is_entered(name):
                yield from self._entries(used_kernels(_stand_in(name), frozenset()))
            elif self.instance.kernels[_PLACES[name]] == NOT_ENTERED:
                yield name, _entry(name, *self._kinds)

    def _is_entered(self, name: str) -> bool:
        """Return whether a kernel has an address, once it is loaded; what stands in for the others is called."""
        return name in _ALWAYS or (name in kernels_of(self._kinds[0]) and name != "legal_moves")

    def converted(self, value: Any) -> tuple[Any, Any]:
        """Return a value with all states, and the instance, by address; and what must live as long as it is used."""
        kept: list[Any] = []
        return self._converted(value, kept), kept

    def _converted(self, value: Any, kept: list[Any]) -> Any:
        if value is self._given:
            return self.instance
        if type(value) is self._kinds[0]:
            return AddressState(self._record(value, kept))
        if isinstance(value, Stacked):
            state = value.fields
            rows = [self._record(self._kinds[0](*(f[k] for f in state)), kept) for k in range(len(state[0]))]
            return Stacked((np.array(rows),))
        if isinstance(value, tuple):
            parts = [self._converted(part, kept) for part in value]
            return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
        return value

    def _record(self, state: Any, kept: list[Any]) -> np.ndarray:
        words = written(state)
        kept += (words, state)
        return np.array([words.ctypes.data, self._bits])


class Code:
    """A function of the engine with its machine code, as a function of its own records.

    Where these are large, they are handed over by their addresses; the position and states never are.
    """

    def __init__(self, entry: Any, state_class: type) -> None:
        self.entry, self._state_class = entry, state_class
        self._known: list[tuple[Any, Any]] = []
        self._by_address = False

    def handed(self, arguments: tuple[Any, ...]) -> list[Any]:
        """Return the arguments as the machine code takes them; what was converted for the last call is kept."""
        known = self._known
        if len(known) != len(arguments):
            known[:] = [(None, None)] * len(arguments)
            self._by_address = sum(len(written(argument)) for argument in arguments[1:]) > LARGE
        for place, argument in enumerate(arguments):
            if argument is not known[place][0]:
                known[place] = argument, self._converted(argument, place)
        return [converted for _, converted in known]

    def _converted(self, argument: Any, place: int) -> Any:
        is_record = place > 0 and type(argument) is not self._state_class and self._by_address
        has_arrays = is_record and any(isinstance(part, np.ndarray) for _, part in parts(argument))
        return AtAddress(argument) if has_arrays and hasattr(argument, "_fields") else argument

    def __call__(self, *arguments: Any) -> Any:
        """Call the function."""
        return self.entry(*self.handed(arguments))


class ByAddress(Code):
    """A function of the engine that calls the kernels of one problem by address."""

    def __init__(self, entry: Any, table: KernelTable) -> None:
        super().__init__(entry, AddressState)
        self.table, self._kept = table, dict[int, Any]()

    def of_another(self, model: Model, state: Any) -> ByAddress:
        """Return the function for another search, of the same problem, which may be another object."""
        table = KernelTable(model, state)
        table.enter_as(self.table)
        return ByAddress(self.entry, table)

    def _converted(self, argument: Any, place: int) -> Any:
        if not isinstance(argument, tuple):
            return argument
        converted, self._kept[place] = self.table.converted(argument)
        return super()._converted(converted, place)
