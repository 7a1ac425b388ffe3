"""The methods of an author's class as functions that numba compiles, made from their source text.

A method becomes a function of the problem's attributes, which are a NamedTuple. What it calls, methods of its class and
plain functions of its module, is made so, too. Some idioms that numba lacks are replaced by what it has.
"""

from __future__ import annotations

import ast
import copy
import functools
import inspect
import itertools
import linecache
import sys
import textwrap
from collections.abc import Callable
from enum import Enum
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from nrpa.base.byte_code import codes_in, hash_of_code
from nrpa.base.errors import ProblemError
from nrpa.base.lazy import LazyModule
from nrpa.base.values import shortened
from nrpa.compiling import arithmetic, idioms
from nrpa.compiling.attributes import as_given
from nrpa.compiling.containers import given, members, table
from nrpa.compiling.loops import FILLED
from nrpa.compiling.options import OF_AUTHORS
from nrpa.machine.jit import InnerFunction, made
from nrpa.modelling.learned_bias import LearnedBias, compilable
from nrpa.modelling.worth import worth_of

_LIBRARIES = ("numpy", "numba", "math", "cmath", "random", "builtins", "itertools", "functools", "operator", "nrpa")
_NO_CONSTRUCTS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Yield: ("a generator (yield)", "a list that is returned"),
    ast.YieldFrom: ("a generator (yield from)", "a list that is returned"),
    ast.GeneratorExp: ("a generator in parentheses", "a list, [... for ... in ...]"),
    ast.JoinedStr: ("a text made by f''", "numbers"),
    ast.Await: ("await", "a plain call"),
    ast.Global: ("global", "an attribute of the problem or an argument"),
    ast.Nonlocal: ("nonlocal", "an attribute of the problem or an argument"),
    ast.Try: ("an exception that is caught", "a condition"),
    ast.NamedExpr: ("an assignment within an expression (:=)", "a line of its own"),
    ast.With: ("with", "plain lines; read files in __init__"),
    ast.Import: ("an import within a method", "one at the top of the file"),
    ast.ImportFrom: ("an import within a method", "one at the top of the file"),
    ast.ClassDef: ("a class within a method", "one at the top of the file"),
    ast.Delete: ("del", "values.pop(place), table.pop(key), or nothing for a name"),
    ast.AsyncFunctionDef: ("async", "a plain function"),
    ast.AsyncFor: ("async", "a plain loop"),
    ast.AsyncWith: ("async", "plain lines"),
}
if sys.version_info >= (3, 12):
    _NO_CONSTRUCTS[ast.TypeAlias] = ("a type within a method", "one at the top of the file")
_NO_CALLS = {
    "super": "the call of a method, Base.method(self, ...)",
    "filter": "a list in brackets, [x for x in ... if ...]",
    "getattr": "the attribute itself",
    "isinstance": "values of one type",
    "str": "numbers",
    **dict.fromkeys(("repr", "ascii", "format", "bin", "hex", "oct"), "numbers"),
    **dict.fromkeys(("hasattr", "setattr", "delattr", "vars"), "attributes that are set in __init__"),
    **dict.fromkeys(("type", "issubclass", "callable"), "values of one type"),
    **dict.fromkeys(("open", "input"), "what __init__ has read"),
    "id": "numbers that are equal for what is one",
    "iter": "a loop, or a list",
}
# What ``math`` has for machine code, by the number of arguments, and what to write in place of the rest.
_OF_TWO = ("atan2", "copysign", "gcd", "hypot", "ldexp", "nextafter", "pow", "fmod", "dist")
_OF_ONE = (
    *(
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atanh",
        "ceil",
        "cos",
        "cosh",
        "degrees",
        "erf",
        "erfc",
        "exp",
        "exp2",
    ),
    *("expm1", "fabs", "floor", "gamma", "isfinite", "isinf", "isnan", "isqrt", "lgamma", "log", "log10", "log1p"),
    *("log2", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
_NO_MATH = {
    "log": "math.log(x) / math.log(base)",
    "gcd": "gcds of two, one in the other",
    "hypot": "math.hypot of two, one in the other, or math.sqrt of a sum",
    "isclose": "abs(x - y) <= 1e-9 * max(abs(x), abs(y))",
    "lcm": "x * y // math.gcd(x, y)",
    "modf": "x - math.trunc(x), and math.trunc(x)",
    "fsum": "sum(...), whose last digits may be others",
    **dict.fromkeys(("factorial", "comb", "perm"), "a list of them that __init__ makes"),
}
# Methods of numbers, lists and tuples that are functions in machine code.
_METHODS = {"count": "count_of", "index": "first_index", "bit_count": "bit_count", "bit_length": "bit_length"}
_OF_TEXTS = ("join", "format", "split", "strip", "upper", "lower", "startswith", "endswith", "isdigit", "encode")
# Functions of libraries, and what to write in their place.
_NO_FUNCTIONS = {
    "collections": "a list",
    "bisect": "a loop, or np.searchsorted",
    "random": "nothing that is drawn: a game is the same whenever it is played",
    "numpy.random": "nothing that is drawn: a game is the same whenever it is played",
    "copy": "a method copy of arrays, or a tuple",
    "dataclasses": "a NamedTuple and _replace",
    "itertools": "loops, or a list of what it gives that __init__ makes",
    "functools": "a function without a decorator, a loop, or a list that __init__ makes",
}
_OF_SETS = (ast.Sub, ast.BitOr, ast.BitAnd)
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "plus",
    ast.Sub: "minus",
    ast.Mult: "times",
    ast.Div: "divided_by",
    ast.FloorDiv: "floored",
    ast.Mod: "modulo",
    ast.Pow: "to_the_power",
    ast.LShift: "left",
    ast.RShift: "right",
    ast.BitAnd: "both",
    ast.BitOr: "either",
    ast.BitXor: "one_of",
    ast.USub: "negated",
    ast.Invert: "inverted",
    ast.Lt: "below",
    ast.LtE: "up_to",
    ast.Gt: "above",
    ast.GtE: "at_least",
}
_OF_CONTAINERS = {"pop": "popped", "keys": "keys_in", "values": "values_in"}
_NUMBERS = {"int": "truncated", "round": "rounded_whole", "float": "decimal", "ord": "code_point", "chr": "letter_of"}
_NARROW = ("int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float16", "float32")
# What a loop over a set is for where its order does not matter.
_WITHOUT_ORDER = ("any", "all", "sorted", "set", "frozenset", "len")
# The largest power that is worked out before anything is compiled, and how deep functions call themselves.
_LARGEST_POWER, MOST_CALLS = 10_000, 900
# The attribute that holds the weights of a learned bias.
WEIGHTS = "bias_weights"
EXPECTED = (
    "expected numbers, arrays, lists and tuples of numbers or of rows of numbers, sets and dictionaries whose keys are "
    "whole numbers up to 64 bits, letters, or tuples of two or three"
)


class Read(NamedTuple):
    """A value of the module, or of a class, that a method reads: what it is called, how it is read, and what it was."""

    name: str
    read: Callable[[], Any]
    before: Any


class Sources:
    """The functions made of a class and of what it calls, each made once.

    - ``attributes``, ``names``: What the methods made so far read of the problem: values and names, by fields.
    - ``reads``: What they read of modules and classes.
    - ``bias_parts``: The functions of state and move that a bias of the caller's is made of.
    - ``improve_takes``: Whether ``improve`` takes the moves, those of another game, and ``stop``.
    - ``move_example``: A move, by which empty lists of moves have a type.
    - ``no_calls``: Functions of Python that do not compile, and what to write in their place.
    - ``options``: How the functions are compiled.
    - ``returned``: What is returned in place of what some functions return, by function: a compiled helper of it.
    """

    def __init__(self, problem: Any, move_example: Any) -> None:
        self.attributes: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.reads: list[Read] = []
        self.bias_parts: list[Any] = []
        self.move_example = move_example
        self.no_calls = _NO_CALLS
        self.returned: dict[Any, Any] = {}
        self.options = OF_AUTHORS
        self.players, self.codes = problem.players, problem.codes
        self.improve_takes = True, problem.improves_again, problem.heeds_stop
        self._problem, self._class = problem, type(problem)
        self.classes = [cls for cls in type(problem).__mro__ if cls is not object]
        self._made: dict[Any, Any] = {}
        self._noted: set[tuple[FunctionType, str]] = set()
        kept = [*vars(problem).values(), *_flat(problem.initial_state())]
        arrays = [each for each in kept if isinstance(each, np.ndarray)]
        self.has_decimal_arrays = any(each.dtype.kind == "f" for each in arrays)
        self.has_narrow_arrays = any(each.dtype.kind in "iuf" and each.dtype.itemsize < 8 for each in arrays)

    @property
    def worth(self) -> Any:
        """The compiled function from what ``score`` returns to the score."""
        return worth_of(self._problem.objective, of_scores=True)

    def method(self, name: str) -> Any:
        """Return the method of the class with a name, as a compiled function that takes the attributes first.

        A bias of the caller's is in place of the method ``bias``.
        """
        given = name == "bias" and self._problem.bias_replaced
        return self._given_bias(self._problem.bias.func) if given else self._own_method(name)

    def _given_bias(self, bias: Any) -> Any:
        """Return a bias of the caller's, a function of state and move or a weighted sum of some, in the same way."""
        learned = isinstance(bias, LearnedBias)
        features = [*bias.features.values()] if learned else [bias]
        self.bias_parts.clear()
        names: dict[str, Any] = {}
        terms = []
        for k, feature in enumerate(features):
            is_method = isinstance(feature, MethodType)
            if is_method:
                names[f"f{k}"] = self._own_method(feature.__name__)
            else:
                names[f"f{k}"] = self.function(compilable(feature), is_method=False)
                self.bias_parts.append(names[f"f{k}"])
            terms.append(f"f{k}(own, state, move)" if is_method else f"f{k}(state, move)")
        if learned:
            self.attributes[WEIGHTS], self.names[WEIGHTS] = self._problem.bias_weights, WEIGHTS
            terms = [f"own.{WEIGHTS}[{k}] * {term}" for k, term in enumerate(terms)]
        return njit(**OF_AUTHORS)(made(f"def bias(own, state, move):\n    return {' + '.join(terms)}\n", "bias", names))

    def _own_method(self, name: str) -> Any:
        found = inspect.getattr_static(self._class, name)
        if isinstance(found, property):
            found = found.fget
        if isinstance(found, (classmethod, staticmethod)):
            found = found.__func__
        if not isinstance(found, FunctionType):
            what = f"{type(self._problem).__name__}.{name} is a {type(found).__name__}, which a decorator made"
            raise ProblemError(f"{what}; leave the decorator out, or write the method anew")
        return self.function(found, is_method=not self.is_static(name))

    def is_static(self, name: str) -> bool:
        """Return whether a method of the class takes no problem."""
        return isinstance(inspect.getattr_static(self._class, name), staticmethod)

    def is_method(self, name: str) -> bool:
        """Return whether an attribute of the class is a function or a property."""
        return isinstance(inspect.getattr_static(self._class, name, None), (FunctionType, property, staticmethod))

    def attribute(self, name: str, fault: Callable[[str], ProblemError]) -> None:
        """Note that a method reads an attribute."""
        if field_of(name) in self.attributes:
            return
        if not hasattr(self._problem, name):
            raise fault(f"reads self.{name}, which is not there")
        held = getattr(self._problem, name)
        value = as_given(held)
        if value is None:
            raise fault(f"reads self.{name}, {shortened(repr(held))}; {EXPECTED}")
        self.attributes[field_of(name)] = value
        self.names[field_of(name)] = name

    def constant(self, name: str) -> Any:
        """Return a class that is an attribute, a NamedTuple for states, or None."""
        value = getattr(self._problem, name, None)
        return value if isinstance(value, type) else None

    def function(self, function: Any, is_method: bool) -> Any:
        """Return a function, or a method, that the author has written, as a compiled one."""
        if function not in self._made:
            self._made[function] = None
            translated, calls_itself = self._translated(function, is_method)
            self._made[function] = translated.__globals__[function.__code__.co_name] = inner(translated, self.options)
            if calls_itself:
                self._made[function] = inner(_with_depth(function, self._made[function]), self.options)
        elif self._made[function] is None:
            code = function.__code__
            what = "it calls itself by way of another function, which does not compile"
            raise ProblemError(f"{code.co_filename}:{code.co_firstlineno}, in {function.__qualname__}: {what}")
        return self._made[function]

    def derived(self, function: FunctionType, tree: ast.Module, is_safe: bool) -> Any:
        """Return another function, made of parts of one, as a compiled one; no index of a safe one is checked."""
        return inner(
            self._translated(function, is_method=False, tree=tree)[0], {**self.options, "boundscheck": not is_safe}
        )

    def _translated(self, function: FunctionType, is_method: bool, tree: ast.Module | None = None) -> Any:
        """Return a function as numba can compile it, with the same file and lines; or a ``tree`` with its names."""
        names = [each for each in ast.walk(tree or ast.Module([], [])) if isinstance(each, ast.Name)]
        own = {each.id for each in names if isinstance(each.ctx, ast.Store)}
        tree = tree or tree_of(function)
        scope = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            scope[name] = cell.cell_contents
        scope = {name: value for name, value in scope.items() if name not in own}
        translator = _Translator(self, function, is_method, scope)
        translator.pair(tree)
        translator.cells, scope[FILLED] = getattr(tree, "cells", None), idioms.filled
        tree.body[0] = translator.visit(tree.body[0])
        for name in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & translator.scope.keys():
            if scope[name] is not function:  # which may call itself
                self.note_global(function, name, scope[name])
                scope[name] = self._global(scope[name])
        scope.update(translator.helpers)
        code = compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec")
        exec(code, scope)
        made = scope[function.__code__.co_name]
        made.__qualname__ = function.__qualname__
        return made, translator.calls_itself

    def note(self, name: str, read: Callable[[], Any], value: Any) -> None:
        """Note what a method reads of a module or a class, if it is a value."""
        if isinstance(value, _VALUES) and (before := as_given(value)) is not None:
            self.reads.append(Read(name, read, copy.deepcopy(before)))

    def note_global(self, function: FunctionType, name: str, value: Any) -> None:
        """Note once what a function means by a name that is not its own."""
        if (function, name) not in self._noted:
            self._noted.add((function, name))
            self.note(name, functools.partial(_now, function, name), _noted(value))

    def _global(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and _is_authors(str(value.__module__)):
            return self.function(value, is_method=False)
        if isinstance(value, LazyModule):
            return value.module
        found = as_given(value) if isinstance(value, _CONTAINERS) else None
        return value if found is None else found


def _with_depth(function: FunctionType, compiled: Any) -> Any:
    """Return a function that calls one that calls itself, at the depth 0."""
    name, code = function.__code__.co_name, function.__code__
    given = ", ".join(code.co_varnames[: code.co_argcount])
    calling = made(f"def {name}({given}):\n    return of({given}, 0)\n", name, {"of": compiled})
    calling.__defaults__ = function.__defaults__
    return calling


def inner(function: FunctionType, options: dict[str, Any] = OF_AUTHORS) -> Any:
    """Return a function compiled as an author's, whose code is optimized where it is called."""
    return InnerFunction(function, targetoptions=njit(**options)(function).targetoptions)


_CONTAINERS = (list, tuple, dict, set, frozenset, str)
_VALUES = (bool, int, float, np.generic, np.ndarray, *_CONTAINERS)


def _now(function: FunctionType, name: str) -> Any:
    """Return what a function means by a name that is not its own."""
    if name in function.__code__.co_freevars:
        return _noted((function.__closure__ or ())[function.__code__.co_freevars.index(name)].cell_contents)
    return _noted(function.__globals__.get(name))


def _noted(value: Any) -> Any:
    """Return a value, and the hash of its code for a function."""
    return hash_of_code(value.__code__) if isinstance(value, FunctionType) else value


def _flat(state: Any) -> list[Any]:
    return [part for each in state for part in _flat(each)] if isinstance(state, tuple) else [state]


def _is_authors(module: str) -> bool:
    """Return whether a module is an author's, or one of the problems that come with nrpa, and no library."""
    return module.startswith("nrpa.problems.") or module.split(".", maxsplit=1)[0] not in _LIBRARIES


def tree_of(function: FunctionType) -> ast.Module:
    """Return the syntax tree of a function, with the lines of its file."""
    code = function.__code__
    where = f"{code.co_filename}:{code.co_firstlineno}, in {function.__qualname__}"
    try:
        if not _is_text_of(code):
            raise ProblemError(f"{where}: its source text is another one since it was imported; start Python anew")
        if code.co_name == "<lambda>":
            return _tree_of_lambda(code, where)
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        raise ProblemError(f"{where}: its source text is not there; write the class in a file or a notebook") from None
    if not isinstance(tree.body[0], ast.FunctionDef) or tree.body[0].name != code.co_name:
        raise ProblemError(f"{where}: is no function that begins with def")
    ast.increment_lineno(tree, first - 1)
    return tree


def _tree_of_lambda(code: CodeType, where: str) -> ast.Module:
    """Return the syntax tree of a lambda as that of a function with its name; its body tells it from others."""
    places = {*code.co_positions()}
    found = [
        node
        for node in ast.walk(ast.parse("".join(linecache.getlines(code.co_filename))))
        if isinstance(node, ast.Lambda)
        and (node.body.lineno, node.body.end_lineno, *_columns(node.body)) in places
        and [each.arg for each in node.args.args] == [*code.co_varnames[: code.co_argcount]]
    ]
    if len(found) != 1:
        raise ProblemError(f"{where}: a lambda whose source text is not there; write a function that begins with def")
    tree = ast.parse("def made(): pass")
    function: Any = ast.copy_location(tree.body[0], found[0])
    function.name, function.args = code.co_name, found[0].args
    function.body = [ast.copy_location(ast.Return(found[0].body), found[0].body)]
    return tree


def _columns(node: ast.expr) -> tuple[int, int | None]:
    return node.col_offset, node.end_col_offset


def _is_text_of(code: CodeType) -> bool:
    """Return whether a function was compiled of its file as it is now; one that pytest has rewritten counts as such."""
    linecache.checkcache(code.co_filename)
    text = "".join(linecache.getlines(code.co_filename))
    if not text or "@pytest_ar" in code.co_names:
        return True
    return (code.co_qualname, code.co_firstlineno, hash_of_code(code)) in _codes_of(
        text, code.co_filename, code.co_flags & annotations.compiler_flag
    )


@functools.cache
def _codes_of(text: str, file: str, flags: int) -> set[tuple[str, int, str]]:
    """Return the names, first lines and hashes of all code objects of a text."""
    try:
        made: CodeType = compile(text, file, "exec", flags=flags, dont_inherit=True)
    except SyntaxError:
        return set()
    return {(each.co_qualname, each.co_firstlineno, hash_of_code(each)) for each in codes_in(made)}


def field_of(name: str) -> str:
    """Return what an attribute is called in a NamedTuple, which takes no name that begins with an underscore."""
    return f"private{name}" if name.startswith("_") else name


class _Translator(ast.NodeTransformer):
    """Rewrites a function: what it reads of its problem, calls of methods, and what numba lacks."""

    def __init__(self, sources: Sources, function: FunctionType, is_method: bool, scope: dict[str, Any]) -> None:
        self._sources, self._function = sources, function
        code = function.__code__
        own = {*code.co_varnames, *code.co_cellvars}
        self.scope = {name: value for name, value in scope.items() if name not in own}
        if is_method and not code.co_argcount:
            where = f"{code.co_filename}:{code.co_firstlineno}, in {function.__qualname__}"
            raise ProblemError(f"{where}: *{code.co_varnames[0]} does not compile; write self, and each argument")
        self._self = code.co_varnames[0] if is_method else ""
        arrays = [each for each in self.scope.values() if isinstance(each, np.ndarray)]
        self._may_be_narrow = (
            sources.has_narrow_arrays
            or {*_NARROW} & {*code.co_names}
            or any(each.dtype.kind in "iuf" and each.dtype.itemsize < 8 for each in arrays)
        )
        self.calls_itself = self._is_begun = False
        self._matches = 0
        self.helpers, self._once = dict[str, Any](), dict[str, ast.stmt]()
        self.cells: dict[str, int] | None = None

    def _fault(self, node: ast.AST, said: str) -> ProblemError:
        code = self._function.__code__
        return ProblemError(
            f"{code.co_filename}:{getattr(node, 'lineno', 0)}, in {self._function.__qualname__}: {said}"
        )

    def _helper(self, name: str, value: Any) -> ast.Name:
        name = f"_nrpa{name}"
        self.helpers[name] = value
        return ast.Name(name, ast.Load())

    def _calling(self, function: Any, node: ast.AST, *arguments: ast.expr, name: str = "") -> Any:
        """Return the call of a helper in place of a node."""
        helper = self._helper(f"_{name or function.__name__}", function)
        return ast.copy_location(ast.Call(helper, [*arguments], []), node)

    def pair(self, tree: ast.Module) -> None:
        """Let ``itertools.pairwise`` of a name be a ``zip``."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and self._meant(node.func) is itertools.pairwise and len(node.args) == 1:
                given = node.args[0]
                if isinstance(given, ast.Name):
                    after = ast.Subscript(copy.copy(given), ast.Slice(ast.Constant(1)), ast.Load())
                    node.func, node.args = ast.Name("zip", ast.Load()), [given, after]
                    for each in ast.walk(node):
                        ast.copy_location(each, given)

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node, or refuse it by name."""
        if type(node) in _NO_CONSTRUCTS:
            found, instead = _NO_CONSTRUCTS[type(node)]
            raise self._fault(node, f"{found} does not compile; use {instead}")
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Leave decorators and annotations out; defaults are those of the time when the function was made."""
        is_within = self._is_begun
        node.decorator_list, node.returns, self._is_begun = [], None, True
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg]
        for argument in filter(None, every):
            argument.annotation = None
        if node.args.kwarg:
            raise self._fault(node, f"**{node.args.kwarg.arg} does not compile; use an argument for each name")
        if is_within:
            if node.args.kwonlyargs:
                raise self._fault(node, "* among the arguments does not compile within a method; leave it out")
            return self.generic_visit(node)
        given = self._function.__kwdefaults__ or {}
        of_names = [given.get(each.arg) for each in node.args.kwonlyargs]
        node.args.defaults = [*map(self._default, node.args.defaults, self._function.__defaults__ or ())]
        pairs = zip(node.args.kw_defaults, of_names, strict=True)
        node.args.kw_defaults = [each and self._default(each, value) for each, value in pairs]
        self._let_names_be_places(node)
        if self._function in self._sources.returned:
            node.body.append(ast.copy_location(ast.Return(None), node.body[-1]))
        if node.name in ("legal_moves", "all_moves") and self._self:
            _Listed(self._sources.move_example, self._helper).visit(node)
        node.body = [found for each in node.body if (found := self.visit(each)) is not None]
        node.body[:0] = self._once.values()
        if self.calls_itself:
            node.args.args.append(ast.arg("_depth"))
            node.args.defaults += [ast.Constant(0)] if node.args.defaults else []
            node.body[:0] = ast.parse(f"if _depth > {MOST_CALLS}:\n    raise RecursionError").body
        return node

    def _let_names_be_places(self, node: ast.FunctionDef) -> None:
        """Let arguments that are given by name alone be given by place, too, which numba needs."""
        names, defaults = node.args.kwonlyargs, node.args.kw_defaults
        if not names:
            return
        needed = [each for each, default in zip(names, defaults, strict=True) if default is None]
        if node.args.vararg or (needed and node.args.defaults):
            raise self._fault(node, "* among the arguments does not compile here; leave it out")
        others = [(each, default) for each, default in zip(names, defaults, strict=True) if default is not None]
        node.args.args += [*needed, *(each for each, _ in others)]
        node.args.defaults += [default for _, default in others]
        node.args.kwonlyargs, node.args.kw_defaults = [], []

    def _default(self, node: ast.expr, value: Any) -> Any:
        found = as_given(value)
        if value is None:
            return ast.copy_location(ast.Constant(None), node)
        if found is None or isinstance(found, tuple):
            raise self._fault(node, f"the default {shortened(repr(value))} does not compile; use a number")
        return self._helper(f"_default{len(self.helpers)}", found)

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Leave texts that explain out; a list that is put in an order by a key is one anew."""
        if isinstance(node.value, ast.Constant):
            return ast.copy_location(ast.Pass(), node)
        called = node.value.func if isinstance(node.value, ast.Call) else None
        keywords = {each.arg: each.value for each in node.value.keywords} if isinstance(node.value, ast.Call) else {}
        if isinstance(called, ast.Attribute) and called.attr == "sort" and "key" in keywords:
            ordered = self._sorted_by(node, called.value, keywords)
            return ast.copy_location(
                ast.Expr(self._calling(idioms.put_in_order, node, self.visit(called.value), ordered)), node
            )
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Leave the annotation of a variable out."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Raise(self, node: ast.Raise) -> Any:
        """Leave the text of an exception as it is: plain Python raises it anew."""
        if isinstance(node.exc, ast.Call):
            node.exc.args, node.exc.keywords = [], []
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        """Give an empty list that is returned the type of a list of moves; one in a state, that of whole numbers."""
        if self._function in self._sources.returned:
            node.value = self._made_of(node.value or ast.copy_location(ast.Constant(None), node))
            return node
        if isinstance(node.value, ast.Tuple):
            node.value.elts = [self._with_typed_list(each, 0) for each in node.value.elts]
        elif node.value is not None:
            node.value = self._with_typed_list(node.value, self._sources.move_example)
        return self.generic_visit(node)

    def _made_of(self, node: ast.expr) -> Any:
        """Return what a helper makes of a value that is returned, of each branch where it is a condition."""
        if isinstance(node, ast.IfExp):
            node.test = self._condition(node.test)
            node.body, node.orelse = self._made_of(node.body), self._made_of(node.orelse)
            return node
        return self._calling(self._sources.returned[self._function], node, self.visit(node))

    def _with_typed_list(self, node: ast.expr, example: Any) -> Any:
        if isinstance(node, ast.IfExp):
            node.body, node.orelse = (self._with_typed_list(each, example) for each in (node.body, node.orelse))
        if isinstance(node, ast.List) and not node.elts:
            return self._calling(idioms.no_moves(example), node, name=f"none_of_{type(example).__name__}")
        return node

    def visit_Constant(self, node: ast.Constant) -> Any:
        """Let a letter be a number of a kind of its own, and a text those of its letters."""
        if isinstance(node.value, str):
            if len(node.value) == 1:
                return ast.copy_location(self._helper(f"_letter{ord(node.value)}", np.uint32(ord(node.value))), node)
            helper = self._helper(f"_text{len(self.helpers)}", as_given(node.value))
            return self._calling(given, node, ast.copy_location(helper, node))
        if isinstance(node.value, int) and not -(2**63) <= node.value < 2**63:
            raise self._fault(node, f"{shortened(str(node.value))} has more than 63 bits; use smaller numbers")
        return node

    def visit_Name(self, node: ast.Name) -> Any:
        """Let lists, sets and dictionaries of the module be what machine code has for them."""
        self._require_allowed(node)
        if not isinstance(self.scope.get(node.id), _CONTAINERS):
            return node
        made = self._calling(given, node, node)
        if self.cells is None:
            return made
        # Made once: what a loop makes anew keeps machine code from doing several passes at a time.
        self._once[node.id] = ast.copy_location(
            ast.Assign([ast.Name(f"_nrpa_once_{node.id}", ast.Store())], made), node
        )
        return ast.copy_location(ast.Name(f"_nrpa_once_{node.id}", ast.Load()), node)

    def _meant(self, node: ast.AST) -> Any:
        """Return the object of the module, or of another one or a class, that a name stands for; None for none."""
        if isinstance(node, ast.Name):
            found = self.scope.get(node.id)
            return found.module if isinstance(found, LazyModule) else found
        if isinstance(node, ast.Attribute):
            base = self._meant(node.value)
            return getattr(base, node.attr, None) if isinstance(base, (ModuleType, type, Enum)) else None
        return None

    def _require_allowed(self, node: ast.AST) -> None:
        found = self._meant(node)
        module = found.__name__ if isinstance(found, ModuleType) else str(getattr(found, "__module__", ""))
        for name in (module, f"{getattr(type(found), '__module__', '')}"):
            if not isinstance(found, tuple) and name.lstrip("_") in _NO_FUNCTIONS:
                text, instead = ast.unparse(node), _NO_FUNCTIONS[name.lstrip("_")]
                raise self._fault(node, f"{text} does not compile; use {instead}")

    # Conditions: containers are true where they have elements.

    def _condition(self, node: ast.expr) -> Any:
        if isinstance(node, ast.BoolOp):
            node.values = [self._condition(value) for value in node.values]
            return node
        if isinstance(node, (ast.Compare, ast.Constant)) or (isinstance(node, ast.UnaryOp) and _is_not(node)):
            return self.visit(node)
        return self._calling(idioms.truth, node, self.visit(node))

    def _tested(self, node: Any) -> Any:
        node.test = self._condition(node.test)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, field, [found for each in value if (found := self.visit(each)) is not None])
        return node

    visit_If = visit_While = _tested  # noqa: N815

    def visit_Match(self, node: ast.Match) -> Any:
        """Let the cases be conditions, one after the other."""
        self._matches += 1
        name = f"_matched{self._matches}"
        begin: list[ast.stmt] = [ast.Assign([ast.Name(name, ast.Store())], node.subject)]
        rest: list[ast.stmt] = []
        for case in reversed(node.cases):
            names: dict[str, ast.expr] = {}
            tests = self._tests_of(case.pattern, ast.Name(name, ast.Load()), names)
            if case.guard is not None:
                tests.append(_Named(names).visit(copy.deepcopy(case.guard)))
            bound: list[ast.stmt] = [ast.Assign([ast.Name(each, ast.Store())], part) for each, part in names.items()]
            if not tests:
                rest = [*bound, *case.body]
                continue
            test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
            rest = [ast.If(test, [*bound, *case.body], rest)]
        made = ast.copy_location(ast.If(ast.Constant(True), [*begin, *rest], []), node)
        for each in ast.walk(made):
            if isinstance(each, (ast.stmt, ast.expr)) and not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return self.visit(made)

    def _tests_of(self, pattern: ast.pattern, subject: ast.expr, names: dict[str, ast.expr]) -> list[ast.expr]:
        """Return the conditions of a pattern, and note the names that it gives to parts."""
        if isinstance(pattern, ast.MatchValue):
            return [ast.Compare(subject, [ast.Eq()], [pattern.value])]
        if isinstance(pattern, ast.MatchAs):
            tests = [] if pattern.pattern is None else self._tests_of(pattern.pattern, subject, names)
            if pattern.name is not None:
                names[pattern.name] = subject
            return tests
        if isinstance(pattern, ast.MatchOr) and all(isinstance(each, ast.MatchValue) for each in pattern.patterns):
            return [ast.BoolOp(ast.Or(), [self._tests_of(each, subject, names)[0] for each in pattern.patterns])]
        if isinstance(pattern, ast.MatchSequence) and not any(
            isinstance(each, ast.MatchStar) for each in pattern.patterns
        ):
            parts = [ast.Subscript(subject, ast.Constant(k), ast.Load()) for k in range(len(pattern.patterns))]
            length = ast.Call(ast.Name("len", ast.Load()), [subject], [])
            tests = [ast.Compare(length, [ast.Eq()], [ast.Constant(len(parts))])]
            for each, part in zip(pattern.patterns, parts, strict=True):
                tests += self._tests_of(each, part, names)
            return tests
        raise self._fault(pattern, f"case {ast.unparse(pattern)} does not compile; use if and elif")

    def visit_Assert(self, node: ast.Assert) -> Any:
        """Leave the message out."""
        node.test, node.msg = self._condition(node.test), None
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """Let a row be a tuple where the other branch is one."""
        node.test = self._condition(node.test)
        widths = [_width(side) for side in (node.body, node.orelse)]
        is_empty = any(isinstance(side, ast.Tuple) and not side.elts for side in (node.body, node.orelse))
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        if is_empty:
            node.body, node.orelse = (self._calling(idioms.sequence, side, side) for side in (node.body, node.orelse))
            return node
        if widths[0] and not widths[1]:
            node.orelse = self._as_tuple(node.orelse, widths[0])
        if widths[1] and not widths[0]:
            node.body = self._as_tuple(node.body, widths[1])
        return node

    def _as_tuple(self, node: ast.expr, width: int) -> Any:
        return self._calling(idioms.row_as_tuple(width), node, node, name=f"tuple{width}")

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        """Let ``not`` ask what an ``if`` asks."""
        node.operand = self._condition(node.operand) if _is_not(node) else self.visit(node.operand)
        if type(node.op) not in _OPERATORS or isinstance(node.operand, ast.Constant):
            return self._folded(node)
        return self._calling(arithmetic.plain[_OPERATORS[type(node.op)]], node, node.operand)

    def _folded(self, node: Any) -> Any:
        """Return an operation on numbers that are written out as its result."""
        sides: list[Any] = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        if not all(isinstance(each, ast.Constant) and type(each.value) in (int, float) for each in sides):
            return node
        if isinstance(node.op, (ast.Pow, ast.LShift)) and abs(sides[1].value) > _LARGEST_POWER:
            return node
        try:
            value = eval(compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "", "eval"))
        except Exception:
            return node
        return self.visit_Constant(ast.copy_location(ast.Constant(value), node))

    def visit_Compare(self, node: ast.Compare) -> Any:
        """Compare tuples as a whole, and look for elements."""
        operator, sides = type(node.ops[0]), [node.left, *node.comparators]
        if operator in (ast.In, ast.NotIn) and len(sides) == 2 and isinstance(sides[1], ast.Set):
            sides[1] = ast.copy_location(ast.Tuple(sides[1].elts, ast.Load()), sides[1])
        is_number = any(isinstance(each, ast.Constant) and _is_no_letter(each.value) for each in sides)
        for kind, side in zip(node.ops, sides[1:], strict=True):
            if isinstance(kind, (ast.Is, ast.IsNot)) and not (isinstance(side, ast.Constant) and side.value is None):
                raise self._fault(node, "is, which asks for one object, does not compile; use ==")
        sides = [self.visit(each) for each in sides]
        if len(sides) == 2 and operator in _OPERATORS and not is_number:
            return self._calling(arithmetic.plain[_OPERATORS[operator]], node, *sides)
        if len(sides) > 2 or operator not in _COMPARED or (operator in (ast.Eq, ast.NotEq) and is_number):
            node.left, *node.comparators = sides
            return node
        made = self._calling(getattr(idioms, _COMPARED[operator]), node, *sides)
        return ast.copy_location(ast.UnaryOp(ast.Not(), made), node) if operator is ast.NotIn else made

    # Tuples, sets and dictionaries.

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Let ``()`` and tuples with a star be sequences."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or (node.elts and not any(map(_is_starred, node.elts))):
            return node
        made: Any = None
        for element in node.elts:
            alone = ast.copy_location(ast.Tuple([element], ast.Load()), element)
            part: ast.expr = element.value if isinstance(element, ast.Starred) else alone
            part = self._calling(idioms.sequence, part, part)
            made = part if made is None else self._calling(idioms.concatenated, node, made, part)
        return made or self._calling(idioms.sequence, node, ast.copy_location(ast.Tuple([], ast.Load()), node))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Let sums of tuples be one after the other; sets in sums and differences are frozen."""
        if getattr(node, "is_proven", False):
            return self.generic_visit(node)
        is_tuple = [isinstance(side, ast.Tuple) for side in (node.left, node.right)]
        if isinstance(node.op, _OF_SETS):
            node.left, node.right = map(self._frozen, (node.left, node.right))
        if isinstance(node.op, ast.Pow) and isinstance(node.right, ast.UnaryOp) and isinstance(node.right.op, ast.USub):
            # A whole number to a negative power is a decimal one.
            node.left = _call("float", node.left)
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        if isinstance(folded := self._folded(node), ast.Constant):
            return folded
        if isinstance(node.op, ast.Mult) and any(is_tuple):
            values, times = (node.left, node.right) if is_tuple[0] else (node.right, node.left)
            return self._calling(idioms.repeated, node, values, times)
        if type(node.op) not in _OPERATORS:
            return node
        return self._calling(arithmetic.plain[_OPERATORS[type(node.op)]], node, node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Let ``x += ...`` and the like of a name be an assignment; arrays are changed in place."""
        target: Any = node.target
        is_name = isinstance(target, ast.Name)
        is_part = isinstance(target, ast.Subscript) and not any(isinstance(each, ast.Call) for each in ast.walk(target))
        is_proven = getattr(node, "is_proven", False)
        if not (is_name or is_part) or type(node.op) not in _OPERATORS or is_proven:
            if self._is_cell(target) and not is_proven:
                raise self._fault(node, "a call within an index does not compile here; name its result")
            return self.generic_visit(node)
        read = _loaded(target)
        if isinstance(node.op, _OF_SETS) and isinstance(node.value, ast.Set):
            value = self.visit(ast.copy_location(ast.BinOp(read, node.op, node.value), node))
        else:
            name, kinds = _OPERATORS[type(node.op)], arithmetic.in_place if is_name else arithmetic.stored
            value = self._calling(kinds[name], node, self.visit(read), self.visit(node.value))
            value = self._fitting(target, value)
        return ast.copy_location(ast.Assign([self.visit(target)], value), node)

    def _frozen(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Set):
            return self._calling(members, node, ast.copy_location(ast.List(node.elts, ast.Load()), node))
        return node

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        """Let a set of what a loop gives be one of a list."""
        _let_go_of_order(node)
        return self.visit(_call("set", _list_of(node)))

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        """Let a dictionary of what a loop gives be one of pairs."""
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        pairs = ast.copy_location(ast.ListComp(pair, node.generators), node)
        return self._calling(table, node, self.visit(pairs))

    def visit_Subscript(self, node: Any) -> Any:
        """Let a part that is cut out with a step lie together, and one of a row of a table be one of the table."""
        row: Any = node.value
        if getattr(node, "is_within", False) and getattr(row, "is_within", False):
            parts = [part for each in (row, node) for part in _indexes(each)]
            node.slice = ast.copy_location(ast.Tuple(parts, ast.Load()), node)
            node.value, node.is_from_0 = row.value, row.is_from_0 and node.is_from_0
            return self.visit(node)
        if getattr(node, "is_within", False) and node.is_from_0:
            cast = [self._calling(np.uint64, each, self.visit(each)) for each in _indexes(node)]
            node.value = self.visit(node.value)
            node.slice = cast[0] if len(cast) == 1 else ast.copy_location(ast.Tuple(cast, ast.Load()), node)
            return node
        self.generic_visit(node)
        is_step = isinstance(node.slice, ast.Slice) and node.slice.step is not None and isinstance(node.ctx, ast.Load)
        return self._calling(idioms.contiguous, node, node) if is_step else node

    # Rows that are unpacked.

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Let the parts of a row be assigned to names."""
        node.value = self._own(self.visit(self._mapped(node)))
        for place, target in enumerate(node.targets):
            if isinstance(target, ast.Tuple):
                stars = [k for k, each in enumerate(target.elts) if isinstance(each, ast.Starred)]
                if stars:
                    node.targets[place] = ast.Tuple([_unstarred(each) for each in target.elts], ast.Store())
                    before, after = stars[0], len(target.elts) - stars[0] - 1
                    name, split = f"around{before}_{after}", idioms.around(before, after)
                    node.value = self._calling(split, node.value, node.value, name=name)
                else:
                    node.value = self._as_parts(target, node.value)
        for target in node.targets:
            node.value = self._fitting(target, node.value, len(node.targets) > 1)
        node.targets = [self.visit(target) for target in node.targets]
        return node

    def _fitting(self, target: Any, value: ast.expr, is_shared: bool = False) -> Any:
        """Return a value as it fits where it is written to, and to other targets, too, if it is shared."""
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
                value.elts = [self._fitting(*each, is_shared) for each in zip(target.elts, value.elts, strict=True)]
            else:
                self._require_names(target)
            return value
        if not isinstance(target, ast.Subscript) or any(isinstance(each, ast.Call) for each in ast.walk(target.value)):
            return value
        fitting = arithmetic.fitting_number if is_shared else arithmetic.fitting
        fitting = arithmetic.fitting_cell if self._is_cell(target) else fitting
        return self._calling(fitting, value, value, self.visit(_loaded(target.value)))

    def _require_names(self, target: ast.expr) -> None:
        if any(isinstance(each, ast.Subscript) for each in ast.walk(target)):
            raise self._fault(target, f"{ast.unparse(target)} does not compile here; use names, and set parts by them")

    def _is_cell(self, target: ast.expr) -> bool:
        of = target.value if isinstance(target, ast.Subscript) else None
        return isinstance(of, ast.Name) and of.id in (self.cells or ())

    def _own(self, node: ast.expr) -> Any:
        is_part = isinstance(node, (ast.Name, ast.Subscript, ast.IfExp))
        return self._calling(arithmetic.own, node, node) if is_part and self._may_be_narrow else node

    def _mapped(self, node: ast.Assign) -> ast.expr:
        """Return the value of an assignment, with one call for each name in place of ``map``."""
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and _called(value) == "map":
            given = [ast.Subscript(value.args[1], ast.Constant(place), ast.Load()) for place in range(len(target.elts))]
            calls: list[ast.expr] = [ast.Call(value.args[0], [copy.deepcopy(each)], []) for each in given]
            return ast.fix_missing_locations(ast.copy_location(ast.Tuple(calls, ast.Load()), value))
        return value

    def _as_parts(self, target: ast.expr, value: ast.expr) -> ast.expr:
        if not isinstance(target, ast.Tuple):
            return value
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            value.elts = [self._as_parts(*pair) for pair in zip(target.elts, value.elts, strict=True)]
            return value
        return self._as_tuple(value, len(target.elts))  # type: ignore[no-any-return]

    def visit_For(self, node: ast.For) -> Any:
        """Let loops over the rows of a matrix unpack them."""
        self._require_names(node.target)
        node.iter = self._with_rows(node.target, node.iter)
        self.generic_visit(node)
        node.iter = self._in_order(node.iter)
        return node

    def _in_order(self, values: ast.expr) -> Any:
        is_ordered = _called(values) in ("range", "enumerate", "zip", "sorted", "reversed")
        return values if is_ordered else self._calling(idioms.in_order, values, values)

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        """Let comprehensions over the rows of a matrix unpack them."""
        self._require_names(node.target)
        node.iter = self._with_rows(node.target, node.iter)
        is_ordered = not getattr(node, "without_order", False)
        node.target, node.iter = self.visit(node.target), self.visit(node.iter)
        node.iter = self._in_order(node.iter) if is_ordered else node.iter
        node.ifs = [self._condition(each) for each in node.ifs]
        return node

    def _with_rows(self, target: ast.expr, values: ast.expr) -> ast.expr:
        if not isinstance(target, ast.Tuple):
            return values
        called = _called(values)
        if isinstance(values, ast.Call) and called == "enumerate" and len(target.elts) == 2:
            values.args[0] = self._with_rows(target.elts[1], values.args[0])
            return values
        if isinstance(values, ast.Call) and called == "zip" and len(target.elts) == len(values.args):
            values.args = [self._with_rows(*pair) for pair in zip(target.elts, values.args, strict=True)]
            return values
        width = len(target.elts)
        return self._calling(idioms.rows(width), values, values, name=f"rows{width}")  # type: ignore[no-any-return]

    # What is read of the problem, and calls.

    def _is_self(self, node: ast.AST) -> bool:
        return bool(self._self) and isinstance(node, ast.Name) and node.id == self._self

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Note what is read of the problem, or of a class; a property becomes a call."""
        if not self._is_self(node.value):
            return self._of_class_or_module(node)
        own = ast.copy_location(ast.Name(self._self, ast.Load()), node.value)
        if not isinstance(node.ctx, ast.Load):
            raise self._fault(node, f"sets self.{node.attr}; keep what changes in the state")
        if self._sources.is_method(node.attr):
            return ast.copy_location(ast.Call(self._method(node.attr), [own], []), node)
        constant = self._sources.constant(node.attr)
        if constant is not None:
            return ast.copy_location(self._helper(f"_class_{node.attr}", constant), node)
        self._sources.attribute(node.attr, lambda said: self._fault(node, said))
        node.value, node.attr = own, field_of(node.attr)
        is_container = isinstance(self._sources.attributes[node.attr], tuple)
        return self._calling(given, node, node) if is_container else node

    def _of_class_or_module(self, node: ast.Attribute) -> Any:
        self._require_allowed(node)
        base, found = self._meant(node.value), self._meant(node)
        if isinstance(found, Enum) or isinstance(base, Enum):
            if not isinstance(found, int):
                raise self._fault(node, f"{ast.unparse(node)} is no number; use an IntEnum, or numbers")
            return ast.copy_location(ast.Constant(int(found)), node)
        name = f"_{ast.unparse(node).replace('.', '_')}"
        if isinstance(found, FunctionType) and _is_authors(found.__module__):
            return ast.copy_location(self._helper(name, self._sources.function(found, is_method=False)), node)
        is_authors = _is_authors(
            base.__name__ if isinstance(base, ModuleType) else str(getattr(base, "__module__", ""))
        )
        if not isinstance(base, (type, ModuleType)) or not is_authors or found is None:
            return self.generic_visit(node)
        held = found if isinstance(found, type) or hasattr(found, "py_func") else as_given(found)
        if held is None:
            raise self._fault(node, f"reads {ast.unparse(node)}, {shortened(repr(found))}; {EXPECTED}")
        self._sources.note(ast.unparse(node), lambda: getattr(base, node.attr, None), found)
        helper = ast.copy_location(self._helper(name, held), node)
        return self._calling(given, node, helper) if isinstance(held, tuple) else helper

    def _method(self, name: str) -> ast.Name:
        return self._helper(f"_method_{name}", self._sources.method(name))

    def visit_Call(self, node: ast.Call) -> Any:
        """Replace calls of methods, and of what numba lacks."""
        meant = self._meant(node.func)
        if isinstance(meant, FunctionType) and node.args and self._is_self(node.args[0]):
            self.generic_visit(node)
            node.func = self._helper(f"_of_self_{meant.__name__}", self._sources.function(meant, is_method=True))
            return node
        if meant is self._function:
            self.calls_itself = True
            node.keywords.append(ast.keyword("_depth", _number("_depth + 1")))
            return self.generic_visit(node)
        self._require_call(node, meant)
        if getattr(meant, "__module__", "") == "math":
            return self._of_math(node, meant)
        if isinstance(node.func, ast.Attribute):
            return self._call_of_attribute(node, node.func)
        code, keywords = self._function.__code__, {each.arg: each.value for each in node.keywords}
        is_builtin = meant is None and _called(node) not in (*code.co_varnames, *code.co_cellvars)
        name = _called(node) if is_builtin else ""
        if name in self._sources.no_calls:
            raise self._fault(node, f"{name}(...) does not compile; use {self._sources.no_calls[name]}")
        if name == "enumerate" and keywords.keys() == {"start"}:
            node.args, node.keywords = [*node.args, keywords["start"]], []
        if name == "reversed" and len(node.args) == 1:
            return self._calling(idioms.in_reverse, node, self.visit(_list_of(node.args[0])))
        if name in ("min", "max") and any(map(_is_starred, node.args)):
            if len(node.args) > 1:
                raise self._fault(node, f"a star in {name} does not compile; use {name}([...]), or one in another")
            node.args = [node.args[0].value]  # type: ignore[attr-defined]
        if name == "zip":
            if "strict" in keywords and ast.unparse(keywords["strict"]) != "False":
                node.args[0] = self._calling(idioms.as_long_as, node, *map(copy.deepcopy, node.args))
            node.keywords = []
        if not node.args or (node.args and isinstance(node.args[0], ast.GeneratorExp)):
            node.args[:1] = [_list_of(each) for each in node.args[:1]]
        if name in _WITHOUT_ORDER and node.args:
            _let_go_of_order(node.args[0])
        if name in ("list", "tuple", "enumerate", "zip", "reversed"):
            node.args = [
                self._calling(idioms.in_order, each, each) if isinstance(each, (ast.Name, ast.Attribute)) else each
                for each in node.args
            ]
        if name == "pow" and len(node.args) == 2 and not keywords:
            return self.visit(ast.copy_location(ast.BinOp(node.args[0], ast.Pow(), node.args[1]), node))
        if name in ("min", "max") and len(node.args) > 1:
            node.args = [self._own(each) for each in node.args]
        if name in ("map", "next") and len(node.args) in (1, 2):
            return self._of_two(name, node)
        if name in ("min", "max") and len(node.args) == 1 and {*keywords} <= {"key", "default"}:
            return self._extreme(node, name == "min", keywords)
        if name == "float" and ast.unparse(node) in ("float('inf')", "float('-inf')", "float('nan')"):
            return ast.copy_location(ast.Constant(float(node.args[0].value)), node)  # type: ignore[attr-defined]
        if name in _NUMBERS and len(node.args) == 1 and not node.keywords:
            return self._calling(getattr(arithmetic, _NUMBERS[name]), node, self.visit(node.args[0]))
        if name == "bool" and len(node.args) == 1:
            condition = self._condition(node.args[0])
            return ast.copy_location(ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), condition)), node)
        if name == "round" and len(node.args) == 2:
            rounded = arithmetic.rounded_as_both if self._sources.has_decimal_arrays else arithmetic.rounded
            return self._calling(rounded, node, *map(self.visit, node.args))
        if name == "sum" and len(node.args) in (1, 2) and {*keywords} <= {"start"}:
            start = [*node.args[1:], *keywords.values(), ast.copy_location(ast.Constant(0), node)][0]
            return self._calling(arithmetic.total, node, self.visit(node.args[0]), self.visit(start))
        if name == "sorted" and "key" in keywords and {*keywords} <= {"key", "reverse"}:
            return self._sorted_by(node, node.args[0], keywords)
        if name in ("tuple", "frozenset"):
            values = self.visit(node.args[0] if node.args else ast.copy_location(ast.Tuple([], ast.Load()), node))
            return self._calling(idioms.sequence if name == "tuple" else members, node, values)
        if name in ("any", "all"):
            return self._calling(idioms.some if name == "any" else idioms.every, node, self._conditions(node.args[0]))
        return self.generic_visit(node)

    def _require_call(self, node: ast.Call, meant: Any) -> None:
        self._require_allowed(node.func)
        if isinstance(meant, type) and _is_authors(meant.__module__) and not issubclass(meant, (tuple, BaseException)):
            raise self._fault(node, f"an object of {meant.__name__} does not compile; use a NamedTuple, or numbers")
        if any(each.arg is None for each in node.keywords):
            raise self._fault(node, "** in a call does not compile; use name=value")

    def _of_math(self, node: ast.Call, meant: Any) -> Any:
        """Return the call of a function of ``math``, or refuse it with what to write."""
        name, given_ = meant.__name__, [each.value for each in node.keywords]
        if name == "prod" and len(node.args) == 1 and len(given_) <= 1:
            start = [*given_, ast.copy_location(ast.Constant(1), node)][0]
            return self._calling(arithmetic.product, node, self.visit(_list_of(node.args[0])), self.visit(start))
        if given_ or name not in {1: _OF_ONE, 2: _OF_TWO}.get(len(node.args), ()) or any(map(_is_starred, node.args)):
            instead = _NO_MATH.get(name, "operators and loops, or a list of its values that __init__ makes")
            raise self._fault(node, f"{ast.unparse(node)} does not compile; use {instead}")
        own = {"fmod": arithmetic.remainder, "isqrt": arithmetic.whole_root, "dist": arithmetic.distance}
        function = own.get(name) or arithmetic.of_math(meant)
        return self._calling(function, node, *map(self.visit, node.args), name=f"math_{name}")

    def _of_two(self, name: str, node: ast.Call) -> Any:
        if name == "map":
            return self.visit(_list_of_calls(node.args[0], node.args[1]))
        given = [self.visit(each) for each in node.args]
        return self._calling(idioms.first_of if len(given) == 1 else idioms.first_or, node, *given)

    def _conditions(self, values: ast.expr) -> Any:
        made = values if isinstance(values, ast.ListComp) else _list_of_calls(None, values)
        element, made.elt = made.elt, ast.copy_location(ast.Constant(True), values)
        made = self.visit(made)
        made.elt = self._condition(element)
        return made

    def _call_of_attribute(self, node: ast.Call, called: ast.Attribute) -> Any:
        if self._is_self(called.value):
            is_method = self._sources.is_method(called.attr)
            return self._call_of_method(node, called) if is_method else self.generic_visit(node)
        if called.attr == "_replace":
            return self._replaced(node, called)
        if called.attr == "get" and len(node.args) == 1:
            raise self._fault(node, "get(key) gives None at times; use get(key, number)")
        if called.attr in _OF_TEXTS and self._meant(called.value) is None:
            raise self._fault(node, f"{called.attr} of a text does not compile; use what __init__ has made of it")
        if called.attr in _OF_CONTAINERS and not node.args:
            return self._calling(getattr(idioms, _OF_CONTAINERS[called.attr]), node, self.visit(called.value))
        if called.attr in ("argsort", "argpartition", "partition"):
            self._require_stable(node, called)
        if called.attr in _METHODS and len(node.args) <= 1 and not node.keywords:
            given = [self.visit(each) for each in (called.value, *node.args)]
            return self._calling(getattr(idioms, _METHODS[called.attr]), node, *given)
        return self.generic_visit(node)

    def _require_stable(self, node: ast.Call, called: ast.Attribute) -> None:
        """Let a stable order be one by merging; no other is the same from 16 equal values on."""
        kinds = [each for each in node.keywords if each.arg == "kind"]
        if called.attr != "argsort" or not kinds or ast.literal_eval(kinds[0].value) not in ("stable", "mergesort"):
            what = f"{called.attr} puts equal values in an order of its own"
            raise self._fault(node, f'{what}; use np.argsort(values, kind="stable")')
        kinds[0].value = self._helper("_mergesort", "mergesort")

    def _sorted_by(self, node: ast.AST, values: ast.expr, keywords: dict[str | None, ast.expr]) -> Any:
        reverse = self._condition(keywords.get("reverse", ast.copy_location(ast.Constant(False), node)))
        return self._calling(idioms.sorted_by, node, *self._values_and_keys(values, keywords["key"]), reverse)

    def _values_and_keys(self, values: ast.expr, key: ast.expr | None) -> list[ast.expr]:
        return [self.visit(_list_of_calls(function, values)) for function in (None, key)]

    def _extreme(self, node: ast.Call, is_least: bool, keywords: dict[str | None, ast.expr]) -> Any:
        """Let an extreme be one by a list of keys."""
        given = self._values_and_keys(node.args[0], keywords.get("key"))
        given.append(ast.copy_location(ast.Constant(is_least), node))
        if "default" not in keywords:
            return self._calling(idioms.extreme_by, node, *given)
        return self._calling(idioms.extreme_or, node, *given, self.visit(keywords["default"]))

    def _call_of_method(self, node: ast.Call, called: ast.Attribute) -> Any:
        given = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        node.func = self._method(called.attr)
        own = ast.copy_location(ast.Name(self._self, ast.Load()), node)
        node.args = given if self._sources.is_static(called.attr) else [own, *given]
        return node

    def _replaced(self, node: ast.Call, called: ast.Attribute) -> Any:
        names = tuple(each.arg or "" for each in node.keywords)
        given = [self.visit(each) for each in (called.value, *(keyword.value for keyword in node.keywords))]
        return self._calling(idioms.replace(names), node, *given, name=f"replace_{'_'.join(names)}")


_COMPARED = {ast.Eq: "equal", ast.NotEq: "unequal", ast.In: "among", ast.NotIn: "among"}


def _indexes(node: Any) -> list[Any]:
    return [*node.slice.elts] if isinstance(node.slice, ast.Tuple) else [node.slice]


def _is_not(node: ast.UnaryOp) -> bool:
    return isinstance(node.op, ast.Not)


def _width(node: ast.expr) -> int:
    """Return how many elements a tuple has that is written out; 0 of anything else."""
    return len(node.elts) if isinstance(node, ast.Tuple) and not any(map(_is_starred, node.elts)) else 0


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _unstarred(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _list_of(node: Any) -> Any:
    """Return the list of what a generator, or a loop in a set, gives; any other node as it is."""
    is_loop = isinstance(node, (ast.GeneratorExp, ast.SetComp))
    return ast.copy_location(ast.ListComp(node.elt, node.generators), node) if is_loop else node


def _let_go_of_order(node: ast.AST) -> None:
    """Let the loops of a node be over sets, too."""
    for each in getattr(node, "generators", []):
        each.without_order = True


def _loaded(node: Any) -> Any:
    """Return what is written as it is read."""
    read = copy.deepcopy(node)
    read.ctx = ast.Load()
    return read


def _is_no_letter(value: Any) -> bool:
    """Return whether a constant cannot be mistaken for a letter."""
    return not isinstance(value, str) and not (isinstance(value, int) and value > ord("\b"))


def _call(name: str, value: ast.expr) -> ast.expr:
    return ast.fix_missing_locations(ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [value], []), value))


def _called(node: ast.AST) -> str:
    """Return the name of what is called; empty where it has none."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _list_of_calls(function: ast.expr | None, values: ast.expr) -> ast.ListComp:
    """Return the list of what a function, or a lambda, gives for some values; None is for the values themselves."""
    if function is None and isinstance(values, ast.ListComp):
        return copy.deepcopy(values)
    name: ast.expr = ast.Name("_each", ast.Load())
    target: ast.expr = ast.Name("_each", ast.Store())
    element = name if function is None else ast.Call(copy.deepcopy(function), [name], [])
    if isinstance(function, ast.Lambda):
        target = ast.Name(function.args.args[0].arg, ast.Store())
        element = copy.deepcopy(function.body)
    made = ast.ListComp(element, [ast.comprehension(target, copy.deepcopy(values), [], 0)])
    if function is None:
        _let_go_of_order(made)
    return ast.fix_missing_locations(ast.copy_location(made, values))


def _number(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Named(ast.NodeTransformer):
    """Puts expressions in place of names."""

    def __init__(self, names: dict[str, ast.expr]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> Any:
        """Return what a name is for."""
        return ast.copy_location(copy.deepcopy(self._names.get(node.id, node)), node)


class _Listed(ast.NodeTransformer):
    """Rewrites a method that yields moves to one that returns a list of them."""

    def __init__(self, example: Any, helper: Callable[[str, Any], ast.Name]) -> None:
        self._none = ast.Call(helper("_no_moves_yet", idioms.no_moves(example)), [], [])

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Begin with no moves, and return those that were yielded."""
        if any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
            self.generic_visit(node)
            begin = ast.copy_location(ast.Assign([ast.Name("_yielded", ast.Store())], self._none), node.body[0])
            node.body = [
                begin,
                *node.body,
                ast.copy_location(ast.Return(ast.Name("_yielded", ast.Load())), node.body[-1]),
            ]
            ast.fix_missing_locations(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        """Let a move that is yielded be one more in the list."""
        if not isinstance(node.value, (ast.Yield, ast.YieldFrom)) or node.value.value is None:
            return node
        appended = ast.parse("_yielded.append(_each)").body[0]
        if isinstance(node.value, ast.Yield):
            appended.value.args = [node.value.value]  # type: ignore[attr-defined]
            return ast.copy_location(appended, node)
        values = _list_of(node.value.value)
        return ast.copy_location(ast.For(ast.Name("_each", ast.Store()), values, [appended], []), node)

    def visit_Return(self, node: ast.Return) -> Any:
        """Let the end be the list."""
        return ast.copy_location(ast.Return(ast.Name("_yielded", ast.Load())), node)
