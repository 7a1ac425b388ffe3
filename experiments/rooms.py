"""Count what it takes to read the source: lines, the files of an algorithm, names defined twice, circles of imports.

python experiments/rooms.py [CHECKOUT]
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = ("nrpa", "problems", "solvers", "plots", "experiments")
CORE = ("nrpa/engine", "nrpa/search", "nrpa/machine", "nrpa/python", "nrpa/games", "solvers")
OTHERS = ("problems", "solvers", "plots")  # installed as nrpa.problems and so on
ALGORITHMS = ("nrpa", "nmcs", "tempering", "tree")


def main() -> None:
    """Print the counts of a checkout, this one by default."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    trees = {
        path: ast.parse(path.read_text("utf-8")) for folder in SOURCE for path in sorted((root / folder).rglob("*.py"))
    }
    texts = {path: path.read_text("utf-8").splitlines() for path in trees}
    modules = {
        name_of(path.relative_to(root)): path for path in trees if path.relative_to(root).parts[0] != "experiments"
    }
    imports = {module: set(imported(module, path, trees[path], modules)) for module, path in modules.items()}
    core = [path for path in trees if any(path.is_relative_to(root / folder) for folder in CORE)]
    print(f"source: {sum(map(len, texts.values())):,} lines in {len(trees)} files")
    print(f"core: {sum(code_lines(trees[path], texts[path]) for path in core):,} lines of code in {len(core)} files")
    for algorithm in ALGORITHMS:
        own, shared = to_read(algorithm, imports)
        lines = [sum(len(texts[modules[module]]) for module in group) for group in (own, shared)]
        print(f"{algorithm}: {len(own)} files of {lines[0]:,} lines; shared: {len(shared)} of {lines[1]:,}")
        print("".join(f"    {module}\n" for module in sorted(shared)), end="")
    twice = defined_twice({module: trees[path] for module, path in modules.items()})
    print(f"names defined twice: {len(twice)}")
    for name, places in sorted(twice.items()):
        print(f"    {name}: {', '.join(places)}")
    rings = circles(imports)
    print(f"circles of imports: {len(rings)}")
    for ring in rings:
        print(f"    {', '.join(sorted(ring))}")


def name_of(path: Path) -> str:
    """Return the name under which a file is imported, from its path in the checkout."""
    parts = [*(("nrpa",) if path.parts[0] in OTHERS else ()), *path.with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def code_lines(tree: ast.Module, text: list[str]) -> int:
    """Count the lines of a file that are neither blank nor comments, docstrings or imports."""
    left_out = {
        number for node in ast.walk(tree) if is_said(node) for number in range(node.lineno, node.end_lineno + 1)
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(text, 1)
        if number not in left_out
    )


def is_said(node: ast.AST) -> bool:
    """Say whether a node is an import or a text that stands alone, such as a docstring."""
    alone = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return alone or isinstance(node, ast.Import | ast.ImportFrom)


def imported(module: str, path: Path, tree: ast.Module, modules: dict[str, Path]) -> Iterator[str]:
    """Yield the modules of the project that one imports anywhere, those that only type checkers see among them."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else base for name in names if name in modules or base in modules)


def to_read(algorithm: str, imports: dict[str, set[str]]) -> tuple[set[str], set[str]]:
    """Return the modules of an algorithm's folder, and those outside it that its compiled functions import."""
    folder = f"nrpa.solvers.{algorithm}"
    own = {module for module in imports if module.startswith(f"{folder}.")}
    compiled, new = set(), {f"{folder}.kernel"}
    while new:
        compiled |= new
        new = {module for seen in new for module in imports[seen] if module in own} - compiled
    outside = {module for seen in compiled for module in imports[seen]} - own - {folder}
    return own, {module for module in outside if module.startswith(("nrpa.engine", "nrpa.solvers"))}


def defined_twice(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Return the public classes and functions that several modules define, and where; kernels of a model do not count.

    A problem is a room of its own, so that what problems define does not count.
    """
    kernels = {node.name for node in trees["nrpa.engine.kernels"].body if isinstance(node, ast.FunctionDef)}
    places = defaultdict(list)
    for module, tree in trees.items():
        for node in tree.body if not module.startswith("nrpa.problems.") else ():
            if (
                isinstance(node, ast.ClassDef | ast.FunctionDef)
                and not node.name.startswith("_")
                and node.name not in kernels
            ):
                places[node.name].append(module)
    return {name: where for name, where in places.items() if len(where) > 1}


def circles(imports: dict[str, set[str]]) -> list[set[str]]:
    """Return the groups of modules each of which imports all others, through others or not."""
    reached: dict[str, set[str]] = {}
    for module, direct in imports.items():
        seen, new = set[str](), direct - {module}
        while new:
            seen |= new
            new = {further for one in new for further in imports.get(one, ())} - seen
        reached[module] = seen
    rings: list[set[str]] = []
    for module in imports:
        ring = {other for other in reached[module] if module in reached.get(other, ())}
        if ring and ring not in rings:
            rings.append(ring)
    return rings


if __name__ == "__main__":
    main()
