"""The loops of a cost as loops over whole numbers: what goes through its sequence, or a table, reads it by place.

``sum``, ``max`` and ``min`` of a generator become loops, too, and lists of one length become arrays. All of it means
the same in Python.
"""

from __future__ import annotations

import ast
import copy
import itertools
import sys
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from nrpa.compiling.attributes import as_given
from nrpa.compiling.containers import OfSequence
from nrpa.compiling.idioms import filled

FILLED = "_nrpa_filled"
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv)
# What has no effect, and what sees no more of a list than its numbers.
_WITHOUT_EFFECT = (abs, sum, max, min, len, range, zip, enumerate, int, float, round, reversed, itertools.pairwise)
_OF_LISTS = ("len", "sum", "max", "min", "enumerate", "zip", "reversed", "pairwise")


class Run(NamedTuple):
    """What a loop is over: ``count`` elements of a name from ``begin`` on, after ``period`` of them from 0 on."""

    name: str
    begin: int
    count: int
    period: int


def names_in(node: Any, kind: type) -> set[str]:
    """Return the names that are read (``ast.Load``) or set (``ast.Store``) in a tree."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, kind)}


def assigned(target: ast.expr, value: ast.expr, node: ast.AST, is_index: bool = False) -> ast.Assign:
    """Return the line that sets a target, at the place of a node; ``is_index`` where it is the place of a loop."""
    line = ast.Assign([copy.deepcopy(target)], copy.deepcopy(value))
    line.is_index = is_index  # type: ignore[attr-defined]
    return _placed(line, node)  # type: ignore[no-any-return]


def table_of(value: Any) -> np.ndarray | None:
    """Return the array that a list, or an array, of a module is in machine code; None where it is none."""
    held = as_given(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    table = held.array if isinstance(held, OfSequence) else held
    is_table = isinstance(table, np.ndarray) and table.ndim and table.size and table.dtype.kind in "iuf"
    return table if is_table else None  # type: ignore[return-value]


def scope_of(function: FunctionType) -> dict[str, Any]:
    """Return what the names of a function stand for that it does not set."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    scope = {**function.__globals__, **{name: cell.cell_contents for name, cell in cells}}
    own = {*function.__code__.co_varnames, *function.__code__.co_cellvars}
    return {name: value for name, value in scope.items() if name not in own}


class Loops(ast.NodeTransformer):
    """Rewrites the tree of a cost of a sequence of so many places.

    - ``sequence``: The name of the sequence; empty where the tree is left as it is.
    - ``cells``: The names of lists of one length that only hold numbers.
    """

    def __init__(self, function: FunctionType, tree: ast.Module, places: int) -> None:
        self._tree, self._depth, self._within = tree, 0, True
        definition: Any = tree.body[0]
        self.scope, self._number, self._hidden = scope_of(function), 0, set[str]()
        self.cells, self._tables, self._known_names = dict[str, int](), dict[str, np.ndarray](), dict[str, int]()
        own = definition.args.args
        is_plain = len(own) == 1 and not definition.args.vararg and not definition.args.kwonlyargs
        inner = [each for each in ast.walk(definition) if isinstance(each, (ast.FunctionDef, ast.Lambda))]
        names = names_in(definition, ast.Load)
        self.sequence = own[0].arg if is_plain and len(inner) == 1 and function.__name__ not in names else ""
        if not self.sequence:
            return
        self._stored = [each.id for each in ast.walk(definition) if _is_name(each, ast.Store)]
        self.scope = {name: value for name, value in self.scope.items() if name not in self._stored}
        self._lengths = {self.sequence: places} if self.sequence not in self._stored else {}
        for name in names & self.scope.keys():
            if (table := table_of(self.scope[name])) is not None:
                self._tables[name], self._lengths[name] = table, len(table)
        definition.body = [part for each in definition.body for part in self._split(each)]
        for each in definition.body:
            number = self.known(each.value) if isinstance(each, ast.Assign) else None
            if number is not None and _is_name(each.targets[0]) and self._stored.count(each.targets[0].id) == 1:
                self._known_names[each.targets[0].id] = number
        self._find_cells(definition)
        self._made_here = {
            name
            for each in ast.walk(definition)
            if isinstance(each, ast.Assign) and not isinstance(each.value, (ast.Constant, ast.Subscript))
            for name in names_in(ast.Module([ast.Expr(target) for target in each.targets], []), ast.Store)
        }

    def rewritten(self, within: bool) -> ast.Module:
        """Return the tree rewritten; sums and extremes ``within`` loops, too, or those around all loops alone."""
        tree = copy.deepcopy(self._tree)
        if self.sequence:
            self._within = within
            self.visit(tree)
        return ast.fix_missing_locations(tree)

    @property
    def meanings(self) -> dict[str, Any]:
        """What names stand for that the function does not set, lists of numbers as arrays."""
        return {**self.scope, **self._tables}

    # What is known of numbers and lengths.

    def known(self, node: Any) -> int | None:
        """Return the whole number that an expression is, None where that is not known."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.Name):
            found = self._known_names.get(node.id, self.scope.get(node.id))
            return found if type(found) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.known(node.operand)
            return None if number is None else -number
        if self._called(node) == "len" and len(node.args) == 1 and _is_name(node.args[0]):
            return self._lengths.get(node.args[0].id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _OPERATORS):
            sides = self.known(node.left), self.known(node.right)
            if None in sides or (isinstance(node.op, ast.FloorDiv) and not sides[1]):
                return None
            text = ast.Expression(ast.BinOp(*map(ast.Constant, sides[:1]), node.op, ast.Constant(sides[1])))
            return int(eval(compile(ast.fix_missing_locations(text), "", "eval")))
        return None

    def _called(self, node: Any) -> str:
        """Return the name of the function of Python that is called; empty where there is none."""
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) or (_is_name(called) and called.id in self.scope):
            base = self.scope.get(called.value.id) if _is_name(getattr(called, "value", None)) else None
            found = getattr(base, called.attr, None) if isinstance(base, ModuleType) else self.scope.get(ast.unparse(called))
            return "pairwise" if found is itertools.pairwise else ""
        return called.id if _is_name(called) and called.id not in self._stored else ""

    def _find_cells(self, definition: Any) -> None:
        """Find the lists that begin as one number many times, of which parts alone are read, written or gone through."""
        made, uses = dict[str, set[Any]](), dict[str, int]()
        for node in ast.walk(definition):
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and _is_name(node.targets[0]):
                name, found = node.targets[0].id, self._repeated(node.value)
                made.setdefault(name, set()).add(found and (type(found[0]), found[1]))
                uses[name] = uses.get(name, 0) + 1
        for node in ast.walk(definition):
            inside: list[Any] = []
            if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
                inside = [node.value]
            elif self._called(node) in _OF_LISTS and not (isinstance(node, ast.Call) and node.keywords):
                inside = node.args if self._called(node) not in ("max", "min") or len(node.args) == 1 else []
            elif isinstance(node, (ast.For, ast.comprehension)):
                inside = [node.iter]
            for each in inside:
                if _is_name(each) and each.id in uses:
                    uses[each.id] += 1
        for name, kinds in made.items():
            every = sum(isinstance(each, ast.Name) and each.id == name for each in ast.walk(definition))
            if None not in kinds and len(kinds) == 1 and uses[name] == every:
                self.cells[name] = self._lengths[name] = next(iter(kinds))[1]

    def _repeated(self, node: ast.expr) -> tuple[int | float, int] | None:
        """Return the number that a list holds many times, and how many; None where it is no such list."""
        element: Any = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            values, times = (node.left, node.right) if isinstance(node.left, ast.List) else (node.right, node.left)
            size = self.known(times)
            element = values.elts[0] if isinstance(values, ast.List) and len(values.elts) == 1 else None
        elif isinstance(node, ast.ListComp) and len(node.generators) == 1 and not node.generators[0].ifs:
            values, element = node.generators[0].iter, node.elt
            size = self.known(values.args[0]) if self._called(values) == "range" and len(values.args) == 1 else None  # type: ignore[attr-defined]
        # A sum of decimals in a list is made otherwise than one in an array, since Python 3.12.
        kinds = (int,) if sys.version_info >= (3, 12) else (int, float)
        is_number = isinstance(element, ast.Constant) and type(element.value) in kinds
        return (element.value, size) if is_number and size is not None and size > 0 else None

    # Lines.

    def _split(self, line: ast.stmt) -> list[ast.stmt]:
        """Return one line for each name that is set to what reads none of the function's own."""
        target = line.targets[0] if isinstance(line, ast.Assign) and len(line.targets) == 1 else None
        value: Any = getattr(line, "value", None)
        if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(target.elts) != len(value.elts):
            return [line]
        if not all(map(_is_name, target.elts)) or {*self._stored} & names_in(value, ast.Load):
            return [line]
        return [assigned(name, each, line) for name, each in zip(target.elts, value.elts, strict=True)]

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node, and the lines that it has."""
        is_loop = isinstance(node, (ast.For, ast.While))
        self._depth += is_loop
        for field in ("body", "orelse"):
            lines = getattr(node, field, None)
            if isinstance(lines, list):
                setattr(node, field, [part for each in lines for part in self._line(each)])
        self._depth -= is_loop
        return node

    def _line(self, line: ast.stmt) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        is_here = self._within or not self._depth
        if is_here and not isinstance(line, ast.While) and self._may_be_hoisted(line):
            for field in ("value", "test", "iter"):
                if isinstance(getattr(line, field, None), ast.expr):
                    setattr(line, field, self._hoisted(getattr(line, field), before))
        found = self._repeated(line.value) if isinstance(line, ast.Assign) else None
        if found and isinstance(line.targets[0], ast.Name) and line.targets[0].id in self.cells:  # type: ignore[attr-defined]
            made = ast.Call(ast.Name(FILLED, ast.Load()), [*map(ast.Constant, found)], [])
            line.value = _placed(made, line)  # type: ignore[attr-defined]
        if isinstance(line, ast.For):
            self._let_be_of_places(line)
        return [*(part for each in before for part in self._line(each)), self.visit(line)]

    def _let_be_of_places(self, loop: ast.For) -> None:
        if self._called(loop.iter) == "range" and isinstance(loop.target, ast.Name):
            return
        place = self._fresh("at")
        found = self._over(loop.target, loop.iter, ast.Name(place, ast.Load()), loop)
        if found is None:
            return
        loop.target, loop.body = ast.Name(place, ast.Store()), [*found[1], *loop.body]
        loop.iter = _placed(ast.Call(ast.Name("range", ast.Load()), [ast.Constant(found[0])], []), loop.iter)
        _placed(loop.target, loop)

    def _fresh(self, name: str) -> str:
        self._number += 1
        return f"_{name}{self._number}"

    def _over(self, target: Any, values: Any, place: ast.expr, node: ast.AST) -> tuple[int, list[ast.stmt]] | None:
        """Return how many elements a loop is over, and the lines that set its target by a place; None if not known."""
        called, is_pair = self._called(values), isinstance(target, ast.Tuple)
        given = [] if not called or any(each.arg != "strict" for each in values.keywords) else values.args
        if called == "enumerate" and is_pair and len(target.elts) == 2 and len(given) in (1, 2):
            start, found = self.known([*given, ast.Constant(0)][1]), self._over(target.elts[1], given[0], place, node)
            if found is None or start is None:
                return None
            number = ast.BinOp(place, ast.Add(), ast.Constant(start)) if start else place
            return found[0], [assigned(target.elts[0], number, node, is_index=True), *found[1]]
        if called in ("zip", "pairwise") and is_pair:
            runs = [self._run(each) for each in given]
            if called == "pairwise" and runs and (run := runs[0]) is not None and not run.period:
                runs.append(run._replace(begin=run.begin + 1, count=max(run.count - 1, 0)))
            elif called == "pairwise":
                return None
            if len(runs) != len(target.elts):
                return None
            found_all = [self._elements(each, run, place, node) for each, run in zip(target.elts, runs, strict=True)]
            counts = {each[0] for each in found_all if each is not None}
            if None in found_all or not counts or (values.keywords and len(counts) > 1):
                return None
            return min(counts), [line for each in found_all if each is not None for line in each[1]]
        if called == "reversed" and len(given) == 1 and (run := self._run(given[0])) is not None:
            place = ast.BinOp(ast.Constant(run.count - 1), ast.Sub(), place)
            return self._elements(target, run, place, node)
        return self._elements(target, self._run(values), place, node)

    def _elements(self, target: Any, run: Run | None, place: ast.expr, node: ast.AST) -> Any:
        if run is None:
            return None
        at: ast.expr = ast.BinOp(place, ast.Add(), ast.Constant(run.begin)) if run.begin else place
        at = ast.BinOp(at, ast.Mod(), ast.Constant(run.period)) if run.period else at

        def element() -> ast.expr:
            return ast.Subscript(ast.Name(run.name, ast.Load()), copy.deepcopy(at), ast.Load())

        if isinstance(target, ast.Name):
            return run.count, [assigned(target, element(), node)]
        table = self._tables.get(run.name)
        if not isinstance(target, ast.Tuple) or table is None or table.shape[1:2] != (len(target.elts),):
            return None
        if table.dtype.names is not None or not all(map(_is_name, target.elts)):
            return None
        parts = [ast.Subscript(element(), ast.Constant(k), ast.Load()) for k in range(len(target.elts))]
        return run.count, [assigned(name, part, node) for name, part in zip(target.elts, parts, strict=True)]

    def _run(self, node: Any) -> Run | None:
        """Return which elements of what a loop is over: ``x``, ``x[1:]``, ``x[:-1]``, ``x[1:] + x[:1]``."""
        if isinstance(node, ast.Name):
            return Run(node.id, 0, self._lengths[node.id], 0) if node.id in self._lengths else None
        if isinstance(node, ast.List) and len(node.elts) == 1 and isinstance(node.elts[0], ast.Subscript):
            one, at = self._run(node.elts[0].value), self.known(node.elts[0].slice)
            is_there = one is not None and at is not None and not one.begin and -one.count <= at < one.count
            return Run(one.name, at % one.count, 1, 0) if is_there else None  # type: ignore[operator,union-attr]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and _is_name(node.value):
            whole, ends = self._run(node.value), [node.slice.lower, node.slice.upper]
            if whole is None or node.slice.step is not None or any(each and self.known(each) is None for each in ends):
                return None
            places = range(whole.count)[slice(*(each and self.known(each) for each in ends))]
            return Run(whole.name, places.start, len(places), 0)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            first, second = self._run(node.left), self._run(node.right)
            if first is None or second is None or first.name != second.name or first.name in self.cells:
                return None
            length = self._lengths[first.name]
            if second.begin == (first.begin + first.count) % length and not first.period and not second.period:
                return Run(first.name, first.begin, first.count + second.count, length)
        return None

    # Generators.

    def _may_be_hoisted(self, line: ast.stmt) -> bool:
        """Return whether the parts of a line may be evaluated in another order."""
        own = [getattr(line, field) for field in ("value", "test", "iter") if isinstance(getattr(line, field, None), ast.expr)]
        for node in (node for each in own for node in ast.walk(each)):
            if isinstance(node, ast.NamedExpr):
                return False
            if isinstance(node, ast.Call) and not self._has_no_effect(node):
                return False
        return True

    def _has_no_effect(self, node: ast.Call) -> bool:
        found: Any = None
        if isinstance(node.func, ast.Name):
            found = self.scope.get(node.func.id, None if node.func.id in self._stored else _builtin(node.func.id))
        elif isinstance(node.func, ast.Attribute) and _is_name(node.func.value):
            base = self.scope.get(node.func.value.id)
            found = getattr(base, node.func.attr, None) if isinstance(base, ModuleType) else None
        if found in _WITHOUT_EFFECT or getattr(found, "__module__", "") == "math":
            return True
        lists = {name for each in node.args for name in names_in(each, ast.Load)} & self._made_here
        return isinstance(found, FunctionType) and not lists

    def _hoisted(self, node: Any, before: list[ast.stmt]) -> Any:
        """Return an expression with names in place of sums and extremes, whose loops are put before its line."""
        called, given = self._called(node), getattr(node, "args", [])
        if called in ("sum", "max", "min") and len(given) == 1 and not node.keywords:
            values = given[0]
            if isinstance(values, ast.Name) and values.id in self.cells:
                each = self._fresh("each")
                loop = ast.comprehension(ast.Name(each, ast.Store()), values, [], 0)
                values = _placed(ast.GeneratorExp(ast.Name(each, ast.Load()), [loop]), node)
            if isinstance(values, (ast.GeneratorExp, ast.ListComp)):
                return self._looped(called, values, before)
        if isinstance(node, ast.BinOp):
            node.left, node.right = self._hoisted(node.left, before), self._hoisted(node.right, before)
        elif isinstance(node, ast.UnaryOp):
            node.operand = self._hoisted(node.operand, before)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            node.left, *node.comparators = [self._hoisted(each, before) for each in (node.left, *node.comparators)]
        elif isinstance(node, ast.Tuple):
            node.elts = [self._hoisted(each, before) for each in node.elts]
        elif called in ("abs", "max", "min", "int", "float", "round"):
            node.args = [self._hoisted(each, before) for each in node.args]
        return node

    def _looped(self, called: str, values: Any, before: list[ast.stmt]) -> ast.expr:
        name = self._fresh(called)
        fresh = {
            each: self._fresh(each) for one in values.generators for each in sorted(names_in(one.target, ast.Store))
        }
        first = values.generators[0].iter
        values = _Renamed(fresh).visit(copy.deepcopy(values))
        values.generators[0].iter = first
        load, store = ast.Name(name, ast.Load()), ast.Name(name, ast.Store())
        before.append(assigned(store, ast.Constant(0), values))
        if called == "sum":
            body: list[ast.stmt] = [ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), values.elt)]
        else:
            value, empty = f"{name}_value", f"{name}_empty"
            before.append(assigned(ast.Name(empty, ast.Store()), ast.Constant(True), values))
            sign = ">" if called == "max" else "<"
            text = f"if {empty} or {value} {sign} {name}:\n    {name} = {value}\n    {empty} = False"
            body = [assigned(ast.Name(value, ast.Store()), values.elt, values), *_parsed(text, values)]
        for each in reversed(values.generators):
            for test in reversed(each.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(each.target, each.iter, body, [])]
        before += body
        if called != "sum":
            before += _parsed(f"if {empty}:\n    raise ValueError", values)
        for line in before:
            _placed(line, values)
        return _placed(load, values)  # type: ignore[no-any-return]


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self._names.get(node.id, node.id), node.ctx), node)


def _placed(node: Any, like: Any) -> Any:
    """Return a node whose parts that are nowhere are at the place of another."""
    for each in ast.walk(node):
        if isinstance(each, (ast.stmt, ast.expr)) and not hasattr(each, "lineno"):
            ast.copy_location(each, like)
    return node


def _parsed(text: str, like: Any) -> list[ast.stmt]:
    """Return lines at the place of a node."""
    lines = ast.parse(text).body
    for each in (each for line in lines for each in ast.walk(line)):
        ast.copy_location(each, like)
    return lines


def _is_name(node: Any, kind: type = ast.expr_context) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, kind)


def _builtin(name: str) -> Any:
    return getattr(__builtins__, name, None) if not isinstance(__builtins__, dict) else __builtins__.get(name)
