"""A process that works for another: it leaves signals to its parent, and ends with it."""

from __future__ import annotations

import multiprocessing
import os
import threading

from nrpa.search.interrupt import leave_to_parent


def serve_parent() -> None:
    """Leave Ctrl-C and its kind to the parent, and end when the parent dies, however: nobody would take the work."""
    leave_to_parent()
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
