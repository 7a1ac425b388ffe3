"""The best solutions of an experiment on disk: of each variant on each instance the result of its best run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from nrpa.base.errors import InputError
from nrpa.bench.records import Key
from nrpa.io.files import exists, write_text
from nrpa.io.text import read_json
from nrpa.search.result import Result


class BestRun(NamedTuple):
    """The best run of a variant on an instance; of equal scores that of the lowest seed."""

    variant: str
    instance: str
    result: Result


def best_path(path: Path) -> Path:
    """Return where the best solutions go, beside the description."""
    return path.with_suffix(".best.json")


def read_best(path: Path) -> list[BestRun]:
    """Return the best runs that a file holds; none if it is not there, as it is not beside older records."""
    if not exists(path):
        return []
    try:
        entries = read_json(path)["best"]
        return [
            BestRun(str(entry["variant"]), str(entry["instance"]), Result.from_json(json.dumps(entry["result"])))
            for entry in entries
        ]
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(f"{path}: holds no best solutions of `nrpa bench` ({error})") from None


class BestFile:
    """The file of the best solutions, written anew, whole or not at all, when one is better."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._runs = {(run.variant, run.instance): run for run in read_best(path)}

    def take(self, key: Key, result: Result) -> None:
        """Take note of a run, and write the file if it is the best of its variant on its instance so far."""
        variant, instance, _ = key
        kept = self._runs.get((variant, instance))
        if kept is not None and (kept.result.score, -kept.result.seed) >= (result.score, -result.seed):
            return
        self._runs[variant, instance] = BestRun(variant, instance, result)
        entries = [{**run._asdict(), "result": run.result.to_dict()} for _, run in sorted(self._runs.items())]
        write_text(self._path, json.dumps({"best": entries}, allow_nan=False) + "\n")
