"""What it costs to compile a tree search for a game that was never played, in seconds of the processor.

    python experiments/compile_time.py

An empty folder takes the machine code: first of a game with the helpers that all problems share, then of a second game,
for which these come from disk; then what it costs to load the first again. Each in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

MEASURE = """
import sys
from time import process_time
import nrpa
problem = getattr(nrpa, sys.argv[1])()
begun = process_time()
nrpa.MCPS().start(problem, 0)
print(f"{process_time() - begun:.1f}")
"""


def main() -> None:
    """Measure, and print a line for each."""
    with tempfile.TemporaryDirectory() as folder:
        for game, what in (("Hex", "compiled with all helpers"), ("Nogo", "compiled"), ("Hex", "loaded from disk")):
            command = [sys.executable, "-c", MEASURE, game]
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
            print(f"{game}, {what}: {done.stdout.strip()} s", flush=True)


if __name__ == "__main__":
    main()
