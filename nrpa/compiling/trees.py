"""What is asked of the trees of functions, and how lines are put into them."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import Any, TypeGuard


def nodes_of(node: Any) -> Iterator[Any]:
    """Yield the nodes of a tree, of any class."""
    yield from ast.walk(node)


def names_in(node: Any, kind: type) -> set[str]:
    """Return the names that are read (``ast.Load``) or set (``ast.Store``) in a tree."""
    return {each.id for each in nodes_of(node) if is_name(each, kind)}


def assigned(target: ast.expr, value: ast.expr, node: ast.AST, is_index: bool = False) -> ast.Assign:
    """Return the line that sets a target, at the place of a node; ``is_index`` where it is the place of a loop."""
    line: Any = ast.Assign([copy.deepcopy(target)], copy.deepcopy(value))
    line.is_index = is_index
    return placed(line, node)  # type: ignore[no-any-return]


def known(node: Any) -> int | None:
    """Return the whole number that is written, None for anything else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def placed(node: Any, like: Any) -> Any:
    """Return a node whose parts that are nowhere are at the place of another."""
    for each in nodes_of(node):
        if isinstance(each, (ast.stmt, ast.expr)) and not hasattr(each, "lineno"):
            ast.copy_location(each, like)
    return node


def is_name(node: Any, kind: type = ast.expr_context) -> TypeGuard[ast.Name]:
    """Return whether a node is a name, of a kind."""
    return isinstance(node, ast.Name) and isinstance(node.ctx, kind)
