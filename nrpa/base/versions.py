"""Versions of installed packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def version_of(package: str) -> str:
    """Return the version of an installed package; ``"0+unknown"`` of one that is not, as nrpa in a mere checkout."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "0+unknown"
