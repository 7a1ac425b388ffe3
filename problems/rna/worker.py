"""The process that folds under one parameter set: ``python -m nrpa.problems.rna.worker PARAMETERS``.

Each pickle on standard input is the name of a method of ``LocalFolder`` and its arguments, answered by the pickle of
what it returns.
"""

import pickle
import signal
import sys
from contextlib import suppress

from nrpa.problems.rna.vienna import LocalFolder


def main(parameters: str) -> None:
    """Answer until the input ends. Ctrl-C, SIGTERM and SIGHUP are left to the process that asks."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    folder = LocalFolder(parameters)
    with suppress(EOFError):
        while True:
            method, arguments = pickle.load(sys.stdin.buffer)
            pickle.dump(getattr(folder, method)(*arguments), sys.stdout.buffer)
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
