"""The methods of an author's class as functions that numba compiles, made from their source text.

A method becomes a function of the problem's attributes, which are a NamedTuple. What it calls, methods of its class and
plain functions of its module, is made so, too. Some idioms that numba lacks are replaced by what it has.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from nrpa.base.errors import ProblemError
from nrpa.compiling import idioms
from nrpa.compiling.options import OF_AUTHORS
from nrpa.modelling.worth import worth_of

_LIBRARIES = ("numpy", "numba", "math", "cmath", "random", "builtins", "itertools", "functools", "operator", "nrpa")
_NO_CONSTRUCTS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Set: ("a set", "a boolean array, or a list"),
    ast.SetComp: ("a set", "a boolean array, or a list"),
    ast.Dict: ("a dictionary", "an array"),
    ast.DictComp: ("a dictionary", "an array"),
    ast.Yield: ("a generator (yield)", "a list that is returned"),
    ast.YieldFrom: ("a generator (yield from)", "a list that is returned"),
    ast.JoinedStr: ("a text made by f''", "numbers"),
    ast.Await: ("await", "a plain call"),
    ast.Global: ("global", "an attribute of the problem or an argument"),
    ast.Nonlocal: ("nonlocal", "an attribute of the problem or an argument"),
}
_NO_CALLS = {
    "set": "a boolean array, or a list",
    "frozenset": "a boolean array, or a list",
    "dict": "an array",
    "super": "the call of a function",
    "filter": "a list in brackets, [x for x in ... if ...]",
    "getattr": "the attribute itself",
    "isinstance": "values of one type",
}
_REDUCED = ("sum", "min", "max", "any", "all")
# Methods of numbers, lists and tuples that are functions in machine code.
_METHODS = {"count": "count_of", "index": "place_of", "bit_count": "bit_count", "bit_length": "bit_length"}


class Sources:
    """The functions made of a class and of what it calls, each made once.

    - ``attributes``, ``names``: What the methods made so far read of the problem: values and names, by fields.
    - ``move_example``: A move, by which empty lists of moves have a type.
    """

    def __init__(self, problem: Any, move_example: Any) -> None:
        self.attributes: dict[str, Any] = {}
        self.names: dict[str, str] = {}
        self.move_example = move_example
        self.players = problem.players
        self._problem, self._class = problem, type(problem)
        self._made: dict[Any, Any] = {}

    @property
    def worth(self) -> Any:
        """The compiled function from what ``score`` returns to the score."""
        return worth_of(self._problem.objective, of_scores=True)

    def method(self, name: str) -> Any:
        """Return the method of the class with a name, as a compiled function that takes the attributes first."""
        found = inspect.getattr_static(self._class, name)
        if isinstance(found, property):
            found = found.fget
        if isinstance(found, (classmethod, staticmethod)):
            found = found.__func__
        return self._function(found, is_method=not isinstance(inspect.getattr_static(self._class, name), staticmethod))

    def is_method(self, name: str) -> bool:
        """Return whether an attribute of the class is a function or a property."""
        return isinstance(inspect.getattr_static(self._class, name, None), (FunctionType, property, staticmethod))

    def attribute(self, name: str, fault: Callable[[str], ProblemError]) -> None:
        """Note that a method reads an attribute."""
        if field_of(name) in self.attributes:
            return
        if not hasattr(self._problem, name):
            raise fault(f"reads self.{name}, which is not there")
        value = as_compiled(getattr(self._problem, name))
        if value is None:
            kind = type(getattr(self._problem, name)).__name__
            raise fault(
                f"reads self.{name}, a {kind}; expected a number, an array, a tuple of these, or a list of numbers "
                "with rows of one length"
            )
        self.attributes[field_of(name)] = value
        self.names[field_of(name)] = name

    def _function(self, function: Any, is_method: bool) -> Any:
        if function not in self._made:
            self._made[function] = None
            translated = self._translated(function, is_method)
            self._made[function] = translated.__globals__[function.__name__] = njit(**OF_AUTHORS)(translated)
        elif self._made[function] is None:
            code = function.__code__
            what = "it calls itself by way of another function, which does not compile"
            raise ProblemError(f"{code.co_filename}:{code.co_firstlineno}, in {function.__qualname__}: {what}")
        return self._made[function]

    def _translated(self, function: FunctionType, is_method: bool) -> Any:
        """Return a function as numba can compile it, with the same file and lines."""
        tree = _tree_of(function)
        scope = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            scope[name] = cell.cell_contents
        translator = _Translator(self, function, is_method)
        tree.body[0] = translator.visit(tree.body[0])
        for name in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & scope.keys():
            if scope[name] is not function:  # which may call itself
                scope[name] = self._global(scope[name])
        scope.update(translator.helpers)
        code = compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec")
        exec(code, scope)
        made = scope[function.__name__]
        made.__qualname__ = function.__qualname__
        return made

    def _global(self, value: Any) -> Any:
        if isinstance(value, FunctionType) and str(value.__module__).split(".")[0] not in _LIBRARIES:
            return self._function(value, is_method=False)
        if isinstance(value, (list, np.ndarray)):
            return as_compiled(value)
        return value


def _tree_of(function: FunctionType) -> ast.Module:
    """Return the syntax tree of a function, with the lines of its file."""
    where = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}, in {function.__qualname__}"
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        raise ProblemError(f"{where}: its source text is not there; write the class in a file or a notebook") from None
    if not isinstance(tree.body[0], ast.FunctionDef):
        raise ProblemError(f"{where}: is no function that begins with def")
    ast.increment_lineno(tree, first - 1)
    return tree


def as_compiled(value: Any) -> Any:
    """Return an attribute as numba takes it: numbers, arrays, tuples of these; None for anything else."""
    if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
        return value.item() if isinstance(value, np.generic) else value
    if isinstance(value, tuple):
        parts = [as_compiled(part) for part in value]
        record = type(value)._make if hasattr(value, "_fields") else tuple  # type: ignore[attr-defined]
        return None if any(part is None for part in parts) else record(parts)
    if isinstance(value, (np.ndarray, list, range)):
        try:
            array = np.ascontiguousarray(value)
        except ValueError:  # rows of different lengths
            return None
        return array if array.dtype.kind in "biuf" else None
    return None


def field_of(name: str) -> str:
    """Return what an attribute is called in a NamedTuple, which takes no name that begins with an underscore."""
    return f"private{name}" if name.startswith("_") else name


class _Translator(ast.NodeTransformer):
    """Rewrites a function: calls of methods, ``_replace``, empty lists of moves, sums of generators."""

    def __init__(self, sources: Sources, function: FunctionType, is_method: bool) -> None:
        self._sources, self._function = sources, function
        self._self = function.__code__.co_varnames[0] if is_method else ""
        self.helpers: dict[str, Any] = {}

    def _fault(self, node: ast.AST, said: str) -> ProblemError:
        code = self._function.__code__
        return ProblemError(
            f"{code.co_filename}:{getattr(node, 'lineno', 0)}, in {self._function.__qualname__}: {said}"
        )

    def _helper(self, name: str, value: Any) -> ast.Name:
        self.helpers[name] = value
        return ast.Name(name, ast.Load())

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node, or refuse it by name."""
        if type(node) in _NO_CONSTRUCTS:
            found, instead = _NO_CONSTRUCTS[type(node)]
            raise self._fault(node, f"{found} does not compile; use {instead}")
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Leave decorators and annotations out."""
        node.decorator_list, node.returns = [], None
        for argument in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
            argument.annotation = None
        if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant):
            node.body[0] = ast.copy_location(ast.Pass(), node.body[0])
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

    def visit_Assert(self, node: ast.Assert) -> Any:
        """Leave the message out."""
        node.msg = None
        return self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> Any:
        """Give an empty list that is returned the type of a list of moves."""
        if node.value is not None:
            node.value = self._with_typed_list(node.value)
        return self.generic_visit(node)

    def _with_typed_list(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.IfExp):
            node.body, node.orelse = self._with_typed_list(node.body), self._with_typed_list(node.orelse)
        if isinstance(node, ast.List) and not node.elts:
            return self._calling("_no_moves", idioms.no_moves(self._sources.move_example), node)
        return node

    def _calling(self, name: str, function: Any, node: ast.AST, *arguments: ast.expr) -> ast.expr:
        """Return the call of a helper in place of a node."""
        return ast.copy_location(ast.Call(self._helper(name, function), [*arguments], []), node)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """Let ``()`` and tuples with a star be arrays."""
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or (node.elts and not any(map(_is_starred, node.elts))):
            return node
        found: ast.expr | None = None
        for element in node.elts:
            alone = ast.copy_location(ast.Tuple([element], ast.Load()), element)
            part: ast.expr = element.value if isinstance(element, ast.Starred) else alone
            part = self._calling("_sequence", idioms.sequence, part, part)
            found = part if found is None else self._calling("_concatenated", idioms.concatenated, node, found, part)
        empty = ast.copy_location(ast.Tuple([], ast.Load()), node)
        return self._calling("_sequence", idioms.sequence, node, empty) if found is None else found

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Let a tuple that is repeated, or to which one is added, be an array."""
        is_tuple = [isinstance(side, ast.Tuple) for side in (node.left, node.right)]
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult) and any(is_tuple):
            values, times = (node.left, node.right) if is_tuple[0] else (node.right, node.left)
            return self._calling("_repeated", idioms.repeated, node, values, times)
        if isinstance(node.op, ast.Add) and any(is_tuple):
            return self._calling("_concatenated", idioms.concatenated, node, node.left, node.right)
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Let the parts of a row be assigned to names."""
        for target in node.targets:
            if isinstance(target, ast.Tuple) and any(map(_is_starred, target.elts)):
                raise self._fault(node, "a star among names that are assigned to does not compile; use indices")
            node.value = self._as_parts(target, node.value)
        return self.generic_visit(node)

    def _as_parts(self, target: ast.expr, value: ast.expr) -> ast.expr:
        if not isinstance(target, ast.Tuple):
            return value
        if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts):
            value.elts = [self._as_parts(*pair) for pair in zip(target.elts, value.elts, strict=True)]
            return value
        width = len(target.elts)
        if isinstance(value, ast.Call) and _called(value) == "map" and len(value.args) == 2:
            given = [ast.Subscript(value.args[1], ast.Constant(place), ast.Load()) for place in range(width)]
            calls: list[ast.expr] = [ast.Call(value.args[0], [each], []) for each in given]
            return ast.copy_location(ast.Tuple(calls, ast.Load()), value)
        return self._calling(f"_parts{width}", idioms.row_as_tuple(width), value, value)

    def visit_For(self, node: ast.For) -> Any:
        """Let loops over the rows of a matrix unpack them."""
        node.iter = self._with_rows(node.target, node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        """Let comprehensions over the rows of a matrix unpack them."""
        node.iter = self._with_rows(node.target, node.iter)
        return self.generic_visit(node)

    def _with_rows(self, target: ast.expr, values: ast.expr) -> ast.expr:
        if not isinstance(target, ast.Tuple):
            return values
        called = _called(values)
        if isinstance(values, ast.Call) and called == "enumerate" and len(target.elts) == 2:
            values.args[0] = self._with_rows(target.elts[1], values.args[0])
            return values
        if isinstance(values, ast.Call) and called == "zip" and len(target.elts) == len(values.args):
            values.args = [self._with_rows(*pair) for pair in zip(target.elts, values.args, strict=True)]
            values.keywords = []
            return values
        width = len(target.elts)
        return self._calling(f"_rows{width}", idioms.rows(width), values, values)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        """Note what is read of the problem; a property becomes a call."""
        if not (isinstance(node.value, ast.Name) and node.value.id == self._self and self._self):
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise self._fault(node, f"sets self.{node.attr}; keep what changes in the state")
        if self._sources.is_method(node.attr):
            return ast.copy_location(ast.Call(self._method(node.attr), [node.value], []), node)
        self._sources.attribute(node.attr, lambda said: self._fault(node, said))
        node.attr = field_of(node.attr)
        return node

    def _method(self, name: str) -> ast.Name:
        return self._helper(f"_method_{name}", self._sources.method(name))

    def visit_Call(self, node: ast.Call) -> Any:
        """Replace calls of methods, and of what numba lacks."""
        if isinstance(node.func, ast.Attribute):
            return self._call_of_attribute(node, node.func)
        name = _called(node)
        if name in _NO_CALLS and name not in self._function.__globals__:
            raise self._fault(node, f"{name}(...) does not compile; use {_NO_CALLS[name]}")
        if name == "map" and len(node.args) == 2:
            return self.visit(_list_of_calls(node.args[0], node.args[1]))
        if name in ("min", "max", "sorted") and [each.arg for each in node.keywords] == ["key"]:
            return self._by_key(node)
        if name in (*_REDUCED, "tuple") and len(node.args) == 1:
            return self._reduced(node, name)
        return self.generic_visit(node)

    def _call_of_attribute(self, node: ast.Call, called: ast.Attribute) -> Any:
        if isinstance(called.value, ast.Name) and called.value.id == self._self and self._self:
            is_method = self._sources.is_method(called.attr)
            return self._call_of_method(node, called) if is_method else self.generic_visit(node)
        if called.attr == "_replace":
            return self._replaced(node, called)
        if called.attr in _METHODS and len(node.args) <= 1 and not node.keywords:
            name = _METHODS[called.attr]
            given = [self.visit(each) for each in (called.value, *node.args)]
            return self._calling(f"_{name}", getattr(idioms, name), node, *given)
        return self.generic_visit(node)

    def _by_key(self, node: ast.Call) -> Any:
        """Let an extreme or an order by a key be one by a list of keys."""
        name = {"min": "least_by", "max": "greatest_by", "sorted": "sorted_by"}[_called(node)]
        values = node.args[0]
        keys = _list_of_calls(node.keywords[0].value, values)
        given = [self.visit(each) for each in (_list_of_calls(None, values), keys)]
        return self._calling(f"_{name}", getattr(idioms, name), node, *given)

    def _call_of_method(self, node: ast.Call, called: ast.Attribute) -> Any:
        is_static = isinstance(inspect.getattr_static(type(self._sources._problem), called.attr), staticmethod)
        given = [self.visit(each) for each in node.args]
        keywords = [self.visit(each) for each in node.keywords]
        node.func, node.keywords = self._method(called.attr), keywords
        node.args = given if is_static else [called.value, *given]
        return node

    def _replaced(self, node: ast.Call, called: ast.Attribute) -> Any:
        names = [each.arg or "" for each in node.keywords]
        helper = self._helper(f"_replace_{'_'.join(names)}", idioms.replace(tuple(names)))
        given = [self.visit(each) for each in (called.value, *(keyword.value for keyword in node.keywords))]
        return ast.copy_location(ast.Call(helper, given, []), node)

    def _reduced(self, node: ast.Call, name: str) -> Any:
        """Let sums, extremes, tuples and the like of a generator be those of a list."""
        if node.keywords:
            keyword = node.keywords[0].arg
            raise self._fault(node, f"{name}({keyword}=...) does not compile; use a loop")
        if isinstance(node.args[0], ast.GeneratorExp):
            node.args[0] = _list_of(node.args[0])
        helper = {"min": "least", "max": "greatest", "tuple": "sequence"}.get(name)
        if helper:
            return self._calling(f"_{helper}", getattr(idioms, helper), node, self.visit(node.args[0]))
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        """Refuse a generator that is not summed up."""
        raise self._fault(node, "a generator in parentheses does not compile; use a list, [... for ... in ...]")


def _is_starred(node: ast.expr) -> bool:
    return isinstance(node, ast.Starred)


def _list_of(node: ast.GeneratorExp) -> ast.ListComp:
    return ast.copy_location(ast.ListComp(node.elt, node.generators), node)


def _called(node: ast.AST) -> str:
    """Return the name of what is called; empty where it has none."""
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _list_of_calls(function: ast.expr | None, values: ast.expr) -> ast.ListComp:
    """Return the list of what a function, or a lambda, gives for some values; None is for the values themselves."""
    name: ast.expr = ast.Name("_each", ast.Load())
    target: ast.expr = ast.Name("_each", ast.Store())
    element = name if function is None else ast.Call(function, [name], [])
    if isinstance(function, ast.Lambda):
        target = ast.Name(function.args.args[0].arg, ast.Store())
        element = function.body
    made = ast.ListComp(element, [ast.comprehension(target, copy.deepcopy(values), [], 0)])
    return ast.fix_missing_locations(ast.copy_location(made, values))
