"""What the imports of nrpa look like; that they point down is checked by import-linter (see pyproject.toml)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("nrpa", "problems", "solvers", "plots")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
MOST = 10


def imports_in_functions(path):
    """Return the lines on which functions of the file import modules of nrpa."""
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if is_function(node)]
    found = {node.lineno for function in functions for node in ast.walk(function) if imports_nrpa(node)}
    return sorted(found)


def is_function(node):
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))


def imports_nrpa(node):
    if isinstance(node, ast.ImportFrom):
        names = [node.module or ""]
    elif isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        return False
    return any(name.split(".")[0] == "nrpa" for name in names)


def test_few_functions_import_modules_of_nrpa():
    """Ten at most: what is heavy is put off by ``nrpa.base.lazy``, and what is mutual belongs on one floor."""
    found = [f"{path.relative_to(ROOT)}:{line}" for path in FILES for line in imports_in_functions(path)]
    assert len(found) <= MOST, found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_an_import_in_a_function_has_a_reason(path):
    """It stands above it, or above the imports that it follows, as a comment."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number in imports_in_functions(path):
        above = number - 2
        while lines[above].strip().startswith(("from ", "import ")):
            above -= 1
        assert lines[above].strip().startswith("#"), f"{path.relative_to(ROOT)}:{number}: {lines[number - 1].strip()}"
