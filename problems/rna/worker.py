"""The process that folds under one parameter set: ``python -m nrpa.problems.rna.worker PARAMETERS``.

Each line of standard input is a sequence, answered by its optimal structure and energy, or a sequence and a structure,
answered by the energy; with a position after them, by the energy of the loop closed there. After the word ``energies``
come a sequence, how far below is enough, and structures, answered by their energies.
"""

from __future__ import annotations

import signal
import sys

from nrpa.problems.rna.vienna import LocalFolder


def main(parameters: str) -> None:
    """Answer until the input ends. Ctrl-C, SIGTERM and SIGHUP are left to the process that asks."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    folder = LocalFolder(parameters)
    for line in sys.stdin:
        match line.split():
            case ["energies", sequence, enough, *structures]:
                print(*folder.energies(sequence, structures, float(enough)), flush=True)
            case [sequence]:
                print(*folder.mfe(sequence), flush=True)
            case [sequence, structure]:
                print(folder.energy(sequence, structure), flush=True)
            case [sequence, structure, first]:
                print(folder.loop(sequence, structure, int(first)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
