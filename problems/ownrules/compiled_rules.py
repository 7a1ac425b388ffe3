"""The methods of a class of rules as functions of rows of cells: compiled as they stand, or calls of Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core.errors import TypingError

from nrpa.base.errors import ProblemError
from nrpa.compiling.kernels import record_of
from nrpa.compiling.options import allocating, overloaded
from nrpa.compiling.source import Sources
from nrpa.engine.machine_code import compiling_fault
from nrpa.machine.callback import call
from nrpa.machine.code_cache import fingerprint
from nrpa.machine.jit import as_float64, as_int64, by_class, made, record_class
from nrpa.problems.ownrules.forms import Form
from nrpa.problems.routing.rules import Rules

VISIT, FINISH, COST = 0, 1, 2
# What Python is asked: the method, the customer; what it answers: whether it is possible, and the bits of the cost.
METHOD, CUSTOMER, POSSIBLE, ANSWER, HEAD = 0, 1, 2, 3, 4
FIELDS = ("own", "address", "starts", "next_kind", "keys")
_functions: dict[type, dict[str, Any]] = {}
_SOURCES = sorted((Path(__file__).parents[2] / "nrpa" / "compiling").glob("*.py"))
_TEXT = """
def {name}({parameters}):
    found, is_done = {otherwise}, False
    try:
        {lines}
        is_done = True
    except Exception:
        pass
    if not is_done:
        ask(rules.address, cells, row, {number}, {customer}, row)
        raise ValueError
    return found
"""


@by_class(lambda kind: _functions.get(kind, {}).get("visit"))
def visit(rules, cells, row, customer, to):
    """Write the state after a visit to another row; return whether it is possible."""


@by_class(lambda kind: _functions.get(kind, {}).get("finish"))
def finish(rules, cells, row, to):
    """Write the state at the end of a route to another row; return whether it is possible."""


@by_class(lambda kind: _functions.get(kind, {}).get("cost"))
def cost_at(rules, cells, row):
    """Return the cost of a state."""


@allocating
def ask(address, cells, row, method, customer, to):
    """Call a method in plain Python; return whether it is possible, and the cost."""
    data = np.zeros(HEAD + cells.shape[1], np.int64)
    data[METHOD], data[CUSTOMER] = method, customer
    data[HEAD:] = cells[row]
    if np.isnan(call(address, data)):
        raise ValueError
    if data[POSSIBLE] != 0:
        cells[to] = data[HEAD:]
    return data[POSSIBLE] != 0, as_float64(data[ANSWER])


def _ask_visit(rules, cells, row, customer, to):
    return ask(rules.address, cells, row, VISIT, customer, to)[0]


def _ask_finish(rules, cells, row, to):
    return ask(rules.address, cells, row, FINISH, 0, to)[0]


def _ask_cost(rules, cells, row):
    return ask(rules.address, cells, row, COST, 0, row)[1]


def _copy_row(rules, cells, row, to):
    for k in range(cells.shape[1]):
        cells[to, k] = cells[row, k]
    return True


class Translated(NamedTuple):
    """The class of the record of rules, what the methods read, and why they are called in Python, if they are."""

    record: Any
    own: Any
    why: ProblemError | None


def translated(rules: Any, form: Form) -> Translated:
    """Return the methods of rules compiled as they stand, or called in Python where they do not compile."""
    try:
        return _compiled(rules, form)
    except ProblemError as error:
        asked = {"visit": _ask_visit, "finish": _ask_finish, "cost": _ask_cost}
        return Translated(_record("RulesInPython", asked), record_of({}, "Nothing"), error)


def _record(name: str, functions: dict[str, Any]) -> Any:
    kind = record_class(name, [*Rules._fields, *FIELDS])
    _functions[kind] = functions
    return kind


def _compiled(rules: Any, form: Form) -> Translated:
    cls, title = type(rules), type(rules).__name__
    stand_in: Any = type(title, (cls,), {"initial_state": lambda self: (), **_NO_PROBLEM, "__doc__": cls.__doc__})
    problem = object.__new__(stand_in)
    problem.__dict__.update(rules.__dict__)
    names = [name for name in ("visit", "finish", "cost") if hasattr(cls, name)]
    for option in ({"_nrt": False}, {}):
        sources = Sources(problem, 0)
        sources.options = {**sources.options, **option}
        to_state = _to_state(form)
        for name in names:
            if isinstance(function := getattr(cls, name), FunctionType):
                sources.returned[function] = _total if name == "cost" else to_state
        methods = {name: sources.method(name) for name in names}
        own = record_of(sources.attributes, title)
        why = _why_not(methods, own, form)
        if why is None:
            break
    else:
        raise why
    parts = [_load(kind, f"cells[row, {k}]") for k, kind in enumerate(form.kinds)]
    stores = "; ".join(f"cells[to, {k}] = {_store(kind, f'made[{k}]')}" for k, kind in enumerate(form.kinds))
    state = f"State({', '.join(parts)})"
    lines = {
        "visit": [f"found, made = method(rules.own, {state}, customer)", f"if found: {stores}"],
        "finish": [f"found, made = method(rules.own, {state})", f"if found: {stores}"],
        "cost": [f"found = method(rules.own, {state})"],
    }
    given = {"visit": "rules, cells, row, customer, to", "finish": "rules, cells, row, to", "cost": "rules, cells, row"}
    functions: dict[str, Callable[..., Any]] = {"finish": _copy_row}
    for number, name in enumerate(given):
        if name not in names:
            continue
        text = _TEXT.format(
            name=name,
            parameters=given[name],
            otherwise="0.0" if name == "cost" else "False",
            lines="\n        ".join(lines[name]),
            number=number,
            customer="customer" if name == "visit" else "0",
        )
        scope = {"State": form.make, "method": methods[name], "ask": ask, "np": np}
        functions[name] = made(text, name, {**scope, "as_float64": as_float64, "as_int64": as_int64})
    digest = fingerprint([*functions.values(), lambda kinds=form.kinds: kinds], _SOURCES)
    return Translated(_record(f"Rules_{title}_{digest}", functions), own, None)


_NO_PROBLEM = {"players": 1, "codes": None, "improves_again": False, "heeds_stop": False}


def _load(kind: type, cell: str) -> str:
    return {float: f"as_float64({cell})", int: cell, bool: f"{cell} != 0"}[kind]


def _store(kind: type, value: str) -> str:
    return f"as_int64({value})" if kind is float else f"np.int64({value})"


def _why_not(methods: dict[str, Any], own: Any, form: Form) -> ProblemError | None:
    """Return an error that says which method does not compile, and where; None where all do."""
    numbers = {float: types.float64, int: types.int64, bool: types.boolean}
    state = typeof(form.make(*(kind() for kind in form.kinds)))
    state = types.NamedTuple([numbers[kind] for kind in form.kinds], form.make) if state.count else state
    for name, method in methods.items():
        given = [typeof(own), state, *([types.int64] if name == "visit" else [])]
        try:
            method.compile((*given,))
        except Exception as error:  # also where numba itself fails
            return ProblemError(f"{method.py_func.__qualname__} {compiling_fault(error, method.py_func)}")
    return None


def _to_state(form: Form) -> Any:
    """Return a function that makes a pair of what a method returns: whether it is a state, and one of this form."""
    blank = form.make(*(kind() for kind in form.kinds))
    kinds = [f"{kind.__name__}(value[{k}])" for k, kind in enumerate(form.kinds)]
    text = f"def of_state(value):\n    return True, State({', '.join(kinds)})\n"
    of_state = made(text, "of_state", {"State": form.make})

    def to_state(value):
        is_pair = type(value) is tuple
        return (False, blank) if value is None else value if is_pair else of_state(value)

    @overloaded(to_state)
    def _(value):
        if isinstance(value, types.NoneType):
            return lambda value: (False, blank)
        if isinstance(value, types.BaseTuple) and len(value) == 2 and isinstance(value[0], types.Boolean):
            return lambda value: value
        if not isinstance(value, types.BaseNamedTuple) or value.instance_class is not form.make:
            raise TypingError(f"expected None or a state {form.make.__name__}, not {value}")
        for name, kind, found in zip(form.make._fields, form.kinds, value, strict=True):
            if isinstance(found, types.Float) and kind is not float:
                raise TypingError(f"state.{name} is a decimal number where it began with a whole one; write 0.0")
        return of_state

    return to_state


def total(value):
    """Return the sum of the parts of a cost, or the cost itself."""
    return float(sum(value)) if isinstance(value, tuple) else float(value)


_total = total


@overloaded(total)
def _total_of(value):
    if isinstance(value, types.BaseTuple):
        parts = " + ".join(f"value[{k}]" for k in range(len(value)))
        return made(f"def of_parts(value):\n    return float({parts})\n", "of_parts", {})
    return lambda value: float(value)
