"""What a search leaves on disk while it goes on: its result so far, and a checkpoint of the whole run."""

from __future__ import annotations

import dataclasses
import logging
import math
import os
from time import perf_counter

from nrpa.base.errors import InputError
from nrpa.search.run import Run

logger = logging.getLogger("nrpa")

RESULT_SECONDS = 1.0
CHECKPOINT_SECONDS = 5.0
# Writing takes a twentieth of the time at most, or so many seconds in all. What the first checkpoint takes is expected
# from its bytes, so many a second.
SHARE, FREE_SECONDS, FIRST_SPEED = 20.0, 0.25, 5e7


class Autosave:
    """A file that is written again and again while a search goes on: the less often, the longer that takes."""

    _must_work = False  # whether the search ends where the file cannot be written
    _speed = math.inf  # the size that was written in a second

    def __init__(self, path: str | os.PathLike[str], seconds: float) -> None:
        self._path, self._seconds, self._due = path, seconds, 0.0
        self._begun, self._spent = math.inf, 0.0
        self._has_failed = False

    def _size(self, run: Run) -> float:
        """Return what the time of writing is in proportion to."""
        return 1.0

    def _write(self, run: Run) -> None:
        raise NotImplementedError

    def slice(self, run: Run) -> None:
        """Write the file, unless it is too early; if that cannot be, say why, the first time."""
        now = perf_counter()
        self._begun = min(self._begun, now)
        if now < self._due:
            return
        size = self._size(run)
        spent = self._spent + size / self._speed
        if spent > max((now - self._begun) / SHARE, FREE_SECONDS):
            self._due = self._begun + SHARE * spent
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
            took = perf_counter() - now
            self._spent += took
            self._speed = size / took if took else math.inf
            self._due = now + self._seconds


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

    _must_work, _speed = True, FIRST_SPEED

    def __init__(self, path: str | os.PathLike[str], seconds: float = CHECKPOINT_SECONDS) -> None:
        super().__init__(path, seconds)

    def _size(self, run: Run) -> float:
        return run.saved_bytes

    def _write(self, run: Run) -> None:
        run.save(self._path)
        self._must_work = False
