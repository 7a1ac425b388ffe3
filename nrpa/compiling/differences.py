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
from collections.abc import Iterator
from typing import Any, NamedTuple

from nrpa.base.errors import ProblemError
from nrpa.compiling.proven import Intervals
from nrpa.compiling.source import Sources, tree_of

ALL, AFTER, BEFORE = "all", "after", "before"
INDEX = "_k", "_l"


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
    return _Unknown(f"line {getattr(node, 'lineno', 0)}, {why}")


def _walk(node: Any) -> Iterator[Any]:
    """Yield the nodes of a tree, of any class."""
    yield from ast.walk(node)


def _names(node: Any, kind: type) -> set[str]:
    return {each.id for each in _walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, kind)}


class _Taken:
    """A function taken apart: ``parts``, and what it adds up to."""

    def __init__(self, function: Any, tree: ast.Module, places: int) -> None:
        self.places, self.parts, self.sums = places, list[Part](), set[str]()
        definition: Any = tree.body[0]
        if len(definition.args.args) != 1 or definition.args.vararg or definition.args.kwonlyargs:
            raise _unknown(definition, "it takes more than a sequence")
        self.x = definition.args.args[0].arg
        self.scope = dict(function.__globals__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.scope[name] = cell.cell_contents
        self.before: list[ast.stmt] = []
        self.stored = _names(definition, ast.Store)
        *lines, last = [part for each in definition.body if not _is_text(each) for part in self._split(each)]
        for line in lines:
            if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
                self.sums |= {each.id for each in line.targets if isinstance(each, ast.Name)}
        self.sums &= {each.target.id for each in _walk(definition) if _is_sum(each)}
        for line in lines:
            self._take(line)
        if not isinstance(last, ast.Return) or last.value is None:
            raise _unknown(last, "it does not end with return")
        self.signs: dict[str, int] = {}
        self._add(last.value, 1, final=True)

    def _split(self, line: ast.stmt) -> list[ast.stmt]:
        """Return one line for each name that is set to a number of its own."""
        target = line.targets[0] if isinstance(line, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not isinstance(line.value, ast.Tuple):  # type: ignore[attr-defined]
            return [line]
        pairs = [*zip(target.elts, line.value.elts, strict=False)]  # type: ignore[attr-defined]
        if any(self.stored & _names(value, ast.Load) for _, value in pairs):
            return [line]
        return [ast.copy_location(ast.Assign([name], value), line) for name, value in pairs]

    def _take(self, line: ast.stmt) -> None:
        if isinstance(line, ast.For):
            self._loop(line, [])
        elif _is_sum(line) and line.target.id in self.sums:  # type: ignore[attr-defined]
            self._add(line.value, 1 if isinstance(line.op, ast.Add) else -1, line.target.id)  # type: ignore[attr-defined]
        elif isinstance(line, ast.Assign) and all(isinstance(each, ast.Name) for each in line.targets):
            if _names(line, ast.Store) & self.sums and not isinstance(line.value, ast.Constant):
                raise _unknown(line, "a sum is set anew")
            if self.x in _names(self._without_length(line.value), ast.Load) | (self.sums & _names(line, ast.Load)):
                raise _unknown(line, "the sequence is read outside a sum")
            if any(isinstance(each, ast.Call) for each in _walk(self._without_length(line.value))):
                raise _unknown(line, "a call outside a sum")
            for each in _names(line, ast.Store) & self.sums if getattr(line.value, "value", 0) else ():
                self._term(line.value, 1, each)
            self.before.append(line)
        else:
            raise _unknown(line, f"{type(line).__name__.lower()} outside a loop")

    def _without_length(self, node: Any) -> Any:
        """Return an expression with the length of the sequence as a number."""
        x, places = self.x, self.places

        class Length(ast.NodeTransformer):
            def visit_Call(self, node: ast.Call) -> Any:
                is_len = isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1
                if is_len and isinstance(node.args[0], ast.Name) and node.args[0].id == x:
                    return ast.copy_location(ast.Constant(places), node)
                return self.generic_visit(node)

        return Length().visit(copy.deepcopy(node))

    def _add(self, value: ast.expr, sign: int, name: str = "", final: bool = False) -> None:
        """Take a value apart that is added to a sum, or returned."""
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
            self._add(value.left, sign, name, final)
            self._add(value.right, sign if isinstance(value.op, ast.Add) else -sign, name, final)
        elif isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
            self._add(value.operand, -sign, name, final)
        elif isinstance(value, ast.Name) and value.id in self.sums and final:
            if value.id in self.signs:
                raise _unknown(value, f"{value.id} is returned twice")
            self.signs[value.id] = sign
        elif self.sums & _names(value, ast.Load):
            raise _unknown(value, f"{ast.unparse(value)} is no sum")
        else:
            name = name or "_returned"
            self.signs.setdefault(name, 1) if final else None
            self._term(value, sign, name)

    def _term(self, value: ast.expr, sign: int, name: str) -> None:
        generator = value.args[0] if _is_call(value, "sum", 1) else None  # type: ignore[attr-defined]
        if isinstance(generator, (ast.GeneratorExp, ast.ListComp)):
            body: list[ast.stmt] = [_added(name, generator.elt, sign)]
            for each in reversed(generator.generators):
                for test in each.ifs:
                    body = [ast.copy_location(ast.If(test, body, []), value)]
                body = [ast.copy_location(ast.For(each.target, each.iter, body, []), value)]
            self._loop(body[0], [name])
            return
        reads = self._reads([ast.copy_location(ast.Expr(value), value)], {})
        if any(kind != "" for kind, _ in reads):
            raise _unknown(value, "places that change")
        self.parts.append(
            Part(value.lineno, 0, (0, 1), ALL, [_added(name, value, sign)], tuple(at for _, at in reads), False)
        )

    def _loop(self, loop: Any, sums: list[str]) -> None:
        """Take a loop over places, or over pairs of them."""
        sums = [*self.sums, *sums]
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
            if loop.orelse or nested[0].orelse or span[0] != 0 or span[1] != self.places:
                raise _unknown(loop, "pairs of which some are left out")
        else:
            body = [*first[0], *body]
        self._require_terms(loop, body, sums)
        reads = self._reads(body, indices)
        kinds = {kind for kind, _ in reads}
        if "" in kinds or (depth == 2 and any(at % self.places for _, at in reads)):
            raise _unknown(loop, "places at no fixed distance")
        distances = tuple(sorted({at if abs(at) <= self.places // 2 else at % self.places for _, at in reads}))
        places = {*indices}.union(*(_names(each, ast.Store) for each in body if getattr(each, "is_index", False)))
        is_free = not places & _names(self._without_reads(body), ast.Load)
        self.parts.append(Part(loop.lineno, depth, span, inner, body, distances or (0,), is_free))

    def _inner(self, node: ast.For, span: tuple[int, int], found: Any) -> str:
        if found == (0, self.places):
            return ALL
        if found == ((1, 1), self.places):
            return AFTER
        if found == (0, (1, 0)):
            return BEFORE
        raise _unknown(node, f"pairs of {ast.unparse(node.iter)}")

    def _header(self, loop: ast.For, level: int, indices: dict[str, int]) -> Any:
        """Return the span of a loop, the lines that set what it is over, and its index by name."""
        target, values, index = loop.target, loop.iter, INDEX[level]
        if loop.orelse or getattr(loop, "type_comment", None):
            raise _unknown(loop, "else after a loop")
        own = {index: level}
        place: ast.expr = ast.Name(index, ast.Load())
        lines: list[ast.stmt] = []
        if _is_call(values, "enumerate", 1, 2) and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            start = self._number(values.args[1], {}) if len(values.args) == 2 else 0  # type: ignore[attr-defined]
            lines.append(
                _set(target.elts[0], ast.BinOp(place, ast.Add(), ast.Constant(start)) if start else place, loop)
            )
            if not start and isinstance(target.elts[0], ast.Name):
                own[target.elts[0].id] = level
            target, values = target.elts[1], values.args[0]  # type: ignore[attr-defined]
        if _is_call(values, "range", 1, 2) and isinstance(target, ast.Name) and not lines:
            ends = [self._number(each, indices) for each in values.args]  # type: ignore[attr-defined]
            own[target.id] = level
            lines.append(_set(target, place, loop))
            span = (0, *ends) if len(ends) == 1 else tuple(ends)
            if level == 0 and not all(isinstance(each, int) for each in span):
                raise _unknown(loop, f"{ast.unparse(values)} is of no known length")
            return span, (lines, own)
        pairs = self._sliced(target, values)
        if any(shift < 0 for _, shift, _ in pairs):
            raise _unknown(loop, "an order that begins elsewhere")
        high = min(self.places - shift if not wraps else self.places for _, shift, wraps in pairs)
        for each, shift, wraps in pairs:
            at: ast.expr = ast.BinOp(place, ast.Add(), ast.Constant(shift)) if shift else place
            at = ast.BinOp(at, ast.Mod(), ast.Constant(self.places)) if wraps else at
            lines.append(_set(each, ast.Subscript(ast.Name(self.x, ast.Load()), at, ast.Load()), loop))
        return (0, high), (lines, own)

    def _sliced(self, target: ast.expr, values: ast.expr) -> list[tuple[ast.expr, int, bool]]:
        """Return of each name of a loop how far from its place the sequence is read, and whether at the end anew."""
        if _is_call(values, "pairwise", 1) and isinstance(target, ast.Tuple) and self._is_x(values.args[0]):  # type: ignore[attr-defined]
            return [(target.elts[0], 0, False), (target.elts[1], 1, False)]
        if _is_call(values, "zip", 2, 3) and isinstance(target, ast.Tuple):
            given = values.args  # type: ignore[attr-defined]
            return [(each, *self._shift(part)) for each, part in zip(target.elts, given, strict=True)]
        if isinstance(target, ast.Name) and not ast.unparse(values).endswith(":-1]"):
            return [(target, *self._shift(values))]
        raise _unknown(values, f"a loop over {ast.unparse(values)}")

    def _is_x(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.x

    def _shift(self, node: ast.expr) -> tuple[int, bool]:
        """Return where a part of the sequence begins: ``x``, ``x[1:]``, ``x[:-1]``, ``x[1:] + x[:1]``."""
        if self._is_x(node):
            return 0, False
        if isinstance(node, ast.Subscript) and self._is_x(node.value) and isinstance(node.slice, ast.Slice):
            low = 0 if node.slice.lower is None else self._number(node.slice.lower, {})
            ends = node.slice.upper is None or (low == 0 and self._number(node.slice.upper, {}) == -1)
            if node.slice.step is None and isinstance(low, int) and low >= 0 and ends:
                return low, False
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            shift, _ = self._shift(node.left)
            rest = ast.unparse(node.right)
            if rest in (f"{self.x}[:{shift}]", f"[{self.x}[0]]"[: 99 if shift == 1 else 0]):
                return shift, True
        raise _unknown(node, f"a loop over {ast.unparse(node)}")

    def _number(self, node: ast.expr, indices: dict[str, int]) -> Any:
        """Return a whole number, or (1, d) for d beyond the index of the outer loop."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._number(node.operand, {})
        if isinstance(node, ast.Name) and node.id in indices:
            return 1, 0
        if isinstance(node, ast.Name):
            value = None if node.id in self.stored else self.scope.get(node.id)
            for line in self.before:
                if isinstance(line, ast.Assign) and any(ast.unparse(each) == node.id for each in line.targets):
                    value = self._number(line.value, {})
            if type(value) is int:
                return value
        if _is_call(node, "len", 1) and self._is_x(node.args[0]):  # type: ignore[attr-defined]
            return self.places
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            one, other = self._number(node.left, indices), self._number(node.right, {})
            other = other if isinstance(node.op, ast.Add) else -other
            return (1, one[1] + other) if isinstance(one, tuple) else one + other
        raise _unknown(node, f"{ast.unparse(node)} is no known number")

    def _require_terms(self, loop: Any, body: list[ast.stmt], sums: list[str]) -> None:
        """Refuse a body that does more than add to sums: what it carries from place to place, or ends early."""
        stored, known = {name for each in body for name in _names(each, ast.Store)}, set[str]()
        for each in body:
            for node in _walk(each):
                if isinstance(node, (ast.For, ast.While)):
                    raise _unknown(node, "a loop within a loop")
                if isinstance(node, (ast.Return, ast.Break, ast.Try, ast.With, ast.FunctionDef, ast.Delete)):
                    raise _unknown(node, f"{type(node).__name__.lower()} within a loop")
                if isinstance(node, ast.AugAssign) and not isinstance(node.op, (ast.Add, ast.Sub)):
                    raise _unknown(node, f"{ast.unparse(node)} is no sum")
                if isinstance(node, ast.Assign) and not all(isinstance(name, ast.Name) for name in node.targets):
                    raise _unknown(node, f"{ast.unparse(node)} within a loop")
                if isinstance(node, ast.AugAssign) and ast.unparse(node.target) not in sums:
                    raise _unknown(node, f"{ast.unparse(node)} is carried from place to place")
                if isinstance(node, ast.Assign) and _names(node, ast.Store) & {*sums}:
                    raise _unknown(node, "a sum is set anew")
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
                    raise _unknown(node, "a list that grows")
            if (carried := _names(each, ast.Load) & stored - known - set(_within(each))) or (
                carried := _names(each, ast.Load) & {*sums}
            ):
                raise _unknown(each, f"{min(carried)} is carried from place to place")
            known |= _names(each, ast.Store) if isinstance(each, ast.Assign) else set()

    def _reads(self, body: list[ast.stmt], indices: dict[str, int]) -> set[tuple[str, int]]:
        """Return where the sequence is read: from which index, "" for none, and how far from it."""
        found, inside = set(), set[int]()
        for node in (each for line in body for each in _walk(line)):
            if isinstance(node, ast.Subscript) and self._is_x(node.value):
                found.add(self._place(node.slice, indices))
                inside.add(id(node.value))
            if _is_call(node, "len", 1) and self._is_x(node.args[0]):
                inside.add(id(node.args[0]))
        for node in (each for line in body for each in _walk(line)):
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


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_sum(node: Any) -> bool:
    return isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name)


def _is_call(node: Any, name: str, least: int, most: int = 0) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    named = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
    is_strict = isinstance(node, ast.Call) and all(each.arg == "strict" for each in node.keywords)
    return named == name and is_strict and least <= len(node.args) <= (most or least)


def _added(name: str, value: ast.expr, sign: int) -> ast.stmt:
    operator = ast.Add() if sign > 0 else ast.Sub()
    return ast.copy_location(ast.AugAssign(ast.Name(name, ast.Store()), operator, value), value)


def _set(target: ast.expr, value: ast.expr, node: ast.AST) -> ast.stmt:
    line = ast.copy_location(ast.Assign([target], value), node)
    line.is_index = not isinstance(value, ast.Subscript)  # type: ignore[attr-defined]
    return line


def _within(node: ast.stmt) -> set[str]:
    """Return the names that comprehensions within a line set for themselves."""
    loops = [each for each in _walk(node) if isinstance(each, ast.comprehension)]
    return {name for each in loops for name in _names(each.target, ast.Store)}


def parts_of(function: Any, places: int) -> _Taken:
    """Return a function of a sequence of so many places taken apart. Raises ProblemError where it is no sum."""
    try:
        return _Taken(function, tree_of(function), places)
    except _Unknown as error:
        raise ProblemError(str(error)) from None


def term_of(sources: Sources, function: Any, taken: _Taken, part: Part, choices: int) -> Term:
    """Return the function that gives the term of a part at some places."""
    value = " + ".join(f"{name}" if sign > 0 else f"(-{name})" for name, sign in taken.signs.items()) or "0"
    end = ast.parse(f"return {value}").body
    text = f"def {function.__code__.co_name}({taken.x}, _k, _l): pass"
    tree = ast.parse(text)
    definition: Any = tree.body[0]
    begin = ast.parse("\n".join(f"{name} = 0" for name in {**taken.signs, **dict.fromkeys(taken.sums)})).body

    class Ends(ast.NodeTransformer):
        def visit_Continue(self, node: ast.Continue) -> Any:
            return ast.copy_location(copy.deepcopy(end[0]), node)

    body = [Ends().visit(copy.deepcopy(each)) for each in part.body]
    definition.body = [*copy.deepcopy(taken.before), *begin, *body, *end]
    for node in _walk(tree):
        if isinstance(node, (ast.stmt, ast.expr)) and not hasattr(node, "lineno"):
            node.lineno = node.end_lineno = part.line
            node.col_offset = node.end_col_offset = 0
    known = {"_k": (part.span[0], part.span[1] - 1), "_l": (0, taken.places - 1)}
    intervals = Intervals(taken.scope, taken.x, taken.places, choices, known)
    intervals.lines(definition.body)
    return Term(sources.derived(function, ast.fix_missing_locations(tree), intervals.is_safe), intervals.largest)
