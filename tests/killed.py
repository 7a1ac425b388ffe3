"""Commands that are killed, or get another signal, as soon as they have got somewhere."""

import os
import signal
import subprocess
import sys
import time


def command(*words):
    """Return a command of nrpa."""
    return [sys.executable, "-m", "nrpa", *map(str, words)]


def stopped(words, has_begun, number=signal.SIGKILL, to_all=False):
    """Send a signal to a command when ``has_begun()``; return its process, and what it said, when it has ended.

    ``to_all``: its workers get the signal, too, as from a terminal.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command(*words), env=environment, start_new_session=True, **pipes)
    while not has_begun():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    (os.killpg if to_all else os.kill)(process.pid, number)
    said = process.communicate()
    assert number != signal.SIGKILL or process.returncode == -number
    return process, *said


def continued(*words):
    """Run a command to its end; return its standard output."""
    return subprocess.run(command(*words), check=True, capture_output=True, text=True).stdout
