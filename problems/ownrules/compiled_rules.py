"""The methods of a class of rules as functions that kernels call by their addresses: compiled as they stand, or Python.

So the search is compiled once for all rules. A function is given the address of what the rules read, and that of the
last row of cells, which says for which customer, in which row, and to which row; it returns 1, or 0 where that is not
possible, or -1 where the method fails. A row ends with the cost of its state.
"""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Any

from numba import typeof, types
from numba.core.errors import TypingError

from nrpa.base.debugging import is_debugging
from nrpa.base.errors import ProblemError
from nrpa.compiling.kernels import record_of
from nrpa.compiling.options import overloaded
from nrpa.compiling.source import Sources
from nrpa.engine.machine_code import compiling_fault
from nrpa.machine.callback import call_int64
from nrpa.machine.code_cache import described, fingerprint
from nrpa.machine.jit import announced, as_float64, as_int64, entry_point, jit, made
from nrpa.machine.records import record_at, whole_numbers, written
from nrpa.problems.ownrules.forms import Form
from nrpa.problems.ownrules.states import OwnRules

CUSTOMER, ROW, TO, LEAST_CELLS = 0, 1, 2, 3
METHODS = ("visit", "finish")
_SOURCES = sorted((Path(__file__).parents[2] / "nrpa" / "compiling").glob("*.py"))
_NO_PROBLEM = {"players": 1, "codes": None, "improves_again": False, "heeds_stop": False}
_NUMBERS = {float: types.float64, int: types.int64, bool: types.boolean}
_TEXT = """
def {name}(address, block):
    record, asked, found = record_at(address), whole_numbers(block, {least}), -1
    row, to = whole_numbers(block + {size} * asked[1], {width}), whole_numbers(block + {size} * asked[2], {width})
    try:
        is_possible, made = method(record[0], State({loaded}){customer})
        if is_possible:
            {stored}
            to[{last}] = as_int64(cost(record[0], made))
        found = 1 if is_possible else 0
    except Exception:
        pass
    if found < 0:
        call_int64(record[{python}], 0, block)
    return found
"""


def width_of(form: Form) -> int:
    """Return how many cells a row has."""
    return max(len(form.kinds) + 1, LEAST_CELLS)


class CompiledRules:
    """The addresses of compiled methods, and of what they read.

    Raises ProblemError, which says where and why, if a method does not compile.
    """

    def __init__(self, rules: Any, form: Form, in_python: tuple[int, int]) -> None:
        if is_debugging():
            raise ProblemError("nothing is compiled while the debug mode is on")
        fault: ProblemError | None = None
        for options in ({"_nrt": False}, {}):  # whatever makes no arrays is several times as fast without counts
            methods, own = _methods(rules, form, options)
            self._record = own, *in_python
            self._entries = [_entry(type(rules).__name__, methods, self._record, form, name) for name in METHODS]
            try:
                with announced(self._entries, f"{type(rules).__name__}, a few seconds of a core"):
                    self.addresses = tuple(map(_address_of, self._entries))
                break
            except Exception as error:  # also where numba itself fails
                fault = _why_not(methods, own, form) or ProblemError(f"numba fails with {type(error).__name__}")
        else:
            raise fault or ProblemError("it does not compile")
        self._words = written(self._record)
        self.record = self._words.ctypes.data


def _methods(rules: Any, form: Form, options: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Return the methods as functions for machine code, by name, and a record of what they read."""
    cls = type(rules)
    if both := [name for name in vars(rules) if isinstance(getattr(cls, name, None), FunctionType)]:
        raise ProblemError(f"{both[0]} is a method of the class and another one of the object")
    stand_in: Any = type(cls.__name__, (cls,), {"initial_state": lambda self: (), **_NO_PROBLEM})
    problem = object.__new__(stand_in)
    problem.__dict__.update(rules.__dict__)
    sources, to_state = Sources(problem, 0), _to_state(form)
    sources.options = {**sources.options, **options}
    names = [name for name in (*METHODS, "cost") if hasattr(cls, name)]
    for name in names:
        if isinstance(function := getattr(cls, name), FunctionType):
            sources.returned[function] = total if name == "cost" else to_state
    methods = {name: sources.method(name) for name in names}
    methods.setdefault("finish", jit(lambda own, state: (True, state)))
    return methods, record_of(sources.attributes, cls.__name__)


def _entry(title: str, methods: dict[str, Any], record: Any, form: Form, name: str) -> Any:
    """Return a method as a function of two addresses."""
    width = width_of(form)
    loads = {float: "as_float64(row[{}])", int: "row[{}]", bool: "row[{}] != 0"}
    stores = [f"to[{k}] = {'as_int64' if kind is float else 'int'}(made[{k}])" for k, kind in enumerate(form.kinds)]
    text = _TEXT.format(
        name=name,
        least=LEAST_CELLS,
        size=8 * width,
        width=width,
        last=width - 1,
        loaded=", ".join(loads[kind].format(k) for k, kind in enumerate(form.kinds)),
        customer=", asked[0]" if name == "visit" else "",
        stored="; ".join(stores),
        python=1 + METHODS.index(name),
    )
    kind = typeof(record)
    scope = {"State": form.make, "method": methods[name], "cost": methods["cost"], "record_at": record_at(kind)}
    scope |= {"whole_numbers": whole_numbers, "as_float64": as_float64, "as_int64": as_int64, "call_int64": call_int64}
    function, texts = made(text, name, scope), (described(kind), fingerprint([], _SOURCES), text, title)
    return entry_point(function, OwnRules, [function, lambda texts=texts: texts])


def _address_of(entry: Any) -> int:
    """Return the address of a function as C calls it."""
    kinds = types.int64, types.int64
    entry.compile(kinds)
    result = entry.overloads[kinds]
    return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))


def _why_not(methods: dict[str, Any], own: Any, form: Form) -> ProblemError | None:
    """Return an error that says which method does not compile, and where; None where all do."""
    state = types.NamedTuple([_NUMBERS[kind] for kind in form.kinds], form.make)
    for name, method in methods.items():
        try:
            method.compile((typeof(own), state, *([types.int64] if name == "visit" else [])))
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
        """Stand for what is chosen by type."""

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


def total(value: Any) -> float:
    """Return the sum of the parts of a cost, or the cost itself."""
    return float(sum(value)) if isinstance(value, tuple) else float(value)


@overloaded(total)
def _total(value):
    if isinstance(value, types.BaseTuple):
        parts = " + ".join(f"value[{k}]" for k in range(len(value)))
        return made(f"def of_parts(value):\n    return float({parts})\n", "of_parts", {})
    return lambda value: 0.0 + value
