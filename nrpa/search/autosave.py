"""What a search leaves on disk while it goes on: its result so far, and a checkpoint of the whole run."""

from __future__ import annotations

import dataclasses
import logging
import os
from collections.abc import Callable
from time import perf_counter

from nrpa.base.errors import InputError
from nrpa.search.run import Run

logger = logging.getLogger("nrpa")

RESULT_SECONDS = 1.0
CHECKPOINT_SECONDS = 5.0
# A file that takes long to write is written less often: writing is to take a twentieth of the time at most.
SHARE = 20.0


class KeptFile:
    """A file that is written again and again while a search goes on."""

    def __init__(self, write: Callable[[Run], object], seconds: float) -> None:
        self._write = write
        self._seconds = seconds
        self._due = 0.0
        self._has_failed = False

    @property
    def is_due(self) -> bool:
        """Whether it is time to write again."""
        return perf_counter() >= self._due

    def write(self, run: Run) -> None:
        """Write the file. Raises InputError where that is not possible."""
        begun = perf_counter()
        try:
            self._write(run)
        finally:
            ended = perf_counter()
            self._due = begun + max(self._seconds, SHARE * (ended - begun))

    def try_to_write(self, run: Run) -> bool:
        """Write the file and return whether that was possible; if not, say why, the first time."""
        try:
            self.write(run)
        except InputError as error:
            if not self._has_failed:
                logger.warning("%s; the search goes on", error)
            self._has_failed = True
            return False
        return True


class ResultAutosave:
    """The result so far as JSON, status "running": written within a second after an improvement."""

    def __init__(self, path: str | os.PathLike[str], setup_seconds: float = 0.0) -> None:
        self._path = path
        self._setup_seconds = setup_seconds
        self._file = KeptFile(self._write, RESULT_SECONDS)
        self._written = 0

    def slice(self, run: Run) -> None:
        """Write the file if there is an improvement that it lacks, and it was not written a short time ago."""
        improved = run.progress.improved_playouts
        if improved != self._written and self._file.is_due and self._file.try_to_write(run):
            self._written = improved

    def _write(self, run: Run) -> None:
        result, setup_seconds = run.result(), self._setup_seconds + run.setup_seconds
        dataclasses.replace(result, status="running", setup_seconds=setup_seconds).to_json(self._path)


class CheckpointAutosave:
    """A checkpoint of the whole run, written every few seconds."""

    def __init__(self, path: str | os.PathLike[str], seconds: float = CHECKPOINT_SECONDS) -> None:
        self._file = KeptFile(lambda run: run.save(path), seconds)
        self._is_begun = False

    def slice(self, run: Run) -> None:
        """Write the checkpoint, unless that was done a short time ago."""
        if not self._is_begun:
            self._file.write(run)
            self._is_begun = True
        elif self._file.is_due:
            self._file.try_to_write(run)
