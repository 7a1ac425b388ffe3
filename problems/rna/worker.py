"""The process that folds under one parameter set: ``python -m nrpa.problems.rna.worker PARAMETERS``.

Each line of standard input is a sequence, answered by its optimal structure and energy, or a sequence and a structure,
answered by the energy.
"""

from __future__ import annotations

import signal
import sys

from nrpa.problems.rna.vienna import LocalFolder


def main(parameters: str) -> None:
    """Answer until the input ends. Ctrl-C is left to the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    folder = LocalFolder(parameters)
    for line in sys.stdin:
        sequence, *structure = line.split()
        if structure:
            print(folder.energy(sequence, structure[0]), flush=True)
        else:
            print(*folder.mfe(sequence), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
