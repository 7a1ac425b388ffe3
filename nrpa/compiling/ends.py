"""Lists that are the sequence between ends, such as ``route = [0, *order, 0]``: loops over one read the sequence."""

from __future__ import annotations

import ast
import copy
import itertools
from typing import Any, NamedTuple

from nrpa.compiling.trees import is_name, known, names_in, nodes_of, placed

MOST_ENDS = 4
_ARITHMETIC = (ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Constant, ast.Name, ast.expr_context)


class Ended(NamedTuple):
    """A list: whole numbers, what ``made`` says of each element ``name`` of the sequence ``x``, and whole numbers."""

    before: list[ast.expr]
    after: list[ast.expr]
    name: str
    made: ast.expr
    x: str
    places: int

    @property
    def size(self) -> int:
        """How long the list is."""
        return len(self.before) + self.places + len(self.after)

    def element(self, at: int, place: ast.expr) -> ast.expr:
        """Return what stands ``at`` a place of the list, which ``place`` says as far as it is one of the sequence."""
        first, end = len(self.before), len(self.before) + self.places
        if not first <= at < end:
            return copy.deepcopy(self.before[at] if at < first else self.after[at - end])
        read, name = ast.Subscript(ast.Name(self.x, ast.Load()), place, ast.Load()), self.name

        class Put(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> Any:
                return copy.deepcopy(read) if node.id == name else node

        made: ast.expr = Put().visit(copy.deepcopy(self.made))
        return made


def ended(node: ast.expr, x: str, places: int) -> Ended | None:
    """Return a list with ends, or made of each element of the sequence ``x``; None for others."""
    parts = _parts(node, x)
    middle = [k for k, each in enumerate(parts) if isinstance(each, tuple)]
    if None in parts or len(middle) != 1 or len(parts) > MOST_ENDS + 1:
        return None
    name, made = parts[middle[0]]
    return Ended(parts[: middle[0]], parts[middle[0] + 1 :], name, made, x, places)


def _parts(node: Any, x: str) -> list[Any]:
    """Return whole numbers, what is made of each element of the sequence, and None for other parts of a list."""
    if isinstance(node, ast.List):
        parts = (_parts(each.value, x) if isinstance(each, ast.Starred) else [each] for each in node.elts)
        return [each if isinstance(each, tuple) or known(each) is not None else None for part in parts for each in part]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _parts(node.left, x) + _parts(node.right, x)
    if is_name(node) and node.id == x:
        return [(x, node)]
    if isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
        values, one, made = node.generators[0].iter, ast.unparse(node.generators[0].target), node.elt
        is_of_each = is_name(values) and values.id == x and not node.generators[0].ifs
        if is_of_each and names_in(made, ast.Load) == {one} and all(isinstance(e, _ARITHMETIC) for e in nodes_of(made)):
            return [(one, made)]
    return [None]


def without(tree: Any, lists: dict[str, Ended]) -> Any:
    """Return a tree whose loops read the sequence in place of lists, without those of which no more is read."""
    tree = _Between(lists).visit(tree) if lists else tree
    unread = lists.keys() - names_in(tree, ast.Load)
    body = tree.body[0].body
    body[:] = [each for each in body if not (isinstance(each, ast.Assign) and unread & names_in(each, ast.Store))]
    return tree


class _Between(ast.NodeTransformer):
    """Puts what elements of lists are in place of them, and several loops in place of one over several kinds."""

    def __init__(self, lists: dict[str, Ended], place: str = "", at: int = 0) -> None:
        self._lists, self._place, self._at = lists, place, at

    def shift(self, node: Any) -> int | None:
        """Return how far behind the place of a loop a list is read, None where it is not, or in another way."""
        if not isinstance(node, ast.Subscript) or not is_name(node.value) or node.value.id not in self._lists:
            return None
        at: Any = node.slice
        is_moved = isinstance(at, ast.BinOp) and isinstance(at.op, (ast.Add, ast.Sub))
        name, by = (at.left, known(at.right)) if is_moved else (at, 0)
        by = -by if is_moved and isinstance(at.op, ast.Sub) and by is not None else by
        return by if is_name(name) and name.id == self._place else None

    def visit_Subscript(self, node: Any) -> Any:
        """Put an element at a place that is written, or near that of a loop."""
        shift, at = self.shift(node), known(node.slice)
        found = self._lists.get(node.value.id) if is_name(node.value) else None
        if found and shift is not None:
            by, place = shift - len(found.before), ast.Name(self._place, ast.Load())
            moved = ast.BinOp(place, ast.Add() if by > 0 else ast.Sub(), ast.Constant(abs(by))) if by else place
            return placed(found.element(self._at + shift, moved), node)
        if found and at is not None and -found.size <= at < found.size:
            at %= found.size
            return placed(found.element(at, ast.Constant(at - len(found.before))), node)
        return self.generic_visit(node)

    def visit_For(self, node: Any) -> Any:
        """Let each stretch of a loop be a loop of its own."""
        self.generic_visit(node)
        span, looked = _span(node), _Between(self._lists, node.target.id if is_name(node.target) else "")
        inside = [each for line in node.body for each in nodes_of(line)]
        reads = {(each.value.id, shift) for each in inside if (shift := looked.shift(each)) is not None}
        is_ended = node.orelse or any(isinstance(each, ast.Break) for each in inside)
        is_set = any(is_name(each, ast.Store) and each.id == looked._place for each in inside)
        if not span or not reads or is_ended or is_set:
            return node
        cuts = {*span}
        for name, shift in reads:
            found = self._lists[name]
            if not 0 <= span[0] + shift <= span[1] + shift <= found.size:
                return node
            end = len(found.before) + found.places
            cuts |= {at - shift for at in (*range(len(found.before) + 1), *range(end, found.size))}
        stretches = itertools.pairwise(sorted(cuts & {*range(span[0], span[1] + 1)}))
        return [self._stretch(node, looked._place, *stretch) for stretch in stretches]

    def _stretch(self, node: Any, place: str, begin: int, end: int) -> ast.For:
        lines = [_Between(self._lists, place, begin).visit(copy.deepcopy(line)) for line in node.body]
        values = ast.Call(ast.Name("range", ast.Load()), [ast.Constant(begin), ast.Constant(end)], [])
        loop: ast.For = placed(ast.For(copy.deepcopy(node.target), values, lines, []), node)
        return loop


def _span(node: Any) -> tuple[int, int] | None:
    """Return the first number that a loop is over and the one after the last; None where they are not written."""
    is_range = isinstance(node.iter, ast.Call) and is_name(node.iter.func) and node.iter.func.id == "range"
    begin, end = [0, *map(known, node.iter.args)][-2:] if is_range and len(node.iter.args) < 3 else [None, None]
    return None if begin is None or end is None or begin >= end else (begin, end)
