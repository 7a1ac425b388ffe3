"""What can be done after a search, in a line."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

from nrpa.io.files import is_replaced
from nrpa.registry import is_users
from nrpa.search.result import Result

ENDED = ("optimal", "target")


def next_steps(
    words: list[str],
    result: Result,
    *,
    instance: str | None,
    json: str | None,
    plot: str | None,
    checkpoint: str | None,
    limits: dict[str, Any],
) -> str:
    """Return what a user may do next: keep the result, check and draw it, go on."""
    steps = []
    if json is None:
        steps.append("keep it with --json FILE, for nrpa check and nrpa plot")
    elif is_replaced(json):
        if instance != "-":
            steps.append(shlex.join(["nrpa", "check", *words, json]))
        picture = _picture_of(json, [path for path in (plot, checkpoint) if path is not None])
        mine = ["--problem", words[0]] if is_users(words[0]) else []
        steps.append(shlex.join(["nrpa", "plot", "--solution", json, *mine, "--out", picture]))
    if result.status not in ENDED:
        more = _more(result, limits)
        if checkpoint is not None and instance != "-":
            steps.append(shlex.join(["nrpa", "solve", *words, "--resume", checkpoint, *more]))
        else:
            steps.append(f"more time: {' '.join(more)}")
    return f"next: {' | '.join(steps)}" if steps else ""


def _picture_of(json: str, taken: list[str]) -> str:
    """Return a name beside a result for the picture of its solution; it is none of the files that were written."""
    written = {os.path.realpath(path) for path in (json, *taken)}
    picture = Path(json).with_suffix(".png")
    while os.path.realpath(picture) in written:
        picture = picture.with_suffix(".solution.png")
    return str(picture)


def _more(result: Result, limits: dict[str, Any]) -> list[str]:
    """Return a limit of twice what was searched."""
    if limits["playouts"] is not None and limits["time"] is None:
        return ["--playouts", str(2 * max(limits["playouts"], result.playouts))]
    seconds = max(result.seconds, limits["time"] or 0.0)
    return ["--time", f"{2 * seconds:.3g}"]
