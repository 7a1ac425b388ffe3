"""What needs no check in machine code, since the numbers that it is given are known: indexes, and sums within 64 bits.

References
----------
P. Cousot and R. Cousot, *Static Determination of Dynamic Properties of Programs*, 1976: intervals of variables.
"""

from __future__ import annotations

import ast
import functools
import operator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from nrpa.compiling.loops import FILLED, table_of

# Numbers of this size are added, and compared, within 64 bits.
MOST = 2**62
_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_OF_RANGES: dict[str, Any] = {"abs": abs, "min": min, "max": max}
_PLAIN = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Pass)


class Grown(NamedTuple):
    """Numbers that names had when a pass of a loop began, and some more or less; or others.

    - ``loop``: The loop.
    - ``least``, ``most``: How much less or more.
    - ``others``: The interval of what does not depend on what was before.
    """

    loop: Any
    least: int
    most: int
    others: Any = None


class Cells(NamedTuple):
    """A list of so many numbers: what they are."""

    size: int
    numbers: Any


class Intervals:
    """The intervals of the whole numbers that lines compute; ``is_safe`` if no index leaves its table.

    A line that cannot leave 64 bits is marked ``is_proven``.

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
        self.is_safe, self._returned = True, list[Any]()
        self._ends, self._known_entries = list[list[dict[str, Any]]](), dict[int, Any]()

    @property
    def largest(self) -> int | None:
        """The largest size of what is returned, None if that is not known."""
        return max(map(abs, chain(*self._returned))) if all(map(_is_interval, self._returned)) else None

    def lines(self, lines: list[Any]) -> bool:
        """Go through some lines; return whether what comes after them is reached."""
        return all(self._line(line) for line in lines)

    def _line(self, line: Any) -> bool:
        if isinstance(line, ast.If):
            self._of(line.test)
            before = dict(self._names)
            is_reached = self.lines(line.body)
            after, self._names = self._names, before
            if not self.lines(line.orelse):
                self._names = after
                return is_reached
            self._names = _joined([self._names, *[after] * is_reached])
        elif isinstance(line, (ast.Assign, ast.AnnAssign)) and line.value is not None:
            value = self._of(line.value)
            for target in getattr(line, "targets", [getattr(line, "target", None)]):
                self._set(target, value)
        elif isinstance(line, ast.AugAssign) and isinstance(line.target, (ast.Name, ast.Subscript)):
            before = self._names.get(line.target.id) if isinstance(line.target, ast.Name) else self._of(line.target)
            self._set(line.target, self._combined(line, before, self._of(line.value)))
        elif isinstance(line, (ast.Return, ast.Raise)):
            if isinstance(line, ast.Return):
                self._returned.append(self._of(line.value))
            return False
        elif isinstance(line, (ast.Continue, ast.Break)) and self._ends:
            self._ends[-1 if isinstance(line, ast.Continue) else -2].append(dict(self._names))
            return False
        elif isinstance(line, ast.For) and (steps := self._steps(line)) is not None:
            self._loop(line, *steps)
            return True
        elif not isinstance(line, ast.Pass) and not (
            isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
        ):
            self.is_safe = False
            stored = [each.id for each in ast.walk(line) if isinstance(each, ast.Name)]
            self._names.update(dict.fromkeys(stored))
        return True

    def _set(self, target: Any, value: Any) -> None:
        """Let a name, or a cell of a list, be something."""
        if isinstance(target, ast.Name):
            self._names[target.id] = value
            return
        if isinstance(target, ast.Tuple):
            values = value if isinstance(value, list) and len(value) == len(target.elts) else [None] * len(target.elts)
            for each, part in zip(target.elts, values, strict=True):
                self._set(each, part)
            return
        held = self._of(target.value) if isinstance(target, ast.Subscript) else None
        self._of(target)
        if isinstance(held, Cells) and isinstance(target.value, ast.Name):
            self._names[target.value.id] = held._replace(numbers=_union(held.numbers, value))
        else:
            self.is_safe = False
            self._names.update(dict.fromkeys(each.id for each in ast.walk(target) if isinstance(each, ast.Name)))

    def _steps(self, line: ast.For) -> tuple[Any, int] | None:
        """Return the interval of the index of a loop, and how many passes it has at most; None where not known."""
        values: Any = line.iter
        is_range = isinstance(values, ast.Call) and ast.unparse(values.func) == "range" and not self._is_own("range")
        if not is_range or not isinstance(line.target, ast.Name) or not 1 <= len(values.args) <= 3 or values.keywords:
            return None
        ends = [self._of(each) for each in values.args]
        step = ends.pop() if len(ends) == 3 else (1, 1)
        begin, end = [(0, 0), *ends][-2:]
        if not all(map(_is_interval, (begin, end, step))) or step not in ((1, 1), (-1, -1)):
            return None
        low, high = (begin[0], end[1] - 1) if step == (1, 1) else (end[0] + 1, begin[1])
        return (low, max(low, high)), max(high - low + 1, 0)

    def _is_own(self, name: str) -> bool:
        return name in self._names or name in self._scope

    def _loop(self, line: ast.For, index: Any, most: int) -> None:
        """Go through a loop of at most so many passes, by how much each of them changes names."""
        before = dict(self._names)
        stored = [
            each.value if isinstance(each, ast.Subscript) else each for each in ast.walk(line) if _is_stored(each)
        ]
        changed = {each.id for each in stored if isinstance(each, ast.Name)}
        left = {each for each in changed - {line.target.id} if _is_number(before.get(each))}  # type: ignore[attr-defined]
        begin, end = dict[str, Any](before), dict[str, Any]()
        begin.update(dict.fromkeys(changed))
        begin[line.target.id] = index  # type: ignore[attr-defined]
        while left:
            for group in [*({each} for each in sorted(left)), left]:
                if growth := self._growth(line, begin, before, set(group)):
                    break
            else:
                break
            least, most_more, union = growth.pop("")
            for name in growth:
                first = _grown(union, least, most_more, max(most - 1, 0))
                last = _grown(union, least, most_more, most)
                is_list = isinstance(before[name], Cells)
                begin[name] = before[name]._replace(numbers=first) if is_list else first
                end[name] = before[name]._replace(numbers=last) if is_list else last
            left = left - growth.keys()
        ends, exits = self._pass(line, begin)
        found = _joined([before, *ends, *exits])
        # After the last pass, names may have grown once more than where it began.
        self._names = {name: end.get(name, value) for name, value in found.items()}
        for each in exits:
            self._names = {name: _union(value, each.get(name)) for name, value in self._names.items()}
        after = dict(self._names)
        self._names = _joined([after, *[self._names] * self.lines(line.orelse)])

    def _pass(self, line: ast.For, begin: dict[str, Any]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Go through the lines of a loop once; return the names where it goes on, and where it is left."""
        self._names, ends, exits = dict(begin), list[dict[str, Any]](), list[dict[str, Any]]()
        self._ends += [exits, ends]
        if self.lines(line.body):
            ends.append(dict(self._names))
        del self._ends[-2:]
        return ends, exits

    def _growth(self, line: ast.For, begin: dict[str, Any], before: dict[str, Any], group: set[str]) -> dict[str, Any]:
        """Return the names of a group that a pass changes by so much at most, "" for how much; none where not known."""
        mark, kept = object(), (self.is_safe, [*self._returned])
        while group:
            start = dict(begin)
            for name in group:
                grown = Grown(mark, 0, 0)
                start[name] = before[name]._replace(numbers=grown) if isinstance(before[name], Cells) else grown
            ends = self._pass(line, start)[0]
            self.is_safe, self._returned = kept[0], [*kept[1]]
            found = {name: [_numbers(each.get(name)) for each in ends] for name in group}
            bad = {name for name, values in found.items() if not all(map(_is_number, values))}
            if not bad:
                break
            group -= bad
        if not group:
            return {}
        values = [each for name in group for each in found[name]]
        grown = [each for each in values if isinstance(each, Grown) and each.loop is mark]
        others = [each.others for each in grown if each.others is not None] + [
            each for each in values if each not in grown
        ]
        union = _numbers(before[min(group)])
        for each in [*(_numbers(before[name]) for name in group), *others]:
            union = _union(union, each)
        if union is None:
            return {}
        return {
            **dict.fromkeys(group),
            "": (min([0, *(each.least for each in grown)]), max([0, *(each.most for each in grown)]), union),
        }

    def _of(self, node: Any) -> Any:
        """Return the interval of an expression, a part of a table with the axis of its next index, or None."""
        if isinstance(node, ast.Constant):
            return (node.value, node.value) if type(node.value) is int and abs(node.value) < MOST else None
        if isinstance(node, ast.Name):
            return self._names[node.id] if node.id in self._names else _meaning(self._scope.get(node.id))
        if isinstance(node, ast.BinOp):
            return self._combined(node, self._of(node.left), self._of(node.right))
        if isinstance(node, ast.Subscript):
            return self._item(node)
        if isinstance(node, ast.Tuple):
            return [self._of(each) for each in node.elts]
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
            return _grown(one, low, high, 1)
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

    def _item(self, node: ast.Subscript) -> Any:
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
        if id(table) not in self._known_entries:
            self._known_entries[id(table)] = table, (int(table.min()), int(table.max()))
        least, most = self._known_entries[id(table)][1]
        return (least, most) if least > -MOST and most < MOST else None


def _is_stored(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store)


def _is_interval(value: Any) -> bool:
    return type(value) is tuple and not isinstance(value[0], np.ndarray)


def _numbers(value: Any) -> Any:
    """Return the numbers of a list, or what is no list."""
    return value.numbers if isinstance(value, Cells) else value


def _is_number(value: Any) -> bool:
    return _is_interval(_numbers(value)) or isinstance(_numbers(value), Grown)


def _union(one: Any, other: Any) -> Any:
    """Return what is one of two; None where one is unknown."""
    if _is_interval(one) and _is_interval(other):
        return min(one[0], other[0]), max(one[1], other[1])
    if isinstance(one, Cells) and isinstance(other, Cells) and one.size == other.size:
        return Cells(one.size, _union(one.numbers, other.numbers))
    if isinstance(other, Grown) and not isinstance(one, Grown):
        one, other = other, one
    if isinstance(one, Grown) and _is_interval(other):
        return one._replace(others=other if one.others is None else _union(one.others, other))
    if isinstance(one, Grown) and isinstance(other, Grown) and one.loop is other.loop:
        both = [each for each in (one.others, other.others) if each is not None]
        least, most = min(one.least, other.least), max(one.most, other.most)
        return Grown(one.loop, least, most, functools.reduce(_union, both) if both else None)
    return one if one is other else None


def _grown(value: Any, least: int, most: int, times: int) -> Any:
    """Return what a value may be after so many changes by that much."""
    least, most = least * times, most * times
    if isinstance(value, Grown):
        others = None if value.others is None else _grown(value.others, least, most, 1)
        return value._replace(least=value.least + least, most=value.most + most, others=others)
    return value[0] + least, value[1] + most


def _joined(states: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what names are in one of some states."""
    names = {name for each in states for name in each}
    return {name: functools.reduce(_union, [each.get(name) for each in states]) for name in names}


def _meaning(value: Any) -> Any:
    """Return what a value is of a module, or of a function around: an interval, a table, or None."""
    if type(value) is int and abs(value) < MOST:
        return value, value
    table = table_of(value)
    return None if table is None else (table, 0)
