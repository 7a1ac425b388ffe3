"""What a search leaves on disk while it goes on: its result so far, and a checkpoint of the whole run."""

from __future__ import annotations

import dataclasses
import logging
import os
from time import perf_counter

from nrpa.base.errors import InputError
from nrpa.search.run import Run

logger = logging.getLogger("nrpa")

RESULT_SECONDS = 1.0
CHECKPOINT_SECONDS = 5.0
# A file that takes long to write is written less often: writing is to take a twentieth of the time at most.
SHARE = 20.0


class Autosave:
    """A file that is written again and again while a search goes on."""

    _must_work = False  # whether the search ends where the file cannot be written

    def __init__(self, path: str | os.PathLike[str], seconds: float) -> None:
        self._path, self._seconds, self._due = path, seconds, 0.0
        self._has_failed = False

    def _write(self, run: Run) -> None:
        raise NotImplementedError

    def slice(self, run: Run) -> None:
        """Write the file, unless that was done a short time ago; if that cannot be, say why, the first time."""
        begun = perf_counter()
        if begun < self._due:
            return
        try:
            self._write(run)
        except InputError as error:
            if self._must_work:
                raise
            if not self._has_failed:
                logger.warning("%s; the search goes on", error)
            self._has_failed = True
        finally:
            self._due = begun + max(self._seconds, SHARE * (perf_counter() - begun))


class ResultAutosave(Autosave):
    """The result so far as JSON, status "running": written within a second after an improvement."""

    def __init__(self, path: str | os.PathLike[str], setup_seconds: float = 0.0) -> None:
        super().__init__(path, RESULT_SECONDS)
        self._setup_seconds, self._written = setup_seconds, 0

    def slice(self, run: Run) -> None:
        """Write the file if there is an improvement that it lacks, and it was not written a short time ago."""
        if run.progress.improved_playouts != self._written:
            super().slice(run)

    def _write(self, run: Run) -> None:
        result, setup_seconds = run.result(), self._setup_seconds + run.setup_seconds
        dataclasses.replace(result, status="running", setup_seconds=setup_seconds).to_json(self._path)
        self._written = run.progress.improved_playouts


class CheckpointAutosave(Autosave):
    """A checkpoint of the whole run, written every few seconds; the first one must be possible."""

    _must_work = True

    def __init__(self, path: str | os.PathLike[str], seconds: float = CHECKPOINT_SECONDS) -> None:
        super().__init__(path, seconds)

    def _write(self, run: Run) -> None:
        run.save(self._path)
        self._must_work = False
