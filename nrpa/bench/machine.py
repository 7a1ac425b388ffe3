"""What a record says of the machine that it was made on."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

from nrpa.search.workers import cores


def machine() -> dict[str, Any]:
    """Return the name of the processor, and how many cores this process may use."""
    return {"processor": _processor(), "cores": cores()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
