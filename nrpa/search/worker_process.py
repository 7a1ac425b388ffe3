"""A process that works for another: it leaves signals to its parent, and ends with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection, wait
from typing import Any

from nrpa.search.interrupt import leave_to_parent


def serve_parent(lifeline: Connection | None = None) -> None:
    """Leave Ctrl-C and its kind to the parent, and end when the parent dies, however: nobody would take the work.

    Parameters
    ----------
    lifeline : Connection, optional
        A pipe that the parent closes to end this process at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_to_parent()
    parent = multiprocessing.parent_process()
    watched: list[Any] = [*([] if parent is None else [parent.sentinel]), *([] if lifeline is None else [lifeline])]

    def watch() -> None:
        wait(watched)
        os._exit(1)

    if watched:
        threading.Thread(target=watch, daemon=True).start()
