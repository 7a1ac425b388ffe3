"""Versions of installed packages."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version


def version_of(package: str) -> str:
    """Return the version of an installed package; ``"0+unknown"`` of one that is not, as nrpa in a mere checkout."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "0+unknown"


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on."""
    packages = {name: version_of(name) for name in ("nrpa", "numpy", "numba")}
    return {**packages, "python": platform.python_version()}
