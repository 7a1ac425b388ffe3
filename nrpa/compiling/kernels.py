"""The kernels of an author's class: they make a state of its cells, call the author's methods, and write it back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types

from nrpa.base.errors import ProblemError
from nrpa.compiling import values
from nrpa.compiling.cells import ARRAY, LIST, NUMBER, SET, TUPLE, Examples, RowsForm, StateCell
from nrpa.compiling.containers import as_list, frozen, members, members_of, rows_of
from nrpa.compiling.idioms import as_rows, sequence
from nrpa.compiling.options import allocating
from nrpa.compiling.packing import pack, unpack
from nrpa.compiling.source import Sources
from nrpa.engine.kernels import NEVER, NOT_NOW, kernels, write_exponents
from nrpa.engine.machine_code import compiling_fault
from nrpa.engine.model import read_only
from nrpa.engine.status import EXCEPTION, TOO_MANY_MOVES_AT_ONCE, TOO_MANY_STEPS
from nrpa.machine.callback import call
from nrpa.machine.code_cache import fingerprint
from nrpa.machine.jit import made, record_class

FAILED, STOP = "failed", "stop"
# Overloads are found by numba, not by following functions, so all that is said here counts.
_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
REQUIRED = ("initial_state", "legal_moves", "play")


class Wrapped(NamedTuple):
    """How a method becomes a kernel: what its ``lines`` find is returned, and ``otherwise`` where they raise.

    ``move`` is the move that Python is told of then, and ``failing`` what is done, too.
    """

    kernel: str
    parameters: str
    otherwise: str
    lines: tuple[str, ...]
    move: str = "0"
    failing: str = "pass"


_MOVES = "[unpack(sequence[step]) for step in range({}{})]"
_ALL = ("write_all(rewards, method(instance.own, load(state)))",)
_LISTING = Wrapped(
    "legal_moves",
    "instance, state, moves",
    str(EXCEPTION),
    (
        "now, count, size = load(state), np.int64(0), moves.move.shape[0]",
        "for move in method(instance.own, now):",
        "    if count < size:",
        "        moves.move[count] = pack(move)",
        "        write(instance, now, move, moves, count)",
        "    count += 1",
        f"found = count if count <= size else {TOO_MANY_MOVES_AT_ONCE}",
        "finish(moves, found)",
    ),
)
_SCORED = ("if np.isnan(found):", "    raise ValueError")
METHODS = {
    "initial_state": Wrapped("reset", "instance, state", "None", ("store(state, method(instance.own))",)),
    "legal_moves": _LISTING,
    "play": Wrapped(
        "play",
        "instance, state, move",
        "None",
        ("store(state, method(instance.own, load(state), unpack(move)))",),
        move="move",
    ),
    "score": Wrapped(
        "score",
        "instance, state",
        "np.nan",
        ("found = worth(method(instance.own, load(state)))", *_SCORED),
        failing="found = np.nan",
    ),
    "is_legal": Wrapped(
        "find",
        "instance, state, name",
        str(NOT_NOW),
        (
            "answer = np.int64(method(instance.own, load(state), unpack(name)))",
            f"found = name if answer > 0 else np.int64({NEVER} if answer < 0 else {NOT_NOW})",
        ),
        move="name",
    ),
    "improve": Wrapped(
        "improve",
        "instance, state, sequence, steps",
        str(TOO_MANY_STEPS),
        (
            "better = method(instance.own, {given})",
            "if len(better) <= sequence.shape[0]:",
            "    found = np.int64(len(better) != steps)",
            "    for step, move in enumerate(better):",
            "        found |= np.int64(sequence[step] != pack(move))",
            "        sequence[step] = pack(move)",
        ),
        failing=f"found = np.int64({EXCEPTION})",
    ),
    "player": Wrapped("player", "instance, state", "-1", ("found = np.int64(method(instance.own, load(state)))",)),
    "rewards": Wrapped("rewards", "instance, state, rewards", "None", _ALL, failing="rewards[0] = np.nan"),
    "value": Wrapped("value", "instance, state, rewards", "None", _ALL, failing="rewards[0] = np.nan"),
    "key": Wrapped("hash", "instance, state", "0", ("found = hashed(method(instance.own, load(state)))",)),
    "rest": Wrapped("rest", "instance, state", "0", ("found = hashed(method(instance.own, load(state)))",)),
    "all_moves": _LISTING._replace(kernel="all_moves"),
    "evaluate": Wrapped(
        "evaluate",
        "instance, state, sequence",
        "np.nan",
        (f"found = worth(method(instance.own, {_MOVES.format('', 'len(sequence)')}))", *_SCORED),
        failing="found = np.nan",
    ),
}
NUMBERS = [*METHODS]
# What a method ``improve`` can take: the moves, those of another game, and what is set where the search shall stop.
_GIVEN = (_MOVES.format("", "steps"), _MOVES.format("steps, ", "end_of(sequence, steps)"), f"state.{STOP}")
_TEXT = """
def guarded({parameters}):
    found = {otherwise}
    if not state.failed[0]:
        try:
            {lines}
        except Exception:
            state.failed[0] = True
            {report}
            {failing}
    return found
"""


class Access:
    """Compiled functions between a state and its cells: ``load``, ``store``, and ``report``, which tells Python."""

    def __init__(self, examples: Examples) -> None:
        self._names: dict[str, Any] = {
            name: getattr(values, name) for name in ("put", "put_part", "lies_in", "copied", "bits")
        }
        for function in (call, frozen, as_list, members, members_of, rows_of, as_rows, sequence):
            self._names[function.__name__] = function
        self._names |= {"np": np, "members_of": members_of, "rows_of": rows_of}
        self._cells = examples.cells
        self._stored: list[str] = []
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
        """Return the text that makes a state of its cells, and note what of it is stored in which cell."""
        if isinstance(form, StateCell):
            return self._cell(form, path)
        if isinstance(form, RowsForm):
            flat, ends = (self._cell(cell._replace(kind=ARRAY), "") for cell in form.parts)
            self._stored[-2:] = f"as_rows({path}).flat", f"as_rows({path}).ends"
            found = f"rows_of((frozen({flat}), begins_of({ends}), {ends}))"
            self._names["begins_of"] = values.begins_of
            return f"[[*row] for row in as_list({found})]" if form.parts[0].kind == LIST else found
        parts = [self._expression(part, f"{path}[{place}]") for place, part in enumerate(form.parts)]
        if not hasattr(form.make, "_fields"):
            return f"({', '.join(parts)},)"
        name = f"Record{len(self._names)}"
        self._names[name] = form.make
        return f"{name}({', '.join(parts)})"

    def _cell(self, cell: StateCell, path: str) -> str:
        place = len(self._stored)
        stored = {TUPLE: "sequence({})", LIST: "sequence({})", SET: "members({}).keys"}.get(cell.kind, "{}")
        self._stored.append(stored.format(path))
        array = f"cells.c{place}[: cells.n{place}[0]]" if cell.varies else f"cells.c{place}"
        example = (0,) * cell.length if cell.length else "np.int64(0)"
        made = {NUMBER: "{}[0]", TUPLE: "frozen({})", LIST: "as_list({})", SET: f"members_of(({{}}, {example}))"}
        return made.get(cell.kind, "{}").format(array)

    def _stores(self) -> list[str]:
        """Return the lines that write a state to its cells, of copies where an array lies in the cell of another."""
        arrays = [k for k, cell in enumerate(self._cells) if cell.shape is not None]
        pairs = [(k, j) for k in arrays for j in arrays if self._cells[j].dtype == self._cells[k].dtype]
        lines = [f"v{k} = {stored}" for k, stored in enumerate(self._stored)]
        if pairs:
            lines.append(f"if {' or '.join(f'lies_in(v{k}, cells.c{k}, cells.c{j})' for k, j in pairs)}:")
            lines += [f"    v{k} = copied(v{k})" for k in arrays]
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
    kind = record_class(f"{title}_{'_'.join(attributes)}", [*attributes])
    return kind(**attributes)


def state_class(sources: Sources, access: Access, length: int, has: set[str], title: str) -> Any:
    """Return the class of the cells of states, with kernels that call the methods that a class has."""
    names = {"np": np, "load": access.load, "store": access.store, "report": access.report, "worth": sources.worth}
    names |= {"pack": pack, "unpack": unpack(length), "hashed": values.hashed, "call": call}
    names |= {
        "report_game": _report_game,
        "end_of": _end_of,
        "write_all": _write_each if sources.players > 1 else _write_one,
    }
    names["finish"] = _finish_biases if "bias" in has else _write_nothing
    names["write"] = _writer(
        {name: sources.method(name) for name in sorted({"code", "bias"} & has)}, sources.codes is not None
    )
    names["given"] = [each for each, is_taken in zip(_GIVEN, sources.improve_takes, strict=True) if is_taken]
    found = [_kernel(name, {**names, "method": sources.method(name)}) for name in METHODS if name in {*REQUIRED, *has}]
    found += [_name] if "is_legal" in has else []
    found += [_choices] if "evaluate" in has else []
    found += [_copier([*access.fields, FAILED])] if sources.improve_takes[2] else []
    kinds = tuple((array.dtype.str, array.ndim) for array in access.allocate())
    name = f"{title}_{fingerprint([*found, lambda kinds=kinds: kinds], _SOURCES)}"
    return kernels(*found)(record_class(name, [*access.fields, FAILED, *[STOP] * sources.improve_takes[2]]))


def _kernel(method: str, names: dict[str, Any]) -> Any:
    """Return the kernel that calls a method: it catches what that raises, tells Python, and stops the search."""
    wrapped, number = METHODS[method], NUMBERS.index(method)
    report = f"report(instance.address, state, {number}, {wrapped.move})"
    if method == "improve":
        report = f"report_game(instance.address, {number}, sequence, steps)"
    if method == "evaluate":
        report = f"report_game(instance.address, {number}, sequence, len(sequence))"
    lines = "\n            ".join(wrapped.lines).format(given=", ".join(names["given"]))
    text = _TEXT.format(**{**wrapped._asdict(), "lines": lines, "report": report})
    names["guarded"] = allocating(made(text, "guarded", names))
    is_first = method == "initial_state"
    begin = "    state.failed[0] = False\n" if is_first else ""
    returned = "" if wrapped.otherwise == "None" else "return "
    call_it = f"    {returned}guarded({wrapped.parameters})\n"
    return made(f"def {wrapped.kernel}({wrapped.parameters}):\n{begin}{call_it}", wrapped.kernel, names)


def _copier(fields: list[str]) -> Any:
    """Return the kernel that copies a state, but not what is set where the search shall stop."""
    lines = "".join(f"    put(target.{field}, source.{field})\n" for field in fields)
    return made(f"def copy(instance, source, target):\n{lines}", "copy", {"put": values.put})


def _writer(methods: dict[str, Any], are_numbers: bool) -> Any:
    """Return a function that writes the code of a move, and its β where there is one."""
    code = "code(instance.own, now, move)" if "code" in methods else "move"
    written = f"hashed({code})" if "code" in methods else "moves.move[place]"
    lines = [f"moves.code[place] = {f'within({code}, instance.codes)' if are_numbers else written}"]
    lines += ["moves.exp_bias[place] = bias(instance.own, now, move)"] if "bias" in methods else []
    text = "\n    ".join(["def write(instance, now, move, moves, place):", *lines])
    return allocating(made(f"{text}\n", "write", {"hashed": values.hashed, "within": values.within, **methods}))


def fault_of(sources: Sources, access: Access, own: Any, length: int, has: set[str]) -> ProblemError | None:
    """Return an error for the first of the author's methods that does not compile, with its line; None where all do."""
    cells = record_class(f"Cells_{'_'.join(access.fields)}", access.fields)(*access.allocate())
    move = types.int64 if length == 0 else types.UniTuple(types.int64, length)
    own_type, made_state = typeof(read_only(own)), types.undefined
    for name in (*REQUIRED, *sorted(has)):
        takes = {"initial_state": (), "legal_moves": (made_state,), "evaluate": (types.List(move),)}
        if name == "improve":
            kinds = (types.List(move), types.List(move), types.Array(types.boolean, 1, "C"))
            takes["improve"] = tuple(
                kind for kind, is_taken in zip(kinds, sources.improve_takes, strict=True) if is_taken
            )
        takes |= dict.fromkeys(("play", "code", "bias", "is_legal"), (made_state, move))
        for part in sources.bias_parts if name == "bias" else ():
            if fault := _fault_of_method(part, (made_state, move)):
                return fault
        fault = _fault_of_method(sources.method(name), (own_type, *takes.get(name, (made_state,))))
        if fault is not None:
            return fault
        if name == "initial_state":
            access.load.compile((typeof(cells),))
            made_state = access.load.nopython_signatures[-1].return_type
    return None


def _fault_of_method(method: Any, kinds: Sequence[Any]) -> ProblemError | None:
    try:
        method.compile((*kinds,))
    except Exception as error:  # also where numba itself fails
        return ProblemError(f"{method.py_func.__qualname__} {compiling_fault(error, method.py_func)}")
    return None


def _name(instance, state, moves, place):
    return moves.move[place]


_name.__name__ = "name"


def _choices(instance, state, place):
    return instance.choices[place] if instance.choices.shape[0] > 0 else 0


_choices.__name__ = "choices"


@allocating
def _end_of(sequence, steps):
    """Return where the moves end that follow the first ``steps``."""
    while steps < sequence.size and sequence[steps] != -1:
        steps += 1
    return steps


@allocating
def _report_game(address, method, sequence, steps):
    end = _end_of(sequence, steps)
    data = np.zeros(2 + end, np.int64)
    data[0], data[1] = method, steps
    for step in range(end):
        data[2 + step] = sequence[step]
    call(address, data)


@allocating
def _write_nothing(moves, count):
    pass


@allocating
def _finish_biases(moves, count):
    if not write_exponents(moves, count):
        raise ValueError


@allocating
def _write_one(rewards, gained):
    rewards[0] = gained


@allocating
def _write_each(rewards, gained):
    for player in range(rewards.shape[0]):
        rewards[player] = gained[player]
