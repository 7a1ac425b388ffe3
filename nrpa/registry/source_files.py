"""The Python files that are loaded, which no output may replace."""

from __future__ import annotations

import sys


def source_files() -> list[str]:
    """Return the files of all modules that are loaded, a user's own among them."""
    found = [vars(module).get("__file__") for module in list(sys.modules.values()) if hasattr(module, "__dict__")]
    return [file for file in found if isinstance(file, str)]
