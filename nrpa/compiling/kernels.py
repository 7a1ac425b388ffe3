"""The kernels of an author's class: they make a state of its cells, call the author's methods, and write it back."""

from __future__ import annotations

import sys
from collections import namedtuple
from typing import Any

import numpy as np
from numba import typeof, types

from nrpa.base.errors import ProblemError
from nrpa.compiling import values
from nrpa.compiling.cells import Examples, StateCell
from nrpa.compiling.options import allocating
from nrpa.compiling.source import Sources
from nrpa.engine.kernels import NEVER, NOT_NOW, kernels
from nrpa.engine.machine_code import NUMBA_ERRORS, compiling_fault
from nrpa.engine.status import EXCEPTION, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.machine.callback import call
from nrpa.machine.code_cache import fingerprint
from nrpa.machine.jit import made

FAILED = "failed"
METHODS = ("initial_state", "legal_moves", "play", "score", "is_legal", "improve", "player", "rewards", "value", "key")


class Access:
    """Compiled functions between a state and its cells: ``load``, ``store``, and ``report``, which tells Python."""

    def __init__(self, examples: Examples) -> None:
        self._names: dict[str, Any] = {
            name: value for name, value in vars(values).items() if name in ("put", "put_part", "apart", "bits")
        }
        self._names |= {"np": np, "call": call}
        self._cells = examples.cells
        self._paths: list[str] = []
        expression = self._expression(examples.form, "state")
        self.fields = [f"c{k}" for k in range(len(self._cells))]
        self.fields += [f"n{k}" for k, cell in enumerate(self._cells) if cell.varies]
        self.load = self._function("load", "cells", [f"return {expression}"])
        self.store = self._function("store", "cells, state", self._stores())
        self.report = self._function("report", "address, cells, method, move", self._reports())

    def _function(self, name: str, parameters: str, lines: list[str]) -> Any:
        body = "".join(f"    {line}\n" for line in lines)
        return allocating(made(f"def {name}({parameters}):\n{body}", name, self._names))

    def _expression(self, form: Any, path: str) -> str:
        """Return the text that makes a state of its cells, and note what is in it where."""
        if isinstance(form, StateCell):
            place = len(self._paths)
            self._paths.append(path)
            part = "[0]" if form.shape is None else f"[: cells.n{place}[0]]" if form.varies else ""
            return f"cells.c{place}{part}"
        parts = [self._expression(part, f"{path}[{place}]") for place, part in enumerate(form.parts)]
        if not hasattr(form.make, "_fields"):
            return f"({', '.join(parts)},)"
        name = f"Record{len(self._names)}"
        self._names[name] = form.make
        return f"{name}({', '.join(parts)})"

    def _stores(self) -> list[str]:
        """Return the lines that write a state to its cells; arrays that lie in other cells are copied before."""
        arrays = [k for k, cell in enumerate(self._cells) if cell.shape is not None]
        lines = [f"v{k} = {path}" for k, path in enumerate(self._paths)]
        for k in arrays:
            alike = [j for j in arrays if self._cells[j].dtype == self._cells[k].dtype]
            lines += [f"v{k} = apart(v{k}, cells.c{k}, cells.c{j})" for j in alike]
        for k, cell in enumerate(self._cells):
            lines.append(f"put_part(cells.c{k}, cells.n{k}, v{k})" if cell.varies else f"put(cells.c{k}, v{k})")
        return lines

    def _reports(self) -> list[str]:
        """Return the lines that write all cells into one array, which Python is called with."""
        fields = [[f"c{k}", *([f"n{k}"] if cell.varies else [])] for k, cell in enumerate(self._cells)]
        written = [field for group in fields for field in group]
        lines = ["size = 2", *(f"size += cells.{field}.size" for field in written)]
        lines += ["data = np.zeros(size, np.int64)", "data[0], data[1], at = method, move, 2"]
        for field in written:
            lines += [f"for each in cells.{field}.flat:", "    data[at] = bits(each)", "    at += 1"]
        return [*lines, "return call(address, data)"]

    def allocate(self) -> list[np.ndarray]:
        """Return the arrays of a state, in the order of the fields."""
        cells = [np.zeros(1 if cell.shape is None else cell.shape, cell.dtype) for cell in self._cells]
        return cells + [np.zeros(1, np.int64) for cell in self._cells if cell.varies]


def record_of(attributes: dict[str, Any], title: str) -> Any:
    """Return a NamedTuple of the attributes that the methods read, of a class that is made once for its fields."""
    kind = _class_of(f"{title}_{'_'.join(attributes)}", [*attributes])
    return kind(**attributes)


def _class_of(name: str, fields: list[str]) -> Any:
    """Return the NamedTuple class with a name and fields, made once; machine code on disk finds it by its name."""
    module = sys.modules[__name__]
    if not hasattr(module, name):
        setattr(module, name, namedtuple(name, fields, module=__name__))
    return getattr(module, name)


def state_class(sources: Sources, access: Access, length: int, has: set[str], title: str) -> Any:
    """Return the class of the cells of states, with kernels that call the methods that a class has."""
    made_kernels = _Maker(sources, access, length).kernels(has)
    kinds = tuple((array.dtype.str, array.ndim) for array in access.allocate())
    name = f"{title}_{fingerprint([*made_kernels, lambda kinds=kinds: kinds])}"
    return kernels(*made_kernels)(_class_of(name, [*access.fields, FAILED]))


def fault_of(sources: Sources, access: Access, own: Any, length: int, has: set[str]) -> ProblemError | None:
    """Return an error for the first of the author's methods that does not compile, with its line; None where all do."""
    cells = _class_of(f"Cells_{'_'.join(access.fields)}", access.fields)(*access.allocate())
    move = types.int64 if length == 0 else types.UniTuple(types.int64, length)
    own_type, made_state = typeof(own), types.undefined
    for name in ("initial_state", "legal_moves", "play", *sorted(has - {"key"})):
        method = sources.method(name)
        takes = {"initial_state": (), "legal_moves": (made_state,), "improve": (types.List(move),)}
        takes |= dict.fromkeys(("play", "code", "bias", "is_legal"), (made_state, move))
        try:
            method.compile((own_type, *takes.get(name, (made_state,))))
            if name == "initial_state":
                access.load.compile((typeof(cells),))
                made_state = access.load.nopython_signatures[-1].return_type
        except NUMBA_ERRORS as error:
            function = method.py_func
            return ProblemError(f"{function.__qualname__} {compiling_fault(error, function)}")
    return None


class _Maker:
    """Makes kernels. Each catches what a method raises, tells Python, and stops the search."""

    def __init__(self, sources: Sources, access: Access, length: int) -> None:
        self._sources, self._access = sources, access
        self._unpacked = values.unpack(length)

    def kernels(self, has: set[str]) -> list[Any]:
        """Return the kernels for the methods that a class has."""
        made = [self._reset(), self._legal_moves(has), self._play()]
        made.append(self._rewards("rewards") if "rewards" in has else self._score())
        if "is_legal" in has:
            made += [self._find(), self._name()]
        optional = {"player": self._player, "key": self._hash, "improve": self._improve}
        made += [make() for name, make in optional.items() if name in has]
        if "value" in has:
            made.append(self._rewards("value"))
        return made

    def _reset(self) -> Any:
        initial_state, store, report = self._sources.method("initial_state"), self._access.store, self._access.report

        @allocating
        def begin(instance, state):
            state.failed[0] = False
            try:
                store(state, initial_state(instance.own))
            except Exception:
                state.failed[0] = True
                report(instance.address, state, 0, 0)

        def reset(instance, state):
            begin(instance, state)

        return reset

    def _legal_moves(self, has: set[str]) -> Any:
        listed, load, report = self._sources.method("legal_moves"), self._access.load, self._access.report
        write_code = self._code() if "code" in has else _write_move
        write_bias = self._bias() if "bias" in has else _write_none
        finish = _finish_biases if "bias" in has else _write_nothing
        pack = values.pack

        @allocating
        def write(instance, state, moves):
            if state.failed[0]:
                return np.int64(EXCEPTION)
            count = np.int64(0)
            try:
                now = load(state)
                for move in listed(instance.own, now):
                    if count < moves.move.shape[0]:
                        moves.move[count] = pack(move)
                        write_code(instance, now, move, moves, count)
                        write_bias(instance, now, move, moves, count)
                    count += 1
                if count > moves.move.shape[0]:
                    count = np.int64(TOO_MANY_MOVES_AT_ONCE)
                finish(moves, count)
            except Exception:
                state.failed[0] = True
                report(instance.address, state, 1, 0)
                count = np.int64(EXCEPTION)
            return count

        def legal_moves(instance, state, moves):
            return write(instance, state, moves)

        return legal_moves

    def _code(self) -> Any:
        code, hashed = self._sources.method("code"), values.hashed

        @allocating
        def write_code(instance, now, move, moves, place):
            moves.code[place] = hashed(code(instance.own, now, move))

        return write_code

    def _bias(self) -> Any:
        bias = self._sources.method("bias")

        @allocating
        def write_bias(instance, now, move, moves, place):
            moves.exp_bias[place] = bias(instance.own, now, move)

        return write_bias

    def _play(self) -> Any:
        next_state, load, store = self._sources.method("play"), self._access.load, self._access.store
        report, unpack = self._access.report, self._unpacked

        @allocating
        def make(instance, state, move):
            if not state.failed[0]:
                try:
                    store(state, next_state(instance.own, load(state), unpack(move)))
                except Exception:
                    state.failed[0] = True
                    report(instance.address, state, 2, move)

        def play(instance, state, move):
            make(instance, state, move)

        return play

    def _score(self) -> Any:
        scored, load, report = self._sources.method("score"), self._access.load, self._access.report
        worth = self._sources.worth

        @allocating
        def final(instance, state):
            found = np.nan
            if not state.failed[0]:
                try:
                    found = worth(scored(instance.own, load(state)))
                except Exception:
                    found = np.nan
                if np.isnan(found):
                    report(instance.address, state, 3, 0)
            return found

        def score(instance, state):
            return final(instance, state)

        return score

    def _rewards(self, name: str) -> Any:
        gained, load, report = self._sources.method(name), self._access.load, self._access.report
        number = METHODS.index(name)
        write_all = _write_each if self._sources.players > 1 else _write_one

        @allocating
        def write(instance, state, rewards):
            try:
                write_all(rewards, gained(instance.own, load(state)))
            except Exception:
                rewards[0] = np.nan
                report(instance.address, state, number, 0)

        def rewards(instance, state, rewards):
            write(instance, state, rewards)

        def value(instance, state, rewards):
            write(instance, state, rewards)

        return rewards if name == "rewards" else value

    def _player(self) -> Any:
        whose, load, report = self._sources.method("player"), self._access.load, self._access.report

        @allocating
        def find(instance, state):
            found = np.int64(-1)
            try:
                found = np.int64(whose(instance.own, load(state)))
            except Exception:
                report(instance.address, state, 6, 0)
            return found

        def player(instance, state):
            return find(instance, state)

        return player

    def _hash(self) -> Any:
        key, load, hashed = self._sources.method("key"), self._access.load, values.hashed
        report = self._access.report

        @allocating
        def find(instance, state):
            found = np.int64(0)
            try:
                found = hashed(key(instance.own, load(state)))
            except Exception:
                state.failed[0] = True
                report(instance.address, state, 9, 0)
            return found

        def hash(instance, state):  # noqa: A001
            return find(instance, state)

        return hash

    def _find(self) -> Any:
        is_legal, load, unpack = self._sources.method("is_legal"), self._access.load, self._unpacked
        report = self._access.report

        @allocating
        def search(instance, state, name):
            found = np.int64(NOT_NOW)
            try:
                answer = np.int64(is_legal(instance.own, load(state), unpack(name)))
                found = name if answer > 0 else np.int64(NEVER if answer < 0 else NOT_NOW)
            except Exception:
                state.failed[0] = True
                report(instance.address, state, 4, name)
            return found

        def find(instance, state, name):
            return search(instance, state, name)

        return find

    def _name(self) -> Any:
        def name(instance, state, moves, place):
            return moves.move[place]

        return name

    def _improve(self) -> Any:
        improved, pack, unpack = self._sources.method("improve"), values.pack, self._unpacked

        @allocating
        def change(instance, sequence, steps):
            found = np.int64(TOO_MANY_STEPS)
            try:
                better = improved(instance.own, [unpack(sequence[step]) for step in range(steps)])
                if len(better) <= sequence.shape[0]:
                    found = np.int64(len(better) != steps)
                    for step, move in enumerate(better):
                        found |= np.int64(sequence[step] != pack(move))
                        sequence[step] = pack(move)
            except Exception:
                data = np.zeros(2 + steps, np.int64)
                data[0] = 5
                data[2:] = sequence[:steps]
                call(instance.address, data)
                found = np.int64(EXCEPTION)
            return found

        def improve(instance, state, sequence, steps):
            return change(instance, sequence, steps)

        return improve


@allocating
def _write_move(instance, now, move, moves, place):
    moves.code[place] = moves.move[place]


@allocating
def _write_none(instance, now, move, moves, place):
    pass


@allocating
def _write_nothing(moves, count):
    pass


@allocating
def _finish_biases(moves, count):
    """Turn β into e^β, up to a common factor where β is large; a ValueError where it is not finite."""
    largest = -np.inf
    for place in range(count):
        if not np.isfinite(moves.exp_bias[place]):
            raise ValueError
        largest = max(largest, moves.exp_bias[place])
    shift = largest if abs(largest) > 300.0 else 0.0
    for place in range(count):
        moves.exp_bias[place] = np.exp(moves.exp_bias[place] - shift)


@allocating
def _write_one(rewards, gained):
    rewards[0] = gained


@allocating
def _write_each(rewards, gained):
    for player in range(rewards.shape[0]):
        rewards[player] = gained[player]
