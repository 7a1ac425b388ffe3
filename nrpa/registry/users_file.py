"""A file of the user's own, imported under a name that stays the same."""

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

PREFIX = "nrpa_users_"


def is_users(name: str) -> bool:
    """Return whether a name is of the form ``file.py:Class``, the class being optional."""
    return name.endswith(".py") or ".py:" in name


def file_of_class(name: str) -> str:
    """Return the file in a name of the form ``file.py:Class``."""
    return name if name.endswith(".py") else name[: name.rindex(".py:") + 3]


def file_of_module(name: str) -> str:
    """Return the file of a module that ``users_class`` has loaded; empty for any other module."""
    file = getattr(sys.modules.get(name), "__file__", None) if name.startswith(PREFIX) else None
    return file or ""


def import_file(path: str) -> None:
    """Import a user's file under the name that it has in every process. Raises InputError if it cannot be."""
    module_of(Path(path))


def module_of(path: Path) -> ModuleType:
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
