"""A problem of the user's own, named on the command line as ``path/to/my_problem.py:MyProblem``."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from nrpa.base.errors import InputError
from nrpa.base.values import path_shown
from nrpa.io.files import is_file
from nrpa.modelling.base_problem import BaseProblem

PREFIX = "nrpa_users_"


def is_users(name: str) -> bool:
    """Return whether a name is of the form ``file.py:Class``, the class being optional."""
    return name.endswith(".py") or ".py:" in name


def users_class(name: str) -> type[BaseProblem]:
    """Return the problem class in a file of the user's own."""
    path = file_of_class(name)
    wanted = name[len(path) + 1 :]
    module = _module(Path(path))
    classes = {key: value for key, value in vars(module).items() if _is_problem(value, module)}
    if not wanted and len(classes) == 1:
        wanted = next(iter(classes))
    if wanted not in classes:
        found = ", ".join(classes) or "none"
        called = f" called {wanted}" if wanted else ""
        more = f"; choose one with {path}:CLASS" if classes and not wanted else ""
        expected = f"expected a subclass of nrpa.Problem or nrpa.CompiledProblem{called}"
        raise InputError(f"{path}: {expected}; found {found}{more}")
    classes[wanted].require_methods()
    found_class: type[BaseProblem] = classes[wanted]
    return found_class


def file_of_class(name: str) -> str:
    """Return the file in a name of the form ``file.py:Class``."""
    return name if name.endswith(".py") else name.rpartition(":")[0]


def file_of_module(name: str) -> str:
    """Return the file of a module that ``users_class`` has loaded; empty for any other module."""
    file = getattr(sys.modules.get(name), "__file__", None) if name.startswith(PREFIX) else None
    return file or ""


def import_file(path: str) -> None:
    """Import a user's file under the name that it has in every process. Raises InputError if it cannot be."""
    _module(Path(path))


def _is_problem(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, BaseProblem) and value.__module__ == module.__name__


def _module(path: Path) -> ModuleType:
    """Import the file, its folder on the path, under a name that stays the same: machine code is kept under it."""
    if not is_file(path):
        raise InputError(f"{path_shown(path)}: no such file")
    where = path.resolve()
    name = f"{PREFIX}{where.stem}_{hashlib.sha256(str(where).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, where)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, where)
        raise InputError(f"{path}:{line}: cannot be imported ({type(error).__name__}: {error})") from None
    return module


def _line(error: Exception, where: Path) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(where)]
    return lines[-1] if lines else None
