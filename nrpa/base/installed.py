"""What is installed: the versions of packages, and the folders of nrpa itself.

In a checkout the folders problems, solvers, plots and instances lie beside nrpa; installed, they are inside it.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType

BESIDE = ("examples", "instances", "plots", "problems", "solvers")


class CheckoutFinder(MetaPathFinder):
    """Finds ``nrpa.problems`` and the other folders of ``BESIDE`` in the folder ``root``, and nothing else there."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where the package is, or None."""
        parent, _, name = fullname.rpartition(".")
        if parent != "nrpa" or name not in BESIDE:
            return None
        return PathFinder.find_spec(fullname, [str(self._root)])


def find_in_checkout(package: Path) -> None:
    """Let the folders beside ``package``, the folder of nrpa, be found as its own, if it lies in a checkout."""
    root = package.parent
    if (root / "problems" / "tsptw").is_dir() and (root / "pyproject.toml").is_file():
        sys.meta_path.append(CheckoutFinder(root))


def version_of(package: str) -> str:
    """Return the version of an installed package; ``"0+unknown"`` if it is not installed (nrpa in a checkout)."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "0+unknown"


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on."""
    packages = {name: version_of(name) for name in ("nrpa", "numpy", "numba")}
    return {**packages, "python": platform.python_version()}
