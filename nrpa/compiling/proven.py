"""What needs no check in machine code, since the numbers that it is given are known: indexes, and sums within 64 bits.

References
----------
P. Cousot and R. Cousot, *Static Determination of Dynamic Properties of Programs*, 1976: intervals of variables.
"""

from __future__ import annotations

import ast
import operator
from itertools import chain
from typing import Any

import numpy as np

from nrpa.compiling.attributes import as_given
from nrpa.compiling.containers import OfSequence

# Numbers of this size are added, and compared, within 64 bits.
MOST = 2**62
_ARITHMETIC = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
_OF_RANGES: dict[str, Any] = {"abs": abs, "min": min, "max": max}
_PLAIN = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.Pass)


class Intervals:
    """The intervals of the whole numbers that lines without a loop compute; ``is_safe`` if no index leaves its table.

    A line that cannot leave 64 bits is marked ``is_proven``.

    Parameters
    ----------
    scope : dict
        What names that the lines do not set stand for.
    sequence : str
        The name of the sequence.
    places, choices : int
        How long it is, and how many numbers it may have at a place.
    known : dict of str to (int, int)
        The least and the most that other names stand for.
    """

    def __init__(
        self, scope: dict[str, Any], sequence: str, places: int, choices: int, known: dict[str, tuple[int, int]]
    ) -> None:
        self._scope, self._names = scope, dict[str, Any](known)
        self._names[sequence] = np.broadcast_to(np.array([0, choices - 1])[:, None], (2, places)), 1
        self.is_safe, self._returned = True, list[Any]()

    @property
    def largest(self) -> int | None:
        """The largest size of what is returned, None if that is not known."""
        return max(map(abs, chain(*self._returned))) if all(map(_is_interval, self._returned)) else None

    def lines(self, lines: list[Any]) -> None:
        """Go through some lines."""
        for line in lines:
            if isinstance(line, ast.If):
                self._of(line.test)
                before, joined = dict(self._names), dict[str, Any]()
                self.lines(line.body)
                after, self._names = self._names, before
                self.lines(line.orelse)
                for name in after.keys() | self._names.keys():
                    joined[name] = _hull(after.get(name), self._names.get(name))
                self._names = joined
            elif isinstance(line, ast.Assign) and all(isinstance(each, ast.Name) for each in line.targets):
                value = self._of(line.value)
                self._names.update(dict.fromkeys((each.id for each in line.targets), value))  # type: ignore[attr-defined]
            elif isinstance(line, ast.AugAssign) and isinstance(line.target, ast.Name):
                self._names[line.target.id] = self._combined(
                    line, self._names.get(line.target.id), self._of(line.value)
                )
            elif isinstance(line, ast.Return):
                self._returned.append(self._of(line.value))
            else:
                self.is_safe = False
                stored = [each.id for each in ast.walk(line) if isinstance(each, ast.Name)]
                self._names.update(dict.fromkeys(stored))

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
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.NamedExpr)):
            self.is_safe = False
            return None
        parts = [self._of(each) for each in ast.iter_child_nodes(node) if not isinstance(each, _PLAIN)]
        if isinstance(node, ast.IfExp):
            return _hull(*parts[1:])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and _is_interval(parts[0]):
            return -parts[0][1], -parts[0][0]
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        is_own = name in self._names or name in self._scope or bool(getattr(node, "keywords", None))
        if name == "len" and len(parts) == 2 and isinstance(parts[1], tuple) and isinstance(parts[1][0], np.ndarray):
            return (parts[1][0].shape[parts[1][1]],) * 2
        if name not in _OF_RANGES or is_own or not all(map(_is_interval, parts[1:])):
            return None
        ends = [_OF_RANGES[name](*each) for each in zip(*parts[1:], strict=True)]
        return (0, max(ends)) if name == "abs" else tuple(ends)

    def _combined(self, node: Any, one: Any, other: Any) -> Any:
        """Return the interval of a sum, a difference, a product or a remainder."""
        if not _is_interval(one) or not _is_interval(other):
            return None
        if isinstance(node.op, ast.Mod) and other[0] == other[1] > 0:
            return 0, other[1] - 1
        if type(node.op) not in _ARITHMETIC:
            return None
        ends = [_ARITHMETIC[type(node.op)](a, b) for a in one for b in other]
        node.is_proven = min(ends) > -MOST and max(ends) < MOST
        return (min(ends), max(ends)) if node.is_proven else None

    def _item(self, node: ast.Subscript) -> Any:
        """Return what a part of a table is, whose indexes must be within it."""
        found = self._of(node.value)
        for index in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            at = self._of(index)
            is_table = isinstance(found, tuple) and isinstance(found[0], np.ndarray)
            size = found[0].shape[found[1]] if is_table else 0
            if not _is_interval(at) or not -size <= at[0] <= at[1] < size:
                self.is_safe = False
                return None
            table, axis = found
            found = (table, axis + 1) if axis + 1 < table.ndim else _entries(table)
        return found


def _is_interval(value: Any) -> bool:
    return isinstance(value, tuple) and not isinstance(value[0], np.ndarray)


def _hull(one: Any, other: Any) -> Any:
    """Return the interval of what is in one of two; None where one is unknown."""
    both = _is_interval(one) and _is_interval(other)
    return (min(one[0], other[0]), max(one[1], other[1])) if both else one if one is other else None


def _meaning(value: Any) -> Any:
    """Return what a value is of a module, or of a function around: an interval, a table, or None."""
    if type(value) is int and abs(value) < MOST:
        return value, value
    if not isinstance(value, (list, tuple, np.ndarray)):
        return None
    held = as_given(value)
    table = held.array if isinstance(held, OfSequence) else held
    is_table = isinstance(table, np.ndarray) and table.ndim and table.size and table.dtype.kind in "iuf"
    return (table, 0) if is_table else None


def _entries(table: np.ndarray) -> Any:
    """Return the interval of a table's entries; None where NumPy computes with them in another way."""
    if table.dtype != np.int64:
        return None
    least, most = int(table.min()), int(table.max())
    return (least, most) if least > -MOST and most < MOST else None
