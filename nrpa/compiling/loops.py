"""The loops of a cost as loops over whole numbers: what goes through its sequence, or a table, reads it by place.

``sum``, ``max`` and ``min`` of a generator become loops, too, and lists of one length arrays. All means what it meant.
"""

from __future__ import annotations

import ast
import copy
import itertools
import re
import sys
from collections import Counter
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from nrpa.compiling.attributes import as_given
from nrpa.compiling.containers import OfSequence
from nrpa.compiling.ends import Ended, ended, without
from nrpa.compiling.trees import assigned, is_name, known, names_in, nodes_of, placed

FILLED = "_nrpa_filled"
_FIELDS = ("value", "test", "iter")
_OF_LISTS = ("len", "sum", "enumerate", "zip", "reversed", "pairwise", "max", "min")
_WITHOUT_EFFECT = (*_OF_LISTS, "abs", "range", "int", "float", "round")
# A sum of decimals in a list is made otherwise than one in an array, and than by +, since Python 3.12.
ADDS_PLAINLY = sys.version_info < (3, 12)


class Stretch(NamedTuple):
    """What a loop is over: ``size`` elements of a name from ``begin`` on, after ``period`` of them from 0 on."""

    name: str
    begin: int
    size: int
    period: int = 0


def rectangle_of(value: Any) -> np.ndarray | None:
    """Return the array that a list, or an array, of a module is in machine code; None where it is none."""
    held = as_given(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    table: Any = held.array if isinstance(held, OfSequence) else held
    is_table = isinstance(table, np.ndarray) and table.ndim and table.size and table.dtype.kind in "iuf"
    return table if is_table else None


class Loops(ast.NodeTransformer):
    """Rewrites the tree of a cost of a sequence of so many places.

    - ``sequence``: The name of the sequence; empty where the tree is left as it is.
    - ``read``: What names stand for that the function reads and does not set.
    - ``meanings``: The same, lists of numbers as arrays.
    - ``cells``: How long lists of one length are that hold nothing but numbers, by name.
    """

    def __init__(self, function: FunctionType, tree: ast.Module, places: int) -> None:
        self._tree, self._depth, self._within, self._number = tree, 0, True, 0
        definition: Any = tree.body[0]
        self._stored, names = names_in(definition, ast.Store), names_in(definition, ast.Load)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        scope = {**function.__globals__, **{name: cell.cell_contents for name, cell in cells}}
        own = [each.arg for each in nodes_of(definition.args) if isinstance(each, ast.arg)]
        inner = [each for each in nodes_of(definition) if isinstance(each, (ast.FunctionDef, ast.Lambda, ast.Match))]
        are_ours = any(re.fullmatch(r"_(at|list|sum|max|min)\d.*|_[kl]", name) for name in names | self._stored)
        are_others = {"len", "range"} & {*scope, *self._stored} or definition.args.vararg
        is_alone = len(own) == len(inner) == 1 and function.__name__ not in names and not (are_ours or are_others)
        self.sequence = own[0] if is_alone else ""
        self.read = {name: scope[name] for name in names & scope.keys() - self._stored - {*own}}
        tables = {name: table for name, value in self.read.items() if (table := rectangle_of(value)) is not None}
        self.meanings = {**self.read, **tables}
        self._lengths = {name: len(table) for name, table in tables.items()}
        self._lengths |= {self.sequence: places} if self.sequence not in self._stored else {}
        numbers = {name: value for name, value in self.read.items() if type(value) is int}
        _Known(numbers, self._lengths).visit(tree)
        self._ended = self._with_ends(definition, places)
        self._lengths |= {name: each.size for name, each in self._ended.items()}
        _Known({}, self._lengths).visit(tree)
        counts = Counter(each.id for each in nodes_of(definition) if is_name(each, ast.Store))
        definition.body = [part for each in definition.body for part in self._split(each)]
        for k, each in enumerate(definition.body):
            number = known(each.value) if isinstance(each, ast.Assign) and is_name(each.targets[0]) else None
            if number is not None and counts[each.targets[0].id] == 1:
                _Known({each.targets[0].id: number}, {}).visit(ast.Module(definition.body[k + 1 :], []))
        self.cells = self._cells(definition)
        self._lengths |= self.cells
        makers = (ast.List, ast.ListComp, ast.Call, ast.Set, ast.Dict)
        self._lists = set[str]()
        for line in [each for each in nodes_of(definition) if isinstance(each, ast.Assign)] * 2:
            if names_in(line.value, ast.Load) & self._lists or any(isinstance(each, makers) for each in nodes_of(line)):
                self._lists |= names_in(line, ast.Store)

    def rewritten(self, within: bool) -> ast.Module:
        """Return the tree rewritten; sums and extremes ``within`` loops, too, or those around all loops alone."""
        tree, self._within = copy.deepcopy(self._tree), within
        return ast.fix_missing_locations(without(self.visit(tree), self._ended) if self.sequence else tree)

    def _called(self, node: Any) -> str:
        """Return the name of the function of Python that is called; empty where there is none."""
        text = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        base = self.read.get(text.split(".")[0])
        if base is itertools.pairwise or (base is itertools and text.endswith(".pairwise")):
            return "pairwise"
        return text if base is None and text not in self._stored else ""

    def _cells(self, definition: Any) -> dict[str, int]:
        """Return the lists that begin as one number many times, of which parts alone are read, written or gone over."""
        made, allowed, targets = dict[str, set[Any]](), Counter[str](), list[Any]()
        for node in nodes_of(definition):
            inside: list[Any] = []
            targets += getattr(node, "targets", [getattr(node, "target", None)])
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and (found := self._repeated(node.value)):
                inside = node.targets
                made.setdefault(ast.unparse(inside[0]), set()).add((type(found[0]), found[1]))
            elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
                inside = [node.value] if isinstance(node.ctx, ast.Load) or node in targets else []
            elif isinstance(node, ast.Call) and self._called(node) in _OF_LISTS[: 6 + 2 * (len(node.args) == 1)]:
                inside = node.args
            elif isinstance(node, (ast.For, ast.comprehension)):
                inside = [node.iter]
            allowed.update(each.id for each in inside if is_name(each))
        every = Counter(each.id for each in nodes_of(definition) if is_name(each))
        return {name: min(kinds)[1] for name, kinds in made.items() if len(kinds) == 1 and every[name] == allowed[name]}

    def _with_ends(self, definition: Any, places: int) -> dict[str, Ended]:
        """Return the lists that are the sequence between ends, if they are read alone; those without a name get one."""
        found, nodes = dict[str, Ended](), [*nodes_of(definition)] if self.sequence in self._lengths else []
        reads = [node.value for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)]
        for node in nodes:
            is_call = self._called(node) in _OF_LISTS
            given = node.args if is_call else [node.iter] if isinstance(node, (ast.For, ast.comprehension)) else []
            reads += given
            for k, value in enumerate(given):
                if isinstance(value, (ast.List, ast.BinOp)) and (made := ended(value, self.sequence, places)):
                    name = self._fresh("list")
                    definition.body.insert(0, assigned(ast.Name(name, ast.Store()), value, value))
                    given[k], found[name] = placed(ast.Name(name, ast.Load()), value), made
            if not is_call and given:
                (node.iter,) = given
        read, every = (Counter(each.id for each in some if is_name(each)) for some in (reads, nodes))
        for line in definition.body if nodes else ():
            name = ast.unparse(line.targets[0]) if isinstance(line, ast.Assign) and len(line.targets) == 1 else ""
            made = ended(line.value, self.sequence, places) if name and every[name] == read[name] + 1 else None
            found |= {name: made} if made else {}
        return found

    def _repeated(self, node: Any) -> tuple[int | float, int] | None:
        """Return the number that a list holds many times, and how many; None where it is no such list."""
        element = size = None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            values: Any = node.left if isinstance(node.left, ast.List) else node.right
            element = values.elts[0] if isinstance(values, ast.List) and len(values.elts) == 1 else None
            size = known(node.right if values is node.left else node.left)
        elif isinstance(node, ast.ListComp) and len(node.generators) == 1 and not node.generators[0].ifs:
            element, values = node.elt, node.generators[0].iter
            size = known(values.args[0]) if self._called(values) == "range" and len(values.args) == 1 else None
        kinds = (int, float) if ADDS_PLAINLY else (int,)
        is_number = isinstance(element, ast.Constant) and type(element.value) in kinds
        return (element.value, size) if is_number and (size or 0) > 0 else None  # type: ignore[return-value, union-attr]

    def _split(self, line: Any) -> list[ast.stmt]:
        """Return one line for each name that is set to what reads none of the function's own."""
        target = line.targets[0] if isinstance(line, ast.Assign) and len(line.targets) == 1 else None
        if not isinstance(target, ast.Tuple) or not isinstance(line.value, ast.Tuple):
            return [line]
        if len(target.elts) != len(line.value.elts) or self._stored & names_in(line.value, ast.Load):
            return [line]
        return [assigned(name, each, line) for name, each in zip(target.elts, line.value.elts, strict=True)]

    def visit(self, node: Any) -> Any:
        """Rewrite the lines that a node has."""
        is_loop = isinstance(node, (ast.For, ast.While))
        self._depth += is_loop
        for field in ("body", "orelse"):
            if isinstance(lines := getattr(node, field, None), list):
                setattr(node, field, [part for each in lines for part in self._line(each)])
        self._depth -= is_loop
        return node

    def _line(self, line: Any) -> list[ast.stmt]:
        before = list[ast.stmt]()
        if (self._within or not self._depth) and not isinstance(line, ast.While):
            own = {field: value for field in _FIELDS if isinstance(value := getattr(line, field, None), ast.expr)}
            if all(self._may_be_sooner(node) for value in own.values() for node in nodes_of(value)):
                for field, value in own.items():
                    setattr(line, field, self._hoisted(value, before))
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) in self.cells:
            made = ast.Call(ast.Name(FILLED, ast.Load()), [*map(ast.Constant, self._repeated(line.value) or ())], [])
            line.value = placed(made, line)
        if isinstance(line, ast.For) and not (self._called(line.iter) == "range" and is_name(line.target)):
            place, anew = self._fresh("at"), {name for each in line.body for name in names_in(each, ast.Store)}
            found = self._over(line.target, line.iter, ast.Name(place, ast.Load()), line)
            if found and not anew & names_in(line.iter, ast.Load):
                line.target, line.body = ast.Name(place, ast.Store()), [*found[1], *line.body]
                line.iter = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(found[0])], [])
                placed(line, line)
        return [*(part for each in before for part in self._line(each)), self.visit(line)]

    def _fresh(self, name: str) -> str:
        self._number += 1
        return f"_{name}{self._number}"

    def _over(self, target: Any, values: Any, place: ast.expr, node: ast.AST) -> Any:
        """Return how many elements a loop is over, and the lines that set its target by a place; None if not known."""
        called, width = self._called(values), len(target.elts) if isinstance(target, ast.Tuple) else 0
        given = [] if not called or any(each.arg != "strict" for each in values.keywords) else values.args
        if called == "enumerate" and width == 2 and len(given) in (1, 2):
            start, found = known([*given, ast.Constant(0)][1]), self._over(target.elts[1], given[0], place, node)
            number = ast.BinOp(place, ast.Add(), ast.Constant(start)) if start else place
            line = assigned(target.elts[0], number, node, is_index=True)
            return None if found is None or start is None else (found[0], [line, *found[1]])
        if called in ("zip", "pairwise") and width:
            runs = [self._run(each) for each in given]
            if called == "pairwise":
                runs += [each and each._replace(begin=each.begin + 1, size=each.size - 1) for each in runs]
            if len(runs) != width or None in runs:
                return None
            parts = [self._elements(each, run, place, node) for each, run in zip(target.elts, runs, strict=True)]
            counts = {each.size for each in runs if each}
            is_known = None not in parts and (not values.keywords or len(counts) == 1)
            return (min(counts), [line for each in parts for line in each[1]]) if is_known else None
        if called == "reversed" and len(given) == 1 and (run := self._run(given[0])):
            return self._elements(target, run, ast.BinOp(ast.Constant(run.size - 1), ast.Sub(), place), node)
        return self._elements(target, self._run(values), place, node)

    def _elements(self, target: Any, run: Stretch | None, place: ast.expr, node: ast.AST) -> Any:
        """Return how many elements a run has, and the lines that set a target to one of them."""
        if run is None:
            return None
        at: ast.expr = ast.BinOp(place, ast.Add(), ast.Constant(run.begin)) if run.begin else place
        at = ast.BinOp(at, ast.Mod(), ast.Constant(run.period)) if run.period else at
        element = ast.Subscript(ast.Name(run.name, ast.Load()), at, ast.Load())
        if is_name(target):
            return run.size, [assigned(target, element, node)]
        table, names = self.meanings.get(run.name), getattr(target, "elts", [])
        if not isinstance(table, np.ndarray) or table.shape[1:2] != (len(names),) or not all(map(is_name, names)):
            return None
        parts = [ast.Subscript(element, ast.Constant(k), ast.Load()) for k in range(len(names))]
        return run.size, [assigned(name, part, node) for name, part in zip(names, parts, strict=True)]

    def _run(self, node: Any) -> Any:
        """Return which elements of what a loop is over: ``x``, ``x[1:]``, ``x[:-1]``, ``x[1:] + x[:1]``."""
        if is_name(node):
            return Stretch(node.id, 0, self._lengths[node.id]) if node.id in self._lengths else None
        if isinstance(node, ast.List) and len(node.elts) == 1 and isinstance(node.elts[0], ast.Subscript):
            one, at = self._run(node.elts[0].value), known(node.elts[0].slice)
            is_there = one and at is not None and is_name(node.elts[0].value) and -one.size <= at < one.size
            return one._replace(begin=at % one.size, size=1) if is_there else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and is_name(node.value):
            whole, ends = self._run(node.value), [node.slice.lower, node.slice.upper]
            if not whole or node.slice.step is not None or any(each and known(each) is None for each in ends):
                return None
            places = range(whole.size)[slice(*(each and known(each) for each in ends))]  # type: ignore[arg-type]
            return whole._replace(begin=places.start, size=len(places))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            one, other = self._run(node.left), self._run(node.right)
            is_list = one and other and one.name == other.name and not isinstance(self.read.get(one.name), np.ndarray)
            length = self._lengths[one.name] if is_list else 0
            if length and not one.period and not other.period and other.begin == (one.begin + one.size) % length:
                return one._replace(size=one.size + other.size, period=length)
        return None

    # Generators.

    def _may_be_sooner(self, node: ast.AST) -> bool:
        """Return whether a node has no effect: on lists of the function's own, by a call, or on a name."""
        changes = isinstance(node, ast.Call) and self._called(node) not in _WITHOUT_EFFECT
        return not isinstance(node, ast.NamedExpr) and not (changes and names_in(node, ast.Load) & self._lists)

    def _hoisted(self, node: Any, before: list[ast.stmt]) -> Any:
        """Return an expression with names in place of sums and extremes, whose loops are put before its line."""
        called, given = self._called(node), getattr(node, "args", [])
        if called in ("sum", "max", "min") and len(given) == 1 and not node.keywords:
            if is_name(given[0]) and given[0].id in self.cells:
                each = ast.Name("each", ast.Store())
                given = [ast.GeneratorExp(ast.Name("each", ast.Load()), [ast.comprehension(each, given[0], [], 0)])]
            if isinstance(given[0], (ast.GeneratorExp, ast.ListComp)):
                return self._looped(called, placed(given[0], node), before)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Tuple)) or (
            isinstance(node, ast.Compare) and not node.ops[1:]
        ):
            for field, value in ast.iter_fields(node):
                if isinstance(value, ast.expr):
                    setattr(node, field, self._hoisted(value, before))
                elif isinstance(value, list) and field != "ops":
                    setattr(node, field, [self._hoisted(each, before) for each in value])
        elif called in ("abs", "max", "min", "int", "float", "round"):
            node.args = [self._hoisted(each, before) for each in given]
        return node

    def _looped(self, called: str, values: Any, before: list[ast.stmt]) -> ast.expr:
        """Put the loop of a generator before a line; return the name of its sum, or of its extreme."""
        name, first = self._fresh(called), values.generators[0].iter
        names = {each for one in values.generators for each in names_in(one.target, ast.Store)}
        values = copy.deepcopy(values)
        for each in nodes_of(values):
            if is_name(each) and each.id in names:
                each.id = f"{name}_{each.id}"
        values.generators[0].iter = first
        text = f"{name} = 0\n{name} += 0"
        if called != "sum":
            sign = ">" if called == "max" else "<"
            text = (
                f"{name} = 0\n{name}_empty = True\n{name}_value = 0\nif {name}_empty or {name}_value {sign} {name}:\n"
            )
            text += f"    {name} = {name}_value\n    {name}_empty = False\nif {name}_empty:\n    raise ValueError"
        lines: list[Any] = ast.parse(text).body
        for each in (each for line in lines for each in nodes_of(line) if hasattr(each, "lineno")):
            del each.lineno
        begin, end = (1, 2) if called == "sum" else (2, 4)
        body = lines[begin:end]
        body[0].value = values.elt
        if called == "sum":
            body[0].is_total = True
        for each in reversed(values.generators):
            for test in reversed(each.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(each.target, each.iter, body, [])]
        before += [placed(line, values) for line in [*lines[:begin], *body, *lines[end:]]]
        return placed(ast.Name(name, ast.Load()), values)  # type: ignore[no-any-return]


class _Known(ast.NodeTransformer):
    """Puts numbers in place of names, of lengths, and of what is made of them."""

    def __init__(self, numbers: dict[str, int], lengths: dict[str, int]) -> None:
        self._numbers, self._lengths = numbers, lengths

    def visit(self, node: Any) -> Any:
        """Return a node with numbers for what is known."""
        number = None
        if is_name(node, ast.Load):
            number = self._numbers.get(node.id)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "len" and len(node.args) == 1:
            number = self._lengths.get(ast.unparse(node.args[0]))
        elif isinstance(node := self.generic_visit(node), (ast.BinOp, ast.UnaryOp)):
            sides = [
                known(getattr(node, field, node.op)) for field in ("left", "right", "operand") if hasattr(node, field)
            ]
            if None not in sides and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.USub)):
                number = eval(compile(ast.fix_missing_locations(ast.Expression(copy.deepcopy(node))), "", "eval"))
        return node if number is None else ast.copy_location(ast.Constant(number), node)
