"""What needs no check in machine code, since the numbers that it is given are known: indexes, and sums within 64 bits.

References
----------
P. Cousot and R. Cousot, *Static Determination of Dynamic Properties of Programs*, 1976: intervals of variables.
"""

from __future__ import annotations

import ast
import functools
import operator
from collections import Counter
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from nrpa.compiling.loops import FILLED, rectangle_of
from nrpa.compiling.trees import names_in, nodes_of

# Numbers of this size are added, and compared, within 64 bits.
MOST = 2**62
_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_OF_RANGES: dict[str, Any] = {"abs": abs, "min": min, "max": max}
_PLAIN = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Pass)


class Grown(NamedTuple):
    """Numbers that some names have, and some more or less; or ``others``, an interval that does not depend on them."""

    least: int
    most: int
    others: Any = None


class Cells(NamedTuple):
    """A list of so many numbers: what they are."""

    size: int
    numbers: Any


class _Definition(NamedTuple):
    """What a name is set to by a line, how often that is at most, and the intervals of the loops around it."""

    value: Any
    times: int | None
    around: dict[str, Any]


class Intervals:
    """The intervals of the whole numbers that lines compute; ``is_safe`` if no index leaves its table.

    A name has one interval, which holds wherever it is read. Names that depend on themselves grow by so much at most,
    each time that a line sets them. A line that cannot leave 64 bits is marked ``is_proven``, and a part of a table
    ``is_within``, with ``is_from_0`` where no index counts from the end.

    Parameters
    ----------
    scope : dict
        What names that the lines do not set stand for.
    sequence : str
        The name of the sequence.
    ranges : ndarray of int64, shape (2, places)
        The least and the most that it may have at each place.
    known : dict of str to (int, int)
        The least and the most that other names stand for.
    """

    def __init__(
        self, scope: dict[str, Any], sequence: str, ranges: np.ndarray, known: dict[str, tuple[int, int]]
    ) -> None:
        self._scope, self._names = scope, dict[str, Any](known)
        self._names[sequence] = ranges, 1
        self._index = dict[str, Any]()
        self.is_safe, self._is_known, self._returned = True, True, list[Any]()
        self._definitions = dict[str, list[_Definition]]()
        self._lines, self._sizes, self._kept = list[tuple[Any, Any]](), dict[str, int](), dict[int, Any]()

    @property
    def largest(self) -> int | None:
        """The largest size of what is returned, None if that is not known."""
        return max(map(abs, chain(*self._returned))) if all(map(_is_interval, self._returned)) else None

    def lines(self, lines: list[Any]) -> None:
        """Go through some lines."""
        every = [each for line in lines for each in nodes_of(line)]
        stored = Counter(each.id for each in every if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        self._names |= dict.fromkeys(stored)
        stored.subtract(each.target.id for each in every if isinstance(each, ast.For) and hasattr(each.target, "id"))
        self._set_elsewhere = {name for name, count in stored.items() if count}
        self._collect(lines, 1)
        self._names |= {name: self._held(name, None) for name in self._definitions}
        left = {*self._definitions}
        while left:
            groups = [*({name} for name in sorted(left)), left]
            found = next((each for each in map(self._solved, groups) if each), None)
            if not found:
                break
            self._names.update(found)
            left = left - found.keys()
        self.is_safe = self._is_known
        self._set_after(lines, {*self._names} - {*stored})
        for line, index in self._lines:
            self._index = index
            value = self._of(line.value or ast.Constant(None) if isinstance(line, ast.Return) else line)
            if isinstance(line, ast.Return):
                self._returned.append(value)

    def _set_after(self, lines: list[Any], known: set[str]) -> set[str]:
        """Return which names are set after some lines; it is not safe to read another one."""
        for line in lines:
            read = names_in(getattr(line, "iter", getattr(line, "test", line)), ast.Load)
            read |= names_in(line.target, ast.Store) if isinstance(line, ast.AugAssign) else set()
            self.is_safe &= read & {*self._names} <= known
            if isinstance(line, ast.If):
                known = self._set_after(line.body, known) & self._set_after(line.orelse, known)
            elif isinstance(line, (ast.For, ast.While)):
                self._set_after(line.body, known | names_in(getattr(line, "target", ast.Pass()), ast.Store))
                self._set_after(line.orelse, known)
            elif isinstance(line, (ast.Return, ast.Raise, ast.Continue, ast.Break)):
                return {*self._names}
            else:
                known = known | names_in(line, ast.Store)
        return known

    def _collect(self, lines: list[Any], times: int | None) -> None:
        """Note what lines set, and which expressions they have; ``times`` says how often they are reached at most."""
        for line in lines:
            if isinstance(line, ast.For):
                index, passes = self._passes(line.iter)
                self._lines.append((line.iter, self._index))
                around, name = self._index, line.target.id if isinstance(line.target, ast.Name) else ""
                within = {each for part in line.body for each in names_in(part, ast.Store)}
                if name and index is not None and name not in self._set_elsewhere | within:
                    self._index = {**around, name: index}
                else:
                    self._note(line.target, None, None)
                self._collect(line.body, None if times is None or passes is None else times * passes)
                self._index = around
                self._collect(line.orelse, times)
            elif isinstance(line, (ast.If, ast.While)):
                self._lines.append((line.test, self._index))
                self._collect(line.body, times if isinstance(line, ast.If) else None)
                self._collect(line.orelse, times)
            elif isinstance(line, ast.Assign):
                self._lines.append((line.value, self._index))
                for target in line.targets:
                    self._note(target, line.value, times)
            elif isinstance(line, ast.AugAssign):
                self._lines.append((line, self._index))
                self._note(line.target, line, times)
            elif isinstance(line, (ast.Return, ast.Expr)):
                self._lines.append((line, self._index))
            elif not isinstance(line, (ast.Pass, ast.Continue, ast.Break, ast.Raise)):
                self._is_known = False
                self._note(line, None, None)

    def _note(self, target: Any, value: Any, times: int | None) -> None:
        """Note that a target is set to a value, None for one that is not known."""
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for each, part in zip(target.elts, value.elts, strict=True):
                self._note(each, part, times)
            return
        names = [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]
        if isinstance(target, ast.Subscript):
            self._lines.append((target, self._index))
            names = [target.value.id] if isinstance(target.value, ast.Name) else names
        elif not isinstance(target, ast.Name):
            value = None
            self._is_known &= not any(isinstance(each, ast.Subscript) for each in nodes_of(target))
        if isinstance(value, ast.Call) and ast.unparse(value.func) == FILLED:
            self._sizes[names[0]] = value.args[1].value  # type: ignore[attr-defined]
        for name in names:
            self._definitions.setdefault(name, []).append(_Definition(value, times, self._index))

    def _passes(self, values: Any) -> tuple[Any, int | None]:
        """Return the interval of the index of a loop, and how many passes it has at most; None where not known."""
        is_range = isinstance(values, ast.Call) and ast.unparse(values.func) == "range" and not self._is_own("range")
        ends: list[Any] = [self._of(each) for each in values.args] if is_range else [None]
        step = ends.pop() if len(ends) == 3 else (1, 1)
        begin, end = [(0, 0), *ends][-2:]
        if not all(map(_is_interval, (begin, end, step))) or step not in ((1, 1), (-1, -1)):
            return None, None
        low, high = (begin[0], end[1] - 1) if step == (1, 1) else (end[0] + 1, begin[1])
        return (low, max(low, high)), max(high - low + 1, 0)

    def _is_own(self, name: str) -> bool:
        return name in self._names or name in self._scope or name in self._index

    def _held(self, name: str, numbers: Any) -> Any:
        """Return what a name stands for: numbers, or a list of them."""
        return Cells(self._sizes[name], numbers) if name in self._sizes else numbers

    def _solved(self, group: set[str]) -> dict[str, Any]:
        """Return what the names of a group stand for that depend on each other, or of some of them; empty for none."""
        while group:
            self._names |= {name: self._held(name, Grown(0, 0)) for name in group}
            found = {name: [*map(self._value, self._definitions[name])] for name in group}
            self._names |= {name: self._held(name, None) for name in group}
            values = [each for name in group for each in found[name]]
            if len(values) == 1 and _is_table(values[0]):
                return dict.fromkeys(group, values[0])
            known = {name for name, values in found.items() if all(map(_is_number, values))}
            if known == group:
                break
            group = known
        least = most = 0
        union: Any = None
        for name in group:
            for value, each in zip(found[name], self._definitions[name], strict=True):
                growth = value if isinstance(value, Grown) else Grown(0, 0, value)
                if each.times is None and (growth.least < 0 or growth.most > 0):
                    return {}
                least += min(growth.least, 0) * (each.times or 0)
                most += max(growth.most, 0) * (each.times or 0)
                union = _union(union or growth.others, growth.others or union)
        if union is None:
            return {}
        return {name: self._held(name, (union[0] + least, union[1] + most)) for name in group}

    def _value(self, definition: _Definition) -> Any:
        """Return what a line sets a name to."""
        self._index = definition.around
        found = None if definition.value is None else self._of(definition.value)
        return found.numbers if isinstance(found, Cells) else found

    def _of(self, node: Any) -> Any:
        """Return the interval of an expression, a part of a table with the axis of its next index, or None."""
        if isinstance(node, ast.Constant):
            return (node.value, node.value) if type(node.value) is int and abs(node.value) < MOST else None
        if isinstance(node, ast.Name):
            known = self._index.get(node.id, self._names.get(node.id))
            return known if node.id in self._names or node.id in self._index else _meaning(self._scope.get(node.id))
        if isinstance(node, ast.BinOp):
            return self._combined(node, self._of(node.left), self._of(node.right))
        if isinstance(node, ast.AugAssign):
            return self._combined(node, self._of(node.target), self._of(node.value))
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.NamedExpr)):
            self.is_safe = False
            return None
        parts = [self._of(each) for each in ast.iter_child_nodes(node) if not isinstance(each, _PLAIN)]
        if isinstance(node, ast.IfExp):
            return _union(*parts[1:])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and _is_interval(parts[0]):
            return -parts[0][1], -parts[0][0]
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if name == FILLED:
            return Cells(node.args[1].value, parts[1])
        if len(parts) == 2 and isinstance(parts[1], Cells) and name in ("len", "min", "max") and not self._is_own(name):
            return (parts[1].size,) * 2 if name == "len" else parts[1].numbers
        if name == "len" and len(parts) == 2 and isinstance(parts[1], tuple) and isinstance(parts[1][0], np.ndarray):
            return (parts[1][0].shape[parts[1][1]],) * 2
        if name not in _OF_RANGES or self._is_own(name) or node.keywords or len(parts) < 2 + (name != "abs"):
            return None
        if name != "abs" and any(isinstance(each, Grown) for each in parts[1:]):
            return functools.reduce(_union, parts[1:])
        if not all(map(_is_interval, parts[1:])):
            return None
        ends = [_OF_RANGES[name](*each) for each in zip(*parts[1:], strict=True)]
        return (0, max(ends)) if name == "abs" else tuple(ends)

    def _combined(self, node: Any, one: Any, other: Any) -> Any:
        """Return the interval of a sum, a difference, a product or a remainder."""
        node.is_proven = False
        if isinstance(other, Grown) and isinstance(node.op, ast.Add):
            one, other = other, one
        if isinstance(one, Grown) and isinstance(node.op, (ast.Add, ast.Sub)) and _is_interval(other):
            low, high = other if isinstance(node.op, ast.Add) else (-other[1], -other[0])
            others = one.others and (one.others[0] + low, one.others[1] + high)
            return Grown(one.least + low, one.most + high, others)
        if not _is_interval(one) or not _is_interval(other):
            return None
        if isinstance(node.op, ast.Mod) and other[0] == other[1] > 0:
            return 0, other[1] - 1
        if isinstance(node.op, ast.FloorDiv) and other[0] == other[1] > 0:
            return one[0] // other[0], one[1] // other[0]
        if type(node.op) not in _ARITHMETIC:
            return None
        ends = [_ARITHMETIC[type(node.op)](a, b) for a in one for b in other]
        node.is_proven = min(ends) > -MOST and max(ends) < MOST
        return (min(ends), max(ends)) if node.is_proven else None

    def _item(self, node: Any) -> Any:
        """Return what a part of a table is, whose indexes must be within it."""
        found, is_from_0, node.is_within = self._of(node.value), True, False
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            at = self._of(index)
            is_table = isinstance(found, tuple) and isinstance(found[0], np.ndarray)
            size = found[0].shape[found[1]] if is_table else found.size if isinstance(found, Cells) else 0
            if not _is_interval(at) or not -size <= at[0] <= at[1] < size:
                self.is_safe = False
                return None
            is_from_0 = is_from_0 and at[0] >= 0
            if isinstance(found, Cells):
                found = found.numbers
                continue
            table, axis = found
            table = table.take([at[0]], axis) if at[0] == at[1] else table
            found = (table, axis + 1) if axis + 1 < table.ndim else self._entries(table)
        node.is_within, node.is_from_0 = True, is_from_0
        return found

    def _entries(self, table: np.ndarray) -> Any:
        """Return the interval of a table's entries; None where NumPy computes with them in another way."""
        if table.dtype != np.int64:
            return None
        if id(table) not in self._kept:
            self._kept[id(table)] = table, (int(table.min()), int(table.max()))
        least, most = self._kept[id(table)][1]
        return (least, most) if least > -MOST and most < MOST else None


def _is_interval(value: Any) -> bool:
    return type(value) is tuple and not isinstance(value[0], np.ndarray)


def _is_table(value: Any) -> bool:
    return type(value) is tuple and isinstance(value[0], np.ndarray)


def _is_number(value: Any) -> bool:
    return _is_interval(value) or isinstance(value, Grown)


def _union(one: Any, other: Any) -> Any:
    """Return what is one of two; None where one is unknown."""
    if _is_interval(one) and _is_interval(other):
        return min(one[0], other[0]), max(one[1], other[1])
    if not _is_number(one) or not _is_number(other):
        return None
    both = [each if isinstance(each, Grown) else Grown(0, 0, each) for each in (one, other)]
    grown = [each for each in (one, other) if isinstance(each, Grown)]
    others = [each.others for each in both if each.others is not None]
    least, most = min(each.least for each in grown), max(each.most for each in grown)
    return Grown(least, most, functools.reduce(_union, others) if others else None)


def _meaning(value: Any) -> Any:
    """Return what a value is of a module, or of a function around: an interval, a table, or None."""
    if type(value) is int and abs(value) < MOST:
        return value, value
    table = rectangle_of(value)
    return None if table is None else (table, 0)
