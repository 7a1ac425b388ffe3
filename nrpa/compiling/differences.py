"""What a change of a sequence changes in its cost: of a function that is a sum, the terms that read changed places.

The author's function is taken apart into sums over one place or two, of terms that read the sequence at fixed distances
from it. A term is the body of the author's loop, translated as the whole function is. All sums are of multiples of one
power of 1/2 (of 1 where terms are whole numbers), so that they do not depend on the order in which they are added up.

References
----------
E. Taillard, *Robust taboo search for the quadratic assignment problem*, Parallel Computing 17, 1991: the change of the
cost by an exchange of two places in O(n).
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.compiling.loops import FILLED, Loops
from nrpa.compiling.proven import Intervals
from nrpa.compiling.source import Sources
from nrpa.compiling.trees import assigned, names_in, nodes_of, placed

ALL, AFTER, BEFORE = "all", "after", "before"
INDEX = "_k", "_l"
_How = Callable[[ast.expr], ast.expr]


class Part(NamedTuple):
    """A sum over places, or over pairs of places.

    - ``line``: Where it is written.
    - ``depth``: 0 for a term alone, 1 for a sum over places, 2 for one over pairs.
    - ``span``: The first place of a sum, and the one after the last.
    - ``inner``: Which places the second of a pair is: ALL, or those AFTER or BEFORE the first.
    - ``body``: The lines of a term; it reads the places ``_k`` and ``_l``.
    - ``reads``: How far from ``_k`` the sequence is read; of pairs, 0.
    - ``is_free``: Whether a term depends on what is read alone, and not on where.
    """

    line: int
    depth: int
    span: tuple[int, int]
    inner: str
    body: list[ast.stmt]
    reads: tuple[int, ...]
    is_free: bool


class Term(NamedTuple):
    """A compiled function of a sequence and two places, and the largest size of what it gives, None if not known."""

    compiled: Any
    largest: int | None


class _Unknown(Exception):  # noqa: N818
    """A line is none of a sum; the message says why."""


def _unknown(node: ast.AST, why: str) -> _Unknown:
    said = re.sub(r"_(?:sum|max|min)\d+_(\w+)", r"\1", re.sub(r"_(max|min|sum)\d+(_empty|_value)?\b", r"\1(...)", why))
    return _Unknown(f"line {getattr(node, 'lineno', 0)}, {said}")


class _Taken:
    """A function taken apart: ``parts``, and what it adds up to."""

    def __init__(self, loops: Loops, places: int) -> None:
        self.places, self.parts, self.sums = places, list[Part](), set[str]()
        definition: Any = loops.rewritten(within=False).body[0]
        if not loops.sequence:
            raise _unknown(definition, "it takes more than a sequence, or has functions of its own")
        self.x, self.scope = loops.sequence, loops.meanings
        self.before, self._into = list[ast.stmt](), list[tuple[str, str, _How]]()
        self.stored, self.settled = names_in(definition, ast.Store), set[str]()
        added = {each.target.id for each in nodes_of(definition) if _is_sum(each)}
        *lines, last = [part for each in definition.body for part in _begun(each, added) if not _is_text(each)]
        for line in lines:
            if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
                self.sums |= added & {each.id for each in line.targets if isinstance(each, ast.Name)}
        for line in lines:
            self._take(line)
        if not isinstance(last, ast.Return) or last.value is None:
            raise _unknown(last, "it does not end with return")
        self.returned: dict[str, _How] = {}
        self._add(last.value, _same, final=True)
        for name, total, how in self._into:
            if total in self.returned:
                self.returned[name] = _both(self.returned[total], how)

    def _take(self, line: ast.stmt) -> None:
        if isinstance(line, ast.For):
            self._loop(line)
        elif _is_sum(line) and line.target.id in self.sums:  # type: ignore[attr-defined]
            self._add(line.value, _same if isinstance(line.op, ast.Add) else _minus, line.target.id)  # type: ignore[attr-defined]
        elif isinstance(line, ast.Assign) and all(isinstance(each, ast.Name) for each in line.targets):
            if names_in(line, ast.Store) & {name for each in self.before for name in names_in(each, ast.Store)}:
                raise _unknown(line, f"{ast.unparse(line)} sets it anew")
            if names_in(line.value, ast.Load) & {self.x, *self.stored - self.settled}:
                raise _unknown(line, "the sequence is read outside a sum")
            if any(isinstance(each, ast.Call) for each in nodes_of(line.value)):
                raise _unknown(line, "a list is filled" if FILLED in ast.unparse(line) else "a call outside a sum")
            for each in names_in(line, ast.Store) & self.sums if getattr(line.value, "value", 0) else ():
                self._term(line.value, each)
            self.before.append(line)
            self.settled |= names_in(line, ast.Store) - self.sums
        else:
            raise _unknown(line, f"{type(line).__name__.lower()} outside a loop")

    def _add(self, value: ast.expr, how: _How, name: str = "", final: bool = False) -> None:
        """Take a value apart that is added to a sum, or returned; ``how`` says how its parts count."""
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
            self._add(value.left, how, name, final)
            self._add(value.right, how if isinstance(value.op, ast.Add) else _both(how, _minus), name, final)
        elif isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            self._add(value.operand, _both(how, _minus), name, final)
        elif scaled := self._scaled(value):
            self._add(scaled[0], _both(how, scaled[1]), name, final)
        elif isinstance(value, ast.Name) and value.id in self.sums and final:
            if value.id in self.returned:
                raise _unknown(value, f"{value.id} is returned twice")
            self.returned[value.id] = how
        elif isinstance(value, ast.Name) and value.id in self.sums and re.fullmatch(r"_sum\d+", value.id):
            self._into.append((value.id, name, how))
        elif self.sums & names_in(value, ast.Load):
            raise _unknown(value, f"{ast.unparse(value)} is no sum")
        else:
            name = name or "_returned"
            self.returned.setdefault(name, _same) if final else None
            self._term(how(value), name, value)

    def _scaled(self, value: Any) -> Any:
        """Return the sum that a value is times, or by, what is the same for all sequences, and how; None for others."""
        if not isinstance(value, ast.BinOp) or not isinstance(value.op, (ast.Mult, ast.Div)):
            return None
        is_left = isinstance(value.op, ast.Div) or bool(self.sums & names_in(value.left, ast.Load))
        one, other = (value.left, value.right) if is_left else (value.right, value.left)
        changes = names_in(other, ast.Load) & {self.x, *self.stored - self.settled}
        if (
            not self.sums & names_in(one, ast.Load)
            or changes
            or any(isinstance(each, ast.Call) for each in nodes_of(other))
        ):
            return None
        return one, lambda each: ast.BinOp(each, value.op, other)

    def _term(self, value: ast.expr, name: str, like: ast.expr | None = None) -> None:
        line = placed(ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), value), like or value)
        self._require_terms([ast.Expr(value)])
        reads = self._reads([line], {})
        if any(kind != "" for kind, _ in reads):
            raise _unknown(value, "places that change")
        self.parts.append(Part(line.lineno, 0, (0, 1), ALL, [line], tuple(at for _, at in reads), False))

    def _loop(self, loop: Any) -> None:
        """Take a loop over places, or over pairs of them."""
        span, first = self._header(loop, 0, {})
        indices = first[1]
        body, inner, depth = loop.body, ALL, 1
        nested = [each for each in body if isinstance(each, (ast.For, ast.While))]
        if nested:
            if nested[0] is not body[-1] or len(nested) > 1 or not isinstance(nested[0], ast.For):
                raise _unknown(nested[0], "a loop within a loop that is not its last line")
            spans, second = self._header(nested[0], 1, indices)
            inner = self._inner(nested[0], span, spans)
            indices = {**indices, **second[1]}
            body, depth = [*first[0], *body[:-1], *second[0], *nested[0].body], 2
            if span != (0, self.places) or any(_is_sum(node) for line in loop.body[:-1] for node in nodes_of(line)):
                raise _unknown(loop, "pairs of which some are left out, or a term beside them")
        else:
            body = [*first[0], *body]
        self._require_terms(body)
        reads = self._reads(body, indices)
        kinds = {kind for kind, _ in reads}
        if "" in kinds or (depth == 2 and any(at % self.places for _, at in reads)):
            raise _unknown(loop, "places at no fixed distance")
        apart = {at if abs(at) <= self.places // 2 else at % self.places for _, at in reads}
        distances = tuple(sorted(apart or {0}))
        if span != (0, self.places) and not 0 <= span[0] + distances[0] <= span[1] + distances[-1] <= self.places:
            raise _unknown(loop, "places around the ends of the sequence")
        if depth == 1 and span[1] - span[0] == 1:
            distances, depth = tuple(span[0] + at for at in distances), 0
        places = {*indices}.union(*(names_in(each, ast.Store) for each in body if getattr(each, "is_index", False)))
        is_free = not places & names_in(self._without_reads(body), ast.Load)
        self.parts.append(Part(loop.lineno, depth, span, inner, body, distances, is_free))

    def _inner(self, node: ast.For, span: tuple[int, int], found: Any) -> str:
        if found == (0, self.places):
            return ALL
        if found == ((1, 1), self.places):
            return AFTER
        if found == (0, (1, 0)):
            return BEFORE
        raise _unknown(node, f"pairs of {ast.unparse(node.iter)}")

    def _header(self, loop: ast.For, level: int, indices: dict[str, int]) -> Any:
        """Return the span of a loop, the line that sets what it is over, and its indices by name."""
        values: Any = loop.iter
        if loop.orelse:
            raise _unknown(loop, "else after a loop")
        is_range = isinstance(values, ast.Call) and ast.unparse(values.func) == "range" and len(values.args) < 3
        if not is_range or not isinstance(loop.target, ast.Name):
            raise _unknown(loop, f"a loop over {ast.unparse(values)}")
        ends = [self._number(each, indices) for each in values.args]
        span = (0, *ends) if len(ends) == 1 else tuple(ends)
        if level == 0 and not all(isinstance(each, int) for each in span):
            raise _unknown(loop, f"{ast.unparse(values)} is of no known length")
        own, place = {INDEX[level]: level, loop.target.id: level}, ast.Name(INDEX[level], ast.Load())
        for line in loop.body:
            if getattr(line, "is_index", False) and ast.unparse(line.value) == loop.target.id:  # type: ignore[attr-defined]
                own |= dict.fromkeys(names_in(line, ast.Store), level)
        return span, ([assigned(loop.target, place, loop, is_index=True)], own)

    def _number(self, node: ast.expr, indices: dict[str, int]) -> Any:
        """Return a whole number, or (1, d) for d beyond the index of the outer loop."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and node.id in indices:
            return 1, 0
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            one, other = self._number(node.left, indices), self._number(node.right, {})
            other = other if isinstance(node.op, ast.Add) else -other
            return (1, one[1] + other) if isinstance(one, tuple) else one + other
        raise _unknown(node, f"{ast.unparse(node)} is no known number")

    def _require_terms(self, body: list[ast.stmt]) -> None:
        """Refuse a body that does more than add to sums: what it carries from place to place, or ends early."""
        known = set[str]()
        for each in body:
            for node in nodes_of(each):
                if isinstance(node, (ast.For, ast.While)):
                    raise _unknown(node, "a loop within a loop")
                if isinstance(node, (ast.Return, ast.Break, ast.Try, ast.With, ast.FunctionDef, ast.Delete)):
                    raise _unknown(node, f"{type(node).__name__.lower()} within a loop")
                if isinstance(node, ast.AugAssign) and not isinstance(node.op, (ast.Add, ast.Sub)):
                    raise _unknown(node, f"{ast.unparse(node)} is no sum")
                if isinstance(node, ast.Assign) and not all(map(_is_of_names, node.targets)):
                    raise _unknown(node, f"{ast.unparse(node)} within a loop")
                if isinstance(node, ast.AugAssign) and ast.unparse(node.target) not in self.sums:
                    raise _unknown(node, f"{ast.unparse(node)} is carried from place to place")
                if isinstance(node, ast.Assign) and names_in(node, ast.Store) & self.sums:
                    raise _unknown(node, "a sum is set anew")
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                    raise _unknown(node, "a list that grows")
            unset = self.stored - self.settled - known - _within(each)
            if carried := (names_in(each, ast.Load) & unset) | (names_in(each, ast.Store) & self.settled):
                raise _unknown(each, f"{min(carried)} is carried from place to place")
            known |= names_in(each, ast.Store) if isinstance(each, ast.Assign) else set()

    def _reads(self, body: list[ast.stmt], indices: dict[str, int]) -> set[tuple[str, int]]:
        """Return where the sequence is read: from which index, "" for none, and how far from it."""
        found, inside = set(), set[int]()
        for node in (each for line in body for each in nodes_of(line)):
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) == self.x:
                found.add(self._place(node.slice, indices))
                inside.add(id(node.value))
        for node in (each for line in body for each in nodes_of(line)):
            if isinstance(node, ast.Name) and node.id == self.x and id(node) not in inside:
                raise _unknown(node, "the whole sequence is read for a term")
        return found

    def _place(self, node: ast.expr, indices: dict[str, int]) -> tuple[str, int]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            if self._number(node.right, {}) != self.places:
                raise _unknown(node, f"{ast.unparse(node)} is at no fixed distance")
            return self._place(node.left, indices)
        if isinstance(node, ast.Name) and node.id in indices:
            return INDEX[indices[node.id]], 0
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            kind, at = self._place(node.left, indices)
            other = self._number(node.right, {})
            return kind, at + (other if isinstance(node.op, ast.Add) else -other)
        return "", self._number(node, {})

    def _without_reads(self, body: list[ast.stmt]) -> ast.Module:
        """Return lines without what they read of the sequence, and without those that name an index."""
        x = self.x

        class Reads(ast.NodeTransformer):
            def visit_Subscript(self, node: ast.Subscript) -> Any:
                is_x = isinstance(node.value, ast.Name) and node.value.id == x
                return ast.Constant(0) if is_x else self.generic_visit(node)

        kept = [each for each in body if not (isinstance(each, ast.Assign) and getattr(each, "is_index", False))]
        return Reads().visit(ast.Module([copy.deepcopy(each) for each in kept], []))  # type: ignore[no-any-return]


def _is_of_names(target: ast.expr) -> bool:
    """Return whether a name is set, or several, as in (a, b), (c, d) = ...; no part of a list."""
    return isinstance(target, ast.Name) or (
        isinstance(target, (ast.Tuple, ast.List)) and all(map(_is_of_names, target.elts))
    )


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_sum(node: Any) -> bool:
    is_sum = isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub))
    return is_sum and isinstance(node.target, ast.Name)


def _begun(line: Any, added: set[str]) -> list[ast.stmt]:
    """Return a sum that begins as a term as one that begins as 0, to which the term is added."""
    name = line.targets[0] if isinstance(line, ast.Assign) and len(line.targets) == 1 else None
    if not isinstance(name, ast.Name) or name.id not in added or isinstance(line.value, ast.Constant):
        return [line]
    more = ast.AugAssign(name, ast.Add(), line.value)
    return [assigned(name, ast.Constant(0), line), ast.copy_location(more, line)]


def _same(value: ast.expr) -> ast.expr:
    return value


def _minus(value: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), value)


def _both(one: _How, other: _How) -> _How:
    return lambda value: one(other(value))


def _within(node: ast.stmt) -> set[str]:
    """Return the names that comprehensions within a line set for themselves."""
    loops = [each for each in nodes_of(node) if isinstance(each, ast.comprehension)]
    return {name for each in loops for name in names_in(each.target, ast.Store)}


def parts_of(loops: Loops, places: int) -> _Taken:
    """Return a function of a sequence of so many places taken apart. Raises ProblemError where it is no sum."""
    try:
        return _Taken(loops, places)
    except _Unknown as error:
        raise ProblemError(str(error)) from None


def term_of(sources: Sources, function: Any, taken: _Taken, part: Part, ranges: np.ndarray) -> Term:
    """Return the function that gives the term of a part at some places of a sequence of numbers in ``ranges``."""
    values = (ast.unparse(how(ast.Name(name, ast.Load()))) for name, how in taken.returned.items())
    end = ast.parse(f"return {' + '.join(f'({each})' for each in values) or '0'}").body
    tree: Any = ast.parse(f"def made({taken.x}, _k, _l): pass")
    definition, tree.cells = tree.body[0], {}
    definition.name = function.__code__.co_name
    begin = ast.parse("\n".join(f"{name} = 0" for name in {**taken.returned, **dict.fromkeys(taken.sums)})).body

    class Ends(ast.NodeTransformer):
        def visit_Continue(self, node: ast.Continue) -> Any:
            return ast.copy_location(copy.deepcopy(end[0]), node)

    body = [Ends().visit(copy.deepcopy(each)) for each in part.body]
    definition.body = [*copy.deepcopy(taken.before), *begin, *body, *end]
    for node in nodes_of(tree):
        if isinstance(node, (ast.stmt, ast.expr)) and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = part.line
            node.col_offset = node.end_col_offset = 0
    known = {"_k": (part.span[0], part.span[1] - 1), "_l": (0, taken.places - 1)}
    intervals = Intervals(taken.scope, taken.x, ranges, known)
    intervals.lines(definition.body)
    return Term(sources.derived(function, ast.fix_missing_locations(tree), intervals.is_safe), intervals.largest)
